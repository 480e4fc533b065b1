import IsaRuntime

// Foundation's own ways, played by this engine's profiles.

extension Designs {
  static let apple = DesignInfo(
    name: "apple", title: Text("design.apple"),
    source: Text("design.apple-source"),
    misuse: .exception
  ) { stage throws(KeyValueError) in try AppleDesign(stage) }

  static let gnustep = DesignInfo(
    name: "gnustep", title: Text("design.gnustep"),
    source: Text("design.gnustep-source"),
    misuse: .exception,
    adapt: { program in
      for index in program.scenario.statements.indices {
        guard case .classPair(var declaration) = program.scenario.statements[index].kind else {
          continue
        }
        declaration.profile = declaration.profile ?? .gnustep
        program.scenario.statements[index].kind = .classPair(declaration)
      }
    }
  ) { stage throws(KeyValueError) in try ObjectsOnlyDesign(stage) }

  static let classic = DesignInfo(
    name: "classic", title: Text("design.classic"),
    source: Text("design.classic-source"),
    misuse: .exception
  ) { stage throws(KeyValueError) in try ClassicDesign(stage) }
}

/// A system in which only objects observe: a function is played by one made for it.
class ObjectsOnlyDesign: ObservingDesign {
  let stage: DesignStage
  private var tokens: [String: RemoveStatement] = [:]

  init(_ stage: DesignStage) throws(KeyValueError) { self.stage = stage }

  func makeObserver(_ name: Name) throws(KeyValueError) -> Bool { false }

  func observe(_ statement: ObserveStatement) throws(KeyValueError) -> Bool {
    guard statement.observer == nil, !stage.world.listeners.isShared(statement.target.object)
    else { return try add(statement) }
    var statement = statement
    let listener = try stage.listener(of: statement)
    // Before it is registered: an initial notification may end it already.
    tokens[listener.text] = RemoveStatement(observer: listener, target: statement.target)
    statement.observer = listener
    statement.token = nil
    if try !add(statement) { try stage.performer.observe(statement) }
    return true
  }

  func remove(_ statement: RemoveStatement) throws(KeyValueError) -> Bool { try drop(statement) }

  /// A token ends once, however often one asks.
  func remove(token: String) throws(KeyValueError) -> Bool {
    guard let statement = tokens.removeValue(forKey: token) else {
      return !stage.world.listeners.isShared(
        Name(text: token, location: .init(line: 1, column: 1)))
    }
    if try !drop(statement) { try stage.performer.remove(statement) }
    return true
  }

  /// Registers an object; false leaves it to the runtime.
  func add(_ statement: ObserveStatement) throws(KeyValueError) -> Bool { false }
  /// Removes an object; false leaves it to the runtime.
  func drop(_ statement: RemoveStatement) throws(KeyValueError) -> Bool { false }
}

final class AppleDesign: ObjectsOnlyDesign {
  override init(_ stage: DesignStage) throws(KeyValueError) {
    try super.init(stage)
    KeyValueSettings.wrapping = .asApple
  }
}

extension Refusal {
  /// Foundation's before macOS 10.13, of an object of the class that dies observed.
  init(deallocatedWhileObserved cls: String) {
    self.init(
      exception: "NSInternalInconsistencyException",
      reason: "\(indefinite(cls).capitalisedFirst) was deallocated while observed.")
  }
}

/// Observers are bare pointers; who dies observed raises.
final class ClassicDesign: ObjectsOnlyDesign {
  private struct Registration {
    var observer: UInt
    var object: UInt
    var path: String
    var context: UInt
    var token: ListenerToken
  }

  /// A class of observers whose memory is a mapping of its own, given back to the system when they
  /// die: a message to a dead one then ends the process, instead of meeting whatever comes to stand
  /// in the same place.
  private static let roomyClass = "Mapped" + Symbols.observerClass
  private var registrations: [Registration] = []
  private var watched: Set<UInt> = []

  override init(_ stage: DesignStage) throws(KeyValueError) {
    try super.init(stage)
    let observers = try stage.world.existingClass(Symbols.observerClass)
    try stage.world.makeClass(ClassicDesign.roomyClass, superclass: observers) {
      cls throws(KeyValueError) in
      try cls.ivar("_room", "[67108864c]")
    }
  }

  override func makeObserver(_ name: Name) throws(KeyValueError) -> Bool {
    _ = try stage.world.makeObject(name.text, ClassicDesign.roomyClass)
    return true
  }

  override func add(_ statement: ObserveStatement) throws(KeyValueError) -> Bool {
    guard let listener = statement.observer, statement.indexes == nil else { return false }
    let object = try stage.world.object(statement.target.object)
    let observer = try stage.world.object(listener).address
    let path = statement.target.path
    // The message goes to the pointer, whatever stands there by now.
    let token = ListenerToken()
    try Listener(forwardingTo: observer).observe(object, statement, token)
    registrations.append(
      Registration(
        observer: observer, object: object.address, path: path, context: statement.context,
        token: token))
    try watch(object)
    return true
  }

  override func drop(_ statement: RemoveStatement) throws(KeyValueError) -> Bool {
    guard statement.indexes == nil else { return false }
    let object = try stage.world.object(statement.target.object).address
    let observer = try stage.world.object(statement.observer).address
    let path = statement.target.path
    let index = registrations.lastIndex {
      $0.observer == observer && $0.object == object && $0.path == path
        && (statement.context == nil || statement.context == $0.context)
    }
    guard let index else {
      throw KeyValueError(
        .notRegistered,
        reason: """
          Cannot remove an observer \(statement.observer) for the key path "\(path)" from \
          \(statement.target.object) because it is not registered as an observer.
          """)
    }
    registrations.remove(at: index)
    return true
  }

  private func watch(_ object: RuntimeObject) throws(KeyValueError) {
    let address = object.address
    guard watched.insert(address).inserted else { return }
    let cls = stage.performer.inspector.claimedClass(of: object)
    try stage.whenDies(object) { [unowned self] in
      watched.remove(address)
      let isObserved = registrations.contains { $0.object == address }
      registrations.removeAll { $0.object == address }
      guard isObserved else { return }
      stage.raise(Refusal(deallocatedWhileObserved: cls))
    }
  }
}
