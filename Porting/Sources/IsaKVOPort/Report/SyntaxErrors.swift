import SwiftSyntax

/// The first place of a file where the syntax is wrong.
struct SyntaxError {
  let offset: Int
  let what: String

  init?(_ tree: SourceFileSyntax) {
    guard tree.hasError else { return nil }
    let finder = ErrorFinder()
    finder.walk(tree)
    offset = finder.offset ?? 0
    what = finder.what ?? "the syntax is wrong"
  }
}

private final class ErrorFinder: SyntaxVisitor {
  var offset: Int?
  var what: String?

  init() { super.init(viewMode: .all) }

  override func visit(_ node: UnexpectedNodesSyntax) -> SyntaxVisitorContinueKind {
    if node.firstToken(viewMode: .sourceAccurate) != nil {
      let line = node.trimmedDescription.prefix { !$0.isNewline }
      report(node.start, "“\(line)” is not expected here")
    }
    return .skipChildren
  }

  override func visit(_ node: TokenSyntax) -> SyntaxVisitorContinueKind {
    if node.presence == .missing {
      report(node.position.utf8Offset, "\(describe(node)) is missing here")
    }
    return .skipChildren
  }

  private func report(_ offset: Int, _ what: String) {
    guard self.offset == nil else { return }
    (self.offset, self.what) = (offset, what)
  }

  private func describe(_ token: TokenSyntax) -> String {
    switch token.tokenKind {
    case .identifier: "a name"
    case .stringSegment: "a string"
    default: token.text.isEmpty ? "a word" : "“\(token.text)”"
    }
  }
}
