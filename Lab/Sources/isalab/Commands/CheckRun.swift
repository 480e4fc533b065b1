/// `isalab check`: whether a scenario solves a lesson's exercise.
struct CheckRun {
  var console: Console
  var language = Language.english

  /// - Returns: 0 if it does, 1 if it does not, 2 if there is no such lesson or no such scenario.
  func check(_ name: String, file: String) -> Int32 {
    guard let lesson = Lessons.find(name) else {
      console.err(
        Text(
          "there is no lesson '\(name.shown)', isalab tour --list has them",
          "没有名为“\(name.shown)”的课，用 isalab tour --list 列出全部")[language])
      return 2
    }
    do throws(DiagnosticList) {
      let text = try ScenarioFile(name: file).text()
      _ = try ScenarioFile.program(of: text, file: file)
      return judge(reasons(text, file, lesson.exercise), lesson)
    } catch {
      console.err(error.description)
      return 2
    }
  }

  /// The reasons for which it is not solved.
  private func reasons(_ text: String, _ file: String, _ exercise: Lesson.Exercise) -> [String] {
    let whole = text + (text.hasSuffix("\n") ? "" : "\n") + exercise.check + "\n"
    do throws(DiagnosticList) {
      let run = Runner.run(try ScenarioFile.program(of: whole, file: file))
      let broken = run.broken + (run.stopped.map { [$0] } ?? [])
      if !broken.isEmpty { return broken.map(\.description) }
      let unsaid = Text(
        "the lines hold, but not by what the task asks for", "各行都成立，但做法不是题目所要求的")
      return exercise.isSolved(run) ? [] : [unsaid[language]]
    } catch {
      return error.description.split(separator: "\n").map(String.init)
    }
  }

  private func judge(_ reasons: [String], _ lesson: Lesson) -> Int32 {
    if reasons.isEmpty {
      console.out(
        Text("Solved: \(lesson.title[.english]).", "已完成：\(lesson.title[.chinese])。")[language])
      return 0
    }
    for reason in reasons { console.err(reason) }
    console.out(
      Text(
        "Not solved. These lines are to hold at the end of your scenario:",
        "尚未完成。场景结束时，以下各行必须成立：")[language])
    for line in lesson.exercise.check.split(separator: "\n") { console.out("  \(line)") }
    return 1
  }
}
