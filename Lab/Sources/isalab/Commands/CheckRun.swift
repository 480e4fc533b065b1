/// `isalab check`: whether a scenario solves a lesson's exercise.
struct CheckRun {
  var console: Console
  var language = Language.english

  /// - Returns: 0 if it does, 1 if it does not, 2 if there is no such lesson or no such scenario.
  func check(_ name: String, file: String) -> Int32 {
    guard let lesson = Lessons.find(name) else {
      console.err(language.say("check.unknown", ["name": name.shown]))
      return 2
    }
    do throws(DiagnosticList) {
      let text = try ScenarioFile(name: file).text()
      _ = try ScenarioFile.program(of: text, file: file)
      return judge(reasons(text, file, lesson.exercise), lesson)
    } catch {
      console.err(error.text(in: language))
      return 2
    }
  }

  /// The reasons for which it is not solved.
  private func reasons(_ text: String, _ file: String, _ exercise: Lesson.Exercise) -> [String] {
    let whole = text + (text.hasSuffix("\n") ? "" : "\n") + exercise.check + "\n"
    do throws(DiagnosticList) {
      let run = Runner.run(try ScenarioFile.program(of: whole, file: file))
      let broken = run.broken + (run.stopped.map { [$0] } ?? [])
      if !broken.isEmpty { return broken.map { $0.text(in: language) } }
      return exercise.isSolved(run) ? [] : [language.say("check.otherwise")]
    } catch {
      return error.text(in: language).split(separator: "\n").map(String.init)
    }
  }

  private func judge(_ reasons: [String], _ lesson: Lesson) -> Int32 {
    if reasons.isEmpty {
      console.out(language.say("check.solved", ["title": lesson.title]))
      return 0
    }
    for reason in reasons { console.err(reason) }
    console.out(language.say("check.unsolved"))
    for line in lesson.exercise.check.split(separator: "\n") { console.out("  \(line)") }
    return 1
  }
}
