import Foundation
import Testing

@testable import isalab

/// `isalab trace`, asked of isalab's own runs.
@Suite("isalab trace", .serialized, .oneAtATime)
struct TraceCommandTests {
  /// Runs isalab traced, and hands its trace to `body`.
  private func traced(
    _ arguments: [String], _ settings: String = "", _ body: (String) throws -> Void
  ) throws {
    let room = try TemporaryFolder()
    let file = room.file("run.kvotrace").path
    let shell = ChildProcess(executable: try #require(Tool.find("bash")), seconds: 60)
    let script = "\(settings) ISAKVO_TRACE=\"$0\" exec \"$@\" >/dev/null"
    let run = try #require(shell.run(["-c", script, file, Child.executable.path] + arguments))
    #expect(run.end == .exit(0), "\(run.errors)")
    try body(file)
  }

  private func ask(_ file: String, _ question: [String]) throws -> ChildProcess.Result {
    try Child.run(["trace", file, "--lang", "en"] + question)
  }

  private var person: String { Folder.scenarios.appendingPathComponent("person.kvo").path }

  @Test("says what stands out: keys, handlers with their place, what never ended")
  func summary() throws {
    try traced(["run", person]) { file in
      let said = try ask(file, [])
      #expect(said.end == .exit(0), "\(said.errors)")
      #expect(said.output.hasPrefix("isalab ("))
      #expect(said.output.contains("nothing lost"))
      #expect(said.output.contains("Person.age: 1 change, 1 notification"))
      // Without debug information there is an address for it.
      #expect(
        said.output.contains(
          #/Person\.age: 1 run, .+#\d+\n {6}(Listeners\.swift:\d+|isalab\+0x[0-9a-f]+)/#))
      let lines = said.output.split(separator: "\n")
      #expect(lines.filter { $0.count > 80 } == [])
      let chinese = try Child.run(["trace", file, "--lang", "zh"])
      #expect(chinese.output.contains("Person.age：1 次变化，1 次通知"))
    }
  }

  @Test("why leads from the handler to the line that set, with values")
  func why() throws {
    try traced(["run", person], "ISAKVO_TRACE_STACKS=all") { file in
      let summary = try ask(file, []).output
      let number = try #require(summary.firstMatch(of: #/Person\.age: 1 run.+#(\d+)/#)?.1)
      let why = try ask(file, ["--why", String(number)])
      #expect(why.output.contains(": 0 → 36"))
      #expect(why.output.contains("Person #1.age was set"))
      #expect(why.output.contains("That the program did by itself."))
      let none = try ask(file, ["--why", "999999"])
      #expect(none.end == .exit(2) && none.errors.contains("no event #999999"))
      let at = try ask(file, ["--at", String(number)])
      #expect(at.output.contains("Person #1 → NSKVONotifying_Person"))
      let drawn = try ask(file, ["--at", String(number), "--svg", "-"])
      #expect(drawn.output.hasPrefix("<?xml") && drawn.output.contains("Person #1"))
      #expect(drawn.output.contains(">NSKVONotifying_Person</text>"))
      #expect(!drawn.output.contains("data-id=\"metaclass"))
      #expect(try ask(file, ["--svg", "-"]).end == .exit(2))
      let over = try ask(file, ["--at", String(number), "--svg", file])
      #expect(over.end == .exit(2) && over.errors.contains("is the file that is read"))
      #expect(try ask(file, []).end == .exit(0))
    }
  }

  @Test("the drawing has a plain class as a plain class, whoever's isa was swapped to it")
  func swapped() throws {
    let room = try TemporaryFolder()
    let scenario = room.file("swapped.kvo")
    let lines = """
      class Aa { count: int }
      class Bb { count: int }
      let x = Aa()
      let y = Bb()
      observe x.count as t
      remove t
      isa x = Bb
      observe y.count as u
      y.count = 4
      """
    try lines.write(to: scenario, atomically: true, encoding: .utf8)
    try traced(["run", scenario.path]) { file in
      let use = try #require(
        try ask(file, []).output.firstMatch(of: #/Bb\.count: 1 run.+#(\d+)/#)?.1)
      let drawn = try ask(file, ["--at", String(use), "--svg", "-"]).output
      let said = drawn.components(separatedBy: "made at run time").count - 1
      #expect(said == 1 && drawn.contains("superclass class NSKVONotifying_Bb"))
      #expect(!drawn.contains("superclass class Bb"))
    }
  }

  @Test("who set a key, who observes it, and why somebody was not told")
  func whom() throws {
    try traced(["run", person]) { file in
      let sets = try ask(file, ["--sets", "Person.age"])
      #expect(sets.output.hasPrefix("Person.age: 1 change on 1 thread"))
      let observers = try ask(file, ["--observers", "Person.age"])
      #expect(observers.output.contains("Person #1.age, since"))
      let all = try ask(file, ["--observers", "all"])
      #expect(all.output.contains("Person #1.name, since"))
      let open = try ask(file, ["--open"])
      #expect(open.end == .exit(0))
      let place = observers.output.firstMatch(of: #/Listeners\.swift:\d+/#)?.0
      #expect(place != nil || observers.output.contains("isalab+0x"))
      if let place {
        let whyNot = try ask(file, ["--not", "\(place) name"])
        #expect(whyNot.output.contains("Person #1.name: notified"))
      }
      let nobody = try ask(file, ["--not", "Nowhere.swift:1"])
      #expect(nobody.output.contains("No observation was made at Nowhere.swift:1."))
    }
  }

  @Test("a check passes, fails with the event that shows it, or says what it does not understand")
  func check() throws {
    try traced(["run", person]) { file in
      let good = try ask(file, ["--check", "no misuse, sets Person.age = 1, handlers < 60s"])
      #expect(good.end == .exit(0))
      #expect(good.output.split(separator: "\n").allSatisfy { $0.hasPrefix("✓") })
      let bad = try ask(file, ["--check", "sets Person.age < 1"])
      #expect(bad.end == .exit(1))
      #expect(bad.output.contains(#/✗ sets Person\.age < 1: 1  #\d+/#))
      let wrong = try ask(file, ["--check", "handlers < 10 apples"])
      #expect(wrong.end == .exit(2) && wrong.errors.contains("expected"))
    }
    try traced(["--version"]) { file in
      let empty = try ask(file, ["--check", "no misuse"])
      #expect(empty.end == .exit(2) && empty.errors.contains("no events"), "\(empty)")
      #expect(try ask(file, ["--check", "no misuse, events > 0"]).end == .exit(1))
      #expect(try ask(file, ["--check", "no events"]).end == .exit(0))
      let place = URL(fileURLWithPath: file)
      try Data(contentsOf: place).prefix(200).write(to: place)
      let damaged = try ask(file, ["--check", "no problems"])
      #expect(damaged.end == .exit(1) && damaged.output.hasPrefix("✗ no problems"), "\(damaged)")
    }
  }

  @Test("a page has lanes, findings and every event; of many events it says which")
  func page() throws {
    try traced(["run", person]) { file in
      let page = try ask(file, ["--html", "-"])
      #expect(page.end == .exit(0), "\(page.errors)")
      let root = try ParsedPage(page.output).root
      #expect(root.first("title")?.text.hasPrefix("Trace of isalab (") == true)
      for id in ["lanes", "findings", "search", "why", "history"] {
        #expect(root.all.contains { $0["id"] == id }, "\(id)")
      }
      #expect(root.with(class: "cut").isEmpty)
      let cut = try ask(file, ["--html", "-", "--last", "5"])
      let note = try ParsedPage(cut.output).root.with(class: "cut").first?.text
      #expect(note?.hasPrefix("This page has 5 of ") == true)
      let window = try ask(file, ["--html", "-", "--from", "0", "--to", "0.001"])
      #expect(window.end == .exit(0))
      let unwritable = try ask(file, ["--html", "/no/such/x.html"])
      #expect(unwritable.end == .exit(2))
    }
  }

  @Test("Perfetto gets JSON whose slices and instants are the trace's")
  func perfetto() throws {
    try traced(["run", person]) { file in
      let result = try ask(file, ["--perfetto", "-"])
      let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
      let events = try #require((object as? [String: Any])?["traceEvents"] as? [[String: Any]])
      #expect(events.contains { ($0["name"] as? String)?.contains("age") == true })
    }
  }

  @Test("follows a program until it ends, and prints what an ended one has recorded")
  func follow() throws {
    try traced(["run", person]) { file in
      let said = try ask(file, ["--follow"])
      #expect(said.end == .exit(0))
      #expect(said.output.contains("Person #1.age was set"))
      #expect(said.output.contains("the observer of Person #1.age was notified: 0 → 36"))
    }
  }

  @Test("what is no trace, is cut, or is not there, is told; two questions are too many")
  func wrong() throws {
    let room = try TemporaryFolder()
    let other = room.file("other").path
    try Data(repeating: 7, count: 9000).write(to: URL(fileURLWithPath: other))
    #expect(try ask(other, []).end == .exit(2))
    #expect(try ask(other, []).errors.contains("the file is no trace"))
    #expect(try ask(other, ["--follow"]).end == .exit(2))
    #expect(try ask("/no/such/file", []).errors.contains("No such file"))
    try traced(["run", person]) { file in
      let cut = room.file("cut").path
      let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
      try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: cut))
      let said = try ask(cut, [])
      #expect(said.end == .exit(0) && said.output.contains("What could not be read"))
      #expect(try ask(file, ["--open", "--why", "1"]).end == .exit(2))
      #expect(try ask(file, ["--sets", "age"]).errors.contains("expected Class.key"))
      #expect(try ask(file, ["--not", "x"]).errors.contains("expected FILE:LINE"))
      #expect(try ask(file, ["--from", "1"]).end == .exit(2))
    }
  }
}
