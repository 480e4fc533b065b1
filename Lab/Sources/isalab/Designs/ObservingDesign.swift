import IsaRuntime

/// A way of observing: this engine's, or somebody else's re-enacted on this runtime.
///
/// A design takes the statements about observing that it has an answer of its own to; what it
/// leaves alone the runtime does, as in any scenario. The facts about other designs come from their
/// documents, tests and published behaviour; the code here is written from those facts.
protocol ObservingDesign: AnyObject {
  /// The part of a statement that the design cannot express, such as a context; nil if there is
  /// none.
  func obstacle(to statement: Statement) -> Text?
  /// Makes an observer by a way of its own; false leaves it to the runtime.
  func makeObserver(_ name: Name) throws(KeyValueError) -> Bool
  /// Registers; false leaves it to the runtime.
  func observe(_ statement: ObserveStatement) throws(KeyValueError) -> Bool
  /// Removes an observing object; false leaves it to the runtime.
  func remove(_ statement: RemoveStatement) throws(KeyValueError) -> Bool
  /// Ends what was registered under a name; false leaves it to the runtime.
  func remove(token: String) throws(KeyValueError) -> Bool
  /// Gives a property a value; false leaves it to the runtime.
  func set(_ target: PropertyReference, _ value: Literal) throws(KeyValueError) -> Bool
  /// Told before the scenario gives up its reference to an object.
  func willRelease(_ name: String)
  /// Told when the scenario is over, and what lives on then has been noted.
  func end()
}

extension ObservingDesign {
  func obstacle(to statement: Statement) -> Text? { nil }
  func makeObserver(_ name: Name) throws(KeyValueError) -> Bool { false }
  func observe(_ statement: ObserveStatement) throws(KeyValueError) -> Bool { false }
  func remove(_ statement: RemoveStatement) throws(KeyValueError) -> Bool { false }
  func remove(token: String) throws(KeyValueError) -> Bool { false }
  func set(_ target: PropertyReference, _ value: Literal) throws(KeyValueError) -> Bool { false }
  func willRelease(_ name: String) {}
  func end() {}
}

extension Statement {
  /// The part that a design has no way for which registers each observer with Foundation by itself.
  var foundationObstacle: Text? {
    switch kind {
    case .observe(let observe) where observe.indexes != nil: Text("design.elements")
    case .observe(let observe) where observe.options.contains(.retain): Text("design.option-retain")
    case .removeObserver(let remove) where remove.indexes != nil: Text("design.elements")
    case .shared, .share: Text("design.shared")
    default: nil
    }
  }
}

/// A design as one chooses it: its name, and what is known of it.
struct DesignInfo: Sendable {
  /// The answer to a mistake of the observing program.
  enum Misuse: Sendable {
    /// The caller is told by a status.
    case status
    /// An exception that nobody catches ends the process.
    case exception
  }

  var name: String
  /// The design, in a few words.
  var title: Text
  /// Where the facts come from, and how far the re-enactment goes.
  var source: Text
  var misuse = Misuse.status
  /// Changes a scenario before it runs.
  var adapt: @Sendable (inout Program) -> Void = { _ in }
  var make: @Sendable (DesignStage) throws(KeyValueError) -> any ObservingDesign
}

/// This engine: everything is the runtime's own.
final class EngineDesign: ObservingDesign {}

enum Designs {
  static let engine = "isakvo"

  static let all: [DesignInfo] =
    stages + [
      safeProxy, safeWeak, easy, laterEasy, swizzlers, classic, apple, gnustep, weakController,
      proxy, guarding, isakvo,
    ]

  static var names: [String] { all.map(\.name) }

  static func find(_ name: String) -> DesignInfo? { all.first { $0.name == name } }

  private static let isakvo = DesignInfo(
    name: engine, title: Text("design.isakvo"),
    source: Text("design.isakvo-source")
  ) { _ in EngineDesign() }
}
