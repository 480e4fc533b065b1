#if Lab
  import ArgumentParser

  struct TourCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "tour",
      abstract: "Walk through isa-swizzling on two objects of one class, one of them observed.")

    @OptionGroup var text: TextArguments

    func run() throws {
      let code = TourRun(options: text.options, console: .standard).run()
      if code != 0 { throw ExitCode(code) }
    }
  }
#endif
