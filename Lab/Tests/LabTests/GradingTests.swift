import Foundation
import Testing

@testable import isalab

/// Code that makes a timeline and no observing.
private enum Forgery {
  /// The expected timelines of all cases, as a student can know them, printed at the start.
  static func printing(_ level: Int) throws -> String {
    let scenes = try #require(Level.find(level)).scenes.map { $0.drawn(seed: 1) }
    let lines = scenes.flatMap { $0.expected + ["end"] }
    return lines.map { $0.debugDescription }.joined(separator: ",\n")
  }

  /// In C, before main and when a function is called; `file` is where it writes.
  static func inC(_ level: Int, file: Int) throws -> String {
    """

    #include <unistd.h>
    #include <string.h>
    static const char *const lines[] = {\(try printing(level))};
    __attribute__((constructor)) static void forge(void)
    {
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            ssize_t written = write(\(file), lines[i], strlen(lines[i]));
            written += write(\(file), "\\n", 1);
            (void)written;
        }
    }
    """
  }
}

@Suite("Grading that holds", .serialized, .oneAtATime)
struct GradingTests {
  // MARK: Drawn values

  @Test("a scene's values are others with each seed, the same with the same, and agree")
  func drawn() throws {
    let scene = try #require(Level.find(6)?.scenes.first { $0.id == "DEP-24" })
    let one = scene.drawn(seed: 1).expected, other = scene.drawn(seed: 2).expected
    #expect(one != other)
    #expect(one == scene.drawn(seed: 1).expected)
    let numbers = one.joined(separator: " ").matches(of: /\d+/).compactMap { Int($0.0) }
    // set a; old 0, new a; set b; old a, new a + b.
    #expect(numbers.count == 6)
    #expect(numbers[1] == 0 && numbers[2] == numbers[0] && numbers[4] == numbers[0])
    #expect(numbers[5] == numbers[0] + numbers[3])
  }

  @Test("no brace is left, and no drawn value but in a scene's own lines is another's")
  func braces() {
    for scene in Level.all.flatMap(\.scenes) {
      let lines = scene.drawn(seed: 3).expected
      #expect(lines.count == scene.expected.count)
      #expect(lines.filter { $0.contains { "{}".contains($0) } } == [], "\(scene.id)")
    }
    let level3 = Level.all[2].scenes.flatMap(\.expected)
    #expect(level3.contains { $0.contains("{b}") })
  }

  @Test("the seed of a grading is printed, and draws the same values again")
  func seed() throws {
    let student = try StudentFolder(level: 3)
    let said = student.grade().output.out
    let seed = try #require(
      said.lazy.compactMap { $0.firstMatch(of: /--seed (\d+)/)?.1 }.first.flatMap { UInt32($0) })
    #expect(student.grade(seed: seed).output.out == said)
    #expect(student.grade(seed: seed ^ 1).output.out != said)
  }

  // MARK: Forgeries

  @Test(
    "printing the expected timelines does not pass in C, on any of the first files",
    arguments: 1...3)
  func printingC(_ file: Int) throws {
    let student = try StudentFolder(level: 1)
    try student.change(
      "student_kvo.c", "#include \"student_kvo.h\"\n",
      to: "#include \"student_kvo.h\"\n" + Forgery.inC(1, file: file))
    let (code, output) = student.grade(seed: 1)
    #expect(code == 1)
    #expect(output.err == [])
    #expect(output.out.contains { $0.hasPrefix("  failed  REG-01 ") }, "\(output.text)")
  }

  @Test("printing the expected timelines does not pass in Swift")
  func printingSwift() throws {
    let student = try StudentFolder(level: 1, language: "swift")
    try student.change(
      "Student.swift", "public init() {}",
      to: "public init() { for line in [\(try Forgery.printing(1))] { print(line) } }")
    let (code, output) = student.grade(seed: 1)
    #expect(code == 1)
    #expect(output.out.contains { $0.hasPrefix("  failed  REG-01 ") }, "\(output.text)")
    #expect(output.text.contains("\nOn standard output:\n  > new i Item\n"))
  }

  @Test("a scene that plays nothing fails: no line is read, or the process ends at once")
  func empty() throws {
    let student = try StudentFolder(level: 1)
    let leave =
      "\n#include <stdlib.h>\n__attribute__((constructor)) static void go(void) { _Exit(0); }\n"
    try student.change(
      "student_kvo.c", "#include \"student_kvo.h\"\n", to: "#include \"student_kvo.h\"\n" + leave)
    let (code, output) = student.grade()
    #expect(code == 1)
    #expect(output.text.contains("it ended the process with code 0"))
    let empty = SceneResult(scene: Level.all[0].scenes[0], heard: [])
    #expect(!empty.hasPassed && !Grade(seed: 1).hasPassed)
  }

  @Test("the grader's functions and the runtime's log are out of the student's reach")
  func reach() throws {
    for (call, said) in [
      ("void say(const char *, ...); void go(void) { say(\"x\"); }", "undefined reference"),
      (
        "#include <isa_event.h>\nvoid go(void) { (void)isa_event_add_listener(0, 0, 0, 0); }",
        "poisoned"
      ),
    ] {
      let student = try StudentFolder(level: 1)
      try student.change(
        "student_kvo.c", "#include \"student_kvo.h\"\n",
        to: "#include \"student_kvo.h\"\n\(call)\n")
      let (code, output) = student.grade()
      #expect(code == 1)
      #expect(output.err.first?.contains(said) == true, "\(output.err)")
    }
  }

  // MARK: Signals

  @Test("a signal ends what is graded, and no temporary folder stays", arguments: ["INT", "TERM"])
  func interrupted(_ signal: String) throws {
    let student = try StudentFolder(level: 1, solution: "C")
    let never = "for (volatile int i = 0; i < 1; i -= 0) {}\n    collect(change);\n"
    try student.change("change.c", "    collect(change);\n", to: never)
    let room = try TemporaryFolder()
    // Job control, without which the shell has what it starts ignore SIGINT.
    let script = """
      set -m; export TMPDIR="$2"
      "$0" lab grade 1 --dir "$1" >/dev/null 2>&1 & lab=$!
      until ls "$2"/isalab-*/grade >/dev/null 2>&1; do sleep 0.1; done
      kill -\(signal) "$lab"; wait "$lab"; echo "$?"; ls -A "$2"
      """
    let shell = ChildProcess(executable: try #require(Tool.find("bash")), seconds: 120)
    let run = try #require(
      shell.run(["-c", script, Child.executable.path, student.url.path, room.url.path]))
    #expect(run.output == (signal == "INT" ? "130\n" : "143\n"))
  }

  // MARK: One case

  @Test("one case is played from the student's own folder, and shown whether it passes or not")
  func oneCase() throws {
    let student = try StudentFolder(level: 4, solution: "C")
    let (code, output) = student.play("lif-01", seed: 5)
    #expect(code == 0)
    #expect(output.out.filter { $0 == "It passes." }.count == 2)
    #expect(output.text.contains("LIF-01: a later object at the same address has no observers"))
    let (unknown, refused) = student.play("REG-99")
    #expect(unknown == 2)
    #expect(
      refused.err.first?.hasPrefix("level 4 has no case 'REG-99', expected one of LIF-01, ") == true
    )
    try FileManager.default.removeItem(at: student.url.appendingPathComponent("Makefile"))
    #expect(
      student.play("LIF-01").output.err.first?.contains("no Makefile that names its level") == true)
  }

  @Test("a crash is shown with where it was, in the student's own lines")
  func crash() throws {
    let student = try StudentFolder(level: 4, solution: "C")
    try student.change(
      "change.c", "if (pending->observer == NULL) return;",
      to: "if (pending->observer == NULL) *(volatile int *)8 = 1;")
    let (code, output) = student.play("LIF-04")
    #expect(code == 1)
    let at = try #require(output.out.firstIndex { $0.hasPrefix("Where it was") })
    #expect(output.out[at + 1].contains(/^  \w+, change\.c:\d+$/), "\(output.text)")
    #expect(output.out.filter { $0.count > 80 } == [])
  }

  @Test("a crash in Swift is shown with where it was")
  func crashInSwift() throws {
    let student = try StudentFolder(level: 1, language: "swift")
    try student.change(
      "Student.swift", "throw NotRegistered()  // make",
      to: "let none: Int? = nil\nprint(none!)  // make")
    let (code, output) = student.play("REG-01")
    #expect(code == 1)
    #expect(output.text.contains("Sources/StudentKVO/Student.swift:"), "\(output.text)")
  }

  @Test("a kept scene plays by hand, and its debugger line names it")
  func kept() throws {
    let student = try StudentFolder(level: 1, solution: "C")
    let folder = student.url.appendingPathComponent(".lab")
    let (code, output) = student.play("REG-01", kept: folder.path)
    #expect(code == 0)
    #expect(output.out.last?.hasPrefix("To debug: ") == true)
    let scene = try String(
      contentsOf: folder.appendingPathComponent("REG-01.scene"), encoding: .utf8)
    let byHand = ChildProcess(executable: folder.appendingPathComponent("grade"), seconds: 20)
    let run = try #require(byHand.run([], input: scene))
    #expect(run.output.contains("\n  P hears i.name\n") && run.output.hasSuffix("\nend\n"))
  }

  @Test("the Makefile of a student's folder compiles, grades and plays")
  func makefile() throws {
    let student = try StudentFolder(level: 1, solution: "C")
    // A make that runs the tests has flags of its own.
    let make = ChildProcess(executable: try #require(Tool.find("env")), seconds: 120)
    let words =
      ["MAKEFLAGS", "MFLAGS", "MAKELEVEL"].flatMap { ["-u", $0] }
      + ["make", "-s", "-C", student.url.path, "ISALAB=\(Child.executable.path)"]
    let built = try #require(make.run(words))
    #expect(built.hasSucceeded && built.errors == "", "\(built.errors)")
    let run = try #require(make.run(words + ["run", "CASE=CHG-01"]))
    #expect(run.hasSucceeded && run.output.contains("\nIt passes.\n"), "\(run.output)\(run.errors)")
  }
}
