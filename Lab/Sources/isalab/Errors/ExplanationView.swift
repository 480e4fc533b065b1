/// Shows the explanation of a status.
struct ExplanationView {
  var style = TextStyle()
  var language = Language.english

  /// A line for each status.
  func list() -> [String] {
    let width = (Explanation.all.map(\.code.count).max() ?? 0) + 2
    return Explanation.all.map {
      padded($0.number, 2, left: true) + "  " + padded($0.code, width) + $0.text[language]
    }
  }

  func lines(of explanation: Explanation) -> [String] {
    var lines = [style.heading(head(explanation)), ""]
    let exceptions = explanation.exceptions.joined(separator: language.say("syntax.comma"))
    lines += field(
      "explain.raises", exceptions.isEmpty ? language.say("explain.raises-nothing") : exceptions)
    lines += field("explain.apple", explanation.apple[language])
    lines += field("log.lesson", explanation.lesson.command(in: language))
    for (index, mistake) in explanation.mistakes.enumerated() {
      lines += ["", style.heading("\(index + 1). \(mistake.title[language])"), ""]
      lines += self.lines(of: mistake)
    }
    return lines
  }

  private func head(_ explanation: Explanation) -> String {
    language.say(
      "explain.head",
      ["code": explanation.code, "number": explanation.number, "text": explanation.text])
  }

  private func lines(of mistake: Explanation.Mistake) -> [String] {
    var lines = field("log.cause", mistake.cause[language])
    lines += field("explain.fix", mistake.fix[language])
    lines.append(language.say("explain.try"))
    lines += mistake.trial.lines(in: language).map { "          \($0)" }
    if let refusal = mistake.trial.run() {
      lines += field("explain.says", "\(refusal.exception): \(refusal.reason)").map(style.bad)
    }
    let messages = mistake.messages.map { MessageFormat($0).readable }.filter { $0 != "…" }
    if !messages.isEmpty {
      lines.append(language.say("explain.reasons", ["count": messages.count]))
      lines += messages.flatMap { wrapped($0, width: 78, indent: "          ") }
    }
    return lines
  }

  private func field(_ key: String, _ text: String) -> [String] {
    labelled(language.say(key), text)
  }
}

extension Lesson {
  /// The command that shows it, with its title.
  func command(in language: Language) -> String {
    language.say("explain.lesson", ["name": name, "title": title])
  }
}
