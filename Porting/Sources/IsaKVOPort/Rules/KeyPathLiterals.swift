import SwiftSyntax

/// The key path that a `#keyPath(…)` names.
struct KeyPathLiteral {
  let text: String
  /// The type that the first key is a property of, if the sources show it.
  let root: TypeModel?
  /// The properties, by their names in Swift.
  let names: [String]

  init?(_ survey: Survey, _ node: MacroExpansionExprSyntax, scope: String, file: Int) {
    guard node.macroName.text == "keyPath", node.arguments.count == 1,
      let names = Self.names(node.arguments.first!.expression), !names.isEmpty
    else { return nil }
    let first = Self.firstKey(names, survey, scope, file)
    guard first < names.count else { return nil }
    root =
      first == 0
      ? survey.type(scope, file: file)
      : survey.type(names[..<first].joined(separator: "."), in: scope, file: file)
    self.names = Array(names[first...])
    var type = root, keys: [String] = []
    for name in self.names {
      let property = type?.property(name)
      keys.append(property?.objectiveCName ?? name)
      type = property?.typeName.flatMap { survey.type($0, in: scope, file: file) }
    }
    text = keys.joined(separator: ".")
  }

  /// The index of the first name that is a key: those before it are types or modules.
  private static func firstKey(
    _ names: [String], _ survey: Survey, _ scope: String, _ file: Int
  ) -> Int {
    for count in stride(from: names.count - 1, to: 0, by: -1)
    where survey.type(names[..<count].joined(separator: "."), in: scope, file: file) != nil {
      return count
    }
    return names.firstIndex { $0.first?.isUppercase != true } ?? names.count
  }

  private static func names(_ expression: ExprSyntax) -> [String]? {
    if let reference = expression.as(DeclReferenceExprSyntax.self) {
      return [reference.baseName.name]
    }
    if let chain = expression.as(OptionalChainingExprSyntax.self) { return names(chain.expression) }
    if let forced = expression.as(ForceUnwrapExprSyntax.self) { return names(forced.expression) }
    if let member = expression.as(MemberAccessExprSyntax.self), let base = member.base {
      return names(base).map { $0 + [member.declName.baseName.name] }
    }
    return nil
  }
}

/// Writes the name of each `#keyPath(…)` in its place.
final class KeyPathRule: RuleVisitor {
  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    guard node.macroName.text == "keyPath" else { return .visitChildren }
    if let literal = KeyPathLiteral(survey, node, scope: scope, file: file) {
      editor.replace(node, by: "\"\(literal.text)\"", .keyPathLiteral)
    } else {
      editor.todo(
        node, .keyPathLiteral, node.trimmedDescription, "its keys are not plain",
        "the key path as a string")
    }
    return .skipChildren
  }
}
