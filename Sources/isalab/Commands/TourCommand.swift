#if Lab
  import ArgumentParser

  struct TourCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "tour",
      abstract: "Discover isa-swizzling in fourteen lessons, each of them really run.",
      discussion: """
        Without a lesson, all of them. Exits with 0 if all that the lessons say of themselves is \
        so, with 2 if there is no such lesson.
        """)

    @Argument(help: "A lesson's name or number, as --list has them.")
    var lesson: String?

    @Flag(help: "Ask each lesson's question before it runs, and count the right answers.")
    var predict = false

    @Flag(help: "List the lessons.")
    var list = false

    @Flag(help: "Print the lesson's scenario, to save it and go on from there.")
    var scenario = false

    @OptionGroup var text: TextArguments

    func validate() throws {
      if scenario, lesson == nil { throw ValidationError("--scenario takes a lesson") }
      if scenario, predict || list {
        throw ValidationError("--scenario goes with neither --predict nor --list")
      }
    }

    func run() throws {
      let tour = TourRun(options: text.options, console: .standard, predicts: predict)
      let code =
        list ? tour.list() : scenario ? tour.scenario(lesson: lesson!) : tour.run(lesson: lesson)
      if code != 0 { throw ExitCode(code) }
    }
  }
#endif
