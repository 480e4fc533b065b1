import ArgumentParser

struct TourCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tour",
    abstract: Language.local.say("help.tour", ["count": Lessons.all.count]),
    discussion: Language.local.say("help.tour-more"))

  @Argument(
    help: .words("help.tour-lessons", valueName: "lesson"))
  var lessons: [String] = []

  @Flag(help: .words("help.tour-predict"))
  var predict = false

  @Flag(help: .words("help.tour-list"))
  var list = false

  @Flag(help: .words("help.tour-scenario"))
  var scenario = false

  @Flag(help: .words("help.tour-pause"))
  var pause = false

  @OptionGroup var text: TextArguments

  func validate() throws {
    if scenario, lessons.count != 1 { throw ValidationError(words: "help.tour-scenario-one") }
    if scenario, predict || list {
      throw ValidationError(words: "help.tour-scenario-alone")
    }
  }

  func run() throws {
    let tour = TourRun(
      options: text.options, console: .standard, predicts: predict, pauses: pause)
    let code = perform(tour)
    if code != 0 { throw ExitCode(code) }
  }

  private func perform(_ tour: TourRun) -> Int32 {
    if list { return tour.list() }
    return scenario ? tour.scenario(lesson: lessons[0]) : tour.run(lessons: lessons)
  }
}
