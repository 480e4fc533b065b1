/// An exhibit and what was seen of it.
struct Viewing: Hashable, Sendable {
  var exhibit: Exhibit
  /// Under the design that fails.
  var trial: DesignTrial
  /// Under the next design, if there is one, and this engine.
  var controls: [DesignTrial]

  var hasSymptom: Bool { exhibit.symptom.matches(trial.outcome) }
  var isRight: Bool { hasSymptom && controls.allSatisfy { $0.outcome == .clean } }
}

/// The runs of an exhibit, as lines of text.
struct MuseumView {
  var style = TextStyle()
  var language = Language.english
  private static let width = 80

  private func say(_ key: String, _ places: Places = [:]) -> String { language.say(key, places) }

  /// The exhibits by name, with their designs.
  func catalogue() -> [String] {
    let names = Exhibit.all.map(\.name.count).max() ?? 0
    let designs = Exhibit.all.map(\.design.count).max() ?? 0
    return Exhibit.all.map {
      "\(padded($0.name, names))  \(padded($0.design, designs))  \($0.title[language])"
    }
  }

  func lines(of viewing: Viewing) -> [String] {
    let (exhibit, trial) = (viewing.exhibit, viewing.trial)
    return [style.heading("\(exhibit.name): \(exhibit.title[language])"), ""]
      + paragraph(
        say("museum.design"), trial.design + say("step.comma") + title(of: trial.design)[language])
      + code(exhibit.code)
      + paragraph(
        exhibit.isBelief ? say("museum.belief") : say("museum.symptom"), exhibit.sign[language])
      + paragraph(
        exhibit.isBelief ? say("museum.truth") : say("museum.cause"), exhibit.cause[language])
      + paragraph(say("museum.fix"), exhibit.fix[language]) + [""] + lines(of: trial)
      + viewing.controls.flatMap { [""] + lines(of: $0) } + verdict(viewing)
  }

  private func code(_ code: String?) -> [String] {
    guard let code else { return [] }
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    return [""] + lines.map { $0.isEmpty ? "" : style.faint("  \($0)") } + [""]
  }

  private func title(of design: String) -> Text {
    switch design {
    case NativeDesign.name: NativeDesign.title
    case Demonstration.design: Demonstration.title
    default: Designs.find(design)?.title ?? Text(same: "")
    }
  }

  private func paragraph(_ word: String, _ text: String) -> [String] {
    wrapped(text, width: MuseumView.width - 11).enumerated().map { index, line in
      "  \(padded(index == 0 ? word : "", 8)) \(line)"
    }
  }

  /// The run under one design.
  func lines(of trial: DesignTrial) -> [String] {
    var lines = [style.notable(say("museum.head", ["design": trial.design]))]
    for step in trial.steps {
      let isShort = step.shown == [say("museum.ok")]
      let head = self.lines(step.line, step.text)
      lines += isShort ? ["\(head[0])  \(style.good("ok"))"] : head
      if !isShort { lines += shown(step) }
    }
    if let last = trial.last { lines += self.lines(last.line, last.text) }
    let outcome = "\(trial.design) \(trial.outcome.text[language])"
    let isClean = trial.outcome == .clean
    return lines
      + wrapped(outcome, width: MuseumView.width - 2).map {
        "  " + (isClean ? style.good($0) : style.bad($0))
      }
  }

  private func shown(_ step: DesignStep) -> [String] {
    step.shown.flatMap { fitted($0, width: MuseumView.width - 6) }.map { "      \($0)" }
  }

  private func lines(_ number: Int, _ text: String) -> [String] {
    let lines = fitted(text, width: MuseumView.width - 5)
    return lines.enumerated().map { index, line in
      "\(padded(index == 0 ? "\(number)" : "", 3, left: true))  \(line)"
    }
  }

  /// Nothing where all is as it should be.
  private func verdict(_ viewing: Viewing) -> [String] {
    let (exhibit, trial) = (viewing.exhibit, viewing.trial)
    var lines: [String] = []
    if !viewing.hasSymptom {
      lines.append(
        say("museum.no-symptom", ["design": trial.design, "symptom": say(exhibit.symptom.key)]))
    }
    for control in viewing.controls where control.outcome != .clean {
      lines.append(say("museum.not-free", ["design": control.design]))
    }
    return lines.map { style.bad($0) }
  }

  /// One line for each exhibit of a whole visit.
  func summary(of visit: [Viewing]) -> [String] {
    let names = visit.map(\.exhibit.name.count).max() ?? 0
    let designs = visit.map(\.exhibit.design.count).max() ?? 0
    return visit.map { viewing in
      let exhibit = viewing.exhibit
      let seen = exhibit.isBelief ? say("museum.refuted") : say(exhibit.symptom.key)
      let controls = viewing.controls.map {
        say("museum.head", ["design": $0.design]) + say("museum.space") + word(for: $0)
      }
      return "\(padded(exhibit.name, names))  \(padded(exhibit.design, designs))  "
        + "\(padded(viewing.hasSymptom ? seen : say("museum.not-seen"), 9))  "
        + controls.joined(separator: say("step.comma"))
    }
  }
  private func word(for control: DesignTrial) -> String {
    guard control.outcome == .clean else { return say("museum.not-clean") }
    return control.isReported ? say("museum.reported") : say("museum.none")
  }
}
