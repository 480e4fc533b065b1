#if canImport(Dispatch)
  public import Dispatch
#endif

/// Where the handler of an observation runs that is not to run wherever the value is changed. The
/// place also types the handler.
///
///     token = store.observe(\.count, delivery: .mainActor) { store, change in … }
///     token = store.observe(\.count, options: .new, delivery: .queue(queue)) { change in … }
///     token = store.observe(\.count, options: .new, delivery: .on(counter)) { counter, change in
///       counter.sum += change.newValue ?? 0
///     }
///
/// Each observation delivers its changes in order and one at a time, also where the place runs several
/// things at once.
public struct KeyValueDelivery<Place>: Sendable {
  let actor: any Sendable
  package let enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void

  fileprivate init(
    actor: any Sendable = (),
    _ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }
  ) {
    self.actor = actor
    self.enqueue = enqueue
  }
}

extension KeyValueDelivery where Place == MainActor {
  /// On the main actor: before the setter returns if the change is made there, else later and in
  /// order.
  public static var mainActor: KeyValueDelivery {
    KeyValueDelivery()
  }
}

/// The place of handlers that run on an actor.
public enum KeyValueActor<Isolation: Actor> {}

extension KeyValueDelivery {
  /// On an actor, which is held weakly and handed to the handler; the observation ends with it.
  public static func on<Isolation: Actor>(_ actor: Isolation) -> KeyValueDelivery
  where Place == KeyValueActor<Isolation> {
    // The main actor never goes; a weak reference to it would be one more thing that never does.
    KeyValueDelivery(actor: actor is MainActor ? actor as any Sendable : Weak(actor))
  }

  /// The actor; nil once it has gone.
  func living<Isolation: Actor>() -> Isolation? where Place == KeyValueActor<Isolation> {
    (actor as? Weak<Isolation>)?.object ?? actor as? Isolation
  }
}

/// The place of handlers that run on a queue or an executor, in no actor that the compiler knows.
public enum KeyValueQueue {}

extension KeyValueDelivery where Place == KeyValueQueue {
  /// Wherever `enqueue` has run what it is given: once, at any time and on any thread.
  public static func enqueue(
    _ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) -> KeyValueDelivery {
    KeyValueDelivery(enqueue)
  }

  /// On an executor, such as that of an actor.
  public static func executor(_ executor: any SerialExecutor) -> KeyValueDelivery {
    let runner = Runner(executor)
    return KeyValueDelivery { work in Task { await runner.run(work) } }
  }

  /// On an executor of tasks.
  @available(macOS 15, iOS 18, watchOS 11, tvOS 18, visionOS 2, *)
  public static func taskExecutor(_ executor: any TaskExecutor) -> KeyValueDelivery {
    KeyValueDelivery { work in Task(executorPreference: executor) { work() } }
  }

  #if canImport(Dispatch)
    /// On a dispatch queue, serial or not.
    public static func queue(_ queue: DispatchQueue) -> KeyValueDelivery {
      KeyValueDelivery { work in queue.async(execute: work) }
    }
  #endif

  /// Runs `read` on each letter, in order.
  func deliver<Letter>(
    _ letter: Letter, through mailbox: Mailbox<Letter>,
    to read: @escaping @Sendable (Letter) -> Void
  ) {
    if mailbox.post(letter) { empty(mailbox, read) }
  }

  /// Has each letter read that is in a mailbox.
  func empty<Letter>(
    _ mailbox: Mailbox<Letter>, _ read: @escaping @Sendable (Letter) -> Void
  ) {
    enqueue { if mailbox.empty(read) { self.empty(mailbox, read) } }
  }
}

/// An actor that runs on a given executor.
private actor Runner {
  private let executor: any SerialExecutor
  init(_ executor: any SerialExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func run(_ work: @Sendable () -> Void) { work() }
}
