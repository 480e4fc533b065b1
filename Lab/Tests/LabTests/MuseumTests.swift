import Foundation
import Testing

@testable import isalab

@Suite("The museum", .serialized, .oneAtATime)
struct MuseumTests {
  /// Designs that are known to hang are not waited for long, all others for as long as they need.
  private func museum(_ output: Output, seconds: Double = 60) -> MuseumRun {
    MuseumRun(console: output.console, process: Child.process(seconds: seconds))
  }

  private static let running = Exhibit.all.filter { $0.symptom != .hang }.map(\.name)
  private static let hanging = Exhibit.all.filter { $0.symptom == .hang }.map(\.name)

  @Test("the design fails in its own way, this engine does not", arguments: running)
  func exhibit(name: String) throws {
    let output = Output()
    #expect(museum(output).run(name, all: false) == 0, "\(output.text)")
    #expect(output.err == [])
    #expect(output.out.filter { $0.count > 80 } == [])
    if name == "devirtualised" { return }  // The build decides what it says.
    #expect(try matchesTranscript(Child.withoutSignals(output.text), "museum-\(name)"))
  }

  @Test("the design hangs and is ended, this engine does not", arguments: hanging)
  func hang(name: String) throws {
    let output = Output()
    #expect(museum(output, seconds: 5).run(name, all: false) == 0, "\(output.text)")
    #expect(try matchesTranscript(output.text, "museum-\(name)"))
  }

  @Test("a setter that the build devirtualises is not reached, and the output says which")
  func devirtualised() throws {
    let output = Output()
    _ = museum(output).run("devirtualised", all: false)
    let isReached = output.text.contains("the patched setter is called: 0 → 36")
    #expect(isReached || SwiftIsaRun.isReleaseBuild)
    #expect(output.text.contains("BROKEN the patched setter is not called"))
  }

  @Test("a symptom that is not seen, or is seen here, is found out")
  func falseExhibit() throws {
    var exhibit = try #require(Exhibit.find("isa-stays"))
    let process = Child.process()
    let trial = try #require(
      DesignTrial.run(exhibit.scenario, file: "x", design: "isakvo", in: process))
    #expect(!exhibit.symptom.matches(trial.outcome))
    let failing = try #require(
      DesignTrial.run(exhibit.scenario, file: "x", design: exhibit.design, in: process))
    exhibit.symptom = .crash
    let viewing = Viewing(exhibit: exhibit, trial: failing, controls: [failing])
    let lines = MuseumView().lines(of: viewing)
    #expect(lines.contains("handmade does not show the symptom: expected crash"))
    #expect(lines.contains("handmade is not free of it"))
  }

  @Test("there are sixteen or more, each with a name, a design and words of its own")
  func catalogue() {
    #expect(Exhibit.all.count >= 16)
    #expect(Set(Exhibit.all.map(\.name)).count == Exhibit.all.count)
    #expect(Set(Exhibit.all.map(\.cause)).count == Exhibit.all.count)
    for exhibit in Exhibit.all {
      let isKnown =
        exhibit.isCode
        ? Demonstration.find(exhibit.name) != nil
        : exhibit.design == NativeDesign.name || Designs.find(exhibit.design) != nil
      #expect(isKnown)
      #expect(exhibit.scenario.isEmpty == exhibit.isCode)
      #expect(
        ![exhibit.title, exhibit.sign, exhibit.cause, exhibit.fix].contains {
          $0.english.isEmpty || !$0.chinese.hasHan
        })
    }
    let codes = Exhibit.all.filter(\.isCode).map(\.name)
    #expect(codes == Demonstration.all.map(\.name))
    let output = Output()
    #expect(museum(output).run(nil, all: false) == 0)
    #expect(output.out.count == Exhibit.all.count)
    #expect(output.out.filter { $0.count > 80 } == [])
  }

  @Test("an unknown exhibit exits with 2 and lists what there is")
  func unknown() {
    let output = Output()
    #expect(museum(output).run("mona-lisa", all: false) == 2)
    #expect(output.out == [])
    for exhibit in Exhibit.all { #expect(output.err.joined().contains(exhibit.name)) }
  }

  @Test("the command takes a name or --all, not both, and a time above 0")
  func usage() throws {
    #expect(try Child.run(["museum", "isa-stays", "--all"]).end == .exit(2))
    #expect(try Child.run(["museum", "--stages", "--all"]).end == .exit(2))
    #expect(try Child.run(["museum", "--timeout", "0"]).end == .exit(2))
    #expect(try Child.run(["museum", "mona-lisa"]).end == .exit(2))
    let result = try Child.run(["museum", "isa-stays"])
    #expect(result.end == .exit(0))
    #expect(result.output.contains("isakvo runs to its end, all as expected"))
    #expect(try !Child.run(["--help"]).output.contains("design "))
  }

  @Test("the whole visit ends with one line for each")
  func visit() throws {
    let result = try Child.run(["museum", "--all", "--timeout", "5"])
    #expect(result.end == .exit(0))
    let lines = result.output.split(separator: "\n").suffix(Exhibit.all.count)
    #expect(lines.allSatisfy { $0.contains("isakvo: ") && !$0.contains("NOT") })
    // Where this engine tells of the mistake, the visit says so.
    for (line, exhibit) in zip(lines, Exhibit.all) {
      let isReported = ["double-removal", "unhandled", "path-through-array", "no-such-message"]
        .contains(exhibit.name)
      #expect(line.hasSuffix(isReported ? "isakvo: reported" : "isakvo: none"))
    }
  }

  @Test("a process that hangs ends by itself if nobody ends it")
  func limit() throws {
    let exhibit = try #require(Exhibit.find("proxy-deadlock"))
    let arguments = ["design", "--design", exhibit.design, "--limit", "1"]
    let result = try Child.run(arguments, input: exhibit.scenario)
    #expect(result.end == .signal(SIGALRM))
  }

  @Test("a process that cannot be started is said")
  func noProcess() {
    let output = Output()
    let process = ChildProcess(executable: URL(fileURLWithPath: "/no/such/file"), seconds: 1)
    let museum = MuseumRun(console: output.console, process: process)
    #expect(museum.run("isa-stays", all: false) == 2)
    #expect(output.err == ["this program cannot be started as a process of its own"])
  }
}
