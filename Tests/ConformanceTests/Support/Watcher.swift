import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

/// P, Q, N, S, F of the cases: an observer object that notes what it is told.
final class Watcher: Sendable {
  let observer: Observer
  /// Whether it is being registered at this moment.
  let isBeingAdded: Shared<Bool>
  private let notes: Recorder<Note>

  fileprivate init(_ observer: Observer, _ notes: Recorder<Note>, _ isBeingAdded: Shared<Bool>) {
    self.observer = observer
    self.notes = notes
    self.isBeingAdded = isBeingAdded
  }

  /// The observer as the runtime knows it.
  var object: RuntimeObject { observer.object }

  /// The notifications that it was told, in words.
  var told: [String] { notes.all.map(\.description) }

  /// The notifications that it was told, with objects and contexts.
  var all: [Note] { notes.all }

  var count: Int { notes.count }

  func clear() { notes.clear() }
}

/// An observer object of either kind.
enum Observer: @unchecked Sendable {
  // Sendable because nothing of it is changed.
  case made(RuntimeObject)
  case swift(KVObject)

  /// An object that observes.
  init(_ subject: Subject) {
    switch subject {
    case .made(let object): self = .made(object)
    case .swift(let object): self = .swift(object)
    }
  }

  var object: RuntimeObject {
    switch self {
    case .made(let object): object
    case .swift(let object): adopted(object)
    }
  }

  /// The observer as a Swift object, which observes Swift objects.
  var swiftObject: KVObject {
    guard case .swift(let object) = self else { fatalError("a Swift object's observer is one too") }
    return object
  }
}

extension Stage {
  /// Makes an observer that notes what it is told and then does `react`.
  ///
  /// - Parameter react: Takes the observer and the change. Objects that it captures stay until the
  ///   test is over.
  func watcher(
    _ react: @escaping @Sendable (Observer, Told) -> Void = { _, _ in }
  ) throws -> Watcher {
    let notes = Recorder<Note>(), isBeingAdded = Shared(false)
    let observer = try observer(isBeingAdded) { observer, told in
      notes.add(Note(told))
      react(observer, told)
    }
    return Watcher(observer, notes, isBeingAdded)
  }

  /// Makes an observer that does `react`.
  func observer(
    _ isBeingAdded: Shared<Bool> = Shared(false),
    _ react: @escaping @Sendable (Observer, Told) -> Void
  ) throws -> Observer {
    guard kind == .runtime else { return .swift(SwiftObserver(isBeingAdded, react)) }
    let made = try define("Watcher") {
      try $0.observer { observer, change in react(.made(observer), Told(change)) }
    }
    return .made(try made.allocate())
  }
}

extension Stage {
  /// Makes an observer that does not handle what it is told.
  func mute() throws -> Observer {
    guard kind == .runtime else { return .swift(Mute()) }
    return .made(try define("Mute").allocate())
  }
}

private final class Mute: KVObject {}

/// An observer object that is a Swift one.
private final class SwiftObserver: KVObject {
  private let isBeingAdded: Shared<Bool>
  private let react: (Observer, Told) -> Void

  init(_ isBeingAdded: Shared<Bool>, _ react: @escaping (Observer, Told) -> Void) {
    self.isBeingAdded = isBeingAdded
    self.react = react
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard let object = object as? any TypedObject, let keyPath, let change else {
      Issue.record("told \(keyPath ?? "nothing") of \(String(describing: object))")
      return
    }
    react(
      .swift(self), Told(keyPath, object, change, context, isInitial: isBeingAdded.value))
  }
}
