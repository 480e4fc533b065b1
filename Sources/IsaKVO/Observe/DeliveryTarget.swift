internal import IsaRuntime

#if canImport(Dispatch)
  public import Dispatch
#endif

/// Where a handler runs that is not to run on the changing thread.
///
///     let token = try person.observe(\.age, options: .new, on: .queue(.main)) { change in … }
///
/// Each observation delivers its changes in order and one at a time, also where the target runs
/// several things at once.
public struct DeliveryTarget: Sendable {
  let enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// A target that runs what `enqueue` is given, once, at any time and on any thread.
  public init(_ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.enqueue = enqueue
  }

  /// An executor, such as that of an actor.
  public static func executor(_ executor: any SerialExecutor) -> DeliveryTarget {
    let runner = Runner(executor)
    return DeliveryTarget { work in Task { await runner.run(work) } }
  }

  /// An executor of tasks.
  @available(macOS 15, iOS 18, watchOS 11, tvOS 18, visionOS 2, *)
  public static func taskExecutor(_ executor: any TaskExecutor) -> DeliveryTarget {
    DeliveryTarget { work in Task(executorPreference: executor) { work() } }
  }

  #if canImport(Dispatch)
    /// A dispatch queue, serial or not.
    public static func queue(_ queue: DispatchQueue) -> DeliveryTarget {
      DeliveryTarget { work in queue.async(execute: work) }
    }
  #endif

  /// Runs `read` on each letter, in order.
  func deliver<Letter>(
    _ letter: Letter, through mailbox: Mailbox<Letter>,
    to read: @escaping @Sendable (Letter) -> Void
  ) {
    if mailbox.post(letter) { empty(mailbox, read) }
  }

  private func empty<Letter>(
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
