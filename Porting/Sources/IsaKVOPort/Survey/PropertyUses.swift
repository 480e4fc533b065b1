import SwiftSyntax

/// The places where code means properties of its own object, and Swift gives it their storage: in
/// initializers and in a property's own observers, outside of closures, functions and `defer`.
struct PropertyUses {
  struct Use {
    let name: String
    /// The name, or `self` with the name behind it.
    let range: Range<Int>
    /// The name alone.
    let nameRange: Range<Int>
    /// Whether it is only set there.
    let isAssigned: Bool
    /// Whether the name is bound to itself there, as in `if let name`: the range is empty then.
    let isShorthand: Bool
  }

  let uses: [Use]

  /// - Parameter locals: Names that are declared around the code.
  init(of names: Set<String>, in code: some SyntaxProtocol, locals: [String] = []) {
    let finder = UseFinder(names)
    locals.forEach(finder.declare)
    finder.walk(code)
    uses = finder.uses
  }

  /// Edits after which the code means the properties of other names.
  func edits(_ rule: Rule, to otherName: (String) -> String) -> [Edit] {
    uses.map { use in
      let text = otherName(use.name)
      return Edit(range: use.nameRange, text: use.isShorthand ? " = \(text)" : text, rule: rule)
    }
  }
}

private final class UseFinder: LocalNameVisitor {
  private let names: Set<String>
  private(set) var uses: [PropertyUses.Use] = []

  init(_ names: Set<String>) {
    self.names = names
    super.init()
  }

  override func use(_ node: DeclReferenceExprSyntax) {
    guard !isLocal(node.baseName.name) else { return }
    add(node.baseName.name, node, node.bytes)
  }

  override func useShorthand(_ name: TokenSyntax, end: Int) {
    guard names.contains(name.name), !isLocal(name.name) else { return }
    uses.append(
      PropertyUses.Use(
        name: name.name, range: end..<end, nameRange: end..<end, isAssigned: false,
        isShorthand: true))
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    guard node.base?.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self)
    else { return .visitChildren }
    add(node.declName.baseName.name, node, node.declName.bytes)
    return .skipChildren
  }

  private func add(_ name: String, _ node: some ExprSyntaxProtocol, _ nameRange: Range<Int>) {
    guard names.contains(name) else { return }
    uses.append(
      PropertyUses.Use(
        name: name, range: node.bytes, nameRange: nameRange,
        isAssigned: ExprSyntax(node).isAssigned, isShorthand: false))
  }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visitPost(_ node: ClosureExprSyntax) {}
  override func visit(_ node: DeferStmtSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    declare(node.name.name)
    return .skipChildren
  }
  override func visitPost(_ node: FunctionDeclSyntax) {}
}

extension ExprSyntax {
  /// Whether the expression is the target of `=`, or a part of a tuple that is.
  fileprivate var isAssigned: Bool {
    if let tuple = parent?.as(LabeledExprSyntax.self)?.parent?.parent?.as(TupleExprSyntax.self) {
      return ExprSyntax(tuple).isAssigned
    }
    guard let list = parent?.as(ExprListSyntax.self), list.first?.id == id,
      list.parent?.is(SequenceExprSyntax.self) ?? false
    else { return false }
    return list.dropFirst().first?.is(AssignmentExprSyntax.self) ?? false
  }
}
