/// An exhibit and what was seen of it, as lines of text.
struct MuseumView {
  var style = TextStyle()
  private static let width = 80

  /// The exhibits by name, with their designs.
  func catalogue() -> [String] {
    let names = Exhibit.all.map(\.name.count).max() ?? 0
    let designs = Exhibit.all.map(\.design.count).max() ?? 0
    return Exhibit.all.map {
      "\(padded($0.name, names))  \(padded($0.design, designs))  \($0.title)"
    }
  }

  func lines(of exhibit: Exhibit, _ trial: DesignTrial, _ control: DesignTrial) -> [String] {
    [style.heading("\(exhibit.name): \(exhibit.title)"), ""]
      + paragraph("Design", "\(trial.design), \(title(of: trial.design))")
      + paragraph("Symptom", exhibit.sign)
      + paragraph("Cause", exhibit.cause) + paragraph("Fix", exhibit.fix) + [""]
      + lines(of: trial) + [""] + lines(of: control) + verdict(exhibit, trial, control)
  }

  private func title(of design: String) -> String {
    switch design {
    case NativeDesign.name: NativeDesign.title
    case Demonstration.design: Demonstration.title
    default: Designs.find(design)?.title ?? ""
    }
  }

  private func paragraph(_ word: String, _ text: String) -> [String] {
    wrapped(text, width: MuseumView.width - 11).enumerated().map { index, line in
      "  \(padded(index == 0 ? word : "", 8)) \(line)"
    }
  }

  private func lines(of trial: DesignTrial) -> [String] {
    var lines = [style.notable("\(trial.design):")]
    for step in trial.steps {
      let isShort = step.shown == ["ok"]
      let head = line(step.line, step.text)
      lines.append(isShort ? "\(head)  \(style.good("ok"))" : head)
      if !isShort { lines += shown(step) }
    }
    if let last = trial.last { lines.append(line(last.line, last.text)) }
    let outcome = "\(trial.design) \(trial.outcome)"
    let isClean = trial.outcome == .clean
    return lines
      + wrapped(outcome, width: MuseumView.width - 2).map {
        "  " + (isClean ? style.good($0) : style.bad($0))
      }
  }

  private func shown(_ step: DesignStep) -> [String] {
    step.shown.flatMap { fitted($0, width: MuseumView.width - 6) }.map { "      \($0)" }
  }

  private func line(_ number: Int, _ text: String) -> String {
    "\(padded("\(number)", 3, left: true))  \(text)"
  }

  /// Nothing where all is as it should be.
  private func verdict(
    _ exhibit: Exhibit, _ trial: DesignTrial, _ control: DesignTrial
  ) -> [String] {
    var lines: [String] = []
    if !exhibit.symptom.matches(trial.outcome) {
      lines.append("\(trial.design) does not show the symptom: expected \(exhibit.symptom)")
    }
    if control.outcome != .clean { lines.append("\(control.design) is not free of it") }
    return lines.map { style.bad($0) }
  }

  /// One line for each exhibit of a whole visit.
  func summary(of visit: [(Exhibit, DesignTrial, DesignTrial)]) -> [String] {
    let names = visit.map(\.0.name.count).max() ?? 0
    let designs = visit.map(\.0.design.count).max() ?? 0
    return visit.map { exhibit, trial, control in
      let seen = exhibit.symptom.matches(trial.outcome) ? "\(exhibit.symptom)" : "NOT SEEN"
      let isFree = control.outcome == .clean ? "none" : "NOT CLEAN"
      return "\(padded(exhibit.name, names))  \(padded(exhibit.design, designs))  "
        + "\(padded(seen, 9))  \(control.design): \(isFree)"
    }
  }
}
