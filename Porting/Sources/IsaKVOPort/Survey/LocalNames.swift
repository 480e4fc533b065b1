import SwiftSyntax

/// Walks through code and knows which names its blocks declare: these hide members of that name.
class LocalNameVisitor: SyntaxVisitor {
  /// The names that the blocks around the present place have declared.
  private var locals: [Set<String>] = [[]]

  init() { super.init(viewMode: .sourceAccurate) }

  // MARK: Hooks

  /// A name that stands by itself, `self` among them; it may be a local one.
  func use(_ node: DeclReferenceExprSyntax) {}

  /// A name that is bound to itself, as in `if let name`.
  func useShorthand(_ name: TokenSyntax, end: Int) {}

  /// A name that a block declares.
  func note(local name: String) {}

  final func isLocal(_ name: String) -> Bool { locals.contains { $0.contains(name) } }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    if let member = node.parent?.as(MemberAccessExprSyntax.self), member.declName.id == node.id {
      return .skipChildren
    }
    if node.parent?.is(KeyPathPropertyComponentSyntax.self) ?? false { return .skipChildren }
    use(node)
    return .skipChildren
  }

  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    // Its key path is a string by then.
    node.macroName.text == "keyPath" ? .skipChildren : .visitChildren
  }

  // MARK: Local names

  final func declare(_ name: String) {
    locals[locals.count - 1].insert(name)
    note(local: name)
  }

  private func open() -> SyntaxVisitorContinueKind {
    locals.append([])
    return .visitChildren
  }

  private func close() { locals.removeLast() }

  override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
    declare(node.identifier.name)
    return .skipChildren
  }

  override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
    declare(node.name.name)
    return .skipChildren
  }

  override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
    declare((node.secondName ?? node.firstName).name)
    return .skipChildren
  }

  override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
    declare((node.secondName ?? node.firstName).name)
    return .skipChildren
  }

  /// A value does not see the names that it is given to.
  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    if let value = node.initializer { walk(value) }
    if let accessors = node.accessorBlock { walk(accessors) }
    walk(node.pattern)
    return .skipChildren
  }

  override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
    if let value = node.initializer {
      walk(value)
    } else if let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier {
      useShorthand(name, end: node.bytes.upperBound)
    }
    walk(node.pattern)
    return .skipChildren
  }

  override func visit(_ node: MatchingPatternConditionSyntax) -> SyntaxVisitorContinueKind {
    walk(node.initializer)
    walk(node.pattern)
    return .skipChildren
  }

  // MARK: Blocks

  override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind { open() }
  override func visitPost(_ node: CodeBlockItemListSyntax) { close() }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { open() }
  override func visitPost(_ node: ClosureExprSyntax) { close() }
  override func visit(_ node: SwitchCaseSyntax) -> SyntaxVisitorContinueKind { open() }
  override func visitPost(_ node: SwitchCaseSyntax) { close() }
  override func visit(_ node: WhileStmtSyntax) -> SyntaxVisitorContinueKind { open() }
  override func visitPost(_ node: WhileStmtSyntax) { close() }

  override func visit(_ node: AccessorDeclSyntax) -> SyntaxVisitorContinueKind {
    _ = open()
    if let parameter = node.parameters?.name { declare(parameter.name) }
    return .visitChildren
  }
  override func visitPost(_ node: AccessorDeclSyntax) { close() }

  override func visit(_ node: CatchClauseSyntax) -> SyntaxVisitorContinueKind {
    _ = open()
    if node.catchItems.isEmpty { declare("error") }
    return .visitChildren
  }
  override func visitPost(_ node: CatchClauseSyntax) { close() }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    declare(node.name.name)
    return open()
  }
  override func visitPost(_ node: FunctionDeclSyntax) { close() }

  override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
    _ = open()
    walk(node.conditions)
    walk(node.body)
    close()
    if let other = node.elseBody { walk(other) }
    return .skipChildren
  }

  /// The body runs where the conditions have no names.
  override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
    walk(node.body)
    walk(node.conditions)
    return .skipChildren
  }

  override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
    walk(node.sequence)
    _ = open()
    walk(node.pattern)
    if let condition = node.whereClause { walk(condition) }
    walk(node.body)
    close()
    return .skipChildren
  }
}
