import IsaKVO
import IsaKVOCombine

/// A subscriber that demands as a test says, and notes what it is sent.
final class Probe<Input>: Subscriber, Cancellable {
  typealias Failure = Never

  private(set) var values: [Input] = []
  private(set) var endings = 0
  var subscription: (any Subscription)?
  private let begin: (Probe, any Subscription) -> Void
  private let answer: (Probe, Input) -> Subscribers.Demand

  /// Keeps the subscription, and demands this much.
  convenience init(
    demanding demand: Subscribers.Demand = .unlimited,
    answer: @escaping (Probe, Input) -> Subscribers.Demand = { _, _ in .none }
  ) {
    self.init(
      begin: { probe, subscription in
        probe.subscription = subscription
        if demand > 0 { subscription.request(demand) }
      }, answer: answer)
  }

  init(
    begin: @escaping (Probe, any Subscription) -> Void,
    answer: @escaping (Probe, Input) -> Subscribers.Demand = { _, _ in .none }
  ) {
    self.begin = begin
    self.answer = answer
  }

  func receive(subscription: any Subscription) { begin(self, subscription) }

  func receive(_ value: Input) -> Subscribers.Demand {
    values.append(value)
    return answer(self, value)
  }

  func receive(completion: Subscribers.Completion<Never>) { endings += 1 }

  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

  func cancel() { subscription?.cancel() }
}

/// Notes the misuses that `body` makes.
func misuses(_ body: () -> Void) -> [Misuse] {
  let noted = Noted()
  let old = KeyValueSettings.misuseHandler
  KeyValueSettings.misuseHandler = { noted.misuses.append($0) }
  defer { KeyValueSettings.misuseHandler = old }
  body()
  return noted.misuses
}

/// Reached by one thread: misuses are told where they are made.
private final class Noted: @unchecked Sendable {
  var misuses: [Misuse] = []
}
