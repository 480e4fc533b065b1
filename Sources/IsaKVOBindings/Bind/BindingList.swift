internal import IsaKVO
internal import IsaKeyValue

/// The bindings of one target, which keeps this.
///
/// Linked rather than in an array: most targets have one or two.
final class BindingList: @unchecked Sendable {
  // Sendable because `first`, as each binding's `next`, is reached under the lock only.
  private var first: Binding?
  private static let lock = Locked(0)

  deinit { Self.end(first) }

  /// Ends a binding and the bindings behind it, one by one.
  static func end(_ first: Binding?) {
    var binding = first
    while let ending = binding {
      binding = ending.withState { state in
        defer { state.next = nil }
        return state.next
      }
      ending.end(byTarget: ())
    }
  }

  /// The list of a target; nil if it has none and none is to be made, or it cannot have one.
  static func of(_ target: KVObject, makes: Bool) -> BindingList? {
    if makes { return try? target.kept { BindingList() } }
    return target.alreadyKept(BindingList.self)
  }

  /// The bindings, latest first.
  var bindings: [Binding] {
    Self.lock.withLock { _ in
      var found: [Binding] = []
      var binding = first
      while let next = binding {
        found.append(next)
        binding = next.withState { $0.next }
      }
      return found
    }
  }

  /// Adds a binding, and takes out the bindings of the same end and the ended ones. Answers the
  /// first of these, the next of which is the next.
  func replace(with binding: Binding) -> Binding? {
    Self.lock.withLock { _ in
      let gone = take { $0.end == binding.end || !$0.stands }
      binding.withState { $0.next = first }
      first = binding
      return gone
    }
  }

  func remove(_ binding: Binding) {
    let gone = Self.lock.withLock { _ in take { $0 === binding } }
    withExtendedLifetime(gone) {}
  }

  /// Takes out bindings, and answers the first, the next of which is the next. The lock is held.
  private func take(_ isMeant: (Binding) -> Bool) -> Binding? {
    var gone: Binding?
    var kept: Binding?
    var binding = first
    while let next = binding {
      binding = next.withState { $0.next }
      if isMeant(next) {
        unlink(next, behind: kept, before: binding)
        next.withState { $0.next = gone }
        gone = next
      } else {
        kept = next
      }
    }
    return gone
  }

  private func unlink(_ binding: Binding, behind last: Binding?, before next: Binding?) {
    if let last { last.withState { $0.next = next } } else { first = next }
  }
}

extension Binding {
  /// Whether it has not been ended, and its source lives.
  fileprivate var stands: Bool {
    withState { !$0.isEnded && $0.registrations.areValid }
  }
}
