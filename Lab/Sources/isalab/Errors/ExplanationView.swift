/// Shows the explanation of a status.
struct ExplanationView {
  var style = TextStyle()

  /// A line for each status.
  func list() -> [String] {
    let width = (Explanation.all.map(\.code.count).max() ?? 0) + 2
    return Explanation.all.map {
      "\(number($0))  " + $0.code + String(repeating: " ", count: width - $0.code.count) + $0.text
    }
  }

  private func number(_ explanation: Explanation) -> String {
    String(repeating: " ", count: 2 - explanation.number.count) + explanation.number
  }

  func lines(of explanation: Explanation) -> [String] {
    var lines = [
      style.heading("\(explanation.code) (\(explanation.number)): \(explanation.text)"),
      "",
    ]
    let exceptions = explanation.exceptions.joined(separator: ", ")
    lines += field("Raises", exceptions.isEmpty ? "nothing: the process ends" : exceptions)
    lines += field("Apple", explanation.apple)
    let lesson = explanation.lesson
    lines += field("Lesson", "isalab tour \(lesson.name), “\(lesson.title[.english])”")
    for (index, mistake) in explanation.mistakes.enumerated() {
      lines += ["", style.heading("\(index + 1). \(mistake.title)"), ""] + self.lines(of: mistake)
    }
    return lines
  }

  private func lines(of mistake: Explanation.Mistake) -> [String] {
    var lines = field("Cause", mistake.cause) + field("Fix", mistake.fix)
    lines += ["Try"] + mistake.trial.lines.map { "          \($0)" }
    if let refusal = mistake.trial.run() {
      lines += field("Says", "\(refusal.exception): \(refusal.reason)").map(style.bad)
    }
    let messages = mistake.messages.map { MessageFormat($0).readable }.filter { $0 != "…" }
    if !messages.isEmpty {
      lines.append(messages.count == 1 ? "Reason" : "Reasons")
      lines += messages.flatMap { wrapped($0, width: 78, indent: "          ") }
    }
    return lines
  }

  private func field(_ name: String, _ text: String) -> [String] {
    let lines = wrapped(text, width: 78, indent: "          ")
    let label = name + String(repeating: " ", count: 10 - name.count)
    return [label + lines[0].dropFirst(10)] + lines.dropFirst()
  }
}
