import Testing

@testable import isalab

@Suite("Designs", .serialized, .oneAtATime)
struct DesignTests {
  /// Runs a scenario under a design in this process, which it must not end.
  private func run(
    _ design: String, _ scenario: String
  ) throws -> (run: Run, reports: [DesignReport], ending: DesignEnding) {
    let info = try #require(Designs.find(design))
    var program = try Checker.check(try Parser.parse(scenario, file: "test.kvo"))
    info.adapt(&program)
    var reports: [DesignReport] = []
    let session = DesignSession(info) { reports.append($0) }
    let run = Runner.run(program, session)
    return (run, reports, session.ending)
  }

  private static let quiet = """
    class Person {
      name: string
      home: Person
    }
    let ada = Person()
    let bob = Person()
    ada.home = bob
    observe ada.name as a
    ada.name = "Ada"
    bob.name = "Bob"
    release bob
    """

  @Test("each leaves the runtime as it was", arguments: Designs.names)
  func livesAndEnds(design: String) throws {
    let before = liveCounts()
    let (run, _, ending) = try self.run(design, DesignTests.quiet)
    #expect(run.stopped == nil)
    #expect(run.steps.flatMap(\.deliveries).map(\.observer) == ["a"])
    #expect(ending.leaks == (design == "easykvo" ? ["ada"] : []))
    #expect(liveCounts() == before)
  }

  @Test(
    "each has its own class in the isa",
    arguments: [
      ("handmade", "Handmade_Person"), ("easykvo", "Easy_Person"),
      ("easykvo-later", "Easy_Person"), ("mk-strong", "MKKVO_Person"),
      ("mk-array", "MKKVO_Person"), ("safekvo", "NSKVONotifying_Person"),
      ("swizzlers", "Swizzler1_Person"), ("isakvo", "NSKVONotifying_Person"),
      ("apple", "NSKVONotifying_Person"),
    ])
  func isa(design: String, expected: String) throws {
    let (run, _, ending) = try self.run(design, DesignTests.quiet + "\nclass ada\n")
    #expect(ending.isas == ["ada": expected])
    #expect(run.steps.last?.facts == [.answer(.claimedClass(of: "ada", "Person"))])
  }

  @Test(
    "what a design cannot express is said and not done",
    arguments: [
      ("handmade", "observe ada.name options(prior) as b", "the option prior"),
      ("handmade", "observe ada.home.name as b", "a key path"),
      ("handmade", "observe ada.name context 1 as b", "a context"),
      ("handmade", "will ada.name", "a change announced by hand"),
      ("handmade", "registrations ada", "a list of the observers"),
      ("easykvo", "remove a", "removal"),
      ("mk-strong", "remove a", "removal"),
      ("swizzlers", "wrap libffi", "a choice of wrappers"),
      ("controller", "shared s for Person", "shared observers"),
      ("proxy", "observe ada.name context 1 as b", "a context of the observer's own"),
    ])
  func unsupported(design: String, statement: String, obstacle: String) throws {
    let (run, reports, _) = try self.run(design, DesignTests.quiet + "\n" + statement + "\n")
    let notes = run.steps.last?.facts.map { fact in
      if case .note(let note) = fact { note.english } else { "\(fact)" }
    }
    #expect(notes == ["not supported: \(obstacle)"])
    let steps = reports.compactMap { if case .step(let step) = $0 { step } else { nil } }
    #expect(steps.compactMap(\.unsupported) == [obstacle])
  }

  @Test("hand-made blocks are called on another thread, a wrapper's on the setter's own")
  func threads() throws {
    let own = try run("isakvo", DesignTests.quiet).run.steps.flatMap(\.deliveries)
    let other = try run("handmade", DesignTests.quiet).run.steps.flatMap(\.deliveries)
    #expect(own.map(\.isElsewhere) == [false])
    #expect(other.map(\.isElsewhere) == [true])
  }

  @Test("a controller ignores the second registration for an object and key path")
  func controllerIgnores() throws {
    let text = """
      class Person { age: int }
      let ada = Person()
      observer view
      observe ada.age by view options(new)
      observe ada.age by view options(old)
      ada.age = 1
      expect view count 1
      expect view last new 1 old absent
      remove view from ada.age
      remove view from ada.age
      ada.age = 2
      expect view count 1
      expect isa ada == Person
      """
    for design in ["controller", "weak-controller"] {
      let (run, _, _) = try self.run(design, text)
      #expect(run.exitCode == 0, "\(design): \(run.broken)")
    }
  }

  @Test("a controller ends with its observer, and lets go of what it retained")
  func controllerDies() throws {
    let before = liveCounts()
    let (run, _, _) = try self.run(
      "controller",
      """
      class Person { age: int }
      let ada = Person()
      observer view
      observe ada.age by view
      release ada
      expect alive ada == true
      release view
      expect alive ada == false
      """)
    #expect(run.exitCode == 0, "\(run.broken)")
    #expect(liveCounts() == before)
  }

  @Test("SafeKVO counts a key path of a pair once, and removing it again does nothing")
  func safeOnce() throws {
    let text = """
      class Person { age: int }
      let ada = Person()
      let bob = Person()
      observer view
      observe ada.age by view
      observe ada.age by view options(new) context 1
      observe bob.age by view
      ada.age = 1
      expect notifications 1
      bob.age = 1
      expect notifications 1
      remove view from ada.age
      remove view from ada.age
      ada.age = 2
      expect no notification
      expect isa ada == Person
      """
    for design in ["safekvo-proxy", "safekvo-weak", "safekvo"] {
      let (run, _, _) = try self.run(design, text)
      #expect(run.exitCode == 0, "\(design): \(run.broken)")
    }
  }

  @Test(
    "SafeKVO outlives the end of either side, as far as each step of its article goes",
    arguments: [
      ("safekvo-proxy", "release view\nada.age = 1\nexpect no notification", false),
      ("safekvo-proxy", "release ada", true),
      ("safekvo-weak", "release ada", true),
      ("safekvo", "release ada\nexpect alive ada == false\nexpect alive view == true", false),
      // An object that owns its observer lets go of it before its own associated objects go.
      ("safekvo", "ada.view = view\nrelease view\nrelease ada", true),
      ("safekvo", "view.name = \"x\"\nrelease view\nrelease ada", false),
    ])
  func safeEnds(design: String, text: String, raises: Bool) throws {
    let head = """
      class Person {
        age: int
        name: string
        view: object
      }
      let ada = Person()
      \(text.contains("view.name") ? "let view = Person()" : "observer view")
      observe ada.age by view
      """
    let trial = try #require(
      DesignTrial.run(head + "\n" + text + "\n", file: "x", design: design, in: Child.process()))
    let reason = "NSInternalInconsistencyException: A Person was deallocated while observed."
    #expect(trial.outcome == (raises ? .raised(reason) : .clean))
  }

  @Test("EasyKVO has one block for class and key; a later version has more")
  func easyBlocks() throws {
    let text = """
      class Person { name: string }
      let ada = Person()
      let bob = Person()
      observe ada.name as a
      observe bob.name as b
      ada.name = "Ada"
      """
    for (design, names) in [("easykvo", ["b"]), ("easykvo-later", ["a", "b"])] {
      let (run, _, _) = try self.run(design, text)
      #expect(run.steps.flatMap(\.deliveries).map(\.observer) == names)
    }
  }

  @Test("EasyKVO's dealloc puts the isa back, sets ivars to nil and gives no memory back")
  func easyDies() throws {
    let (run, _, ending) = try self.run(
      "easykvo",
      """
      class Person { name: string, home: Person }
      let ada = Person()
      let bob = Person()
      ada.home = bob
      observe ada.name as a
      release bob
      release ada
      expect alive bob == false
      expect alive ada == true
      """)
    #expect(run.exitCode == 0, "\(run.broken)")
    #expect(ending.leaks == ["ada"])
    let back = Text("design.isa-back", ["object": "ada", "class": "Person"])
    #expect(run.step("release ada")?.facts.contains(.note(back)) == true)
  }

  @Test("a guard swallows an exception and says so")
  func guardSwallows() throws {
    let (run, _, _) = try self.run(
      "guard",
      """
      class Person { age: int }
      let ada = Person()
      observer view
      observe ada.age by view context 1
      remove view from ada.age context 2
      """)
    #expect(run.stopped == nil)
    #expect(
      run.steps.last?.facts.first == .note(Text("design.swallows", ["name": "NSRangeException"])))
  }

  @Test("reports are one line of JSON each, and are read back as they were")
  func reports() throws {
    let (_, reports, ending) = try self.run("handmade", DesignTests.quiet)
    let all =
      reports + [
        .raised("X: two\nlines"), .ended(ending, exitCode: 0, stopped: nil),
      ]
    for report in all {
      #expect(!report.line.contains("\n"))
      #expect(DesignReport(line: report.line) == report)
    }
    #expect(DesignReport(line: "no JSON") == nil)
  }

  @Test("every design says what it is and where its facts come from")
  func sources() {
    let output = Output()
    DesignList(console: output.console, language: .english).show()
    for design in Designs.all {
      #expect(output.out.contains("\(design.name): \(design.title.english)"))
      #expect(design.source.english.count > 20)
    }
    #expect(output.out.filter { $0.count > 80 } == [])
  }
}
