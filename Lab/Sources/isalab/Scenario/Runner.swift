import IsaRuntime

/// Runs a checked scenario and keeps what each of its lines brought about.
struct Runner {
  let program: Program
  let performer: Performer
  var record: Run
  private let budget: Budget
  private var probe: CodeProbe?
  private var world: World { performer.world }
  private var inspector: Inspector { performer.inspector }

  /// - Parameters:
  ///   - session: The design under which the scenario runs; without one, this engine's own.
  ///   - limit: How many events there may be before the run is stopped.
  ///   - probe: The method whose machine code is read, and the step after which.
  ///   - atEvent: Called in the course of each event.
  static func run(
    _ program: Program, _ session: DesignSession? = nil, limit: Int = Budget.defaultLimit,
    probe: CodeProbe? = nil, atEvent: ((World, Event) -> Void)? = nil
  ) -> Run {
    do throws(KeyValueError) {
      var runner = try Runner(program, session, Budget(limit: limit))
      runner.probe = probe
      if let atEvent {
        let world = Unowned(runner.world)
        runner.world.recorder.atEvent = { atEvent(world.object, $0) }
      }
      return runner.runAll()
    } catch {
      var run = Run(program)
      run.stopped = Diagnostic(
        file: run.file, location: SourceLocation(line: 1, column: 1),
        problem: Text(same: error.reason),
        expected: Text("outcome.runtime-for-classes"))
      return run
    }
  }

  private init(
    _ program: Program, _ session: DesignSession?, _ budget: Budget
  ) throws(KeyValueError) {
    self.program = program
    self.budget = budget
    performer = try Performer(program, budget)
    try session?.begin(performer)
    record = Run(program)
    record.start = world.watch.look(after: "", told: NamedList())
    session?.began(record.start)
  }

  private mutating func runAll() -> Run {
    defer { world.tearDown() }
    let statements = program.scenario.statements
    for (index, statement) in statements.enumerated() {
      performer.design?.begins(statement)
      perform(statement, before: statements[(index + 1)...])
      performer.design?.ended(record.steps.last!)
      if let probe, probe.step == record.steps.count { record.code = probe.code(inspector) }
      if record.stopped != nil { break }
    }
    performer.design?.finish(program.symbols)
    return record
  }

  private mutating func perform(_ statement: Statement, before following: ArraySlice<Statement>) {
    let before = record.state(at: record.steps.count)
    budget.location = statement.location
    var facts: [Fact] = []
    var refusal: Refusal?
    do throws(KeyValueError) {
      if case .expect(let expectation) = statement.kind {
        facts = [try judge(expectation, at: statement.location)]
      } else {
        facts = try performer.perform(statement)
      }
    } catch {
      refusal = world.recorder.symbolic(Refusal(error))
    }
    facts =
      program.unknownKeys.filter { $0.location.line == statement.location.line }
      .map { .unknownKey(key: $0.key, className: $0.className, nearest: $0.nearest) } + facts
    world.releaseTemporaries()
    let misuse = world.recorder.misuse
    let state = world.watch.look(after: statement.whole, told: world.recorder.told)
    let recorded = world.recorder.takeStep(state)
    facts += before.changes(to: state) + recorded.facts
    if let refusal {
      if refusal != misuse { facts.append(.refused(refusal)) }
    } else if statement.kind.changesValue, facts.deliveries.isEmpty {
      facts.append(.silence)
    }
    record.steps.append(
      Step(
        number: record.steps.count + 1, location: statement.location, text: statement.text,
        lines: statement.lines, whole: statement.whole, facts: facts, events: recorded.events,
        state: state))
    if let diagnostic = budget.diagnostic(file: record.file) {
      record.stopped = diagnostic
      return
    }
    if let refusal, misuse == nil, !following.asksForError { stop(at: statement, refusal) }
  }

  private mutating func stop(at statement: Statement, _ refusal: Refusal) {
    record.stopped = Diagnostic(
      file: record.file, location: statement.location,
      problem: Text(same: "\(refusal.exception): \(refusal.reason)"),
      expected: Text("outcome.expect-error", ["exception": refusal.exception]))
  }
}

extension Statement.Kind {
  /// Whether observers might be told of it.
  fileprivate var changesValue: Bool {
    switch self {
    case .set, .poke, .didChange, .keyedSet, .bulkSet, .edit, .didEdit: true
    case .onThread(let inner), .repetition(_, let inner): inner.kind.changesValue
    default: false
    }
  }
}

extension ArraySlice<Statement> {
  /// Whether one of the expectations that come first asks for an error.
  var asksForError: Bool {
    for statement in self {
      guard case .expect(let expectation) = statement.kind else { return false }
      if case .error = expectation.kind { return true }
    }
    return false
  }
}

extension Scenario {
  /// Whether one of the expectations right below a statement asks for an error.
  func isErrorExpected(below index: Int) -> Bool { statements[(index + 1)...].asksForError }
}
