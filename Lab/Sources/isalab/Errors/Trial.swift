/// A few lines that bring a mistake about, and can be run.
struct Trial: Sendable {
  enum Kind: Sendable {
    /// Lines of the scenario language.
    case scenario
    /// Calls of the C interface, where no scenario can do it.
    case calls(CallTrial)
    /// Calls that end the process, and are only shown.
    case stop(StopTrial)
  }

  var kind: Kind
  var text: String
  /// Words on where calls stand, or with what; shown as a comment above them.
  var note: Text?

  init(_ fields: TextFields) throws(Diagnostic) {
    if let scenario = fields.optional("scenario") {
      (kind, text) = (.scenario, scenario)
      return
    }
    text = try fields.text("code")
    note = fields.optional("note") == nil ? nil : try fields.words("note")
    kind =
      fields.optional("stop") == nil
      ? .calls(try fields.value("calls") { CallTrial.all[$0] })
      : .stop(try fields.value("stop", StopTrial.init(rawValue:)))
  }

  func lines(in language: Language) -> [String] {
    (note.map { ["// \($0[language])"] } ?? []) + text.split(separator: "\n").map(String.init)
  }

  /// Runs the lines.
  ///
  /// - Returns: The engine's report, names made symbolic; nil if it reports nothing.
  func run() -> Refusal? {
    switch kind {
    case .scenario: Trial.run(text)
    case .calls(let trial): trial.run().map { $0.withoutAddresses }
    case .stop: nil
    }
  }

  private static func run(_ text: String) -> Refusal? {
    guard let scenario = try? Parser.parse(text + "\n", file: "trial.kvo"),
      let program = try? Checker.check(scenario)
    else { return nil }
    let facts = Runner.run(program).steps.flatMap(\.facts).flattened
    return facts.compactMap { fact -> Refusal? in
      switch fact {
      case .refused(let refusal), .misuse(let refusal): refusal
      default: nil
      }
    }.last
  }
}

extension Refusal {
  /// With dots for addresses, which differ from run to run.
  var withoutAddresses: Refusal {
    var copy = self
    copy.reason.replace(#/0x[0-9a-f]+/#) { $0.0.count > 6 ? "0x…" : String($0.0) }
    return copy
  }
}
