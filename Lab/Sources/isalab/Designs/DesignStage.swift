import CIsa

/// The parts of the scenario and the runtime that a design needs.
///
/// Lives: as long as the run of its scenario.
final class DesignStage {
  unowned let performer: Performer
  /// Whether the scenario is over: what its objects' end brings about is no misuse then.
  var isOver = false
  private let raised: (Refusal) -> Void
  private var endings: [UInt: () -> Void] = [:]
  private var sentinelClass: isa_class?
  /// The objects that the scenario's names without one stand for.
  private(set) var helpers: Set<String> = []

  var world: World { performer.world }
  var names: Names { performer.world.names }
  var recorder: Recorder { performer.world.recorder }

  /// - Parameter raised: Told of an exception that nobody catches; it does not return.
  init(_ performer: Performer, raised: @escaping (Refusal) -> Void) {
    self.performer = performer
    self.raised = raised
  }

  /// Raises what nobody catches; after the scenario's end nothing happens.
  func raise(_ refusal: Refusal) {
    if isOver { return }
    raised(Refusal(exception: refusal.exception, reason: names.symbolic(refusal.reason)))
  }

  // MARK: Observers

  /// The name of the object that observes: the scenario's own, or one made for a function.
  func listener(of statement: ObserveStatement) throws(Refusal) -> Name {
    if let observer = statement.observer { return observer }
    let name = statement.token?.text ?? performer.nextObserverName()
    if world.objects[name] == nil {
      _ = try world.makeObject(name, Symbols.observerClass)
      helpers.insert(name)
    }
    return Name(text: name, location: statement.target.object.location)
  }

  /// Registers a closure with the runtime, in the scenario's options and context.
  func register(
    _ statement: ObserveStatement, on object: isa_id, _ heard: @escaping (kvo_change) -> Void
  ) throws(Refusal) -> kvo_token {
    let listener = Unmanaged.passRetained(Listener(heard))
    var function = kvo_function(
      callback: { change, info in
        Unmanaged<Listener>.fromOpaque(info!).takeUnretainedValue().heard(change!.pointee)
      },
      info: listener.toOpaque(),
      release: { Unmanaged<Listener>.fromOpaque($0!).release() })
    var token: kvo_token?
    let status = kvo_observe(
      object, statement.target.path, statement.optionBits, &function,
      UnsafeMutableRawPointer(bitPattern: statement.context), &token)
    if status == ISA_OK { return token! }
    let refusal = Refusal.last()
    listener.release()
    throw refusal
  }

  /// Tells an observer of a setting, as a design of its own makes it.
  func tell(
    _ observer: String, of object: isa_id, _ key: String, old: isa_id?, new: isa_id?
  ) {
    var (old, new) = (old, new)
    withUnsafePointer(to: &old) { old in
      withUnsafePointer(to: &new) { new in
        key.withCString { key in
          "@".withCString { types in
            var change = kvo_change()
            change.object = object
            change.key_path = key
            change.kind = KVO_CHANGE_SETTING
            change.old_value = kvc_value(types: types, address: old)
            change.new_value = kvc_value(types: types, address: new)
            recorder.record(change, observer: observer)
          }
        }
      }
    }
  }

  // MARK: Classes and ends

  /// A subclass for observing, made at its first use, whose objects claim to be of their own class.
  func subclass(_ name: String, of cls: isa_class) throws(Refusal) -> isa_class {
    if let known = isa_class_find(name) { return known }
    return try world.makeClass(name, superclass: cls) { made throws(Refusal) in
      try Method.add("class", "#@:", to: made) { object, result, _ in
        let superclass = isa_class_superclass(isa_object_get_class(object))
        result!.storeBytes(of: UInt(bitPattern: superclass), as: UInt.self)
      }
    }
  }

  /// The class that the object claims to be of.
  func claimedClass(of object: isa_id) -> isa_class {
    isa_class_find(performer.inspector.claimedClass(of: object))!
  }

  /// Does something while an object is being deallocated, by an associated object that dies with it.
  func whenDies(_ object: isa_id, _ action: @escaping () -> Void) throws(Refusal) {
    var sentinel: isa_id?
    try refusing(isa_object_allocate(try sentinels(), &sentinel))
    endings[UInt(bitPattern: sentinel)] = action
    defer { isa_object_release(sentinel) }
    let key = UnsafeRawPointer(sentinel)
    try refusing(isa_object_set_associated(object, key, sentinel, ISA_ASSOCIATION_RETAIN))
  }

  private func sentinels() throws(Refusal) -> isa_class {
    if let sentinelClass { return sentinelClass }
    let made = try world.makeClass("Sentinel", superclass: nil) { cls throws(Refusal) in
      try Method.add("dealloc", "v@:", to: cls) { [unowned self] sentinel, _, _ in
        self.endings.removeValue(forKey: UInt(bitPattern: sentinel))?()
      }
    }
    sentinelClass = made
    return made
  }
}

/// A closure as the runtime holds it.
private final class Listener {
  let heard: (kvo_change) -> Void
  init(_ heard: @escaping (kvo_change) -> Void) { self.heard = heard }
}
