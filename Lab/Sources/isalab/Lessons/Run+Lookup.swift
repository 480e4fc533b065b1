// What a lesson's question looks up in the run that answers it.

extension Run {
  /// The first step of a line.
  func step(_ text: String) -> Step? { steps.first { $0.text == text } }

  /// How all stood before a line and after it.
  func before(_ text: String) -> WorldState? { step(text).map { state(at: $0.number - 1) } }
  func after(_ text: String) -> WorldState? { step(text)?.state }

  /// Who was told of a line, one entry a notification.
  func deliveries(_ text: String) -> [Delivery] { step(text)?.deliveries ?? [] }

  /// What a line asked for.
  func answer(_ text: String) -> Answer? {
    step(text)?.facts.lazy.compactMap {
      if case .answer(let answer) = $0 { answer } else { nil }
    }.first
  }
}
