import IsaRuntime

/// The parts of the scenario and the runtime that a design needs.
///
/// Lives: as long as the run of its scenario.
final class DesignStage {
  unowned let performer: Performer
  /// Whether the scenario is over: what its objects' end brings about is no misuse then.
  var isOver = false
  private let raised: (Refusal) -> Void
  private var endings: [UInt: () -> Void] = [:]
  private var sentinelClass: RuntimeClass?

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
  func listener(of statement: ObserveStatement) throws(KeyValueError) -> Name {
    if let observer = statement.observer { return observer }
    let name = statement.token?.text ?? performer.nextObserverName()
    if world.objects[name] == nil {
      _ = try world.makeObject(name, Symbols.observerClass)
    }
    return Name(text: name, location: statement.target.object.location)
  }

  /// Whether an object answers to the message that tells an observer of a change.
  func isObserver(_ object: RuntimeObject) -> Bool {
    RuntimeClass.find(named: Symbols.observerClass).map { object.isKind(of: $0) } ?? false
  }

  /// Registers a closure with the runtime, in the scenario's options and context, for the token to
  /// end.
  func register(
    _ statement: ObserveStatement, on object: RuntimeObject, _ token: ListenerToken,
    _ heard: @escaping (() -> RuntimeChange) -> Void
  ) throws(KeyValueError) {
    try Listener(heard).observe(object, statement, token)
  }

  /// Tells an observer of a setting, as a design of its own makes it.
  func tell(
    _ observer: String, of object: RuntimeObject, _ key: String, old: RuntimeObject?,
    new: RuntimeObject?
  ) {
    recorder.hear(observer) {
      RuntimeChange(
        keyPath: key, object: object, oldValue: RuntimeValue(old), newValue: RuntimeValue(new))
    }
  }

  // MARK: Classes and ends

  /// A subclass for observing, made at its first use, whose objects claim to be of their own class.
  func subclass(_ name: String, of cls: RuntimeClass) throws(KeyValueError) -> RuntimeClass {
    if let known = RuntimeClass.find(named: name) { return known }
    return try world.makeClass(name, superclass: cls) { made throws(KeyValueError) in
      try made.method("class", "#@:") { RuntimeValue($0.receiver.isa.superclass) }
    }
  }

  /// Does something while an object is being deallocated, by an associated object that dies with it.
  func whenDies(_ object: RuntimeObject, _ action: @escaping () -> Void) throws(KeyValueError) {
    let sentinel = try sentinels().allocate()
    endings[sentinel.address] = action
    try object.setAssociated(sentinel, forKey: RuntimeAssociationKey())
  }

  private func sentinels() throws(KeyValueError) -> RuntimeClass {
    if let sentinelClass { return sentinelClass }
    let stage = Unowned(self)
    let made = try world.makeClass("Sentinel") { cls throws(KeyValueError) in
      try cls.method("dealloc", "v@:") { call -> Void in
        stage.object.endings.removeValue(forKey: call.receiver.address)?()
      }
    }
    sentinelClass = made
    return made
  }
}
