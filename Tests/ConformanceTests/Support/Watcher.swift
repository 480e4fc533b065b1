import IsaKVO
import IsaKVOTestSupport

/// P, Q, N, S, F of the cases: an observer object that notes what it is told.
final class Watcher: Sendable {
  let object: RuntimeObject
  private let notes: Recorder<Note>

  fileprivate init(_ object: RuntimeObject, _ notes: Recorder<Note>) {
    self.object = object
    self.notes = notes
  }

  /// What it was told, in words.
  var told: [String] { notes.all.map(\.description) }

  /// What it was told, with objects and contexts.
  var all: [Note] { notes.all }

  var count: Int { notes.count }

  func clear() { notes.clear() }
}

extension Stage {
  /// Makes an observer that notes what it is told and then does `react`.
  ///
  /// - Parameter react: Takes the observer and the change. What it captures stays until the test is
  ///   over.
  func watcher(
    _ react: @escaping @Sendable (RuntimeObject, RuntimeChange) -> Void = { _, _ in }
  ) throws -> Watcher {
    let notes = Recorder<Note>()
    let made = try define("Watcher") {
      try $0.observer { observer, change in
        notes.add(Note(change))
        react(observer, change)
      }
    }
    return Watcher(try made.allocate(), notes)
  }
}

extension RuntimeObject {
  func add(
    _ watcher: Watcher, _ key: String, _ options: ObservationOptions = [],
    context: ObservationContext = .none
  ) throws {
    try addObserver(watcher.object, forKeyPath: key, options: options, context: context)
  }

  /// Removes without naming a context.
  func remove(_ watcher: Watcher, _ key: String) throws {
    try removeObserver(watcher.object, forKeyPath: key)
  }

  func remove(
    _ watcher: Watcher, _ key: String, context: ObservationContext
  ) throws {
    try removeObserver(watcher.object, forKeyPath: key, context: context)
  }
}
