import ArgumentParser
import KVOTrace

struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: Language.local.say("help.trace"),
    discussion: Language.local.say("help.trace-more"))

  @Argument(help: .words("help.trace-file"))
  var file: String

  @Option(help: .words("help.trace-why", valueName: "event"))
  var why: UInt64?

  @Option(help: .words("help.trace-sets", valueName: "Class.key"))
  var sets: String?

  @Option(help: .words("help.trace-observers", valueName: "Class.key|all"))
  var observers: String?

  @Flag(help: .words("help.trace-open"))
  var open = false

  @Option(name: .customLong("not"), help: .words("help.trace-not", valueName: "FILE:LINE"))
  var silent: String?

  @Option(help: .words("help.trace-at", valueName: "event"))
  var at: UInt64?

  @Option(help: .words("help.trace-svg", valueName: "out.svg"))
  var svg: String?

  @Option(help: .words("help.trace-check", valueName: "conditions"))
  var check: String?

  @Option(help: .words("help.trace-html", valueName: "out.html"))
  var html: String?

  @Option(help: .words("help.trace-perfetto", valueName: "out.json"))
  var perfetto: String?

  @Flag(help: .words("help.trace-follow"))
  var follow = false

  @Option(help: .words("help.trace-from", valueName: "ms"))
  var from: Double?

  @Option(help: .words("help.trace-to", valueName: "ms"))
  var to: Double?

  @Option(help: .words("help.trace-last", valueName: "count"))
  var last = 50_000

  @OptionGroup var words: LanguageArguments

  private var questions: [TraceRun.Question] {
    let given: [TraceRun.Question?] = [
      why.map { .why($0) }, sets.map { .sets($0) }, observers.map { .observers($0) },
      open ? .open : nil, silent.map { .whyNot($0) }, at.map { .moment($0, drawing: svg) },
      check.map { .check($0) }, html.map { .page($0) }, perfetto.map { .perfetto($0) },
      follow ? .follow : nil,
    ]
    return given.compactMap(\.self)
  }

  func validate() throws {
    if questions.count > 1 { throw ValidationError(words: "help.trace-one") }
    if (from != nil || to != nil) && html == nil {
      throw ValidationError(words: "help.trace-window")
    }
    if svg != nil && at == nil { throw ValidationError(words: "help.trace-svg-at") }
    guard last > 0 else { throw ValidationError(words: "help.trace-window") }
    for end in [from, to].compactMap(\.self) where !(end >= 0 && end < 1e12) {
      throw ValidationError(words: "help.trace-window")
    }
  }

  func run() throws {
    let run = TraceRun(console: .standard, style: .standard, language: words.language)
    let code = run.run(
      file, questions.first ?? .summary, TraceRun.Window(from: from, to: to, last: last))
    if code != 0 { throw ExitCode(code) }
  }
}
