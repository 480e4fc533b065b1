import Foundation
import Testing

@testable import isalab

@Suite("The screen of step", .serialized, .oneAtATime)
struct StepScreenTests {
  private static let size = ScreenSize(columns: 80, rows: 24)

  private func run(_ name: String = "key-paths") throws -> Run {
    let file = Folder.scenarios.appendingPathComponent(name + ".kvo").path
    var run = Runner.run(try ScenarioFile(name: file).program())
    run.file = name + ".kvo"
    return run
  }

  private func pressed(_ keys: [Key], _ run: Run) -> Stepper {
    var stepper = Stepper()
    for key in keys { stepper.press(key, run) }
    return stepper
  }

  private func typed(_ text: String) -> [Key] { text.map { .character($0) } }

  @Test("reads as recorded at several steps and sizes")
  func transcript() throws {
    let run = try run()
    var text = ""
    for (keys, size) in [
      ([], StepScreenTests.size), (typed("g10") + [.enter], StepScreenTests.size),
      (typed("g18") + [.enter, .tab, .character("j")], ScreenSize(columns: 120, rows: 30)),
      (typed("?"), StepScreenTests.size), (typed("bjj "), ScreenSize(columns: 60, rows: 16)),
      (typed("G"), ScreenSize(columns: 60, rows: 16)),
    ] {
      text += screen(run, pressed(keys, run), size).joined(separator: "\n") + "\n\n"
    }
    #expect(try matchesTranscript(text, "step"))
  }

  @Test("says the step and the file's name however long the path")
  func longPath() throws {
    var run = try run()
    run.file = String(repeating: "/a-folder", count: 40) + "/key-paths.kvo"
    let lines = screen(run, pressed([.right], run), .least)
    #expect(lines[0].hasPrefix(" step 1 of 61  key-paths.kvo "))
  }

  @Test("has exactly the terminal's lines and columns, at every step of every example")
  func exact() throws {
    let sizes = [(60, 16), (80, 24), (133, 50), (20, 3), (1, 1)]
    for name in ScenarioTests.examples {
      let run = try run(String(name.dropLast(4)))
      for step in stride(from: 0, through: run.steps.count, by: 11) {
        var stepper = Stepper()
        stepper.step = step
        for (columns, rows) in sizes {
          for isASCII in [false, true] {
            let size = ScreenSize(columns: columns, rows: rows)
            let lines = screen(run, stepper, size, ScreenLook(isASCII: isASCII))
            #expect(lines.count == rows)
            #expect(lines.allSatisfy { $0.columns == columns }, "\(name) \(step) \(size)")
            if isASCII { #expect(lines.allSatisfy { $0.allSatisfy(\.isASCII) }) }
          }
        }
      }
    }
  }

  @Test(
    "at 80 by 24 a lesson's turning point stands whole, at each station",
    arguments: LessonTests.names)
  func turn(_ name: String) throws {
    let lesson = try #require(Lessons.find(name)), run = try lesson.run()
    let step = try #require(run.step(lesson.turn.line))
    var stepper = pressed(typed("g\(step.number)") + [.enter], run)
    let stations = Lane(run, at: step.number).stations.count
    for _ in 0...stations {
      let lines = screen(run, stepper, StepScreenTests.size)
      let text = lines.joined(separator: "\n"),
        state = run.state(
          at: run.moment(ofStep: stepper.step, at: stepper.station))
      #expect(lines.contains { $0.contains(">") && $0.contains(lesson.turn.line.prefix(20)) })
      for case .object(let object) in lesson.turn.subjects {
        guard let now = state.object(object) else { continue }
        #expect(text.contains("\(object) → \(now.isa)".prefix(30)), "\(text)")
      }
      stepper.press(.character("s"), run)
    }
  }

  @Test("colour adds escape sequences and nothing else; without it there is none")
  func colour() throws {
    let run = try run()
    let stepper = pressed(typed("g10") + [.enter], run)
    let coloured = screen(run, stepper, StepScreenTests.size, ScreenLook(isColoured: true))
    let plain = screen(run, stepper, StepScreenTests.size)
    #expect(coloured.joined().contains("\u{1B}["))
    #expect(!plain.joined().contains("\u{1B}"))
    #expect(coloured.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") } == plain)
  }

  @Test("a terminal too small is told what is needed")
  func small() throws {
    let run = try run()
    let lines = screen(run, Stepper(), ScreenSize(columns: 59, rows: 24))
    #expect(lines[0].hasPrefix("The terminal is too small: 59×24, expected 60×16"))
    #expect(screen(run, Stepper(), ScreenSize(columns: 60, rows: 15))[0].contains("60×15"))
  }

  @Test("marks the swapped isa, the line, what changed and what moved")
  func marks() throws {
    let run = try run()
    let lines = screen(run, pressed(typed("g10") + [.enter], run), StepScreenTests.size)
    func has(_ text: String) -> Bool { lines.contains { $0.contains(text) } }
    #expect(has("> 21 ada.home = london"))
    #expect(has("⇄ ada → NSKVONotifying_Person"))
    #expect(has("⇄ london → NSKVONotifying_Address, now"))
    #expect(has("says it is Person"))
    #expect(has("~ _home london"))
    #expect(has("setHome:   thunk around Person's"))
    #expect(has("paris → Address"))
  }

  @Test("keys go forward, back, to a step, to the ends, and no further")
  func moving() throws {
    let run = try run()
    let last = run.steps.count
    #expect(pressed([.character("n"), .right, .character(" ")], run).step == 3)
    #expect(pressed(typed("nnp"), run).step == 1)
    #expect(pressed([.character("n"), .left, .left], run).step == 0)
    #expect(pressed([.left], run).message == "this is the start")
    #expect(pressed(typed("G"), run).step == last)
    #expect(pressed(typed("Gn"), run).message == "this is the end")
    #expect(pressed(typed("Ggg"), run).step == 0)
    #expect(pressed(typed("G") + [.home], run).step == 0)
    #expect(pressed(typed("g12x") + [.backspace, .enter], run).step == 1)
    #expect(pressed(typed("ng7") + [.escape], run).step == 1)
    let beyond = pressed(typed("g999") + [.enter], run)
    #expect(beyond.step == last && beyond.message.contains("no step 999, expected 0 to \(last)"))
    #expect(pressed(typed("q"), run).end == .quit)
    #expect(pressed(typed("g") + [.interrupt], run).end == .interrupted)
    #expect(pressed(typed("z"), run).message.contains("'z' does nothing"))
  }

  @Test("breakpoints stop at the next step with such an event")
  func breakpoints() throws {
    let run = try run()
    #expect(pressed(typed("c"), run).message.contains("no breakpoint"))
    let index = Event.Kind.allCases.firstIndex(of: .isaSwapped)!
    let choose =
      [.character("b")] + Array(repeating: Key.down, count: index) + typed(" ") + [.enter]
    let first = pressed(choose + typed("c"), run)
    #expect(first.breakpoints == [.isaSwapped])
    #expect(first.step == 8)
    #expect(first.message.contains("isa-swapped"))
    #expect(pressed(choose + typed("cc"), run).step == 10)
    #expect(pressed(choose + typed("Gc"), run).message == "no later step has such an event")
    #expect(pressed(choose + choose, run).breakpoints == [])
    let up = pressed([.character("b"), .up, .character("x"), .escape], run)
    #expect(up.breakpoints == [.dependentReached])
  }

  @Test("search goes to the next step that says it, and round")
  func search() throws {
    let run = try run()
    let first = pressed(typed("/Paris") + [.enter], run)
    #expect(first.step == 5)
    #expect(pressed(typed("/paris") + [.enter] + typed("/") + [.enter], run).step == 7)
    #expect(pressed(typed("G/paris") + [.enter], run).step == 5)
    #expect(
      pressed(typed("/nowhere at all") + [.enter], run).message == "nothing says 'nowhere at all'")
    #expect(pressed(typed("/x") + [.backspace, .backspace, .enter], run).step == 0)
    #expect(pressed(typed("/é漢") + [.escape], run).mode == .browsing)
  }

  @Test("Tab goes round the panes; each scrolls by itself and comes back with another step")
  func panes() throws {
    let run = try run()
    #expect(pressed([.tab], run).focus == .objects)
    #expect(pressed([.backTab], run).focus == .events)
    #expect(pressed([.tab, .tab, .tab, .tab], run).focus == .scenario)
    let start = typed("g10") + [.enter]
    let scrolled = pressed(start + [.tab, .tab, .down, .down], run)
    #expect(scrolled.scroll[.methods] == 2)
    let (before, after) = (
      screen(run, pressed(start, run), StepScreenTests.size),
      screen(run, scrolled, StepScreenTests.size)
    )
    #expect(before != after)
    #expect(after.contains { $0.contains("─[ methods ] 2 above") })
    #expect(pressed(start + [.tab, .down, .character("n")], run).scroll == [:])
  }

  @Test(
    "keys are read from what terminals send",
    arguments: [
      ("n", [.character("n")]), ("\u{1B}[C", [.right]), ("\u{1B}OD", [.left]),
      ("\u{1B}[1~\u{1B}[F", [.home, .end]), ("\u{1B}[5~", [.pageUp]), ("\u{1B}[Z", [.backTab]),
      ("\u{1B}", [.escape]), ("\r\t\u{7F}", [.enter, .tab, .backspace]), ("\u{3}", [.interrupt]),
      ("\u{1A}", [.suspend]), ("é漢", [.character("é"), .character("漢")]),
      ("\u{1B}[99;5Xn", [.character("n")]), ("\u{1B}x", [.escape, .character("x")]),
      ("\u{1}n", [.character("n")]),
    ] as [(String, [Key])])
  func keys(text: String, expected: [Key]) {
    var bytes = Array(text.utf8)
    var keys: [Key] = []
    while let key = Key.next(in: &bytes, isAll: true) { keys.append(key) }
    #expect(keys == expected)
    #expect(bytes == [])
  }

  @Test("half a sequence or half a character waits for its rest")
  func halves() {
    for text in ["\u{1B}[C", "\u{1B}[5~", "漢"] {
      var bytes: [UInt8] = []
      for byte in text.utf8.dropLast() {
        bytes.append(byte)
        #expect(Key.next(in: &bytes, isAll: false) == nil)
      }
      bytes.append(text.utf8.last!)
      #expect(Key.next(in: &bytes, isAll: false) != nil)
    }
  }

  @Test(
    "line art goes by the locale",
    arguments: [
      (["LANG": "C.UTF-8"], true), (["LANG": "en_GB.utf8"], true), (["LANG": "C"], false),
      ([:], false),
      (["LC_ALL": "C", "LANG": "en_GB.UTF-8"], false),
      (["LC_ALL": "", "LANG": "en_GB.UTF-8"], true),
    ] as [([String: String], Bool)])
  func locale(environment: [String: String], isUnicode: Bool) {
    #expect(StepRun.isUnicode(environment) == isUnicode)
  }
}
