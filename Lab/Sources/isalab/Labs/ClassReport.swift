import Foundation

/// How the folders of a class went, for a file.
struct ClassReport: Sendable {
  /// One student's folder.
  struct Row: Sendable {
    var folder: String
    var level: Level?
    var language: LabLanguage?
    var grade: Grade?
    /// The reason for which nothing was played.
    var problem: Text?
    /// The first folder that holds the very same code.
    var sameAs: String?

    var hasPassed: Bool { grade?.hasPassed == true }
    var passed: Int { grade?.passed ?? 0 }
    var total: Int { grade?.total ?? level?.scenes.count ?? 0 }
    var firstFailure: SceneResult? { grade?.results.first { !$0.hasPassed } }
    var outcome: Outcome { grade == nil ? .error : hasPassed ? .passed : .failed }
  }

  enum Outcome: String {
    case passed, failed
    /// Nothing was played.
    case error

    /// The catalogue's word, for a terminal.
    var key: String {
      switch self {
      case .passed: "lab.ok"
      case .failed: "lab.failed"
      case .error: "lab.error"
      }
    }
  }

  /// The forms that a file may have, by the end of its name.
  enum Form: String, CaseIterable { case csv, json, xml }

  var rows: [Row]
  var seed: UInt32
  var network: Text

  func text(as form: Form) -> String {
    switch form {
    case .csv: csv
    case .json: json
    case .xml: junit
    }
  }

  // MARK: CSV

  private var csv: String {
    let head = [
      "folder", "level", "language", "outcome", "passed", "cases", "first failure", "problem",
      "same code as", "seed", "network",
    ]
    return ([head] + rows.map(fields)).map { row in
      row.map(\.csvField).joined(separator: ",") + "\r\n"
    }.joined()
  }

  private func fields(_ row: Row) -> [String] {
    [
      row.folder, row.level.map { String($0.number) } ?? "", row.language?.rawValue ?? "",
      row.outcome.rawValue, String(row.passed), String(row.total), row.firstFailure?.scene.id ?? "",
      row.problem?.english.firstLine ?? "", row.sameAs ?? "", String(seed), network.english,
    ]
  }

  // MARK: JSON

  private struct Document: Encodable {
    struct Case: Encodable {
      var id: String
      var title: String
      var passed: Bool
      var trouble: String?
    }
    struct Student: Encodable {
      var folder: String
      var level: Int?
      var language: String?
      var outcome: String
      var passed: Int
      var cases: Int
      var problem: String?
      var sameCodeAs: String?
      var results: [Case]
    }
    var seed: UInt32
    var network: String
    var students: [Student]
  }

  private var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let document = Document(seed: seed, network: network.english, students: rows.map(student))
    let data = (try? encoder.encode(document)) ?? Data()
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  private func student(_ row: Row) -> Document.Student {
    Document.Student(
      folder: row.folder, level: row.level?.number, language: row.language?.rawValue,
      outcome: row.outcome.rawValue, passed: row.passed, cases: row.total,
      problem: row.problem?.english,
      sameCodeAs: row.sameAs,
      results: (row.grade?.results ?? []).map {
        .init(
          id: $0.scene.id, title: $0.scene.title.english, passed: $0.hasPassed,
          trouble: $0.troubleText?.english)
      })
  }

  // MARK: JUnit

  private var junit: String {
    let failures = rows.reduce(0) { $0 + $1.total - $1.passed }
    let suites = rows.map(suite).joined()
    let tests = rows.reduce(0) { $0 + $1.total }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + "<testsuites tests=\"\(tests)\" failures=\"\(failures)\">\n\(suites)</testsuites>\n"
  }

  private func suite(_ row: Row) -> String {
    let failures = row.grade == nil ? 0 : row.total - row.passed
    let errors = row.grade == nil ? 1 : 0
    let properties =
      "    <properties>\n      <property name=\"seed\" value=\"\(seed)\"/>\n"
      + "      <property name=\"network\" value=\"\(network.english.xmlText)\"/>\n    </properties>\n"
    let cases =
      row.grade.map { $0.results.map { testCase($0, row.folder) }.joined() }
      ?? "    <testcase classname=\"\(row.folder.xmlText)\" name=\"build\">\n"
      + "      <error message=\"\((row.problem?.english ?? "").firstLine.xmlText)\">"
      + "\((row.problem?.english ?? "").xmlText)</error>\n    </testcase>\n"
    return "  <testsuite name=\"\(row.folder.xmlText)\" tests=\"\(max(1, row.total))\" "
      + "failures=\"\(failures)\" errors=\"\(errors)\">\n\(properties)\(cases)  </testsuite>\n"
  }

  private func testCase(_ result: SceneResult, _ folder: String) -> String {
    let name = "\(result.scene.id) \(result.scene.title.english)".xmlText
    let head = "    <testcase classname=\"\(folder.xmlText)\" name=\"\(name)\""
    if result.hasPassed { return head + "/>\n" }
    let told = GradeView().timelines(result).joined(separator: "\n").xmlText
    return head
      + ">\n      <failure message=\"\((result.troubleText?.english ?? "another timeline").xmlText)\">"
      + "\(told)</failure>\n    </testcase>\n"
  }
}

extension String {
  fileprivate var firstLine: String { String(prefix { $0 != "\n" }) }

  /// A field as RFC 4180 has it. One that a table program would take for a formula is shown as text.
  fileprivate var csvField: String {
    let text = first.map { "=+-@\t".contains($0) } == true ? "'" + self : self
    let needsQuotes = text.contains { "\",\r\n".contains($0) || $0 == "\r\n" }
    return needsQuotes ? "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\"" : text
  }

  /// Text for XML, which has no place for control characters.
  fileprivate var xmlText: String {
    var text = ""
    for scalar in unicodeScalars { text.unicodeScalars.append(scalar.isXML ? scalar : "?") }
    return text.markup
  }
}

extension Unicode.Scalar {
  fileprivate var isXML: Bool {
    value >= 0x20 && value != 0xfffe && value != 0xffff || self == "\n" || self == "\t"
  }
}
