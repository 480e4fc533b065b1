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
  let place: any DeliveryPlace

  fileprivate init(_ place: any DeliveryPlace) { self.place = place }
}

extension KeyValueDelivery where Place == MainActor {
  /// On the main actor: before the setter returns if the change is made there, else later and in
  /// order.
  public static var mainActor: KeyValueDelivery { KeyValueDelivery(MainPlace()) }
}

/// The place of handlers that run on an actor.
public enum KeyValueActor<Isolation: Actor> {}

extension KeyValueDelivery {
  /// On an actor, which is held weakly and handed to the handler; the observation ends with it.
  public static func on<Isolation: Actor>(_ actor: Isolation) -> KeyValueDelivery
  where Place == KeyValueActor<Isolation> {
    KeyValueDelivery(ActorPlace(actor))
  }

  /// The actor's place.
  func ofActor<Isolation: Actor>() -> ActorPlace<Isolation>
  where Place == KeyValueActor<Isolation> {
    place as! ActorPlace<Isolation>
  }

  /// Whether the actor is that one.
  package func isOn<Isolation: Actor>(_ other: (any Actor)?) -> Bool
  where Place == KeyValueActor<Isolation> {
    other != nil && ofActor().living === other
  }
}

/// The place of handlers that run on a queue or an executor, in no actor that the compiler knows.
public enum KeyValueQueue {}

extension KeyValueDelivery where Place == KeyValueQueue {
  /// Wherever `enqueue` has run what it is given: once, at any time and on any thread.
  public static func enqueue(
    _ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) -> KeyValueDelivery {
    KeyValueDelivery(QueuePlace(enqueue: enqueue))
  }

  /// On an executor, such as that of an actor.
  public static func executor(_ executor: any SerialExecutor) -> KeyValueDelivery {
    let runner = Runner(executor)
    return .enqueue { work in Task { await runner.run(work) } }
  }

  /// On an executor of tasks.
  @available(macOS 15, iOS 18, watchOS 11, tvOS 18, visionOS 2, *)
  public static func taskExecutor(_ executor: any TaskExecutor) -> KeyValueDelivery {
    .enqueue { work in Task(executorPreference: executor) { work() } }
  }

  #if canImport(Dispatch)
    /// On a dispatch queue, serial or not.
    public static func queue(_ queue: DispatchQueue) -> KeyValueDelivery {
      .enqueue { work in queue.async(execute: work) }
    }
  #endif

  /// Runs what it is given there.
  package func enqueue(_ work: @escaping @Sendable () -> Void) {
    (place as! QueuePlace).enqueue(work)
  }
}

/// An actor that runs on a given executor.
private actor Runner {
  private let executor: any SerialExecutor
  init(_ executor: any SerialExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func run(_ work: @Sendable () -> Void) { work() }
}
