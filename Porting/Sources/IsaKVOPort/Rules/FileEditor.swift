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
