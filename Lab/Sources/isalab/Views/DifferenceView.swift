/// The differences between two steps as lines.
struct DifferenceView: InquiryView {
  let steps: StepView

  /// - Parameter isBackward: Whether the second step comes before the first one.
  func lines(of difference: StateDifference, isBackward: Bool = false) -> [String] {
    if difference.isEmpty { return ["nothing is different"] }
    let gone = isBackward ? "not made yet" : "dead"
    var lines = TextTable(
      difference.born.map { ["+ \($0.name)", "\($0.symbol), its isa is \($0.isa)"] }
        + difference.died.map { ["- \($0.name)", "\($0.symbol) is \(gone)"] }, indent: ""
    ).lines
    lines += difference.objects.flatMap { change in
      [style.heading("~ \(change.name)")] + TextTable(rows(of: change)).lines
    }
    lines += difference.made.flatMap { cls in
      [style.heading("+ class \(cls.name)") + " : \(cls.superclass ?? "nil")"]
        + methods(cls.methods, "+") + methods(cls.metaclass.methods, "+")
    }
    lines += difference.disposed.map { style.heading("- class \($0.name)") }
    lines += difference.classes.flatMap { change in
      [style.heading("~ class \(change.name)")] + methods(change.gained, "+")
        + methods(change.lost, "-")
        + TextTable(
          change.replaced.map { ["~ \($0.to.selector)", "\(text($0.from)) → \(text($0.to))"] }
        ).lines
    }
    return lines
  }

  private func rows(of change: StateDifference.ObjectChange) -> [[String]] {
    var rows: [[String]] = []
    if let isa = change.isa {
      let claim = change.claim == nil ? "'class' answers as before" : "'class' does not hide it"
      rows.append(["isa", "\(isa.from) → \(style.notable(isa.to)); \(claim)"])
    }
    if let claim = change.claim { rows.append(["class", "\(claim.from) → \(claim.to)"]) }
    if let record = change.record {
      rows.append(["record", "\(text(record.from)) → \(text(record.to))"])
    }
    if change.isReleased { rows.append(["released", "by the scenario; others hold it"]) }
    if let count = change.retainCount { rows.append(["count", "\(count.from) → \(count.to)"]) }
    rows += change.ivars.map { [$0.name, "\($0.value.from) → \($0.value.to)"] }
    if let contents = change.contents {
      rows.append(["holds", "\(contents.from) → \(contents.to)"])
    }
    rows += change.registered.map { ["+ observed", text($0)] }
    rows += change.ended.map { ["- observed", text($0)] }
    rows += change.announced.map { ["+ announced", ".\($0.key)"] }
    rows += change.settled.map { ["- announced", ".\($0.key)"] }
    return rows
  }

  private func text(_ record: ObjectState.Record) -> String {
    switch record {
    case .count: "the count in the header"
    case .side: "a side record"
    case .immortal: "immortal"
    }
  }

  private func text(_ registration: RegistrationView) -> String {
    guard let root = registration.root else {
      return ".\(registration.key) by \(registration.observer)"
    }
    return ".\(registration.key) by a forwarder for \(registration.observer), who observes \(root)"
  }

  private func methods(_ methods: [ImplementationView], _ sign: String) -> [String] {
    TextTable(methods.map { ["\(sign) \($0.selector)", text($0)] }).lines
  }

  private func text(_ method: ImplementationView) -> String { steps.implementation(method) }
}
