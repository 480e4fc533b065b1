import ArgumentParser

/// The arguments of every command about one step of a scenario.
struct InquiryArguments: ParsableArguments {
  @Argument(help: "A scenario file; - is standard input.")
  var file: String

  @Flag(help: "Show real addresses, and the machine code of a wrapper.")
  var real = false

  @OptionGroup var budget: BudgetArguments

  var run: InquiryRun {
    let options = TextOptions(style: .standard, showsAddresses: real)
    return InquiryRun(options: options, console: .standard, limit: budget.limit)
  }
}

/// The step that a command looks at.
struct StepArguments: ParsableArguments {
  @Option(
    name: .customLong("at"), parsing: .unconditional,
    help: "The step after which to look; without it the last.")
  var step: Int?
}

private func finish(_ code: Int32) throws {
  if code != 0 { throw ExitCode(code) }
}

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show how all stands after a step: headers, classes, methods, ivars, observers.")

  @OptionGroup var arguments: InquiryArguments
  @OptionGroup var at: StepArguments

  @Argument(help: "An object or a class to show alone, with its whole method table.")
  var name: String?

  func run() throws {
    try finish(arguments.run.inspect(arguments.file, at: at.step, named: name))
  }
}

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show what is different between two steps; 0 is the start.")

  @OptionGroup var arguments: InquiryArguments

  @Argument(help: "The one step.")
  var first: Int

  @Argument(help: "The other.")
  var second: Int

  func run() throws {
    try finish(arguments.run.difference(arguments.file, from: first, to: second))
  }
}

struct DispatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dispatch",
    abstract: "Follow the lookup of one message: header, isa, dispatch table, IMP.")

  @OptionGroup var arguments: InquiryArguments
  @OptionGroup var at: StepArguments

  @Argument(help: "An object, or a class, which answers by its metaclass.")
  var object: String

  @Argument(help: "A selector, such as setAge:")
  var selector: String

  func run() throws {
    try finish(arguments.run.dispatch(arguments.file, selector, to: object, at: at.step))
  }
}

struct ThunkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thunk",
    abstract: "Follow a method's types to libffi's, to registers, through its wrapper.",
    discussion: "With --real the machine code is shown, where objdump is installed.")

  @OptionGroup var arguments: InquiryArguments
  @OptionGroup var at: StepArguments

  @Argument(help: "CLASS.KEY, for the key's setter; or an object, followed by a selector.")
  var subject: String

  @Argument(help: "A selector, such as setAge:")
  var selector: String?

  func run() throws {
    try finish(arguments.run.thunk(arguments.file, subject, selector, at: at.step))
  }
}

struct WhyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Say why an observer was told, back to the line that brought it about.",
    discussion: """
      Without --at it is about the last step that told somebody. Where nobody was told it says \
      what kept each observer from it.
      """)

  @OptionGroup var arguments: InquiryArguments
  @OptionGroup var at: StepArguments

  @Argument(help: "An observer, or the number of a notification in the event log (run --trace).")
  var what: String?

  @Option(name: .customLong("not"), help: "Say why this observer was not told.")
  var silent: String?

  func validate() throws {
    guard silent == nil || what == nil else {
      throw ValidationError("'\(what!)' and --not, expected one of them")
    }
  }

  func run() throws {
    try finish(arguments.run.why(arguments.file, question))
  }

  private var question: WhyQuestion {
    if let silent { return .not(at.step, observer: silent) }
    if let event = what.flatMap({ UInt64($0) }) { return .event(event) }
    return .step(at.step, observer: what)
  }
}
