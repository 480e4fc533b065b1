import SwiftSyntax

/// A property with `willSet` or `didSet`, whose own code runs before observers are notified, as on
/// Apple systems: there the notification is wrapped around the setter, and a wrapper's store would
/// notify within it.
struct ObservedProperty {
  private let editor: FileEditor
  private let type: TypeModel
  private let node: VariableDeclSyntax
  private let property: PropertyModel

  init(
    _ editor: FileEditor, _ type: TypeModel, _ node: VariableDeclSyntax, _ property: PropertyModel
  ) {
    self.editor = editor
    self.type = type
    self.node = node
    self.property = property
  }

  /// A property that has been moved before, if it is one.
  init?(_ editor: FileEditor, _ type: TypeModel, _ node: VariableDeclSyntax) {
    guard
      let property = type.properties.first(where: { $0.declaration.id == node.id }),
      property.binding.setter != nil, property.binding.announces
    else { return nil }
    self.init(editor, type, node, property)
  }

  private var name: String { property.name }

  // MARK: Plain storage beside a setter that announces

  /// Leaves the declaration as plain storage of another name, and writes a property before it whose
  /// setter announces.
  func move(to stored: String) {
    if let obstacle { return report(obstacle.why, obstacle.write) }
    reportCoding(stored)
    let binding = property.binding, header = header, typeText = typeText!
    let kept = ["weak", "unowned", "lazy", "nonisolated"]
    let words = node.modifiers.filter { $0.name.text != "dynamic" }
    let outer =
      attributes
      + words.filter { !kept.dropLast().contains($0.name.text) }.map {
        $0.name.text == "nonisolated" ? "nonisolated" : $0.trimmedDescription
      }
    let inner =
      attributes + ["private"]
      + words.filter { kept.contains($0.name.text) }.map(\.trimmedDescription)
    let line = editor.text.newline + editor.text.indentation(at: node.start)
    let text =
      (outer + ["var \(binding.pattern.trimmedDescription): \(typeText) {"]).joined(separator: " ")
      + accessors(line, "get { \(stored) }", property.announcement + ["\(stored) = newValue"])
      + line + "}"
      + line
      + (inner + ["var \(stored)"]).joined(separator: " ")
    editor.replace(header, by: text, .propertyObserver)
    guard let block = binding.accessorBlock else { return }
    for edit in PropertyUses(of: [name], in: block).edits(.propertyObserver, to: { _ in stored }) {
      editor.replace(edit.range, by: edit.text, edit.rule)
    }
  }

  /// The reason why the declaration stays as it is, and the cure.
  var obstacle: (why: String, write: String)? {
    if node.bindings.count != 1 {
      return ("it is declared together with others", "a declaration for each")
    }
    if typeText == nil { return ("its type does not stand in its line", "var \(name): Type = …") }
    let last = property.binding.pattern.lastToken(viewMode: .sourceAccurate)
    for (index, token) in node.tokens(viewMode: .sourceAccurate).enumerated() {
      if index > 0 && token.leadingTrivia.hasComments
        || token != last && token.trailingTrivia.hasComments
      {
        return ("comments stand among its words", "the comments above them")
      }
      if token == last { break }
    }
    return nil
  }

  private var header: Range<Int> { node.start..<property.binding.pattern.bytes.upperBound }

  private var attributes: [String] {
    node.attributes.compactMap { attribute in
      if case .attribute(let attribute) = attribute,
        attribute.attributeName.trimmedDescription == "objc"
      {
        return nil
      }
      return attribute.trimmedDescription
    }
  }

  /// The lines of a getter and of a setter.
  private func accessors(_ line: String, _ getter: String, _ body: [String]) -> String {
    let unit = editor.indentationUnit, inner = line + unit, innermost = inner + unit
    return inner + getter + inner + "set {" + body.map { innermost + $0 }.joined() + inner + "}"
  }

  private var typeText: String? {
    property.type?.trimmedDescription
      ?? property.binding.initializer?.value.plainType(editor.survey)
  }

  private func report(_ why: String, _ write: String) {
    editor.todo(
      node, .propertyObserver, "\(name) has willSet or didSet",
      "observers are notified after them on Apple systems, and \(why)", write)
  }

  /// The same of a property that has been moved before.
  func reportCoding() {
    let storage = type.properties.first {
      $0.binding.hasObservers && $0.name.hasSuffix(name.prefix(1).uppercased() + name.dropFirst())
        && $0.declaration.modifiers.has("private")
    }
    if let storage { reportCoding(storage.name) }
  }

  /// What is coded by the names of the stored properties would be coded by another name.
  private func reportCoding(_ stored: String) {
    let codable: Set<String> = ["Codable", "Encodable", "Decodable"]
    guard
      type.lineage.contains(where: { !editor.survey.conformances(of: $0).isDisjoint(with: codable) }
      ),
      !type.codesByHand(editor.survey), type.codes(name, butNot: stored)
    else { return }
    editor.todo(
      node, .codable, "\(name) of \(type.name), which is Codable",
      "its value is in \(stored) now, and would be coded by that name",
      "case \(stored) = \"\(name)\" in CodingKeys")
  }

  // MARK: Overrides

  /// Writes an override's observers, or the body of its setter, as one announced change: the setter
  /// above would notify before they have run.
  ///
  /// - Parameter isAnnounced: Whether the setter above announces by itself.
  func announce(isAnnounced: Bool) {
    guard !isAnnounced else {
      return report("the setter above announces by itself", "the work in the class above")
    }
    guard let block = property.binding.accessorBlock, case .accessors(let list) = block.accessors
    else { return }
    editor.stripObjectiveC(node.attributes, node.modifiers)
    if let setter = property.binding.setter, let body = setter.body {
      return wrap(body)
    }
    let willSet = list.first { $0.accessorSpecifier.text == "willSet" }
    let didSet = list.first { $0.accessorSpecifier.text == "didSet" }
    if willSet?.body?.hasReturn ?? false {
      return report("its willSet returns early", "a setter that announces")
    }
    let ends = [block.rightBrace] + list.map(\.accessorSpecifier)
    if ends.contains(where: \.leadingTrivia.hasComments) {
      return report("comments stand between its observers", "the comments above the property")
    }
    let body =
      (willSet.map(linesBefore) ?? []) + (didSet.map(oldValue) ?? [])
      + ["super.\(name) = newValue"] + (didSet?.body.map(lines) ?? [])
    let line = editor.text.newline + editor.text.indentation(at: node.start)
    editor.replace(
      block, by: "{" + accessors(line, "get { super.\(name) }", together(body)) + line + "}",
      .propertyObserver)
    if let weak = node.modifiers.modifier("weak") { editor.remove(weak, .propertyObserver) }
  }

  /// Lines that are one announced change.
  private func together(_ lines: [String]) -> [String] {
    ["withChanges(of: [\\\(type.simpleName).\(name)]) {"]
      + lines.map { $0.isEmpty ? $0 : editor.indentationUnit + $0 } + ["}"]
  }

  /// Has the body of a setter be one announced change.
  private func wrap(_ body: CodeBlockSyntax) {
    let outer = editor.text.newline + editor.text.indentation(at: body.leftBrace.start)
    let lines = together(lines(of: body)).map { outer + editor.indentationUnit + $0 }
    editor.replace(body, by: "{" + lines.joined() + outer + "}", .propertyObserver)
  }

  /// The statements of `willSet`, whose names end with them.
  private func linesBefore(_ willSet: AccessorDeclSyntax) -> [String] {
    guard let body = willSet.body else { return [] }
    let known = willSet.parameters.map { ["let \($0.name.text) = newValue"] } ?? []
    return ["do {"] + (known + lines(of: body)).map { editor.indentationUnit + $0 } + ["}"]
  }

  /// The value before the change, if `didSet` names it.
  private func oldValue(_ didSet: AccessorDeclSyntax) -> [String] {
    let known = didSet.parameters?.name.text ?? "oldValue"
    let isNamed = didSet.body?.tokens(viewMode: .sourceAccurate).contains { $0.text == known }
    return isNamed ?? false ? ["let \(known) = super.\(name)"] : []
  }

  /// The lines of a body, without what they are all indented by. The lines of a text stay as they are.
  private func lines(of body: CodeBlockSyntax) -> [String] {
    let inside = editor.text.trimmed(body.leftBrace.bytes.upperBound..<body.rightBrace.start)
    let text = editor.rewritten(inside, with: [])
    if text.isEmpty { return [] }
    if text.contains("\"\"\"") { return [text] }
    let first = body.statements.first?.start ?? inside.lowerBound
    let indentation = editor.text.indentation(at: first)
    return text.split(separator: editor.text.newline, omittingEmptySubsequences: false).map {
      String($0.hasPrefix(indentation) ? $0.dropFirst(indentation.count) : $0)
    }
  }
}

extension TypeModel {
  /// Whether the class codes and decodes by methods of its own, as far as it does.
  fileprivate func codesByHand(_ survey: Survey) -> Bool {
    let names = lineage.reduce(into: Set<String>()) { $0.formUnion(survey.conformances(of: $1)) }
    let encodes = !names.isDisjoint(with: ["Codable", "Encodable"])
    let decodes = !names.isDisjoint(with: ["Codable", "Decodable"])
    let own = declaration?.memberBlock.members.contains { member in
      member.decl.as(InitializerDeclSyntax.self)?.signature.parameterClause.parameters.first?
        .firstName.text == "from"
    }
    return (!encodes || methods.contains { $0.fullName == "encode(to:)" })
      && (!decodes || own ?? false)
  }

  /// Whether the class's `CodingKeys`, if it has some, name one property and not another.
  fileprivate func codes(_ name: String, butNot other: String) -> Bool {
    let members = declaration?.memberBlock.members.compactMap { $0.decl.as(EnumDeclSyntax.self) }
    guard let keys = members?.first(where: { $0.name.text == "CodingKeys" }) else { return true }
    let words = keys.memberBlock.tokens(viewMode: .sourceAccurate).map(\.text)
    return words.contains(name) && !words.contains(other)
  }
}

extension CodeBlockSyntax {
  /// Whether something in the block returns, which may be the block.
  fileprivate var hasReturn: Bool {
    tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.return) }
  }
}

extension ExprSyntax {
  /// The type of a literal, or of an object that a call without arguments makes.
  fileprivate func plainType(_ survey: Survey) -> String? {
    if self.is(IntegerLiteralExprSyntax.self) { return "Int" }
    if self.is(FloatLiteralExprSyntax.self) { return "Double" }
    if self.is(StringLiteralExprSyntax.self) { return "String" }
    if self.is(BooleanLiteralExprSyntax.self) { return "Bool" }
    if let prefix = self.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "-" {
      return prefix.expression.plainType(survey)
    }
    if let array = self.as(ArrayExprSyntax.self) {
      let types = Set(array.elements.map { $0.expression.plainType(survey) })
      return types.count == 1 ? types.first!.map { "[\($0)]" } : nil
    }
    guard let call = self.as(FunctionCallExprSyntax.self), call.arguments.isEmpty,
      call.trailingClosure == nil
    else { return nil }
    let made = call.calledExpression, text = made.trimmedDescription
    if made.is(ArrayExprSyntax.self) || made.is(DictionaryExprSyntax.self)
      || made.is(GenericSpecializationExprSyntax.self)
    {
      return text
    }
    return survey.declares(text) || plainTypes.contains(text) ? text : nil
  }
}

/// Types of Foundation's that a call without arguments makes a value of.
private let plainTypes: Set<String> = [
  "Data", "Date", "Decimal", "Double", "IndexPath", "IndexSet", "Int", "NSMutableArray",
  "NSMutableDictionary", "NSMutableSet", "String", "UUID",
]
