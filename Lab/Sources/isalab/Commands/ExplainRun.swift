import Foundation

/// `isalab explain`: what an error means, why it comes, and how to be rid of it.
struct ExplainRun {
  var console: Console
  var style = TextStyle()
  var language = Language.english

  /// Shows what `words` stand for; the list without any.
  ///
  /// - Parameter words: A status by name or number, an exception's name, or what a log says.
  /// - Returns: 0, or 2 for what is unknown.
  func run(_ words: String?) -> Int32 {
    guard let words else { return list() }
    let found = Explanation.find(words)
    if !found.isEmpty { return show(found) }
    var reader = LogReader()
    reader.read(words.utf8)
    return show(reader.finish()) { unknown(words) }
  }

  /// Shows what a log tells of.
  ///
  /// - Parameter file: Its name; `-` is standard input.
  /// - Returns: 0, or 2 for a file that cannot be read or says nothing known.
  func run(log file: String) -> Int32 {
    let handle = file == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: file)
    var reader = LogReader()
    guard let handle, reader.readAll(of: handle) else {
      console.err(language.say("log.unreadable", ["file": file.shown]))
      return 2
    }
    return show(reader.finish()) { "\(file.shown): \(nothing)" }
  }

  private var view: ExplanationView { ExplanationView(style: style, language: language) }

  private func list() -> Int32 {
    let usage = wrapped(language.say("explain.usage"))
    for line in view.list() + [""] + usage { console.out(line) }
    return 0
  }

  private func show(_ found: [Explanation]) -> Int32 {
    for (index, explanation) in found.enumerated() {
      if index > 0 { console.out("") }
      for line in view.lines(of: explanation) { console.out(line) }
    }
    return 0
  }

  private func show(_ findings: LogFindings, otherwise unknown: () -> String) -> Int32 {
    if findings.isEmpty {
      console.err(unknown())
      return 2
    }
    for line in LogView(style: style, language: language).lines(of: findings) { console.out(line) }
    return 0
  }

  private var nothing: String {
    language.say(
      "log.nothing", ["symptoms": Symptom.all.count, "frames": KVOFrame.all.count])
  }

  /// Words that are no log are a name with a slip of the pen, or one that there is not.
  private func unknown(_ words: String) -> String {
    if words.contains(" ") || words.contains("\n") { return nothing }
    let names = Explanation.nearest(to: words).joined(separator: language.say("syntax.comma"))
    return names.isEmpty
      ? language.say("explain.unknown", ["name": words.shown])
      : language.say("explain.unknown-near", ["name": words.shown, "names": names])
  }
}

extension LogReader {
  /// Reads a file to its end.
  ///
  /// - Returns: Whether it can be read.
  mutating func readAll(of handle: FileHandle) -> Bool {
    do {
      while let part = try handle.read(upToCount: 1 << 18), !part.isEmpty { read(part) }
      return true
    } catch {
      return false
    }
  }
}

extension Explanation {
  /// The explanations that `code` may stand for.
  static func find(_ code: String) -> [Explanation] {
    let name = code.lowercased()
    let named = all.filter {
      $0.code.lowercased() == name || ($0.status != nil && $0.number == name)
    }
    if !named.isEmpty { return named }
    return all.filter { $0.exceptions.contains { $0.lowercased() == name } }
  }

  /// At most three names that `code` may be a slip of the pen for.
  static func nearest(to code: String) -> [String] {
    let exceptions = all.flatMap(\.exceptions)
    let names =
      all.map(\.code)
      + exceptions.enumerated()
      .filter { exceptions.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    let query = code.uppercased()
    let ranked = names.enumerated().map { index, name in
      (distance: query.nearness(to: name.uppercased()), index: index, name: name)
    }
    return ranked.filter { $0.distance <= max(3, query.count / 2) }
      .sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }.prefix(3).map(\.name)
  }
}

extension String {
  /// How many letters must change, come or go to make `other` of this; a part of it costs little.
  fileprivate func nearness(to other: String) -> Int {
    if count >= 3, other.contains(self) { return 0 }
    return editDistance(to: other)
  }
}
