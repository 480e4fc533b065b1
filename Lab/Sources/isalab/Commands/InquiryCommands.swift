import ArgumentParser

/// The arguments of every command about one step of a scenario.
struct InquiryArguments: ParsableArguments {
  @Argument(help: .words("help.file"))
  var file: String

  @Flag(help: .words("help.inquiry-real"))
  var real = false

  @OptionGroup var words: LanguageArguments
  @OptionGroup var running: RunningArguments

  var run: InquiryRun {
    get throws {
      let options = TextOptions(
        style: .standard, language: words.language, showsAddresses: real)
      return InquiryRun(
        options: options, console: .standard, execution: try running.execution)
    }
  }
}

/// The step that a command looks at.
struct StepArguments: ParsableArguments {
  @Option(
    name: .customLong("at"), parsing: .unconditional,
    help: .words("help.inquiry-at"))
  var step: Int?
}

extension Stop: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}

private func finish(_ code: Int32) throws {
  if code != 0 { throw ExitCode(code) }
}

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: Language.local.say("help.inspect"))

  @OptionGroup var arguments: InquiryArguments

  @Option(parsing: .unconditional, help: .words("help.graph-at"))
  var at: Stop?

  @Argument(help: .words("help.inspect-name"))
  var name: String?

  func run() throws {
    try finish(try arguments.run.inspect(arguments.file, at: at, named: name))
  }
}

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: Language.local.say("help.diff"))

  @OptionGroup var arguments: InquiryArguments

  @Argument(help: .words("help.diff-first"))
  var first: Stop

  @Argument(help: .words("help.diff-second"))
  var second: Stop

  func run() throws {
    try finish(try arguments.run.difference(arguments.file, from: first, to: second))
  }
}

struct DispatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dispatch",
    abstract: Language.local.say("help.dispatch"))

  @OptionGroup var arguments: InquiryArguments
  @OptionGroup var at: StepArguments

  @Argument(help: .words("help.dispatch-object"))
  var object: String

  @Argument(help: .words("help.selector"))
  var selector: String

  func run() throws {
    try finish(try arguments.run.dispatch(arguments.file, selector, to: object, at: at.step))
  }
}

struct ThunkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thunk",
    abstract: Language.local.say("help.thunk"),
    discussion: Language.local.say("help.thunk-more"))

  @OptionGroup var arguments: InquiryArguments
  @OptionGroup var at: StepArguments

  @Argument(help: .words("help.thunk-subject"))
  var subject: String

  @Argument(help: .words("help.selector"))
  var selector: String?

  func run() throws {
    try finish(try arguments.run.thunk(arguments.file, subject, selector, at: at.step))
  }
}

struct WhyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: Language.local.say("help.why"),
    discussion: Language.local.say("help.why-more"))

  @OptionGroup var arguments: InquiryArguments
  @OptionGroup var at: StepArguments

  @Argument(help: .words("help.why-what"))
  var what: String?

  @Option(name: .customLong("not"), help: .words("help.why-not"))
  var silent: String?

  func validate() throws {
    guard silent == nil || what == nil else {
      throw ValidationError(words: "help.why-either", ["name": what!])
    }
  }

  func run() throws {
    try finish(try arguments.run.why(arguments.file, question))
  }

  private var question: WhyQuestion {
    if let silent { return .not(at.step, observer: silent) }
    if let event = what.flatMap({ UInt64($0) }) { return .event(event) }
    return .step(at.step, observer: what)
  }
}
