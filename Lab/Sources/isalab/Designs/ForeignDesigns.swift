import CIsa
import IsaRuntime

// Foundation's own ways, played by this engine's profiles.

extension Designs {
  static let apple = DesignInfo(
    name: "apple", title: "Apple's Foundation, with its exceptions",
    source: """
      This engine's default profile with KVO_WRAP_AS_APPLE; a refusal or misuse is an exception \
      that nobody catches. A function is played by an observer object made for it.
      """,
    misuse: .exception
  ) { stage throws(Refusal) in try AppleDesign(stage) }

  static let gnustep = DesignInfo(
    name: "gnustep", title: "GNUstep's newer engine",
    source: """
      This engine's GNUstep profile (docs/behaviour.md, 15), a refusal being an exception that \
      nobody catches. A function is played by an observer object made for it.
      """,
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
  ) { stage throws(Refusal) in try ObjectsOnlyDesign(stage) }

  static let classic = DesignInfo(
    name: "classic", title: "Foundation before macOS 10.13",
    source: """
      Release notes of macOS 10.13 and before: an observer is a bare pointer, and an object that \
      dies observed raises. Everything else is this engine's default profile.
      """,
    misuse: .exception
  ) { stage throws(Refusal) in try ClassicDesign(stage) }
}

/// A system in which only objects observe: a function is played by one made for it.
class ObjectsOnlyDesign: ObservingDesign {
  let stage: DesignStage
  private var tokens: [String: RemoveStatement] = [:]

  init(_ stage: DesignStage) throws(Refusal) { self.stage = stage }

  func makeObserver(_ name: Name) throws(Refusal) -> Bool { false }

  func observe(_ statement: ObserveStatement) throws(Refusal) -> Bool {
    guard statement.observer == nil, stage.world.sharedObservers(statement.target.object) == nil
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

  func remove(_ statement: RemoveStatement) throws(Refusal) -> Bool { try drop(statement) }

  /// A token ends once, however often one asks.
  func remove(token: String) throws(Refusal) -> Bool {
    guard let statement = tokens.removeValue(forKey: token) else {
      return stage.world.sharedObservers(Name(text: token, location: .init(line: 1, column: 1)))
        == nil
    }
    if try !drop(statement) { try stage.performer.remove(statement) }
    return true
  }

  /// Registers an object; false leaves it to the runtime.
  func add(_ statement: ObserveStatement) throws(Refusal) -> Bool { false }
  /// Removes an object; false leaves it to the runtime.
  func drop(_ statement: RemoveStatement) throws(Refusal) -> Bool { false }
}

final class AppleDesign: ObjectsOnlyDesign {
  override init(_ stage: DesignStage) throws(Refusal) {
    try super.init(stage)
    KeyValueSettings.wrapping = .asApple
  }
}

/// Observers are bare pointers; who dies observed raises.
final class ClassicDesign: ObjectsOnlyDesign {
  private struct Registration {
    var observer: isa_id
    var object: isa_id
    var path: String
    var context: UInt
    var token: kvo_token
  }

  /// A class of observers whose memory is a mapping of its own, given back to the system when they
  /// die: a message to a dead one then ends the process, instead of meeting whatever comes to stand
  /// in the same place.
  private static let roomyClass = "Mapped" + Symbols.observerClass
  private var registrations: [Registration] = []
  private var watched: Set<UInt> = []

  override init(_ stage: DesignStage) throws(Refusal) {
    try super.init(stage)
    let observers = isa_class_find(Symbols.observerClass)
    _ = try stage.world.makeClass(ClassicDesign.roomyClass, superclass: observers) {
      cls throws(Refusal) in
      try refusing(isa_class_add_ivar(cls, "_room", "[67108864c]", ISA_OWNERSHIP_NONE))
    }
  }

  deinit { for registration in registrations { end(registration) } }

  override func makeObserver(_ name: Name) throws(Refusal) -> Bool {
    _ = try stage.world.makeObject(name.text, ClassicDesign.roomyClass)
    return true
  }

  override func add(_ statement: ObserveStatement) throws(Refusal) -> Bool {
    guard let listener = statement.observer, statement.indexes == nil else { return false }
    let object = try stage.world.object(statement.target.object)
    let observer = try stage.world.object(listener)
    let path = statement.target.path
    let token = try stage.register(statement, on: object) { change in
      ClassicDesign.send(change, to: observer)
    }
    registrations.append(
      Registration(
        observer: observer, object: object, path: path, context: statement.context, token: token))
    try watch(object)
    return true
  }

  /// Sends the observing message to the pointer, whatever stands there by now.
  private static func send(_ change: kvo_change, to observer: isa_id) {
    typealias Implementation =
      @convention(c) (
        isa_id, isa_sel, UnsafePointer<CChar>?, isa_id?, UnsafePointer<kvo_change>,
        UnsafeMutableRawPointer?
      ) -> Void
    let selector = isa_sel_register("observeValueForKeyPath:ofObject:change:context:")!
    let code = unsafeBitCast(isa_lookup(observer, selector), to: Implementation.self)
    withUnsafePointer(to: change) {
      code(observer, selector, change.key_path, change.object, $0, change.context)
    }
  }

  override func drop(_ statement: RemoveStatement) throws(Refusal) -> Bool {
    guard statement.indexes == nil else { return false }
    let object = try stage.world.object(statement.target.object)
    let observer = try stage.world.object(statement.observer)
    let path = statement.target.path
    let index = registrations.lastIndex {
      $0.observer == observer && $0.object == object && $0.path == path
        && (statement.context == nil || statement.context == $0.context)
    }
    guard let index else {
      throw Refusal(
        exception: "NSRangeException",
        reason: """
          Cannot remove an observer \(statement.observer) for the key path "\(path)" from \
          \(statement.target.object) because it is not registered as an observer.
          """)
    }
    end(registrations.remove(at: index))
    return true
  }

  private func end(_ registration: Registration) {
    kvo_token_invalidate(registration.token)
    kvo_token_release(registration.token)
  }

  private func watch(_ object: isa_id) throws(Refusal) {
    guard watched.insert(UInt(bitPattern: object)).inserted else { return }
    let cls = stage.performer.inspector.claimedClass(of: object)
    try stage.whenDies(object) { [unowned self] in
      watched.remove(UInt(bitPattern: object))
      let left = registrations.filter { $0.object == object }
      registrations.removeAll { $0.object == object }
      for registration in left { end(registration) }
      if left.isEmpty { return }
      stage.raise(
        Refusal(
          exception: "NSInternalInconsistencyException",
          reason: "\(indefinite(cls).capitalizedFirst) was deallocated while observed."))
    }
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
