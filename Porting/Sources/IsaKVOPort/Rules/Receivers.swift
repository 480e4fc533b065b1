import SwiftSyntax

/// Knows what expressions are objects of, as far as the declarations of the names in them say.
struct Receivers {
  private let survey: Survey
  private let file: Int
  /// The types of the file's variables by their names.
  private let variables: [String: String]

  init(_ survey: Survey, _ file: Int) {
    self.survey = survey
    self.file = file
    variables = VariableTypes.of(survey.files[file].tree)
  }

  func isCollection(_ expression: ExprSyntax) -> Bool {
    let text = expression.trimmedDescription
    if let last = words(text).last, collections.contains(variables[last] ?? "") { return true }
    return collections.contains { name in
      text.hasSuffix("as \(name))") || text.hasPrefix("\(name)(")
    }
  }

  /// The class of Foundation's that an expression is an object of, if it is one that others observe.
  func observable(_ expression: ExprSyntax) -> String? {
    let words = words(expression.trimmedDescription)
    if let first = words.first, adviceOnObservables[first] != nil { return first }
    return words.last { $0 != "self" }.flatMap { variables[$0] }.flatMap(foundationClass)
  }

  /// The class of Foundation's through whose object the observed key path of a call leads.
  ///
  /// - Parameters:
  ///   - base: The object that is called; nil for the object itself.
  ///   - own: The type that the call stands in.
  func observable(
    along call: FunctionCallExprSyntax, of base: ExprSyntax?, in own: TypeModel?
  ) -> String? {
    guard let path = path(of: call, own) else { return nil }
    if let root = path.root, let found = foundationClass(root) { return found }
    var type = path.root.flatMap(self.type) ?? receiver(base, own)
    // Operators of collections, such as `@count`, observe nothing of the elements.
    for (name, next) in zip(path.names, path.names.dropFirst()) where !next.hasPrefix("@") {
      let typeName = type?.property(name)?.typeName ?? variables[name] ?? survey.typeName(of: name)
      if let typeName, let found = foundationClass(typeName) { return found }
      type = typeName.flatMap(self.type)
    }
    return nil
  }

  private func path(
    of call: FunctionCallExprSyntax, _ own: TypeModel?
  ) -> (root: String?, names: [String])? {
    if let keyPath = call.arguments.first?.expression.as(KeyPathExprSyntax.self) {
      return (keyPath.root?.objectName, keyPath.names)
    }
    let argument = call.arguments.first { $0.label?.text == "forKeyPath" }?.expression
    if let names = argument?.literalString {
      return (nil, names.split(separator: ".").map(String.init))
    }
    guard let literal = argument?.as(MacroExpansionExprSyntax.self) else { return nil }
    return KeyPathLiteral(survey, literal, scope: own?.name ?? "", file: file).map {
      ($0.root?.name, $0.names)
    }
  }

  private func receiver(_ base: ExprSyntax?, _ own: TypeModel?) -> TypeModel? {
    guard let last = base.flatMap({ words($0.trimmedDescription).last { $0 != "self" } }) else {
      return own
    }
    return type(variables[last] ?? survey.typeName(of: last) ?? last)
  }

  private func type(_ name: String) -> TypeModel? { survey.type(name, file: file) }

  /// The class of Foundation's that `name` is, or inherits from, if it is one that others observe.
  private func foundationClass(_ name: String) -> String? {
    let name = survey.declares(name) ? type(name)?.lineage.last?.inherited.first : name
    return name.flatMap { adviceOnObservables[$0] == nil ? nil : $0 }
  }

  private func words(_ text: String) -> [String] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
  }
}

private let collections: Set<String> = [
  "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
  "NSDictionary", "NSMutableDictionary",
]

/// The types of the variables of a file, by name; those that are declared in two ways are unknown.
private final class VariableTypes: LinuxVisitor {
  private var types: [String: Set<String>] = [:]

  static func of(_ tree: SourceFileSyntax) -> [String: String] {
    let visitor = VariableTypes()
    visitor.walk(tree)
    return visitor.types.compactMapValues { $0.count == 1 ? $0.first : nil }
  }

  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    guard let name = node.name else { return .visitChildren }
    if let type = node.typeAnnotation?.type.objectName {
      types[name, default: []].insert(type)
    } else if let value = node.initializer?.value.trimmedDescription {
      let type = value.prefix { $0.isLetter || $0.isNumber }
      if type.first?.isUppercase == true { types[name, default: []].insert(String(type)) }
    }
    return .visitChildren
  }

  override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
    if let type = node.type.objectName {
      types[(node.secondName ?? node.firstName).name, default: []].insert(type)
    }
    return .visitChildren
  }
}
