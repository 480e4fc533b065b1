import IsaKVO

/// Shows what it observes.
@MainActor
final class Screen {
  private let tokens = ObservationBag()
  private(set) var lines: [String] = []

  func show(_ store: Store, _ plain: Plain, _ chain: Chain) throws {
    store.observe(\.count, options: .new, delivery: .mainActor) { [weak self] store, change in
      self?.lines.append("\(store.name) has \(change.newValue ?? 0)")
    }.store(in: tokens)
    try store.observe("sign", as: String.self, options: .new) { [weak self] _, change in
      self?.lines.append("sign: \(change.newValue ?? "")")
    }.store(in: tokens)
    plain.observe(\.number, delivery: .mainActor) { [weak self] plain, _ in
      self?.lines.append("plain is \(plain.number)")
    }.store(in: tokens)
    chain.observe(\.number, options: .new, delivery: .mainActor) { [weak self] change in
      self?.lines.append("chain is \(change.newValue ?? 0)")
    }.store(in: tokens)
  }
}
