/// The differences between two steps as lines.
struct DifferenceView: InquiryView {
  let steps: StepView

  /// - Parameter isBackward: Whether the second step comes before the first one.
  func lines(of difference: StateDifference, isBackward: Bool = false) -> [String] {
    if difference.isEmpty { return [say("diff.nothing")] }
    let gone = isBackward ? say("diff.not-made") : say("diff.dead")
    var lines = TextTable(
      difference.born.map {
        ["+ \($0.name)", say("diff.born", ["symbol": $0.symbol, "isa": $0.isa])]
      }
        + difference.died.map {
          ["- \($0.name)", say("diff.gone", ["symbol": $0.symbol, "how": gone])]
        }, indent: ""
    ).lines
    lines += difference.objects.flatMap { change in
      [style.heading("~ \(change.name)")] + TextTable(rows(of: change)).lines
    }
    lines += difference.made.flatMap { cls in
      [style.heading(say("diff.class-made", ["class": cls.name])) + " : \(cls.superclass ?? "nil")"]
        + methods(cls.methods, "+") + methods(cls.metaclass.methods, "+")
    }
    lines += difference.disposed.map { style.heading(say("diff.class-gone", ["class": $0.name])) }
    lines += difference.classes.flatMap { change in
      [style.heading(say("diff.class-changed", ["class": change.name]))]
        + methods(change.gained, "+")
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
      let claim = change.claim == nil ? say("diff.claim-kept") : say("diff.claim-shown")
      rows.append(["isa", "\(isa.from) → \(style.notable(isa.to)); \(claim)"])
    }
    if let claim = change.claim { rows.append(["class", "\(claim.from) → \(claim.to)"]) }
    if let record = change.record {
      rows.append([say("diff.record"), "\(text(record.from)) → \(text(record.to))"])
    }
    if change.isReleased { rows.append([say("diff.released"), say("diff.by-scenario")]) }
    if let count = change.retainCount {
      rows.append([say("diff.count"), "\(count.from) → \(count.to)"])
    }
    rows += change.ivars.map { [$0.name, "\($0.value.from) → \($0.value.to)"] }
    if let contents = change.contents {
      rows.append([say("diff.holds"), "\(contents.from) → \(contents.to)"])
    }
    rows += change.registered.map { [say("diff.plus-observed"), text($0)] }
    rows += change.ended.map { [say("diff.minus-observed"), text($0)] }
    rows += change.announced.map { [say("diff.plus-announced"), ".\($0.key)"] }
    rows += change.settled.map { [say("diff.minus-announced"), ".\($0.key)"] }
    return rows
  }

  private func text(_ record: ObjectState.Record) -> String {
    switch record {
    case .count: say("diff.in-header")
    case .side: say("diff.side-record")
    case .immortal: say("diff.immortal")
    }
  }

  private func text(_ registration: RegistrationView) -> String {
    let who = registration.observer.objectName(in: options.language)
    guard let root = registration.root else {
      return say("diff.by", ["key": registration.key, "observer": who])
    }
    return say("diff.by-forwarder", ["key": registration.key, "observer": who, "path": root])
  }

  private func methods(_ methods: [ImplementationView], _ sign: String) -> [String] {
    TextTable(methods.map { ["\(sign) \($0.selector)", text($0)] }).lines
  }

  private func text(_ method: ImplementationView) -> String { steps.implementation(method) }
}
