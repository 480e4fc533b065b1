#if Combine
  public import IsaKVO

  extension KVObject {
    /// The values of a property of an object, as a publisher.
    ///
    /// It keeps the object; a subscription does not, and finishes when the object goes. Publishers are
    /// equal if they are of the same object, key path and options.
    ///
    /// - Note: Source `NSObject.KeyValueObservingPublisher` of Foundation's Swift overlay; differences
    ///   in docs/combine.md.
    public struct KeyValueObservingPublisher<Subject: KVObject, Value> {
      /// The object whose property is observed.
      public let object: Subject
      /// The property.
      public let keyPath: KeyPath<Subject, Value>
      /// Says whether a subscriber is sent the value that is there at first, and those before changes.
      public let options: ObservationOptions
      let file: StaticString
      let line: UInt

      /// The values of `keyPath`; the same as `publisher(for:options:)`.
      public init(
        object: Subject, keyPath: KeyPath<Subject, Value>, options: ObservationOptions,
        file: StaticString = #fileID, line: UInt = #line
      ) {
        self.object = object
        self.keyPath = keyPath
        self.options = options
        self.file = file
        self.line = line
      }

      /// The changes without their values.
      public func didChange() -> Publishers.Map<Self, Void> { map { _ in () } }
    }
  }

  extension KeyValueObservable {
    /// The values of a property, for as long as the object lives.
    ///
    ///     let ages = person.publisher(for: \.age).sink { print($0) }
    ///
    /// Each subscription observes by itself, as `observe` does: a value is sent by the thread that sets
    /// it, before the setter returns. It is sent where the subscriber demands it, and dropped otherwise;
    /// the value of `.initial` alone waits for the first demand.
    ///
    /// - Parameters:
    ///   - keyPath: The property to observe.
    ///   - options: With `.initial` the current value comes first; with `.prior` the old value is sent
    ///     before each change. `.old` and `.new` make no difference.
    ///   - file: The call's file, for the report of a misuse.
    ///   - line: The call's line.
    /// - Returns: A publisher that finishes at once if the key path cannot be observed, which is a misuse
    ///   of each subscription.
    /// - Note: Source `publisher(for:options:)` of Foundation's Swift overlay.
    public func publisher<Value>(
      for keyPath: KeyPath<Self, Value>, options: ObservationOptions = [.initial, .new],
      file: StaticString = #fileID, line: UInt = #line
    ) -> KVObject.KeyValueObservingPublisher<Self, Value> {
      KVObject.KeyValueObservingPublisher(
        object: self, keyPath: keyPath, options: options, file: file, line: line)
    }
  }

  extension KVObject.KeyValueObservingPublisher: Equatable {
    /// Whether both are of the same object, key path and options.
    public static func == (first: Self, second: Self) -> Bool {
      first.object === second.object && first.keyPath == second.keyPath
        && first.options == second.options
    }
  }

  extension KVObject.KeyValueObservingPublisher: Publisher {
    /// The property's values.
    public typealias Output = Value
    /// A publisher of values does not fail.
    public typealias Failure = Never

    /// Begins to observe, and hands the subscription over.
    public func receive<Downstream: Subscriber>(
      subscriber: Downstream
    ) where Downstream.Input == Value, Downstream.Failure == Never {
      let subscription = KeyValueSubscription(
        to: subscriber, hasInitial: options.contains(.initial))
      do throws(KeyValueError) {
        try subscription.observe(self, for: subscriber)
      } catch {
        refuse(error, to: subscriber)
        return
      }
      subscriber.receive(subscription: OwnedSubscription(subscription))
    }

    /// Has a subscriber meet its end: nothing is observed.
    private func refuse<Downstream: Subscriber>(
      _ error: KeyValueError, to subscriber: Downstream
    ) where Downstream.Failure == Never {
      Misuse.end(error, file, line)
      subscriber.receive(subscription: Subscriptions.empty)
      subscriber.receive(completion: .finished)
    }
  }
#endif
