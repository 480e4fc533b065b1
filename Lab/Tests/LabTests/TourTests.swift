import Foundation
import Testing

@testable import isalab

/// Runs the tour, or a lesson of it, with what the reader types.
func tour(
  _ lesson: String? = nil, _ options: TextOptions = TextOptions(), typing: [String]? = nil
) -> (code: Int32, output: Output) {
  let output = Output()
  var lines = typing ?? []
  var console = output.console
  console.prompt = { output.write($0) }
  console.line = {
    guard !lines.isEmpty else { return nil }
    output.console.out(lines[0])
    return lines.removeFirst()
  }
  let run = TourRun(options: options, console: console, predicts: typing != nil)
  return (run.run(lessons: lesson.map { [$0] } ?? []), output)
}

@Suite("The tour", .serialized, .oneAtATime)
struct TourTests {
  static let names = Lessons.all.map(\.name)

  @Test("each lesson reads as recorded in each language", arguments: names, Language.allCases)
  func transcript(_ name: String, _ language: Language) throws {
    let before = liveCounts()
    let (code, output) = tour(name, TextOptions(language: language))
    #expect(code == 0)
    #expect(output.err == [])
    #expect(try matchesTranscript(output.text, "tour/\(language.rawValue)/\(name)"))
    #expect(liveCounts() == before)
  }

  @Test("fits a terminal of 80 columns", arguments: Language.allCases)
  func width(_ language: Language) {
    let lines = tour(nil, TextOptions(language: language)).output.out
    #expect(lines.filter { $0.columns > 80 } == [])
  }

  @Test(
    "stands on screens of 24 rows in a terminal, each turning point whole on one of them",
    arguments: Language.allCases)
  func screens(_ language: Language) throws {
    let view = TourView(TextOptions(language: language))
    for lesson in Lessons.all {
      let run = try lesson.run()
      let screens = view.screens(of: lesson, run)
      #expect(screens.allSatisfy { !$0.isEmpty && $0.count <= TourView.rows })
      let course = view.course(of: lesson, run)
      let count = screens.flatMap(\.self).count
      #expect((course.count...course.count + 1).contains(count), "\(lesson.name)")
      let number = try #require(run.step(lesson.turn.line)?.number)
      let head = language.say("tour.turn", ["number": number])
      let turn = try #require(screens.first { $0.contains(head) })
      let line = try #require(lesson.turn.line.split(separator: "\n").first)
      #expect(turn.contains { $0.contains("\(number)  \(line)") }, "\(lesson.name)")
      #expect(course.drop { $0 != head } == turn.drop { $0 != head }, "\(lesson.name)")
    }
  }

  @Test("waits in a terminal before and behind the turning point, and q ends it there")
  func waiting() throws {
    for (typed, isWhole) in [(10, true), (2, false)] {
      let output = Output()
      var left = typed, asked = 0
      var console = output.console
      console.prompt = {
        output.write($0)
        asked += 1
      }
      console.line = {
        left -= 1
        return left < 0 ? "q" : ""
      }
      let run = TourRun(
        options: TextOptions(), console: console, pauses: true, showsScreens: true)
      #expect(run.run(lessons: ["isa-swap"]) == 0)
      #expect(output.text.contains("Before step 4") == isWhole || typed == 2)
      #expect(output.text.contains("Exercise:") == isWhole)
      #expect(isWhole ? asked >= 4 : asked == 3)
    }
  }

  @Test("shows addresses and machine code, or says why not, only when asked for")
  func real() {
    let plain = tour().output.text
    let real = tour(nil, TextOptions(showsAddresses: true)).output.text
    #expect(!plain.contains(" at 0x"))
    #expect(real.contains(" at 0x"))
  }

  @Test("the whole tour takes less than two seconds", arguments: Language.allCases)
  func duration(_ language: Language) {
    // The processor's time: a machine may be busy with something else.
    let begin = clock()
    _ = tour(nil, TextOptions(language: language), typing: ["a"])
    #expect(Double(clock() - begin) / Double(CLOCKS_PER_SEC) < 2)
  }

  @Test("says first what one is about to see and what to type next, and shows every lesson")
  func whole() {
    let (code, output) = tour()
    #expect(code == 0)
    #expect(output.err == [])
    let first = output.out.prefix { !$0.isEmpty }.joined(separator: " ")
    #expect(first.hasPrefix("You are about to see isa-swizzling"))
    #expect(first.contains("isalab tour --predict"))
    for (index, lesson) in Lessons.all.enumerated() {
      #expect(output.out.contains("\(index + 1). \(lesson.title.english)"))
    }
  }

  @Test("a lesson alone is what the whole tour shows of it")
  func alone() {
    let whole = tour().output.text
    for lesson in Lessons.all { #expect(whole.contains(tour(lesson.name).output.text)) }
  }

  @Test("an unknown lesson exits with 2 and names those there are")
  func unknown() {
    let (code, output) = tour("isa\u{1B}")
    #expect(code == 2)
    #expect(output.out == [])
    let message = output.err.joined(separator: " ")
    #expect(
      message.hasPrefix(
        "There is no lesson 'isa\\u{1B}'; the lessons are 1 to \(Lessons.all.count), or object-layout,"
      ))
    for name in TourTests.names { #expect(message.contains(name)) }
    let number = "\(Lessons.all.count + 1)"
    #expect(tour(number).code == 2)
    #expect(tour(number, TextOptions(language: .chinese)).output.err.joined().contains("没有"))
    let silent = Output()
    #expect(TourRun(options: TextOptions(), console: silent.console).scenario(lesson: number) == 2)
  }

  @Test("several lessons are shown in the order asked for, none if one of them is unknown")
  func several() {
    let output = Output()
    let run = TourRun(options: TextOptions(), console: output.console)
    #expect(run.run(lessons: ["6", "isa-swap"]) == 0)
    #expect(output.text == tour("class-lie").output.text + tour("isa-swap").output.text)
    let nothing = Output()
    #expect(
      TourRun(options: TextOptions(), console: nothing.console).run(lessons: ["6", "x"]) == 2)
    #expect(nothing.out == [])
  }

  @Test("--list has each lesson's number, name and title")
  func list() {
    let output = Output()
    #expect(TourRun(options: TextOptions(), console: output.console).list() == 0)
    #expect(output.out.count == Lessons.all.count)
    #expect(output.out[4] == " 5  isa-swap          The isa swap")
    #expect(output.out.last?.hasPrefix("\(Lessons.all.count)  own-program") == true)
  }

  @Test("--scenario prints what 'isalab run' takes", arguments: names)
  func scenario(_ name: String) {
    let output = Output()
    let run = TourRun(options: TextOptions(), console: output.console)
    #expect(run.scenario(lesson: name) == 0)
    #expect(runScenario(output.text).code == 0)
  }
}

@Suite("Predictions", .serialized, .oneAtATime)
struct PredictionTests {
  /// The letters of the right answers.
  private func answers() throws -> [String] {
    try Lessons.all.map { lesson in
      let run = try lesson.run()
      let answer = try #require(lesson.question.answer(in: run))
      return ["a", "b", "c", "d"][answer]
    }
  }

  @Test("are asked for before the lesson runs, judged after it, and counted")
  func right() throws {
    let typed = try answers()
    let lines = tour(nil, typing: typed).output.out
    let count = Lessons.all.count
    #expect(lines.filter { $0.hasPrefix("Right. Answer: ") }.count == count)
    #expect(lines.contains("You predicted \(count) of \(count) right."))
    let asked = try #require(lines.firstIndex { $0.contains("Your prediction") })
    let ran = try #require(lines.firstIndex { $0.hasPrefix("  1  ") })
    #expect(asked < ran)
  }

  @Test("that are wrong are said to be, with what is right and why")
  func wrong() throws {
    let lines = tour("isa-swap", typing: ["A "]).output.out
    #expect(lines.contains("Not so. Answer: c) Ada's isa alone"))
    #expect(lines.contains { $0.hasPrefix("To a: That would be method swizzling.") })
    #expect(lines.contains { $0.hasPrefix("What makes the difference is one word") })
    #expect(lines.contains("You predicted 0 of 1 right."))
  }

  @Test("may be passed over by Enter; the end of input passes over the rest")
  func skipped() throws {
    let typed = ["", try answers()[1]]
    let output = tour(nil, typing: typed).output
    let rest = Lessons.all.count - 1
    #expect(output.out.contains("You predicted 1 of 1 right, and passed over \(rest)."))
    // Asked twice, and once more at the end of input.
    #expect(output.out.filter { $0.contains("Your prediction") }.count == 3)
    #expect(output.out.filter { $0.hasPrefix("Answer: ") }.count == rest)
  }

  @Test("that are no choice are asked for again")
  func again() {
    let output = tour("isa-swap", typing: ["d", "yes", "c"]).output
    #expect(output.out.filter { $0.contains("Type a, b or c, or Enter alone.") }.count == 2)
    #expect(output.out.contains("You predicted 1 of 1 right."))
  }

  @Test("are asked for in Chinese too, and fit 80 columns")
  func chinese() {
    let output = tour(nil, TextOptions(language: .chinese), typing: ["z", "c"]).output
    #expect(output.out.contains { $0.contains("你的预测（a/b/c，回车跳过）：") })
    #expect(output.out.contains { $0.contains("请输入 a、b、c 之一，或直接按回车。") })
    #expect(output.out.contains { $0.contains("你作了 1 次预测") })
    #expect(output.out.filter { $0.columns > 80 } == [])
  }

  @Test("without them nothing is asked and nothing counted")
  func plain() {
    let text = tour().output.text
    #expect(!text.contains("Your prediction"))
    #expect(!text.contains("You predicted"))
  }
}
