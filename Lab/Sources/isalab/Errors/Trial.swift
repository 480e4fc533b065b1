import CIsa

/// A few lines that bring a mistake about, and can be run.
enum Trial: Sendable {
  /// Lines of the scenario language.
  case scenario(String)
  /// Calls of the C interface, where no scenario can do it.
  case calls(CallTrial)
  /// Calls that end the process, and are only shown.
  case stop(StopTrial)

  var lines: [String] {
    switch self {
    case .scenario(let text): text.split(separator: "\n").map(String.init)
    case .calls(let trial): trial.code.split(separator: "\n").map(String.init)
    case .stop(let trial): trial.code.split(separator: "\n").map(String.init)
    }
  }

  /// Runs the lines.
  ///
  /// - Returns: What the engine reports, names made symbolic; nil if it reports nothing.
  func run() -> Refusal? {
    switch self {
    case .scenario(let text): Trial.run(text)
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

/// Calls of the C interface and the text that shows them.
struct CallTrial: Sendable {
  var code: String
  private var body: @Sendable () -> isa_status

  init(_ code: String, _ body: @escaping @Sendable () -> isa_status) {
    self.code = code
    self.body = body
  }

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

  var code: String {
    switch self {
    case .unanswered:
      "ISA_SEND(void (*)(isa_id, isa_sel), k, isa_sel_register(\"fly\"));"
    case .keptInDealloc: "// in dealloc of K\nisa_object_retain(self);"
    case .noClass: "isa_class_name(NULL);"
    case .noLetter: "isa_send_value(k, isa_sel_register(\"setX:\"), 'z', &value);"
    }
  }

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
