import IsaRuntime

// The hand-made KVO of articles, as it grows: each design adds one thing to the one before it, because
// that fails. The last two stand on Foundation (ControllerDesign.swift, WeakProxyDesign.swift).

extension Designs {
  /// The designs that grow out of one another, in their order.
  static let stages = [
    oneObserver, array, weakHolder, manyKeys, blocks, deathHook, controller, weakProxy,
  ]

  /// The word for all of them.
  static let allStages = "stages"

  /// The designs that a word of the command line means.
  static func names(for word: String) -> [String] {
    word == allStages ? stages.map(\.name) : find(word).map { [$0.name] } ?? []
  }

  static let oneObserver = DesignInfo(
    name: "one-observer", title: Text("design.one-observer"),
    source: Text("design.one-observer-source")
  ) { stage in OneObserverDesign(stage) }

  static let array = DesignInfo(
    name: "array", title: Text("design.array"),
    source: Text("design.array-source")
  ) { stage in ArrayDesign(stage) }

  static let weakHolder = DesignInfo(
    name: "weak-holder", title: Text("design.weak-holder"),
    source: Text("design.weak-holder-source")
  ) { stage in WeakHolderDesign(stage) }

  static let manyKeys = DesignInfo(
    name: "many-keys", title: Text("design.many-keys"),
    source: Text("design.many-keys-source")
  ) { stage in ManyKeysDesign(stage) }

  static let blocks = DesignInfo(
    name: "blocks", title: Text("design.blocks"),
    source: Text("design.blocks-source")
  ) { stage in BlocksDesign(stage) }

  static let deathHook = DesignInfo(
    name: "death-hook", title: Text("design.death-hook"),
    source: Text("design.death-hook-source")
  ) { stage in DeathHookDesign(stage) }
}

/// Stage 1: the setter of a made subclass sends one observer a message.
class OneObserverDesign: ObjectSetterDesign {
  /// One entry of the list that an observed object carries.
  struct Holder {
    var name: String
    /// Compared and not followed.
    var address: UInt
    var key: String
    var retained: RuntimeObject?
    var weak: RuntimeWeakReference?
  }

  let holders: CarriedList<Holder>

  override init(_ stage: DesignStage) {
    holders = CarriedList(stage, "Holders")
    super.init(stage)
  }

  override func add(
    _ block: Block, to object: RuntimeObject, _ method: RuntimeMethod
  ) throws(KeyValueError) {
    let observer = try observer(named: block.observer)
    _ = try swizzle(object, "Article_", method)
    try keep(try holder(of: observer, block), of: object)
  }

  /// The object that observes: the scenario's own, or one made for a function.
  func observer(named name: String) throws(KeyValueError) -> RuntimeObject {
    if let observer = stage.world.objects[name] { return observer }
    _ = try stage.world.makeObject(name, Symbols.observerClass)
    return stage.world.objects[name]!
  }

  func holder(of observer: RuntimeObject, _ block: Block) throws(KeyValueError) -> Holder {
    Holder(
      name: block.observer, address: observer.address, key: block.key, retained: observer)
  }

  /// Puts the observer where the last one was.
  func keep(_ holder: Holder, of object: RuntimeObject) throws(KeyValueError) {
    try holders.set(holder, of: object)
  }

  override func remove(_ statement: RemoveStatement) throws(KeyValueError) -> Bool {
    let object = try stage.world.object(statement.target.object)
    let observer = try stage.world.object(statement.observer).address
    holders.removeFirst(of: object) { isMeant($0, observer, statement.target.path) }
    return true
  }

  /// Whether a removal of an observer for a key means this entry.
  func isMeant(_ holder: Holder, _ observer: UInt, _ key: String) -> Bool {
    holder.address == observer
  }

  override func remove(token: String) throws(KeyValueError) -> Bool {
    holders.removeAll { $0.name == token }
    return true
  }

  override func set(_ call: ObjectSetterCall) {
    let (object, key) = (call.object, call.key)
    let old = SetterDesign.value(of: key, object)
    call.callOriginal()
    let new = SetterDesign.value(of: key, object)
    let changes = holders.changes
    for holder in holders.entries(of: object) {
      if holders.changes != changes { return stage.raise(mutated) }
      guard concerns(holder, key), let name = told(holder) else { continue }
      stage.tell(name, of: object, key, old: old, new: new)
    }
  }

  /// An array that is gone through looks, before each element, whether it is still what it was.
  private var mutated: Refusal {
    Refusal(
      exception: "NSGenericException",
      reason: "Collection <__NSArrayM> was mutated while being enumerated.")
  }

  /// Whether an entry is told of a change of the key: here of all keys whose setters are overridden.
  func concerns(_ holder: Holder, _ key: String) -> Bool { true }

  /// The name of the observer, if there is one to send the message to.
  func told(_ holder: Holder) -> String? { holder.retained.flatMap(receiver) }

  /// The name of an observer that answers to the message; of any other the process ends.
  func receiver(_ observer: RuntimeObject) -> String? {
    let name = stage.names.name(of: observer)
    if stage.isObserver(observer) { return name }
    let cls = stage.names.name(of: observer.class)
    stage.raise(
      Refusal(
        exception: "NSInvalidArgumentException",
        reason: "-[\(cls) changedKey:ofObject:]: unrecognized selector sent to \(name)"))
    return nil
  }
}

/// Stage 2: an array of observers.
class ArrayDesign: OneObserverDesign {
  override func keep(_ holder: Holder, of object: RuntimeObject) throws(KeyValueError) {
    try holders.append(holder, to: object)
  }
}

/// Stage 3: each observer is held weakly.
class WeakHolderDesign: ArrayDesign {
  override func holder(
    of observer: RuntimeObject, _ block: Block
  ) throws(KeyValueError) -> Holder {
    var holder = try super.holder(of: observer, block)
    holder.retained = nil
    holder.weak = try RuntimeWeakReference(to: observer)
    return holder
  }

  override func told(_ holder: Holder) -> String? { holder.weak?.object.flatMap(receiver) }
}

/// Stage 4: each entry has its key.
class ManyKeysDesign: WeakHolderDesign {
  override func concerns(_ holder: Holder, _ key: String) -> Bool { holder.key == key }

  override func isMeant(_ holder: Holder, _ observer: UInt, _ key: String) -> Bool {
    holder.address == observer && holder.key == key
  }
}

/// Stage 5: a block is called, whatever became of the observer.
class BlocksDesign: ManyKeysDesign {
  override func holder(
    of observer: RuntimeObject, _ block: Block
  ) throws(KeyValueError) -> Holder {
    Holder(name: block.observer, address: observer.address, key: block.key)
  }

  override func told(_ holder: Holder) -> String? { holder.name }
}

/// Stage 6: the end of an observer ends its blocks.
final class DeathHookDesign: BlocksDesign {
  private var watched: Set<UInt> = []

  override func holder(
    of observer: RuntimeObject, _ block: Block
  ) throws(KeyValueError) -> Holder {
    let address = observer.address
    if watched.insert(address).inserted {
      try stage.whenDies(observer) { [weak self] in
        self?.watched.remove(address)
        self?.holders.removeAll { $0.address == address }
      }
    }
    return try super.holder(of: observer, block)
  }
}
