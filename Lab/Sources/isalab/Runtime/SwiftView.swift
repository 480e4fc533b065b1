import IsaKVO
import IsaRuntime

/// The class of Swift's own whose objects a scenario can bind: `let panel = SwiftView()`.
///
/// It is registered with the runtime once in a process, and so is its notifying class.
final class SwiftView: KVObject {
  @Dynamic var width = 0
}

extension SwiftView {
  static let name = "SwiftView"
  static let key = "width"

  /// The class as declarations have theirs.
  static let symbol: Symbols.Class = {
    let place = SourceLocation(line: 0, column: 0)
    let declaration = PropertyDeclaration(
      name: Name(text: key, location: place), type: Name(text: "long", location: place),
      attributes: [])
    let type = ValueType(name: "long", encoding: ValueType.named["long"]!)
    return Symbols.Class(
      properties: [Symbols.Property(declaration: declaration, type: type, owner: name)])
  }()

  /// Has the class and its notifying class made, which stay: the first scenario that uses them finds
  /// what all others do.
  static func prepare() throws(KeyValueError) { try prepared.get() }

  private static let prepared: Result<Void, KeyValueError> = {
    do throws(KeyValueError) {
      let view = try RuntimeObject(SwiftView())
      _ = try view.observe(key) { _ in }
      return .success(())
    } catch {
      return .failure(error)
    }
  }()

  // MARK: Names

  private static let modules = ["isalab.", "IsaKVO."]

  /// The name of a class without its module's.
  static func shownName(of runtimeName: String) -> String {
    // Most names have no module's, and all are asked for at every step.
    guard runtimeName.utf8.contains(UInt8(ascii: ".")) else { return runtimeName }
    return modules.reduce(runtimeName) { $0.replacing($1, with: "") }
  }

  /// The name by which the runtime knows a class that a scenario names.
  static func runtimeName(of shownName: String) -> String {
    let isMeant = shownName == name || shownName == Symbols.notifyingPrefix + name
    return isMeant ? shownName.dropLast(name.count) + modules[0] + name : shownName
  }
}
