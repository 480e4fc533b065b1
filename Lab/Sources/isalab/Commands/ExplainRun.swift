/// `isalab explain`: what an error means, why it comes, and how to be rid of it.
struct ExplainRun {
  var console: Console
  var style = TextStyle()

  /// Shows what `code` stands for; the list without one.
  ///
  /// - Parameter code: A status by name or number, an exception's name, or what was said.
  /// - Returns: 0, or 2 for a code that there is not.
  func run(_ code: String?) -> Int32 {
    let view = ExplanationView(style: style)
    guard let code else {
      for line in view.list() { console.out(line) }
      console.out("")
      console.out(
        "isalab explain CODE: a status by name or number, an exception's name, or the words")
      console.out("of a report in quotes.")
      return 0
    }
    let found = Explanation.find(code)
    if found.isEmpty {
      console.err("there is no error '\(code.shown)'\(nearest(code))")
      return 2
    }
    for (index, explanation) in found.enumerated() {
      if index > 0 { console.out("") }
      for line in view.lines(of: explanation) { console.out(line) }
    }
    return 0
  }

  private func nearest(_ code: String) -> String {
    let names = Explanation.nearest(to: code)
    return names.isEmpty
      ? ": isalab explain lists them" : ", expected one such as \(names.joined(separator: ", "))"
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
    let raised = all.filter { $0.exceptions.contains { $0.lowercased() == name } }
    if !raised.isEmpty { return raised }
    return all.filter { $0.mistakes.contains { $0.matches(report: code) } }
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

extension Explanation.Mistake {
  /// Whether a line of a log is this mistake's, with the exception's name before it or without.
  fileprivate func matches(report: String) -> Bool {
    let parts = report.split(separator: ": ", maxSplits: 1).map(String.init)
    let reason = parts.count == 2 && parts[0].hasSuffix("Exception") ? parts[1] : report
    return messages.contains { $0 != "…" && $0 != "%s: %s" && MessageFormat($0).matches(reason) }
  }
}

extension String {
  /// How many letters must change, come or go to make `other` of this; a part of it costs little.
  fileprivate func nearness(to other: String) -> Int {
    if count >= 3, other.contains(self) { return 0 }
    return editDistance(to: other)
  }
}
