import CIsa

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

  init(_ fields: TextFields) throws(Diagnostic) {
    if let scenario = fields.optional("scenario") {
      (kind, text) = (.scenario, scenario)
      return
    }
    text = try fields.text("code")
    kind =
      fields.optional("stop") == nil
      ? .calls(try fields.value("calls") { CallTrial.all[$0] })
      : .stop(try fields.value("stop", StopTrial.init(rawValue:)))
  }

  var lines: [String] { text.split(separator: "\n").map(String.init) }

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

/// Calls of the C interface.
struct CallTrial: Sendable {
  private var body: @Sendable () -> isa_status

  init(_ body: @escaping @Sendable () -> isa_status) { self.body = body }

  /// Collects misuse, which has no caller to be answered to.
  private final class Misuse {
    var refusal: Refusal?
  }

  func run() -> Refusal? {
    let misuse = Misuse()
    let status = withExtendedLifetime(misuse) {
      isa_set_misuse_handler(
        { error, context in
          Unmanaged<Misuse>.fromOpaque(context!).takeUnretainedValue().refusal =
            Refusal(error!.pointee)
        }, Unmanaged.passUnretained(misuse).toOpaque())
      defer { isa_set_misuse_handler(nil, nil) }
      let status = body()
      return status == ISA_OK ? nil : Refusal.last()
    }
    return misuse.refusal ?? status
  }
}

/// Calls that end the process.
enum StopTrial: String, CaseIterable, Sendable {
  case unanswered, keptInDealloc, noClass, noLetter

  /// Does not come back, if the runtime is as it should be.
  func run() {
    var object: isa_id?
    isa_object_allocate(isa_root_class(), &object)
    switch self {
    case .unanswered: _ = isa_lookup_unrecognized(object, isa_sel_register("fly"))
    case .keptInDealloc: retainInDealloc()
    case .noClass: _ = isa_class_name(nil)
    case .noLetter: isa_send_value(object, isa_sel_register("setX:"), 122, &object)
    }
  }

  private func retainInDealloc() {
    _ = withDealloc { object in
      isa_object_retain(object)
      return ISA_OK
    }
  }
}
