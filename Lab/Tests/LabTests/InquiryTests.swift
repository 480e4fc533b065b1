import Foundation
import Testing

@testable import isalab

/// The output of the commands that ask about steps, and their exit codes.
private struct Answers {
  let output = Output()
  private var run: InquiryRun { InquiryRun(options: TextOptions(), console: output.console) }

  static func example(_ name: String) -> String {
    Folder.scenarios.appendingPathComponent(name + ".kvo").path
  }

  mutating func ask(_ title: String, _ body: (InquiryRun) -> Int32) -> Int32 {
    output.console.out("$ isalab \(title)")
    defer { output.console.out("") }
    return body(run)
  }
}

@Suite("Questions about steps", .serialized, .oneAtATime)
struct InquiryTests {
  private let paths = Answers.example("key-paths")
  private let keys = Answers.example("dependent-keys")
  private let manual = Answers.example("manual")
  private let poke = Answers.example("poke")

  /// Places in dispatch tables depend on what the process has named before.
  private func withoutPlaces(_ text: String) -> String {
    text.replacing(/page \d+, slot \d+/, with: "page P, slot S")
      .replacing(/4  page    .*/, with: "4  page    …")
      .replacing(/page (of its own|shared) +/, with: "page …  ")
  }

  @Test("inspect shows headers, ivars, observers and class pairs, as recorded")
  func inspect() throws {
    var answers = Answers()
    #expect(
      answers.ask("inspect key-paths.kvo --at 10") { $0.inspect(paths, at: 10, named: nil) } == 0)
    #expect(
      answers.ask("inspect key-paths.kvo --at 10 ada") { $0.inspect(paths, at: 10, named: "ada") }
        == 0)
    #expect(
      answers.ask("inspect key-paths.kvo --at 10 Person") {
        $0.inspect(paths, at: 10, named: "Person")
      } == 0)
    #expect(
      answers.ask("inspect manual.kvo --at 17") { $0.inspect(manual, at: 17, named: nil) } == 0)
    #expect(answers.ask("inspect manual.kvo --at 0") { $0.inspect(manual, at: 0, named: nil) } == 0)
    #expect(try matchesTranscript(answers.output.text, "inspect"))
  }

  @Test("diff shows what is different, either way round, as recorded")
  func diff() throws {
    var answers = Answers()
    for (first, second) in [(0, 8), (7, 10), (15, 18), (18, 15), (18, 27), (4, 4)] {
      let title = "diff key-paths.kvo \(first) \(second)"
      #expect(
        answers.ask(title) { $0.difference(paths, from: Stop(step: first), to: Stop(step: second)) }
          == 0)
    }
    #expect(try matchesTranscript(answers.output.text, "diff"))
  }

  @Test("why goes back from a notification to the line, as recorded")
  func why() throws {
    var answers = Answers()
    for step in [10, 16, 18, 35, 44] {
      let question = WhyQuestion.step(step, observer: nil)
      #expect(answers.ask("why key-paths.kvo --at \(step)") { $0.why(paths, question) } == 0)
    }
    for step in [14, 29, 30, 32] {
      let question = WhyQuestion.step(step, observer: nil)
      #expect(answers.ask("why dependent-keys.kvo --at \(step)") { $0.why(keys, question) } == 0)
    }
    for (name, step) in [
      ("order", 7), ("reentrancy", 6), ("reentrancy", 29), ("ordered", 8), ("poke", 12),
      ("loops", 10), ("threads", 4),
    ] {
      let question = WhyQuestion.step(step, observer: nil)
      let file = Answers.example(name)
      #expect(answers.ask("why \(name).kvo --at \(step)") { $0.why(file, question) } == 0)
    }
    for event in [54, 55] as [UInt64] {
      #expect(answers.ask("why key-paths.kvo \(event)") { $0.why(paths, .event(event)) } == 0)
    }
    #expect(try matchesTranscript(answers.output.text, "why"))
  }

  @Test("why not says what kept an observer from it, as recorded")
  func whyNot() throws {
    var answers = Answers()
    for (name, step, observer) in [
      ("poke", 6, "auditor"), ("manual", 5, "display"), ("key-paths", 21, "watcher"),
      ("key-paths", 6, "watcher"), ("key-paths", 30, "watcher"), ("person", 6, "watcher"),
      ("manual", 7, "display"), ("removal", 13, "p"),
    ] {
      let question = WhyQuestion.not(step, observer: observer)
      let file = Answers.example(name)
      let title = "why \(name).kvo --at \(step) --not \(observer)"
      #expect(answers.ask(title) { $0.why(file, question) } == 0)
    }
    #expect(answers.output.err == [])
    #expect(try matchesTranscript(answers.output.text, "why-not"))
  }

  @Test("an observed object whose isa notifies nobody is the reason for silence")
  func plainIsa() throws {
    let lines = """
      class NSKVONotifying_K { x: int }
      class K { x: int }
      let k = K()
      observe k.x as t
      k.x = 2

      """
    let run = Runner.run(try ScenarioFile.program(of: lines, file: "plain"))
    let reasons = WhyNot("t", at: 5, of: run).reasons
    #expect(reasons == [.plainIsa(object: "k", isa: "K")])
    #expect(
      reasons.map(WhyNotText(language: .english).text) == [
        "the isa of k is K, which notifies nobody: the plain setter ran"
      ])
  }

  @Test("dispatch follows a message through header, isa and table, as recorded")
  func dispatch() throws {
    var answers = Answers()
    for (object, selector, step) in [
      ("ada", "setHome:", 10), ("ada", "home", 10), ("paris", "setCity:", 10),
      ("Person", "class", 10), ("ada", "setCity:", 10),
    ] {
      let title = "dispatch key-paths.kvo \(object) \(selector) --at \(step)"
      #expect(answers.ask(title) { $0.dispatch(paths, selector, to: object, at: step) } == 0)
    }
    #expect(try matchesTranscript(withoutPlaces(answers.output.text), "dispatch"))
  }

  @Test("thunk goes from the encoding to the original, as recorded")
  func thunk() throws {
    var answers = Answers()
    let (views, encodings) = (Answers.example("struct"), Answers.example("encodings"))
    #expect(
      answers.ask("thunk struct.kvo View.frame") { $0.thunk(views, "View.frame", nil, at: nil) }
        == 0)
    #expect(
      answers.ask("thunk struct.kvo View.tag") { $0.thunk(views, "View.tag", nil, at: nil) } == 0)
    #expect(
      answers.ask("thunk struct.kvo View.tag --at 4") { $0.thunk(views, "View.tag", nil, at: 4) }
        == 0)
    #expect(
      answers.ask("thunk struct.kvo view frame") { $0.thunk(views, "view", "frame", at: nil) } == 0)
    #expect(
      answers.ask("thunk encodings.kvo Everything.aLongDouble") {
        $0.thunk(encodings, "Everything.aLongDouble", nil, at: nil)
      } == 0)
    #expect(answers.output.err == [])
    #expect(try matchesTranscript(answers.output.text, "thunk"))
  }

  @Test("thunk shows machine code, or why not, only when asked for")
  func machineCode() {
    let output = Output()
    let options = TextOptions(showsAddresses: true)
    let file = Answers.example("struct")
    let run = InquiryRun(options: options, console: output.console)
    #expect(run.thunk(file, "View.frame", nil, at: nil) == 0)
    #expect(output.text.contains("machine code of closure[setFrame:]"))
    #expect(output.text.contains("0x"))
  }

  nonisolated(unsafe) private static let refusals: [(String, (InquiryRun, String) -> Int32)] = [
    (
      "no step 99, expected a step from 0, the start, to 61", { $0.inspect($1, at: 99, named: nil) }
    ),
    ("no step -1, expected a step from 0", { $0.inspect($1, at: -1, named: nil) }),
    ("no nobody after step 3, expected ada", { $0.inspect($1, at: 3, named: "nobody") }),
    ("no ada after step 2, it is made in step 3", { $0.inspect($1, at: 2, named: "ada") }),
    ("no step 62, expected", { $0.difference($1, from: 1, to: 62) }),
    ("no step 0, expected a step from 1 to 61", { $0.why($1, .step(0, observer: nil)) }),
    ("'nobody' observes nothing, expected", { $0.why($1, .step(10, observer: "nobody")) }),
    ("'nobody' observes nothing, expected", { $0.why($1, .not(10, observer: "nobody")) }),
    ("event 1 is a class-allocated, expected a notification: ", { $0.why($1, .event(1)) }),
    ("there is no event 99999, expected a notification: ", { $0.why($1, .event(99_999)) }),
    ("no nobody after step 61", { $0.dispatch($1, "home", to: "nobody", at: nil) }),
    (
      "nobody has a method neverNamed:, expected ",
      { $0.dispatch($1, "neverNamed:", to: "ada", at: nil) }
    ),
    ("'Person' is no key of a class", { $0.thunk($1, "Person", nil, at: nil) }),
    (
      "Person has no property 'x', expected home or friend",
      { $0.thunk($1, "Person.x", nil, at: nil) }
    ),
    ("no class Person after step 1", { $0.thunk($1, "Person.home", nil, at: 1) }),
    ("ada does not answer setCity:", { $0.thunk($1, "ada", "setCity:", at: 10) }),
  ]

  @Test("what is gone when one looks back is not dead, but not made yet")
  func backward() {
    let output = Output()
    let run = InquiryRun(options: TextOptions(), console: output.console)
    let person = Answers.example("person")
    #expect(run.difference(person, from: 5, to: 2) == 0)
    #expect(output.out.contains { $0.contains("bob") && $0.hasSuffix("is not made yet") })
    #expect(!output.text.contains("is dead"))
  }

  @Test("what is not there is refused with what is")
  func refused() {
    for (message, ask) in InquiryTests.refusals {
      let output = Output()
      #expect(ask(InquiryRun(options: TextOptions(), console: output.console), paths) == 2)
      #expect(output.out == [])
      #expect(output.err.count == 1)
      #expect(output.err.joined().contains(message), "\(output.err)")
      #expect(output.err.joined().contains(#/key-paths\.kvo:[1-9]\d*:[1-9]\d*: /#))
    }
  }

  @Test("a computed property has no setter to follow")
  func computed() {
    let output = Output()
    let run = InquiryRun(options: TextOptions(), console: output.console)
    #expect(run.thunk(keys, "Person.full", nil, at: nil) == 2)
    #expect(output.err.joined().contains("Person.full has no setter"))
  }

  @Test("every notification of every example has a cause in words, within 80 columns")
  func everyCause() throws {
    for name in ScenarioTests.examples {
      let program = try ScenarioFile(name: Folder.scenarios.appendingPathComponent(name).path)
        .program()
      let run = Runner.run(program)
      for step in run.steps {
        for chain in WhyChain.all(inStep: step, of: run) {
          let lines = WhyView(TextOptions()).lines(of: chain)
          #expect(lines.filter { $0.columns > 80 } == [])
          guard case .registration? = chain.links.first, case .statement? = chain.links.last else {
            Issue.record("\(name) step \(step.number): \(chain.links)")
            continue
          }
        }
        for observer in WhyNot.observers(of: run) {
          let answer = WhyNot(observer, at: step.number, of: run)
          #expect(!answer.reasons.isEmpty)
          #expect(WhyView(TextOptions()).lines(of: answer).filter { $0.columns > 80 } == [])
        }
      }
    }
  }

  @Test("every state of every example can be shown and compared, within 80 columns")
  func everyState() throws {
    for name in ScenarioTests.examples {
      let program = try ScenarioFile(name: Folder.scenarios.appendingPathComponent(name).path)
        .program()
      let run = Runner.run(program)
      for number in 0...run.steps.count {
        let state = run.state(at: number)
        let shown = InspectView(TextOptions()).lines(of: state)
        #expect(shown.filter { $0.columns > 80 && $0.contains(" ") } == [], "\(name) \(number)")
        #expect(StateDifference(from: state, to: state).isEmpty)
      }
      let whole = StateDifference(from: run.start, to: run.state(at: run.steps.count))
      #expect(DifferenceView(TextOptions()).lines(of: whole).filter { $0.columns > 80 } == [])
    }
  }

  @Test("a stopped run can be asked about as far as it went, and ends with 2")
  func stopped() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("loop-\(UUID()).kvo")
    defer { try? FileManager.default.removeItem(at: file) }
    let text = "class K { x: int }\nlet k = K()\nrepeat 1000: k.x = 1\n"
    try Data(text.utf8).write(to: file)
    let output = Output()
    let run = InquiryRun(
      options: TextOptions(), console: output.console, execution: Execution(limit: 100))
    #expect(run.inspect(file.path, at: 3, named: "k") == 2)
    #expect(output.text.contains("_x"))
    #expect(output.err.joined().contains(":3:14: the run has not come to an end"))
  }

  @Test("the pages of dispatch tables are told: a notifying class copies those it changes")
  func pages() throws {
    let program = try ScenarioFile(name: paths).program()
    let state = Runner.run(program).state(at: 10)
    let lookup = try #require(Lookup(of: "setHome:", to: "ada", in: state))
    #expect(lookup.pageOwner == "NSKVONotifying_Person")
    #expect(lookup.visits.map(\.className) == ["NSKVONotifying_Person", "Person", "IsaObject"])
    #expect(lookup.found?.kind == .thunk)
    #expect(lookup.hidden.map(\.name) == ["-[Person setHome:]"])
    #expect(Lookup(of: "home", to: "nobody", in: state) == nil)
  }

  @Test("the trace says who caused an event that does not stand below its cause")
  func trace() {
    func event(_ id: UInt64, _ cause: UInt64, _ thread: Int = 1) -> Event {
      var event = Event(id: id, cause: cause, thread: thread, kind: .willChange)
      (event.object, event.name) = ("p", "age")
      return event
    }
    let events = [event(5, 3), event(6, 5), event(7, 0), event(8, 5, 2), event(9, 7)]
    let lines = TraceView(TextOptions()).lines(of: events)
    #expect(
      lines == [
        "      |   5 will-change p.age, because of 3", "      |   6   will-change p.age",
        "      |   7 will-change p.age",
        "      |   8   will-change p.age, on thread 2, because of 5",
        "      |   9   will-change p.age",
      ])
  }

  @Test("the trace of every example fits 80 columns")
  func traceWidth() throws {
    for name in ScenarioTests.examples {
      let program = try ScenarioFile(name: Folder.scenarios.appendingPathComponent(name).path)
        .program()
      let view = TraceView(TextOptions())
      let lines = Runner.run(program).steps.flatMap { view.lines(of: $0.events) }
      #expect(lines.filter { $0.columns > 80 && $0.dropFirst(20).contains(" ") }.count == 0)
    }
  }
}
