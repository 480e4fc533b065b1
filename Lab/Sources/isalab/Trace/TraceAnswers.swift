import Foundation
import KVOTrace

/// What a trace tells, as lines of text of at most 80 columns, but for names that are longer.
struct TraceAnswers {
  let names: TraceNames
  var style = TextStyle()
  private static let width = 80
  private static let most = 12

  private var trace: Trace { names.trace }

  private func say(_ key: String, _ places: Places = [:]) -> String { names.say(key, places) }

  private func lines(_ paragraph: String, indent: String = "") -> [String] {
    wrapped(paragraph, width: TraceAnswers.width, indent: indent)
  }

  /// A heading, its lines, and how many more there are; nothing if there are none.
  private func section(_ key: String, _ all: [[String]]) -> [String] {
    guard !all.isEmpty else { return [] }
    let more = all.count - TraceAnswers.most
    return ["", style.heading(say(key))] + all.prefix(TraceAnswers.most).flatMap(\.self)
      + (more > 0 ? [style.faint("  " + say("trace.more", ["count": more]))] : [])
  }

  private func entry(_ head: String, _ origin: TraceOrigin, _ event: UInt64 = 0) -> [String] {
    let number = event == 0 ? "" : "  #\(event)"
    return fitted("  " + head + number, width: TraceAnswers.width)
      + (names.place(origin).map { [style.faint("      " + $0)] } ?? [])
  }

  // MARK: Summary

  func summary() -> [String] {
    let summary = names.summary()
    return lines("\(names.program): \(names.counts(of: summary)); \(names.loss(of: summary))")
      + ending()
      + section("trace.hot", summary.keys.map { use($0) })
      + section("trace.handlers", summary.handlers.filter { $0.runs > 0 }.map { handler($0) })
      + section("trace.elsewhere", summary.handlers.filter { $0.arrived > 0 }.map { latency($0) })
      + section(
        "trace.open",
        summary.open.map {
          entry("\($0.count) × \(names.name(of: $0.key))", $0.origin, $0.oldest.began)
        })
      + section(
        "trace.rings",
        summary.rings.map { ring in
          fitted(
            "  \(ring.count) × "
              + (ring.keys + ring.keys.prefix(1)).map(names.name).joined(separator: " → ")
              + "  #\(ring.changes.first ?? 0)", width: TraceAnswers.width)
        })
      + section(
        "trace.held-or-muted", summary.keys.filter { $0.held + $0.muted > 0 }.map { held($0) })
      + section("trace.misuse", summary.misuses.map { misuse($0) })
      + section(
        "trace.refusals",
        summary.refusals.map {
          entry("\($0.count) × \(names.name(of: $0.key))", $0.origin, $0.first)
        })
      + section(
        "trace.deaths",
        summary.deaths.filter { $0.reason == .objectDied }.map {
          entry("\($0.count) × \(names.name(of: $0.key))", $0.origin, $0.first)
        })
      + section("trace.problems", summary.problems.map { lines("\($0)", indent: "  ") })
  }

  /// How recording ended, if not with the program.
  private func ending() -> [String] {
    switch trace.header.end {
    case .open:
      return lines(say(trace.isBeingRecorded ? "trace.is-recording" : "trace.was-killed"))
    case .stopped: return []
    case .limitReached: return lines(say("trace.ended-limit"))
    case .noRoom: return lines(say("trace.ended-no-room"))
    case .failed(let error):
      return lines(say("trace.ended-error", ["error": String(cString: strerror(Int32(error)))]))
    }
  }

  private func use(_ use: TraceSummary.KeyUse) -> [String] {
    entry(
      say(
        "trace.use",
        ["key": names.name(of: use.key), "changes": use.changes, "told": use.notifications]),
      TraceOrigin())
  }

  private func handler(_ use: TraceSummary.HandlerUse) -> [String] {
    entry(
      say(
        "trace.handler",
        [
          "key": names.name(of: use.key), "runs": use.runs, "total": names.duration(use.total),
          "longest": names.duration(use.longest),
        ]), use.origin, use.longestEvent)
  }

  private func latency(_ use: TraceSummary.HandlerUse) -> [String] {
    entry(
      say(
        "trace.latency",
        [
          "key": names.name(of: use.key), "sent": use.sent, "arrived": use.arrived,
          "longest": names.duration(use.longestLatency),
        ]), use.origin, use.longestLatencyEvent)
  }

  private func held(_ use: TraceSummary.KeyUse) -> [String] {
    entry(
      say(
        "trace.held-use",
        ["key": names.name(of: use.key), "held": use.held, "muted": use.muted]), TraceOrigin())
  }

  private func misuse(_ misuse: TraceSummary.Misuse) -> [String] {
    lines(
      "\(misuse.count) × \(trace.text(misuse.sentence).shown)  #\(misuse.first)", indent: "  ")
  }

  // MARK: Questions

  /// The chain of causes of an event.
  func why(_ why: TraceWhy) -> [String] {
    let chain = why.steps.flatMap { step -> [String] in
      let change = names.change(step.oldValue, step.value, at: step.event.id)
      let head = "#\(step.event.id)  \(names.moment(step.event.time))  "
      let text = names.sentence(step.event) + (change.map { ": \($0)" } ?? "")
      let place = [names.place(step.origin), thread(step.event)].compactMap(\.self)
      return fitted(head + text, width: TraceAnswers.width)
        + [style.faint("      " + place.joined(separator: "  "))]
        + (names.reason(step.origin).map { lines($0, indent: "      ") } ?? [])
    }
    switch why.end {
    case .program: return chain + lines(say("trace.why-program"))
    case .lost(let cause): return chain + lines(say("trace.why-lost", ["event": "#\(cause)"]))
    case .cut: return chain + lines(say("trace.why-cut"))
    }
  }

  private func thread(_ event: TraceEvent) -> String {
    say("trace.thread-name", ["number": Int(event.thread)])
  }

  func sets(_ sets: TraceSets, of property: TraceProperty) -> [String] {
    let head = say(
      "trace.sets-head",
      ["key": property.description.shown, "count": sets.count, "threads": sets.threads.count])
    let groups = sets.groups.map { group -> [String] in
      let registration = trace.registration(group.registration)
      let within = registration.map {
        say("trace.within", ["key": names.name(of: trace.key(of: $0))])
      }
      let words = say("trace.sets-group", ["count": group.count, "threads": group.threads.count])
      return entry(
        [words, within].compactMap(\.self).joined(separator: ", "),
        group.origin.isEmpty ? registration?.origin ?? group.origin : group.origin, group.last)
    }
    let changes = sets.changes.suffix(TraceAnswers.most).map { change -> [String] in
      let values = names.change(change.oldValue, change.value, at: change.event.id)
      return fitted(
        "  #\(change.event.id)  \(names.moment(change.event.time))  "
          + names.subject(change.event) + (values.map { ": \($0)" } ?? ""),
        width: TraceAnswers.width)
    }
    return lines(head) + section("trace.sets-places", groups) + section("trace.sets-last", changes)
  }

  /// Registrations, each with its place and its end.
  func observers(_ registrations: [TraceRegistration]) -> [String] {
    if registrations.isEmpty { return lines(say("trace.none")) }
    return registrations.flatMap { registration -> [String] in
      let end = registration.end.map { end in
        say(
          "trace.until",
          [
            "moment": names.moment(end.time),
            "reason": end.reason.map { say(TraceAnswers.key(of: $0)) } ?? "",
          ])
      }
      let head =
        "\(names.object(registration.object, at: registration.began))."
        + trace.text(registration.keyPath).shown
      let since =
        registration.began == 0
        ? say("trace.from-before")
        : say("trace.since", ["moment": names.moment(registration.beganTime)])
      return entry(
        ([head, since] + [end].compactMap(\.self)).joined(separator: ", "), registration.origin,
        registration.began)
    }
  }

  private static func key(of reason: TraceRemovalReason) -> String {
    switch reason {
    case .byCall: "trace.ended-by-call"
    case .observerDied: "trace.ended-observer-died"
    case .objectDied: "trace.ended-object-died"
    }
  }

  private static func key(of reason: TraceWhyNot.Reason) -> String {
    switch reason {
    case .beforeItBegan: "trace.not-before-it-began"
    case .afterItEnded: "trace.not-after-it-ended"
    case .muted: "trace.not-muted"
    case .heldAndNotReleased: "trace.not-held-and-not-released"
    case .suppressed: "trace.not-suppressed"
    case .neverArrived: "trace.not-never-arrived"
    case .setInIvar: "trace.not-set-in-ivar"
    case .otherObject: "trace.not-other-object"
    case .otherKey: "trace.not-other-key"
    case .noChange: "trace.not-no-change"
    }
  }

  func whyNot(_ whyNot: TraceWhyNot, at place: String) -> [String] {
    if whyNot.answers.isEmpty, whyNot.refused.isEmpty {
      return lines(say("trace.not-none", ["place": place.shown]))
    }
    let refused = whyNot.refused.map { "  " + say("trace.not-refused", ["event": "#\($0)"]) }
    return refused
      + whyNot.answers.flatMap { answer -> [String] in
        let registration = answer.registrations[0]
        let head =
          "\(names.object(registration.object, at: registration.began))."
          + trace.text(registration.keyPath).shown
        let told = say("trace.not-told", ["count": answer.told])
        return entry("\(head): \(told)", TraceOrigin(), registration.began)
          + answer.findings.flatMap { finding in
            lines(
              say(TraceAnswers.key(of: finding.reason), ["count": finding.count])
                + (finding.event == 0 ? "" : "  #\(finding.event)"), indent: "      ")
          }
      }
  }

  /// What was there at an event.
  func moment(_ moment: TraceMoment) -> [String] {
    let objects = moment.objects.map { object -> [String] in
      let isa = object.isa.map { " → " + trace.text($0).shown } ?? ""
      return ["  " + names.name(of: object.object) + isa]
    }
    return lines(
      say(
        "trace.at",
        [
          "event": "#\(moment.event)", "objects": moment.objects.count,
          "registrations": moment.registrations.count,
        ])) + section("trace.objects", objects) + [""]
      + observers(moment.registrations.filter { !$0.isForwarder })
  }

  func check(_ answers: [TraceCheckAnswer]) -> [String] {
    answers.flatMap { answer -> [String] in
      let isTime: Bool
      switch answer.condition.measure {
      case .handlers, .latency: isTime = true
      case .count, .sets: isTime = false
      }
      let found = isTime ? names.duration(UInt64(answer.found)) : "\(Int(answer.found))"
      let mark = answer.isMet ? style.good("✓") : style.bad("✗")
      let events = answer.isMet ? [] : answer.events.prefix(3).map { "#\($0)" }
      return [
        "\(mark) \(answer.condition.text.shown): "
          + ([found] + events).joined(separator: "  ")
      ]
    }
  }

  /// One event as it happens.
  func line(_ event: TraceEvent) -> [String] {
    let change = names.change(event.oldValue, event.value, at: event.id)
    let head =
      "#\(event.id)  \(names.moment(event.time))  \(names.sentence(event))"
      + (change.map { ": \($0)" } ?? "")
    return fitted(head, width: TraceAnswers.width)
  }
}
