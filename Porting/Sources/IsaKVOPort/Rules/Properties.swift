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
      first.isKey(of: type) || first.setsKeyAbove(of: type)
    else {
      if let type, isObservable { ObservedProperty(editor, type, node)?.reportCoding() }
      if !isTuple(node) { strip(node) }
      return .visitChildren
    }
    port(node, first, of: type)
    return .visitChildren
  }

  /// Whether a declaration takes a tuple apart, which no wrapper does; it is reported then.
  private func isTuple(_ node: VariableDeclSyntax) -> Bool {
    guard isObservable, node.attributes.has("objc"),
      let tuple = node.bindings.first?.pattern.as(TuplePatternSyntax.self)
    else { return false }
    editor.todo(
      tuple, .dynamicProperty, "var \(tuple.trimmedDescription)", "a wrapper takes one property",
      "a declaration for each")
    return true
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
    // Reported with the keys of the class.
    let declared = declarations(type)
    if declared.missing.contains(property.name)
      || declared.conditional.contains(where: { $0.declaration.id == node.id })
    {
      return
    }
    let stored = declared.moved[property.name]
    if let (place, advice) = obstacle(node, property, isMoved: stored != nil) {
      return editor.todo(place, advice.rule, advice.what, advice.why, advice.write)
    }
    let observed = ObservedProperty(editor, type, node, property)
    if let stored { return observed.move(to: stored) }
    if let other = type.properties.first(where: {
      $0.declaration.id == node.id && declared.moved[$0.name] != nil
    }) {
      return ObservedProperty(editor, type, node, other).move(to: "")
    }
    if property.setsKeyAbove(of: type), !declared.isPlain(property), !property.binding.announces {
      return observed.announce(isAnnounced: !declared.announced.contains(property.name))
    }
    guard property.binding.isStored, !property.isLet, !property.isOverride,
      !declared.isPlain(property)
    else {
      editor.stripObjectiveC(node.attributes, node.modifiers)
      if declared.announced.contains(property.name) { announce(property) }
      return
    }
    if node.modifiers.has("lazy") {
      LazyProperty(editor, type).wrap(node, property)
    } else if node.modifiers.has("weak") {
      editor.wrap(node, "@WeakDynamic", without: "weak", .weakProperty)
    } else {
      editor.wrap(node, "@Dynamic", without: nil, .dynamicProperty)
    }
    if node.bindings.count > 1 { split(node) }
  }

  // MARK: Obstacles

  /// The reason why a property stays as it is, and the word that it hangs on.
  private func obstacle(
    _ node: VariableDeclSyntax, _ property: PropertyModel, isMoved: Bool
  ) -> (any SyntaxProtocol, Advice)? {
    let name = property.name
    if let managed = node.attributes.attribute("NSManaged") {
      return (
        managed,
        Advice(
          .framework, "@NSManaged var \(name)", "Core Data is not on Linux",
          "@Dynamic var \(name), with a first value")
      )
    }
    if let copying = node.attributes.attribute("NSCopying") {
      return (
        copying,
        Advice(
          .dynamicProperty, "@NSCopying var \(name)", "it cannot be combined with a wrapper",
          "@Dynamic var \(name), and copy() where it is set")
      )
    }
    if let unowned = node.modifiers.modifier("unowned"), !isMoved {
      return (
        unowned,
        Advice(
          .weakProperty, "unowned var \(name)", "it cannot be combined with a wrapper",
          "@WeakDynamic var \(name), with an optional type")
      )
    }
    if let block = property.type, survey.isBlock(block), !isMoved {
      return (
        block,
        Advice(
          .dynamicProperty, "\(name) is a block of Objective-C's",
          "a wrapper cannot keep one on Linux", "the type without @convention(block)")
      )
    }
    return otherWrapper(node).map { other in
      (
        node,
        Advice(
          .dynamicProperty, "\(name) has the wrapper @\(other)",
          "wrappers that refer to their object cannot be combined", "@Dynamic in its place")
      )
    } ?? (isMoved ? nil : weakObstacle(node, property))
  }

  private func otherWrapper(_ node: VariableDeclSyntax) -> String? {
    let known: Set<String> = [
      "MainActor", "IBOutlet", "IBInspectable", "GKInspectable", "Dynamic",
    ]
    for case .attribute(let attribute) in node.attributes {
      let name = attribute.attributeName.trimmedDescription
      if name.first?.isUppercase == true, !known.contains(name) { return name }
    }
    return nil
  }

  private func weakObstacle(
    _ node: VariableDeclSyntax, _ property: PropertyModel
  ) -> (any SyntaxProtocol, Advice)? {
    let name = property.typeName ?? ""
    guard let weak = node.modifiers.modifier("weak"), !survey.declares(name),
      survey.protocols[name] != nil || property.type?.isExistential ?? false
    else { return nil }
    return (
      weak,
      Advice(
        .weakProperty, "weak var \(property.name) is of a protocol, \(name)",
        "@WeakDynamic takes a class", "the class in its type, or weak var without @objc dynamic")
    )
  }

  // MARK: Wrappers

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
    let text = editor.text, brace = body.leftBrace.bytes.upperBound
    let outer = text.newline + text.indentation(at: body.leftBrace.start)
    let inner = outer + editor.indentationUnit
    let lines = property.announcement.map { inner + $0 }.joined()
    // A comment behind the brace stays there.
    if let end = text.endOfLine(after: brace) {
      return editor.insert(lines, at: end, .computedProperty)
    }
    let content = text.endOfBlanks(from: brace), close = body.rightBrace.start
    let isEmpty = content == close
    editor.replace(brace..<content, by: lines + (isEmpty ? outer : inner), .computedProperty)
    let blanks = text.startOfBlanks(before: close)
    if !isEmpty, blanks != text.startOfLine(at: close) {
      editor.replace(blanks..<close, by: outer, .computedProperty)
    }
  }

  // MARK: Initializers

  /// Initializers mean the storage of their own class's properties, and run no observers.
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let type, isObservable, let body = node.body else { return .visitChildren }
    let locals = node.signature.parameterClause.parameters.map {
      ($0.secondName ?? $0.firstName).name
    }
    let moved = movedProperties(of: type)
    renameUses(of: moved, in: body, locals, of: type)
    if type.file != file { reportOtherFile(node, body, locals, moved, of: type) }
    if !node.modifiers.has("convenience") { reportReads(body, locals, moved, of: type) }
    return .visitChildren
  }

  /// So does the end of an object.
  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let type, isObservable, let body = node.body else { return .visitChildren }
    renameUses(of: movedProperties(of: type), in: body, [], of: type)
    return .visitChildren
  }

  private func renameUses(
    of moved: [String: PropertyModel], in body: CodeBlockSyntax, _ locals: [String],
    of type: TypeModel
  ) {
    let names = Set(moved.filter { $0.value.file == file }.keys)
    let uses = PropertyUses(of: names, in: body, locals: locals)
    for edit in uses.edits(.propertyObserver, to: { declarations(type).moved[$0]! }) {
      editor.replace(edit.range, by: edit.text, edit.rule)
    }
  }

  /// An initializer in another file does not see the storage; nor does it in a later run.
  private func reportOtherFile(
    _ node: InitializerDeclSyntax, _ body: CodeBlockSyntax, _ locals: [String],
    _ moved: [String: PropertyModel], of type: TypeModel
  ) {
    let before = type.properties.filter { property in
      property.binding.setter != nil && property.binding.announces
        && type.properties.contains { $0.name.hasPrefix("stored") && $0.binding.hasObservers }
    }
    let names = Set(moved.keys).union(before.map(\.name))
    for use in PropertyUses(of: names, in: body, locals: locals).uses {
      editor.todo(
        node, .propertyObserver, "\(use.name) in an initializer beside the class's file",
        "its willSet and didSet run here, which they do not on Apple systems",
        "the initializer in the class's file")
    }
  }

  /// The properties whose storage gets another name.
  private func movedProperties(of type: TypeModel) -> [String: PropertyModel] {
    let declared = declarations(type)
    let moved = type.properties.filter {
      declared.moved[$0.name] != nil && !declared.missing.contains($0.name)
        && obstacle($0.declaration, $0, isMoved: true) == nil
        && ObservedProperty(editor, type, $0.declaration, $0).obstacle == nil
    }
    return Dictionary(moved.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// A wrapped property is read through its whole object, which there is from `super.init` on.
  private func reportReads(
    _ body: CodeBlockSyntax, _ locals: [String], _ moved: [String: PropertyModel],
    of type: TypeModel
  ) {
    let wrapped = type.properties.filter {
      moved[$0.name] == nil && !$0.isOverride && $0.binding.isStored && !$0.isLet
        && ($0.isKey(of: type) || $0.declaration.attributes.has("Dynamic"))
        && !declarations(type).isPlain($0)
    }
    let names = Set(wrapped.map(\.name)), end = body.superCall ?? body.bytes.upperBound
    for use in PropertyUses(of: names, in: body, locals: locals).uses
    where !use.isAssigned && use.range.lowerBound < end {
      editor.todo(
        use.range.lowerBound, .dynamicProperty, "\(use.name) is read before super.init",
        "a wrapped property is read through its whole object", "a local constant in its place")
    }
  }
}

extension CodeBlockSyntax {
  /// Where the first call of `super.init` ends.
  fileprivate var superCall: Int? {
    statements.lazy.compactMap { item -> Int? in
      let text = item.trimmedDescription
      guard text.contains("super.init"),
        let call = item.item.as(FunctionCallExprSyntax.self)
          ?? item.item.as(TryExprSyntax.self)?.expression.as(FunctionCallExprSyntax.self)
      else { return nil }
      return call.bytes.upperBound
    }.first
  }
}

extension TypeSyntax {
  /// Whether the type is spelt as a protocol's: `any P`, or by the names that delegates have.
  fileprivate var isExistential: Bool {
    guard let name = objectName else { return false }
    let text = trimmedDescription
    return text.contains("any ") || text.contains("&") || name.hasSuffix("Delegate")
      || name.hasSuffix("DataSource")
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
