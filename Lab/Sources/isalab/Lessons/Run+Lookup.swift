// The parts of a run that a lesson's question looks up to answer itself.

extension Run {
  /// The first step of a line.
  func step(_ text: String) -> Step? { steps.first { $0.text == text } }

  /// How all stood before a line and after it.
  func before(_ text: String) -> WorldState? { step(text).map { state(at: $0.number - 1) } }
  func after(_ text: String) -> WorldState? { step(text)?.state }

  /// The observers that were told of a line, one entry a notification.
  func deliveries(_ text: String) -> [Delivery] { step(text)?.deliveries ?? [] }

  /// The answer that a line asked for.
  func answer(_ text: String) -> Answer? {
    step(text)?.facts.lazy.compactMap {
      if case .answer(let answer) = $0 { answer } else { nil }
    }.first
  }
}

extension Step {
  /// Whether the runtime refused the line.
  var isRefused: Bool { facts.contains { if case .refused = $0 { true } else { false } } }
}
