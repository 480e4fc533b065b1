import IsaRuntime

// The hand-made KVO of two articles: mk_KVO in the four stages in which its article makes it, and the one
// whose blocks run on a queue. An info for each observer hangs on the observed object.

extension Designs {
  /// The designs that grow out of one another, in their order. The last two stand on Foundation
  /// (ControllerDesign.swift, SafeDesign.swift).
  static let stages = [
    strongObserver, restoring, weakInfo, infoArray, handmade, controller, safe,
  ]

  /// The word for all of them.
  static let allStages = "stages"

  /// The designs that a word of the command line means.
  static func names(for word: String) -> [String] {
    word == allStages ? stages.map(\.name) : find(word).map { [$0.name] } ?? []
  }

  static let strongObserver = DesignInfo(
    name: "mk-strong", title: Text("design.mk-strong"),
    source: Text("design.mk-strong-source")
  ) { stage in StrongObserverDesign(stage) }

  static let restoring = DesignInfo(
    name: "mk-restore", title: Text("design.mk-restore"),
    source: Text("design.mk-restore-source")
  ) { stage in RestoringDesign(stage) }

  static let weakInfo = DesignInfo(
    name: "mk-weak", title: Text("design.mk-weak"),
    source: Text("design.mk-weak-source")
  ) { stage in WeakInfoDesign(stage) }

  static let infoArray = DesignInfo(
    name: "mk-array", title: Text("design.mk-array"),
    source: Text("design.mk-array-source")
  ) { stage in InfoArrayDesign(stage) }

  static let handmade = DesignInfo(
    name: "handmade", title: Text("design.handmade"),
    source: Text("design.handmade-source"), misuse: .exception
  ) { stage in HandmadeDesign(stage) }
}

/// A made subclass whose setter looks up who observes in what the object carries.
class InfoDesign: ObjectSetterDesign {
  /// The observer of a key.
  struct Info {
    var name: String
    /// Of both ends: compared and not followed.
    var observer: UInt
    var object: UInt
    var key: String
    var retained: RuntimeObject?
    var weak: RuntimeWeakReference?
  }

  let infos: CarriedList<Info>
  /// Before the name of the class that is observed stands this in that of the made one.
  var prefix: String { "" }

  override init(_ stage: DesignStage) {
    infos = CarriedList(stage, "Infos")
    super.init(stage)
  }

  override func add(
    _ block: Block, to object: RuntimeObject, _ method: RuntimeMethod
  ) throws(KeyValueError) {
    let observer = try observer(named: block.observer)
    _ = try swizzle(object, prefix, method)
    let info = Info(
      name: block.observer, observer: observer.address, object: object.address, key: block.key)
    try keep(try holding(observer, info), of: object)
  }

  /// The object that observes: the scenario's own, or one made for a function.
  private func observer(named name: String) throws(KeyValueError) -> RuntimeObject {
    if let observer = stage.world.objects[name] { return observer }
    _ = try stage.world.makeObject(name, Symbols.observerClass)
    return stage.world.objects[name]!
  }

  /// The info with a reference to its observer.
  func holding(_ observer: RuntimeObject, _ info: Info) throws(KeyValueError) -> Info {
    var info = info
    info.weak = try RuntimeWeakReference(to: observer)
    return info
  }

  func keep(_ info: Info, of object: RuntimeObject) throws(KeyValueError) {
    try infos.append(info, to: object)
  }

  override func remove(_ statement: RemoveStatement) throws(KeyValueError) -> Bool {
    let object = try stage.world.object(statement.target.object)
    let observer = try stage.world.object(statement.observer).address
    infos.removeFirst(of: object) { isMeant($0, observer, statement.target.path) }
    try removed(from: object)
    return true
  }

  override func remove(token: String) throws(KeyValueError) -> Bool {
    guard let info = infos.first(where: { $0.name == token }) else { return true }
    let object = RuntimeObject(unsafeAddress: info.object)
    infos.removeFirst(of: object) { $0.name == token }
    try removed(from: object)
    return true
  }

  /// Whether a removal of an observer for a key means this info.
  func isMeant(_ info: Info, _ observer: UInt, _ key: String) -> Bool {
    info.observer == observer && info.key == key
  }

  /// Told after a removal.
  func removed(from object: RuntimeObject) throws(KeyValueError) {}
}

/// mk_KVO, first: the observer itself hangs on the object, which retains it, and cannot be removed.
class StrongObserverDesign: InfoDesign {
  override var prefix: String { "MKKVO_" }
  override var hasRemoval: Bool { false }

  override func holding(_ observer: RuntimeObject, _ info: Info) throws(KeyValueError) -> Info {
    var info = info
    info.retained = observer
    return info
  }

  /// Puts the observer where the last one was.
  override func keep(_ info: Info, of object: RuntimeObject) throws(KeyValueError) {
    try infos.set(info, of: object)
  }

  override func set(_ call: ObjectSetterCall) {
    let (object, key) = (call.object, call.key)
    let old = SetterDesign.value(of: key, object)
    call.callOriginal()
    let new = SetterDesign.value(of: key, object)
    let changes = infos.changes
    for info in infos.entries(of: object) {
      if infos.changes != changes { return stage.raise(mutated) }
      guard concerns(info, key), let observer = info.retained ?? info.weak?.object,
        let name = receiver(observer)
      else { continue }
      stage.tell(name, of: object, key, old: old, new: new)
    }
  }

  /// An array that is gone through looks, before each element, whether it is still what it was.
  private var mutated: Refusal {
    Refusal(
      exception: "NSGenericException",
      reason: "Collection <__NSArrayM> was mutated while being enumerated.")
  }

  /// Whether an info is about the key: here about all keys whose setters are overridden.
  func concerns(_ info: Info, _ key: String) -> Bool { true }

  /// The name of an observer that answers to the message; of any other the process ends.
  private func receiver(_ observer: RuntimeObject) -> String? {
    let name = stage.names.name(of: observer)
    if stage.isObserver(observer) { return name }
    let cls = stage.names.name(of: observer.class)
    stage.raise(
      Refusal(
        exception: "NSInvalidArgumentException",
        reason: """
          -[\(cls) mk_observeValueForKey:ofObject:change:]: unrecognized selector sent to \(name)
          """))
    return nil
  }
}

/// mk_KVO, then: a removal, which puts the isa back when nobody observes any more.
class RestoringDesign: StrongObserverDesign {
  override var hasRemoval: Bool { true }

  override func isMeant(_ info: Info, _ observer: UInt, _ key: String) -> Bool {
    info.observer == observer
  }

  override func removed(from object: RuntimeObject) throws(KeyValueError) {
    let original = object.class
    if infos.entries(of: object).isEmpty, object.isa != original { try object.setIsa(original) }
  }
}

/// mk_KVO, third: an info between object and observer, with a weak reference.
class WeakInfoDesign: RestoringDesign {
  override func holding(_ observer: RuntimeObject, _ info: Info) throws(KeyValueError) -> Info {
    var info = info
    info.weak = try RuntimeWeakReference(to: observer)
    return info
  }
}

/// mk_KVO, at last: an array of infos, each with its key; the same one twice is two.
final class InfoArrayDesign: WeakInfoDesign {
  override func keep(_ info: Info, of object: RuntimeObject) throws(KeyValueError) {
    try infos.append(info, to: object)
  }

  override func concerns(_ info: Info, _ key: String) -> Bool { info.key == key }

  override func isMeant(_ info: Info, _ observer: UInt, _ key: String) -> Bool {
    info.observer == observer && info.key == key
  }
}

/// Blocks, which are called on a queue whatever became of their observers.
final class HandmadeDesign: InfoDesign {
  override var prefix: String { "Handmade_" }

  override func set(_ call: ObjectSetterCall) {
    let (object, key) = (call.object, call.key)
    let old = SetterDesign.value(of: key, object)
    call.callOriginal()
    for info in infos.entries(of: object) where info.key == key {
      // A block keeps what it is given: here the value must be an object.
      let kept = call.value
      elsewhere { self.stage.tell(info.name, of: object, key, old: old, new: kept) }
    }
  }

  private func elsewhere(_ body: @escaping () -> Void) {
    let wasElsewhere = stage.recorder.isElsewhere
    stage.recorder.isElsewhere = true
    OtherThread.run(body)
    stage.recorder.isElsewhere = wasElsewhere
  }
}
