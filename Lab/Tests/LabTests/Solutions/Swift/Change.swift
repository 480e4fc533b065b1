import IsaRuntime

/// One change under way: of one key of one object, on one thread.
final class Change {
  let object: RuntimeObject
  let key: String
  private let kind: StudentKind
  private let student: Student
  private var pending: [Pending] = []

  init(of object: RuntimeObject, _ key: String, _ kind: StudentKind, student: Student) {
    self.object = object
    self.key = key
    self.kind = kind
    self.student = student
  }

  /// An observer that is told must live until the change is over, so all are held.
  private struct Pending {
    let registration: Registration
    let observer: RuntimeObject
    let root: RuntimeObject
    /// A setting, unless the change is one of elements and this registration is of the collection.
    let kind: StudentKind
    var old: RuntimeValue?
  }

  /// Collects the observers, and tells them before the change, the first one first.
  func begin() {
    pending = student.lock.withLock { collect() }.sorted {
      $0.registration.number < $1.registration.number
    }
    for index in pending.indices {
      let options = pending[index].registration.options
      if options.contains(.old), pending[index].kind.hasOld {
        pending[index].old = value(for: pending[index])
      }
      guard options.contains(.prior) else { continue }
      var change = begun(pending[index])
      change.isPrior = true
      tell(pending[index], change)
    }
  }

  /// Lets each registration follow its path anew, then tells, the last one first.
  func end() {
    for each in pending { try? student.follow(each.registration) }
    for each in pending.reversed() {
      var change = begun(each)
      if each.registration.options.contains(.new), each.kind.hasNew {
        change.new = value(for: each)
      }
      tell(each, change)
    }
  }

  private func collect() -> [Pending] {
    guard let table = student.table(of: object) else { return [] }
    return table.watching.compactMap { registration in
      guard let watch = registration.watch(of: table, key),
        let observer = registration.observer.object, let root = registration.object.object
      else { return nil }
      return Pending(
        registration: registration, observer: observer, root: root,
        kind: watch.isEnd ? kind : .setting)
    }
  }

  private func begun(_ pending: Pending) -> StudentChange {
    var change = pending.registration.change(of: pending.root)
    change.kind = pending.kind
    change.old = pending.old
    return change
  }

  /// The value now; of a change of elements the one element.
  private func value(for pending: Pending) -> RuntimeValue {
    let value = pending.root.value(at: pending.registration.keyPath)
    guard let index = pending.kind.index else { return value }
    let elements = value.array ?? []
    return elements.indices.contains(index) ? elements[index] : .nilObject
  }

  /// No lock is held while the observer runs, so it may do whatever it likes.
  private func tell(_ pending: Pending, _ change: StudentChange) {
    let isRemoved = student.lock.withLock { pending.registration.isRemoved }
    if !isRemoved { pending.registration.tell(pending.observer, change) }
  }
}

extension StudentKind {
  fileprivate var index: Int? {
    switch self {
    case .setting: nil
    case .insertion(let index), .removal(let index), .replacement(let index): index
    }
  }

  fileprivate var hasOld: Bool { if case .insertion = self { false } else { true } }

  fileprivate var hasNew: Bool { if case .removal = self { false } else { true } }
}
