import SwiftSyntax

/// All that is known of the given sources before any is edited.
final class Survey {
  let files: [ParsedFile]
  private(set) var types: [String: [TypeModel]] = [:]
  private(set) var protocols: [String: (file: Int, declaration: ProtocolDeclSyntax)] = [:]
  private var extended: [String: Int] = [:]
  private var foreignTypes: Set<String> = []
  private var blockTypes: Set<String> = []
  private var aliases: [String: [String]] = [:]
  /// Words in string literals, which may name keys.
  private(set) var namedKeys: Set<String> = []

  init(_ files: [ParsedFile]) {
    self.files = files
    for (index, file) in files.enumerated() { DeclarationVisitor(self, index).walk(file.tree) }
    addExtended()
    connect()
    for (index, file) in files.enumerated() { MemberVisitor(self, index).walk(file.tree) }
    markWitnesses()
    judge()
  }

  /// All types, in the order of their files.
  private(set) lazy var allTypes = types.values.joined().sorted {
    ($0.file, $0.name) < ($1.file, $1.name)
  }

  /// Whether a class is, or is to be, a `KVObject`.
  private(set) lazy var hasObservables = allTypes.contains { $0.verdict.isObservable }

  /// The methods and functions that the sources declare, by their names with labels.
  private(set) var declaredFunctions: Set<String> = []

  func addFunction(_ name: String) { declaredFunctions.insert(name) }

  func add(_ type: TypeModel) { types[type.name, default: []].append(type) }

  func add(_ node: ProtocolDeclSyntax, _ file: Int) { protocols[node.name.name] = (file, node) }

  func addExtended(_ name: String, _ file: Int) {
    if extended[name] == nil { extended[name] = file }
  }

  /// Makes models of the types that the sources extend and do not declare.
  private func addExtended() {
    for (name, file) in extended where types[name] == nil {
      foreignTypes.insert(name)
      add(TypeModel(name: name, file: file, isClass: false))
    }
  }

  /// Whether the sources declare a type of that name, and do not only extend it.
  func declares(_ name: String) -> Bool { types[name] != nil && !foreignTypes.contains(name) }

  /// The type of the properties of that name, if all of them have one.
  func typeName(of name: String) -> String? { typeNames[name].flatMap { $0 } }

  private lazy var typeNames = Dictionary(
    allTypes.flatMap(\.properties).map { ($0.name, $0.typeName) },
    uniquingKeysWith: { $0 == $1 ? $0 : nil })

  func addBlockType(_ name: String) { blockTypes.insert(name) }

  /// Notes the protocols that an alias joins.
  func addAlias(_ name: String, of names: [String]) { aliases[name] = names }

  /// Whether a type is a block of Objective-C's, by its own words or by those of an alias.
  func isBlock(_ type: TypeSyntax) -> Bool {
    type.isBlock || type.objectName.map(blockTypes.contains) ?? false
  }

  func addNamedKeys(in text: String) {
    for word in text.split(separator: ".") { namedKeys.insert(String(word)) }
  }

  /// The type that `name` stands for inside of `scope`, preferably of the same file.
  func type(_ name: String, in scope: String = "", file: Int) -> TypeModel? {
    var around = scope.split(separator: ".").map(String.init)
    while true {
      if let found = types[(around + [name]).joined(separator: ".")] {
        return found.first { $0.file == file } ?? found.first
      }
      if around.isEmpty { return nil }
      around.removeLast()
    }
  }

  /// The protocols that a class conforms to, with those that they inherit from.
  func conformances(of type: TypeModel) -> Set<String> {
    var found: Set<String> = [], next = type.inherited
    while let name = next.popLast() {
      guard found.insert(name).inserted else { continue }
      next += aliases[name] ?? []
      guard let (_, declaration) = protocols[name] else { continue }
      next += declaration.inheritanceClause.names
    }
    return found
  }

  /// The types whose members an object of a class has: the classes of its lineage, and the protocols
  /// and the base that the sources extend.
  func memberTypes(of type: TypeModel) -> [TypeModel] {
    let inherited = type.lineage.reduce(into: inheritedTypes) {
      $0.formUnion(conformances(of: $1))
    }
    return type.lineage
      + inherited.sorted().flatMap { types[$0] ?? [] }.filter { !$0.isClass }
  }

  private func connect() {
    for type in allTypes where type.isClass {
      guard let name = type.inherited.first else { continue }
      let scope = type.name.split(separator: ".").dropLast().joined(separator: ".")
      guard let base = self.type(name, in: scope, file: type.file), base.isClass, base !== type
      else { continue }
      type.base = base
      base.subclasses.append(type)
    }
  }

  /// Marks the properties that a protocol of Objective-C's requires: that makes them keys. A class
  /// has to be observable for their sake where something names them.
  private func markWitnesses() {
    for type in allTypes where type.isClass {
      let required = conformances(of: type).reduce(into: Set<String>()) {
        $0.formUnion(requiredKeys(of: $1))
      }
      if required.isEmpty { continue }
      for member in type.family {
        member.markWitnesses(of: required)
        if member.need == nil,
          let key = member.properties.first(where: { $0.isWitness && namedKeys.contains($0.name) })
        {
          member.need = "it has the key “\(key.name)”"
        }
      }
    }
  }

  private func requiredKeys(of name: String) -> [String] {
    guard let declaration = protocols[name]?.declaration, declaration.attributes.has("objc") else {
      return []
    }
    return declaration.memberBlock.members.flatMap { member in
      member.decl.as(VariableDeclSyntax.self).map {
        $0.modifiers.has("static") ? [] : $0.bindings.compactMap(\.name)
      } ?? []
    }
  }

  private func judge() {
    for type in allTypes where type.isClass && type.base == nil {
      let verdict = Judge(self, type).verdict
      for member in type.family { member.verdict = verdict }
    }
  }
}

/// A file whose syntax is right.
struct ParsedFile {
  let path: String
  /// The bytes as they were read; the text has some words in another order.
  let original: [UInt8]
  let text: SourceText
  let tree: SourceFileSyntax
}

/// Walks with the type that the present place stands in.
class ScopedVisitor: LinuxVisitor {
  let survey: Survey
  let file: Int
  private(set) var scopes: [(name: String, isExtension: Bool, type: TypeModel?)] = []

  init(_ survey: Survey, _ file: Int) {
    self.survey = survey
    self.file = file
    super.init()
  }

  var scope: String { scopes.last?.name ?? "" }
  var isInExtension: Bool { scopes.last?.isExtension ?? false }
  var type: TypeModel? { scopes.last?.type }

  /// - Parameter node: The declaration, where two of one name may stand in the file.
  func enter(
    _ name: String, isExtension: Bool = false, _ node: ClassDeclSyntax? = nil
  ) -> SyntaxVisitorContinueKind {
    let inner = scopes.isEmpty || isExtension ? name : scope + "." + name
    let own = node.flatMap { node in
      survey.types[inner]?.first { $0.file == file && $0.declaration?.id == node.id }
    }
    scopes.append((inner, isExtension, own ?? survey.type(inner, file: file)))
    return .visitChildren
  }

  func leave() { scopes.removeLast() }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.name, node)
  }
  override func visitPost(_ node: ClassDeclSyntax) { leave() }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.name)
  }
  override func visitPost(_ node: StructDeclSyntax) { leave() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.name) }
  override func visitPost(_ node: EnumDeclSyntax) { leave() }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.name)
  }
  override func visitPost(_ node: ActorDeclSyntax) { leave() }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.name)
  }
  override func visitPost(_ node: ProtocolDeclSyntax) { leave() }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.extendedType.trimmedDescription, isExtension: true)
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { leave() }
}

/// Finds the types.
private final class DeclarationVisitor: ScopedVisitor {
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    let result = super.visit(node)
    survey.add(
      TypeModel(
        name: scope, file: file, isClass: true, declaration: node,
        conditions: openConditions, inherited: node.inheritanceClause.names))
    return result
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    let result = super.visit(node)
    survey.add(TypeModel(name: scope, file: file, isClass: false))
    return result
  }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    survey.add(node, file)
    return super.visit(node)
  }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    survey.addExtended(node.extendedType.trimmedDescription, file)
    return super.visit(node)
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    survey.addFunction(node.fullName)
    return .visitChildren
  }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    let value = node.initializer.value
    if value.isBlock { survey.addBlockType(node.name.name) }
    let joined = value.as(CompositionTypeSyntax.self)?.elements.map(\.type) ?? [value]
    survey.addAlias(node.name.name, of: joined.map(\.trimmedDescription))
    return .skipChildren
  }
}

/// The base of all observable classes, and the protocols that it conforms to.
private let inheritedTypes: Set<String> = [
  "CustomDebugStringConvertible", "CustomStringConvertible", "Equatable", "Hashable", "KVObject",
  "NSObject", "NSObjectProtocol",
]

extension InheritanceClauseSyntax? {
  /// The names behind the colon, without attributes, generic arguments and the module's name.
  var names: [String] {
    guard let clause = self else { return [] }
    return clause.inheritedTypes.map { inherited in
      var type = inherited.type
      if let attributed = type.as(AttributedTypeSyntax.self) { type = attributed.baseType }
      if let name = type.as(IdentifierTypeSyntax.self) { return name.name.name }
      let text = type.trimmedDescription
      for module in ["Foundation.", "ObjectiveC."] where text.hasPrefix(module) {
        return String(text.dropFirst(module.count))
      }
      return text
    }
  }
}
