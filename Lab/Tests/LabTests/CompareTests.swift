import Foundation
import Testing

@testable import isalab

@Suite("Comparing designs", .serialized, .oneAtATime)
struct CompareTests {
  private static let scenario = """
    class Person {
      name: string
      age: int
    }
    let ada = Person()
    observer view
    observe ada.name by view
    observe ada.age by view options(initial, new)
    ada.name = "Ada"
    release view
    ada.name = "Eve"
    isa ada
    """

  private func compare(_ text: String, _ designs: [String]) -> (code: Int32, output: Output) {
    let output = Output()
    let run = CompareRun(console: output.console, process: Child.process(seconds: 5))
    return (run.run(text, file: "test.kvo", designs: designs), output)
  }

  @Test("a table, the isa at the end, and where they differ, in 80 columns")
  func transcript() throws {
    let (code, output) = compare(CompareTests.scenario, Designs.names)
    #expect(code == 0)
    #expect(output.err == [])
    #expect(output.out.filter { $0.count > 80 } == [])
    #expect(try matchesTranscript(Child.withoutSignals(output.text), "compare"))
  }

  @Test("designs that do the same differ nowhere")
  func same() {
    let (code, output) = compare(CompareTests.scenario, ["apple", "isakvo"])
    #expect(code == 0)
    #expect(output.out.last == "no line in which they differ")
  }

  @Test("a design that hangs is said to, in the line in which it does")
  func hang() {
    let text = "class K { x: int }\nlet k = K()\nobserve k.x options(initial) as t\n"
    let (_, output) = compare(text, ["proxy", "isakvo"])
    #expect(output.out.contains { $0.hasPrefix("proxy") && $0.hasSuffix("hangs in line 3") })
  }

  @Test("what a statement is refused with ends a design of exceptions there, and is shown there")
  func raised() {
    let text = """
      class K { x: int }
      let k = K()
      observer o
      remove o from k.x
      expect error NSRangeException
      """
    let (_, output) = compare(text, ["apple", "isakvo"])
    #expect(output.out.contains { $0.hasPrefix("apple") && $0.hasSuffix("exception in line 4") })
    let last = output.out.firstIndex { $0.hasPrefix("  4  ") }
    #expect(last.map { output.out[$0 + 1] } == "     apple:")
  }

  @Test("no example is too wide", arguments: ["controller", "encodings", "order"])
  func width(name: String) throws {
    let file = Folder.scenarios.appendingPathComponent(name + ".kvo")
    let text = try String(contentsOf: file, encoding: .utf8)
    let (_, output) = compare(text, Designs.names.filter { $0 != "proxy" })
    #expect(output.out.filter { $0.count > 80 } == [])
  }

  @Test("an object that lives on is counted and named")
  func leak() {
    let text = "class K { x: int }\nlet k = K()\nobserve k.x by k\nrelease k\n"
    let (_, output) = compare(text, ["controller", "isakvo"])
    #expect(output.out.contains { $0.hasPrefix("controller") && $0.hasSuffix("ends") })
    #expect(output.out.contains { $0.contains("lives on: k") })
  }

  @Test("every example that this engine runs, it runs here too", arguments: Examples.names)
  func examples(name: String) throws {
    let file = Folder.scenarios.appendingPathComponent(name)
    let text = try String(contentsOf: file, encoding: .utf8)
    let trial = try #require(
      DesignTrial.run(text, file: name, design: Designs.engine, in: Child.process()))
    #expect(trial.stopped == nil)
    #expect(trial.steps.filter(\.isBroken) == [])
    #expect(trial.end == .exit(0))
  }

  @Test("what a child has started ends with it, in time or not", arguments: ["", "; sleep 60"])
  func group(rest: String) throws {
    let seconds: Double = rest.isEmpty ? 30 : 3
    let shell = ChildProcess(executable: URL(fileURLWithPath: "/bin/sh"), seconds: seconds)
    let result = try #require(shell.run(["-c", "sleep 60 & echo $!\(rest)"]))
    #expect(result.end == (rest.isEmpty ? .exit(0) : .timeout))
    let started = try #require(pid_t(result.output.split(separator: "\n").first ?? ""))
    for _ in 0..<1000 where isRunning(started) { usleep(10_000) }
    #expect(!isRunning(started))
  }

  /// One that has ended may wait for its new parent to notice, where processes are files.
  private func isRunning(_ process: pid_t) -> Bool {
    let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return kill(process, 0) == 0 && stat?.contains(") Z ") != true
  }

  @Test("where both outputs go to one place, an error stands below what was said before it")
  func order() throws {
    let file = Folder.scenarios.appendingPathComponent("person.kvo").path
    let shell = ChildProcess(executable: URL(fileURLWithPath: "/bin/sh"), seconds: 60)
    let command = "\"$0\" run \"$1\" /no/such.kvo 2>&1"
    let result = try #require(shell.run(["-c", command, Child.executable.path, file]))
    #expect(result.end == .exit(2))
    let lines = result.output.split(separator: "\n")
    #expect(lines.count > 20 && lines.last?.hasPrefix("/no/such.kvo:1:1: ") == true)
  }

  @Test("a child that writes without end is ended, and no more is read than anybody shows")
  func writesWithoutEnd() throws {
    let shell = ChildProcess(executable: URL(fileURLWithPath: "/bin/sh"), seconds: 60)
    for output in ["1", "2"] {
      let result = try #require(
        shell.run(["-c", "while :; do echo yyyyyyyyyyyyyyy; done >&\(output)"]))
      #expect(result.end == .signal(SIGXFSZ))
      let written = output == "1" ? result.output : result.errors
      #expect(written.utf8.count == ChildProcess.mostOutput)
    }
  }

  @Test("unknown designs, files that cannot be read and mistakes in them exit with 2")
  func badInput() throws {
    let unknown = try Child.run(["compare", "-", "--designs", "handmade,mine"])
    #expect(unknown.end == .exit(2))
    #expect(try Child.run(["compare", "/no/such/file.kvo"]).end == .exit(2))
    #expect(try Child.run(["compare", "-"], input: "let p = Person()\n").end == .exit(2))
    #expect(try Child.run(["compare"]).end == .exit(2))
    #expect(try Child.run(["compare", "--sources"]).end == .exit(0))
    let output = Output()
    let run = CompareRun(console: output.console, process: Child.process())
    #expect(run.run(file: "-", designs: "handmade,mine") == 2)
    for name in Designs.names { #expect(output.err.joined().contains(name)) }
  }

  @Test("a line that is too long is folded below its beginning, any other stays as it is")
  func folding() {
    #expect(fitted("  a   b", width: 7) == ["  a   b"])
    #expect(fitted("  one two three", width: 11) == ["  one two", "    three"])
  }

  @Test("a design that the step limit stops is said to be, and why")
  func stopped() {
    let text =
      "class K { x: int }\nlet k = K()\nobserve k.x as t\nwhenever t hears: k.x = 1\nk.x = 2\n"
    let (code, output) = compare(text, ["isakvo"])
    #expect(code == 0)
    #expect(output.out.contains { $0.hasPrefix("isakvo") && $0.hasSuffix("  stopped") })
    #expect(output.out.contains { $0.hasPrefix("isakvo: observers trigger each other's") })
  }

  @Test("a value in no register of an object's comes as what no object is, the same each time")
  func leftover() {
    let text = "class K { x: double }\nlet k = K()\nobserve k.x as t\nk.x = 2\n"
    let (_, output) = compare(text, ["handmade", "easykvo"])
    for design in ["handmade", "easykvo"] {
      let row = output.out.first { $0.hasPrefix(design) }
      #expect(row?.contains(#/ SIG(SEGV|BUS|ABRT) in line 4$/#) == true)
    }
    #expect(compare(text, ["handmade", "easykvo"]).output.out == output.out)
  }

  @Test("a design named twice is compared once")
  func twice() throws {
    let result = try Child.run(
      ["compare", "-", "--designs", "isakvo, isakvo"], input: CompareTests.scenario)
    #expect(result.end == .exit(0))
    #expect(result.output.contains("stdin: 1 design"))
  }
}

/// The scenarios in Examples.
private enum Examples {
  static let names =
    ((try? FileManager.default.contentsOfDirectory(atPath: Folder.scenarios.path)) ?? [])
    .filter { $0.hasSuffix(".kvo") }.sorted()
}
