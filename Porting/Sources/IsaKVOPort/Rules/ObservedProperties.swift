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
    let kept = ["weak", "unowned", "lazy"]
    let words = node.modifiers.filter { $0.name.text != "dynamic" }
    let outer =
      attributes + words.filter { !kept.contains($0.name.text) }.map(\.trimmedDescription)
    let inner =
      attributes + ["private"]
      + words.filter { kept.contains($0.name.text) }.map(\.trimmedDescription)
    let line = editor.text.newline + editor.text.indentation(at: node.start)
    let text =
      (outer + ["var \(binding.pattern.trimmedDescription): \(typeText) {"]).joined(separator: " ")
      + accessors(line, "get { \(stored) }", announcement + ["\(stored) = newValue"]) + line + "}"
      + line
      + (inner + ["var \(stored)"]).joined(separator: " ")
    editor.replace(header, by: text, .propertyObserver)
    guard let block = binding.accessorBlock else { return }
    renameUses(in: block) { _ in stored }
  }

  /// The reason why the declaration stays as it is, and the cure.
  var obstacle: (why: String, write: String)? {
    if node.bindings.count != 1 {
      return ("it is declared together with others", "a declaration for each")
    }
    if typeText == nil { return ("its type does not stand in its line", "var \(name): Type = …") }
    let words = property.file == editor.file ? editor.text[header] : ""
    return words.contains("/*") || words.contains("//")
      ? ("comments stand among its words", "the comments above them") : nil
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

  /// The lines of a setter that announce the change.
  private var announcement: [String] {
    [
      "willChangeValue(forKey: \"\(name)\")", "defer { didChangeValue(forKey: \"\(name)\") }",
    ]
  }

  /// The lines of a getter and of a setter.
  private func accessors(_ line: String, _ getter: String, _ body: [String]) -> String {
    let unit = editor.indentationUnit, inner = line + unit, innermost = inner + unit
    return inner + getter + inner + "set {" + body.map { innermost + $0 }.joined() + inner + "}"
  }

  /// The property's observers get the storage where they name the property.
  private func renameUses(in code: some SyntaxProtocol, to expression: (String) -> String) {
    for edit in PropertyUses(of: [name], in: code).edits(.propertyObserver, to: expression) {
      editor.replace(edit.range, by: edit.text, edit.rule)
    }
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
      !type.methods.contains(where: { $0.fullName == "encode(to:)" }),
      type.codes(name, butNot: stored)
    else { return }
    editor.todo(
      node, .codable, "\(name) of \(type.name), which is Codable",
      "its value is in \(stored) now, and would be coded by that name",
      "case \(stored) = \"\(name)\" in CodingKeys")
  }

  // MARK: Overrides

  /// Writes an override's observers as a setter that announces: the setter above would notify before
  /// they have run.
  ///
  /// - Parameter isAnnounced: Whether the setter above announces by itself.
  func announce(isAnnounced: Bool) {
    guard !isAnnounced else {
      return report("the setter above announces by itself", "the work in the class above")
    }
    guard case .accessors(let list) = property.binding.accessorBlock?.accessors,
      let block = property.binding.accessorBlock
    else { return }
    let willSet = list.first { $0.accessorSpecifier.text == "willSet" }
    let didSet = list.first { $0.accessorSpecifier.text == "didSet" }
    if willSet?.body?.hasReturn ?? false {
      return report("its willSet returns early", "a setter that announces")
    }
    let unit = editor.indentationUnit
    let body =
      (willSet.map(linesBefore) ?? []) + (didSet.map(oldValue) ?? [])
      + ["super.\(name) = newValue"] + (didSet?.body.map(lines) ?? [])
    let lines =
      ["withChanges(of: [\\\(type.simpleName).\(name)]) {"]
      + body.map { $0.isEmpty ? $0 : unit + $0 } + ["}"]
    let line = editor.text.newline + editor.text.indentation(at: node.start)
    editor.replace(
      block, by: "{" + accessors(line, "get { super.\(name) }", lines) + line + "}",
      .propertyObserver)
    editor.stripObjectiveC(node.attributes, node.modifiers)
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

  /// The lines of an observer, without what they are all indented by; they mean the property above by
  /// the property's name.
  private func lines(of body: CodeBlockSyntax) -> [String] {
    let uses = PropertyUses(of: [name], in: body).edits(.propertyObserver) { "super.\($0)" }
    let inside = editor.text.trimmed(body.leftBrace.bytes.upperBound..<body.rightBrace.start)
    let indentation = editor.text.indentation(at: inside.lowerBound)
    return editor.rewritten(inside, with: uses).split(
      separator: editor.text.newline, omittingEmptySubsequences: false
    ).map { String($0.hasPrefix(indentation) ? $0.dropFirst(indentation.count) : $0) }
  }
}

extension TypeModel {
  /// Whether the class's `CodingKeys`, if it has some, name one property and not another.
  fileprivate func codes(_ name: String, butNot other: String) -> Bool {
    let members = declaration?.memberBlock.members.compactMap { $0.decl.as(EnumDeclSyntax.self) }
    guard let keys = members?.first(where: { $0.name.text == "CodingKeys" }) else { return true }
    let words = keys.memberBlock.tokens(viewMode: .sourceAccurate).map(\.text)
    return words.contains(name) && !words.contains(other)
  }
}

extension CodeBlockSyntax {
  /// Whether the block returns, outside of closures.
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
