import ArgumentParser
import Foundation

struct TourCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tour",
    abstract: Language.local.say("help.tour", ["count": Lessons.count]),
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

  @Flag(inversion: .prefixedNo, help: .words("help.tour-pause"))
  var pause: Bool?

  @OptionGroup var text: TextArguments

  func validate() throws {
    if scenario, lessons.count != 1 { throw ValidationError(words: "help.tour-scenario-one") }
    if scenario, predict || list {
      throw ValidationError(words: "help.tour-scenario-alone")
    }
  }

  func run() throws {
    let tour = TourRun(
      options: text.options, console: .standard, predicts: predict,
      pauses: pause ?? isTerminal, showsScreens: isTerminal && pause != false)
    let code = perform(tour)
    if code != 0 { throw ExitCode(code) }
  }

  private var isTerminal: Bool { isatty(0) != 0 && isatty(1) != 0 }

  private func perform(_ tour: TourRun) -> Int32 {
    if list { return tour.list() }
    return scenario ? tour.scenario(lesson: lessons[0]) : tour.run(lessons: lessons)
  }
}
