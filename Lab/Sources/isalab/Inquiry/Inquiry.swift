/// The question about a run that a command cannot answer, and the things that there are instead.
struct InquiryError: Error, Hashable, Sendable {
  var problem: Text
  var expected: Text
  /// The step after which it was asked; the last one if none was named.
  var step: Int?

  func diagnostic(in run: Run) -> Diagnostic {
    Diagnostic(
      file: run.file, location: run.location(ofStep: step ?? run.steps.count), problem: problem,
      expected: expected)
  }
}

/// One run, for questions about its steps.
struct Inquiry {
  var run: Run

  /// The step to look at: the last one if none is named.
  func step(_ number: Int?) throws(InquiryError) -> Int {
    let last = run.steps.count
    guard let number else { return last }
    guard (0...last).contains(number) else {
      throw InquiryError(
        problem: Text("inquiry.no-step", ["number": number]),
        expected: Text("inquiry.step-from-0", ["last": last]))
    }
    return number
  }

  /// The step in words, for a heading.
  func title(ofStep number: Int, in language: Language) -> String {
    if number == 0 { return language.say("inquiry.before") }
    let step = run.steps[number - 1]
    return language.say(
      "inquiry.after",
      [
        "number": number, "count": run.steps.count, "line": step.location.line,
        "text": step.text,
      ])
  }

  /// The moment in words: the event that has just happened, below the step.
  func title(of moment: Moment, in language: Language) -> String {
    let title = title(ofStep: moment.step, in: language)
    guard let count = moment.events, count > 0 else { return title }
    let event = run.steps[moment.step - 1].events[count - 1]
    return title + " "
      + language.say(
        "inquiry.at-event",
        ["number": event.id, "event": "\(event.kind.name) \(event.text(in: language))"])
  }

  /// - Throws: If the name is neither an object nor a class at that moment.
  func subject(_ name: String, at moment: Moment) throws(InquiryError) {
    let state = run.state(at: moment)
    guard state.object(name) == nil, state.cls(name) == nil else { return }
    throw missing(name, at: moment.step, state.objects.map(\.name) + state.classes.map(\.name))
  }

  func lookup(
    of selector: String, to receiver: String, at step: Int
  ) throws(InquiryError) -> Lookup {
    let state = run.state(at: step)
    try subject(receiver, at: Moment(step: step))
    let lookup = Lookup(of: selector, to: receiver, in: state)!
    guard lookup.found == nil, lookup.place == nil else { return lookup }
    let known = Set(
      lookup.visits.filter { state.cls($0.className)?.isBuiltIn == false }
        .flatMap { visit in state.cls(visit.className)?.methods.map(\.selector) ?? [] })
    throw InquiryError(
      problem: Text("inquiry.no-method", ["selector": selector]),
      expected: known.isEmpty ? Text("inquiry.a-selector") : alternatives(known.sorted()),
      step: step)
  }

  func missing(_ name: String, at step: Int, _ known: [String]) -> InquiryError {
    let released = run.steps.prefix(step).contains { $0.state.object(name) != nil }
    let later = run.steps.dropFirst(step).first { $0.state.object(name) != nil }
    let why =
      released
      ? Text("inquiry.dead")
      : later.map { Text("inquiry.made-later", ["number": $0.number]) } ?? Text(same: "")
    return InquiryError(
      problem: Text("inquiry.nothing-of-name", ["name": name, "number": step, "why": why]),
      expected: known.isEmpty ? Text("inquiry.later-step") : alternatives(known), step: step)
  }
}
