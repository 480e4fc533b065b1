import SwiftSyntax

/// Wraps the properties that Objective-C made observable, and strips its words from all others.
final class PropertyRule: RuleVisitor {
  private let declarations: (TypeModel) -> KeyDeclarations

  init(_ editor: FileEditor, _ declarations: @escaping (TypeModel) -> KeyDeclarations) {
    self.declarations = declarations
    super.init(editor)
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    guard !isBlocked else { return .visitChildren }
    guard let type, isObservable, node.parent?.is(MemberBlockItemSyntax.self) ?? false,
      let first = type.properties.first(where: { $0.declaration.id == node.id }),
      first.isKey(of: type)
    else {
      strip(node)
      return .visitChildren
    }
    port(node, first, of: type)
    return .visitChildren
  }

  private func strip(_ node: VariableDeclSyntax) {
    guard !node.modifiers.has("optional") else { return }
    editor.stripObjectiveC(node.attributes, node.modifiers)
    if node.modifiers.has("static", "class"), node.attributes.has("objc"), isObservable,
      KeyMethod(node.bindings.first?.name ?? "") == nil
    {
      editor.note(
        node, .attribute, "a property of the class itself", "nobody can observe it here", "")
    }
  }

  private func port(_ node: VariableDeclSyntax, _ property: PropertyModel, of type: TypeModel) {
    if node.attributes.has("NSManaged") {
      return editor.todo(
        node, .framework, "@NSManaged var \(property.name)", "Core Data is not on Linux",
        "@Dynamic var \(property.name), with a first value")
    }
    guard property.binding.isStored, !property.isLet, !property.isOverride else {
      editor.stripObjectiveC(node.attributes, node.modifiers)
      if declarations(type).announced.contains(property.name) { announce(property) }
      return
    }
    if let other = otherWrapper(node) {
      editor.stripObjectiveC(node.attributes, node.modifiers)
      return editor.todo(
        node, .dynamicProperty, "\(property.name) has the wrapper @\(other)",
        "wrappers that refer to their object cannot be combined", "@Dynamic in its place")
    }
    wrap(node, property, of: type)
    reportOwnAssignment(property)
  }

  private func otherWrapper(_ node: VariableDeclSyntax) -> String? {
    let known: Set<String> = [
      "MainActor", "NSCopying", "IBOutlet", "IBInspectable", "GKInspectable", "Dynamic",
    ]
    for case .attribute(let attribute) in node.attributes {
      let name = attribute.attributeName.trimmedDescription
      if name.first?.isUppercase == true, !known.contains(name) { return name }
    }
    return nil
  }

  // MARK: Wrappers

  private func wrap(_ node: VariableDeclSyntax, _ property: PropertyModel, of type: TypeModel) {
    if node.modifiers.has("lazy") {
      LazyProperty(editor, type, scope).wrap(node, property)
    } else if node.modifiers.has("weak") {
      wrapWeak(node, property)
    } else if let unowned = node.modifiers.modifier("unowned") {
      editor.stripObjectiveC(node.attributes, node.modifiers)
      editor.todo(
        unowned, .weakProperty, "unowned var \(property.name)",
        "unowned cannot be combined with a property wrapper",
        "@WeakDynamic var \(property.name), with an optional type")
    } else {
      editor.wrap(node, "@Dynamic", without: nil, .dynamicProperty)
    }
    if let copying = node.attributes.attribute("NSCopying") {
      editor.remove(copying, .dynamicProperty)
      editor.todo(
        copying, .dynamicProperty, "@NSCopying var \(property.name)",
        "it cannot be combined with a property wrapper", "copy() where the property is set")
    }
    if node.bindings.count > 1 { split(node) }
  }

  private func wrapWeak(_ node: VariableDeclSyntax, _ property: PropertyModel) {
    let name = property.typeName ?? ""
    if survey.protocols[name] != nil || property.type?.isExistential ?? false {
      editor.stripObjectiveC(node.attributes, node.modifiers)
      return editor.todo(
        node, .weakProperty, "weak var \(property.name) refers to a protocol, \(name)",
        "@WeakDynamic takes a class", "a class in its type, or leave it plain: nobody observes it")
    }
    editor.wrap(node, "@WeakDynamic", without: "weak", .weakProperty)
  }

  /// Gives each name of a declaration one of its own: a wrapper takes one.
  private func split(_ node: VariableDeclSyntax) {
    let line = editor.text.indentation(at: node.start)
    let modifiers = node.modifiers.filter { $0.name.text != "dynamic" }
    let words = (["@Dynamic"] + modifiers.map(\.trimmedDescription) + ["var "]).joined(
      separator: " ")
    for (binding, next) in zip(node.bindings, node.bindings.dropFirst()) {
      guard let comma = binding.trailingComma else { continue }
      if binding.typeAnnotation == nil, binding.initializer == nil,
        let type = node.bindings.lazy.compactMap({ $0.typeAnnotation?.type }).first
      {
        editor.insert(
          ": \(type.trimmedDescription)", at: binding.pattern.bytes.upperBound, .dynamicProperty)
      }
      editor.replace(
        comma.start..<next.start, by: editor.text.newline + line + words, .dynamicProperty)
    }
  }

  // MARK: Computed properties

  /// Has the setter announce the change, as the method does that Apple's runtime puts before it.
  private func announce(_ property: PropertyModel) {
    guard let body = property.binding.setter?.body else { return }
    let text = editor.text, newline = text.newline
    let outer = text.indentation(at: body.leftBrace.start)
    let inner = outer + text.indentationUnit
    let lines = [
      "willChangeValue(forKey: \"\(property.name)\")",
      "defer { didChangeValue(forKey: \"\(property.name)\") }",
    ].map { newline + inner + $0 }.joined()
    let afterBrace = body.leftBrace.bytes.upperBound
    editor.insert(lines, at: afterBrace, .computedProperty)
    guard let first = body.statements.first, !first.leadingTrivia.hasNewlines,
      !body.leftBrace.trailingTrivia.hasComments
    else { return }
    // The body stood in the line of its brace.
    editor.replace(afterBrace..<first.start, by: newline + inner, .computedProperty)
    editor.replace(
      text.startOfBlanks(before: body.rightBrace.start)..<body.rightBrace.start,
      by: newline + outer, .computedProperty)
  }

  // MARK: Property observers

  /// A `didSet` that always assigns its own property comes to no end: the wrapper's setter runs it.
  private func reportOwnAssignment(_ property: PropertyModel) {
    guard case .accessors(let list) = property.binding.accessorBlock?.accessors,
      let body = list.first(where: { $0.accessorSpecifier.text == "didSet" })?.body
    else { return }
    for item in body.statements {
      if item.item.is(GuardStmtSyntax.self) || item.item.mayReturn { return }
      guard let sequence = item.item.as(SequenceExprSyntax.self),
        sequence.elements.dropFirst().first?.is(AssignmentExprSyntax.self) ?? false,
        [property.name, "self.\(property.name)"].contains(
          sequence.elements.first!.trimmedDescription)
      else { continue }
      editor.todo(
        sequence, .propertyObserver, "didSet of \(property.name) assigns \(property.name)",
        "the wrapper's setter runs didSet again, without end",
        "if \(property.name) != wanted { \(property.name) = wanted }")
    }
  }
}

extension CodeBlockItemSyntax.Item {
  /// Whether a statement may leave the body before the next one.
  fileprivate var mayReturn: Bool {
    tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.return) }
  }
}

extension TypeSyntax {
  /// Whether the type is spelt as a protocol's: `any P`, or by the names that delegates have.
  fileprivate var isExistential: Bool {
    guard let name = objectName else { return false }
    let text = trimmedDescription
    return text.contains("any ") || text.contains("&") || name.hasSuffix("Delegate")
      || name.hasSuffix("DataSource") || name == "AnyObject"
  }
}

extension FileEditor {
  /// Writes the wrapper in the place of `@objc`, and takes out `dynamic` and another modifier.
  func wrap(_ node: VariableDeclSyntax, _ wrapper: String, without modifier: String?, _ rule: Rule)
  {
    if let attribute = node.attributes.attribute("objc") {
      replace(attribute, by: wrapper, rule)
    } else if let first = node.firstToken(viewMode: .sourceAccurate) {
      insert(wrapper + " ", at: first.start, rule)
    }
    for word in ["dynamic", modifier] {
      guard let word, let found = node.modifiers.modifier(word) else { continue }
      remove(found, rule)
    }
  }
}
