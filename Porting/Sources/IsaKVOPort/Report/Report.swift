import Foundation

/// The edits and findings of a run, in the forms that the tool prints.
package struct Report: Sendable {
  package let files: [PortedFile]
  /// The findings of the files, and those about packages.
  package let findings: [Finding]
  /// Whether the edits were written.
  package let isWritten: Bool

  package init(_ port: Port, packages: [Finding] = [], isWritten: Bool) {
    files = port.files
    findings = (port.findings + packages).sorted {
      ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column)
    }
    self.isWritten = isWritten
  }

  /// How the run ended: 3 if a file was left alone, 1 if something is left to do by hand, else 0.
  package var exitCode: Int32 {
    if count(.error) > 0 { return 3 }
    return count(.todo) > 0 ? 1 : 0
  }

  private func count(_ kind: Finding.Kind) -> Int { findings.count { $0.kind == kind } }
  private var changed: [PortedFile] { files.filter(\.isChanged) }
  private var edits: Int { changed.reduce(0) { $0 + $1.edits.count } }

  /// A line for each finding.
  package var lines: String { findings.map { $0.text + "\n" }.joined() }

  /// One line about the whole.
  package var closing: String {
    let done = isWritten ? "written" : "to be written by --write"
    var parts = [
      "\(number(edits, "edit")) in \(number(changed.count, "file")) of \(files.count)"
        + (edits == 0 ? "" : ", \(done)"),
      "\(count(.todo)) left to do by hand",
    ]
    if count(.note) > 0 { parts.append(number(count(.note), "note")) }
    if count(.error) > 0 { parts.append("\(number(count(.error), "file")) left alone") }
    return parts.joined(separator: "; ") + "\n"
  }

  /// The numbers of edits and findings, by rule, and the closing line.
  package var summary: String {
    var text = ""
    for rule in Rule.allCases {
      let edits = changed.flatMap(\.edits).count { $0.rule == rule }
      let own = findings.filter { $0.rule == rule }
      var parts: [String] = []
      if edits > 0 { parts.append(number(edits, "edit")) }
      for kind in [Finding.Kind.todo, .note, .error] {
        let count = own.count { $0.kind == kind }
        if count > 0 { parts.append("\(count) \(kind == .todo ? "to do" : kind.rawValue)") }
      }
      if !parts.isEmpty { text += "\(rule.rawValue): \(parts.joined(separator: ", "))\n" }
    }
    return text + closing
  }

  private func number(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// The whole as one JSON object, with sorted names.
  ///
  /// - Throws: The encoder's errors.
  package func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let document = Document(
      version: 1, isWritten: isWritten,
      files: files.map {
        Document.File(path: $0.path, isChanged: $0.isChanged, edits: $0.edits)
      },
      findings: findings,
      summary: Document.Summary(
        files: files.count, changed: changed.count, edits: edits, todos: count(.todo),
        notes: count(.note), errors: count(.error)))
    return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
  }

  private struct Document: Encodable {
    struct File: Encodable {
      let path: String
      let isChanged: Bool
      let edits: [AppliedEdit]
    }

    struct Summary: Encodable {
      let files: Int
      let changed: Int
      let edits: Int
      let todos: Int
      let notes: Int
      let errors: Int
    }

    let version: Int
    let isWritten: Bool
    let files: [File]
    let findings: [Finding]
    let summary: Summary
  }
}
