import SwiftSyntax

/// Collects the edits and findings of one file.
final class FileEditor {
  let survey: Survey
  let file: Int
  private(set) var edits: [Edit] = []
  private(set) var findings: [PlacedFinding] = []

  init(_ survey: Survey, _ file: Int) {
    self.survey = survey
    self.file = file
  }

  var source: ParsedFile { survey.files[file] }
  var text: SourceText { source.text }

  /// The blanks that one level is indented by: as the first member or statement that has a line of its
  /// own is within the line of its brace, or two.
  private(set) lazy var indentationUnit = IndentationFinder.unit(of: source) ?? "  "

  func replace(_ range: Range<Int>, by text: String, _ rule: Rule) {
    edits.append(Edit(range: range, text: text, rule: rule))
  }

  func replace(_ node: some SyntaxProtocol, by text: String, _ rule: Rule) {
    replace(node.bytes, by: text, rule)
  }

  func insert(_ text: String, at offset: Int, _ rule: Rule) {
    replace(offset..<offset, by: text, rule)
  }

  /// Deletes a word with the blanks behind it, or its line if nothing else stands there.
  func remove(_ node: some SyntaxProtocol, _ rule: Rule) {
    replace(text.removal(of: node.bytes), by: "", rule)
  }

  /// The text of a range with the edits so far, and more of them.
  func rewritten(_ range: Range<Int>, with more: [Edit]) -> String {
    let within = (edits + more).filter {
      range.lowerBound <= $0.range.lowerBound && $0.range.upperBound <= range.upperBound
    }
    let moved = within.map {
      let start = $0.range.lowerBound - range.lowerBound
      return Edit(range: start..<start + $0.range.count, text: $0.text, rule: $0.rule)
    }
    let part = SourceText(Array(text.bytes[range]))
    return String(decoding: EditList(moved).applied(to: part), as: UTF8.self)
  }

  func todo(
    _ node: some SyntaxProtocol, _ rule: Rule, _ what: String, _ why: String, _ write: String
  ) {
    find(node.start, .todo, rule, what, why, write)
  }

  func todo(_ offset: Int, _ rule: Rule, _ what: String, _ why: String, _ write: String) {
    find(offset, .todo, rule, what, why, write)
  }

  func note(
    _ node: some SyntaxProtocol, _ rule: Rule, _ what: String, _ why: String, _ write: String
  ) {
    find(node.start, .note, rule, what, why, write)
  }

  private func find(
    _ offset: Int, _ kind: Finding.Kind, _ rule: Rule, _ what: String, _ why: String,
    _ write: String
  ) {
    findings.append(
      PlacedFinding(offset: offset, kind: kind, rule: rule, what: what, why: why, write: write))
  }
}

/// Finds by how much the first member or statement is indented.
private final class IndentationFinder: SyntaxVisitor {
  private let text: SourceText
  private var unit: String?

  private init(_ text: SourceText) {
    self.text = text
    super.init(viewMode: .sourceAccurate)
  }

  static func unit(of file: ParsedFile) -> String? {
    let finder = IndentationFinder(file.text)
    finder.walk(file.tree)
    return finder.unit
  }

  override func visit(_ node: MemberBlockSyntax) -> SyntaxVisitorContinueKind {
    note(node.members.first?.start, node.leftBrace)
  }

  override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind {
    note(node.statements.first?.start, node.leftBrace)
  }

  private func note(_ first: Int?, _ brace: TokenSyntax) -> SyntaxVisitorContinueKind {
    if unit != nil { return .skipChildren }
    guard let first, text.startOfLine(at: first) != text.startOfLine(at: brace.start) else {
      return .visitChildren
    }
    let (outer, inner) = (text.indentation(at: brace.start), text.indentation(at: first))
    if inner.hasPrefix(outer), inner.count > outer.count {
      unit = String(inner.dropFirst(outer.count))
    }
    return .visitChildren
  }
}

/// A finding at an offset of the file as it was read.
struct PlacedFinding {
  let offset: Int
  let kind: Finding.Kind
  let rule: Rule
  let what: String
  let why: String
  let write: String
}

/// A visitor that edits a file.
class RuleVisitor: ScopedVisitor {
  let editor: FileEditor

  init(_ editor: FileEditor) {
    self.editor = editor
    super.init(editor.survey, editor.file)
  }

  /// Whether the type around the present place stays as it is, for a reason that was reported.
  var isBlocked: Bool {
    guard case .blocked = type?.verdict else { return false }
    return true
  }

  var isObservable: Bool { type?.verdict.isObservable ?? false }
}
