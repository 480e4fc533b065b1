import ArgumentParser

struct TourCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tour",
    abstract: "Discover isa-swizzling in fifteen lessons, each of them really run.",
    discussion: """
      Without a lesson, all of them. A prediction is a, b, c… and Enter; Enter alone passes the \
      question over, the end of input all that are left. Exits with 0 if all that the lessons \
      say of themselves is so, with 2 if there is no such lesson.
      """)

  @Argument(
    help: ArgumentHelp("Names or numbers of lessons, as --list has them.", valueName: "lesson"))
  var lessons: [String] = []

  @Flag(help: "Ask each lesson's question before it runs, and count the right answers.")
  var predict = false

  @Flag(help: "List the lessons.")
  var list = false

  @Flag(help: "Print the lesson's scenario, to save it and go on from there.")
  var scenario = false

  @Flag(help: "Wait after each lesson: Enter goes on, q ends the tour.")
  var pause = false

  @OptionGroup var text: TextArguments

  func validate() throws {
    if scenario, lessons.count != 1 { throw ValidationError("--scenario takes one lesson") }
    if scenario, predict || list {
      throw ValidationError("--scenario goes with neither --predict nor --list")
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
