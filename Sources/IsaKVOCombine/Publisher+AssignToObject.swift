#if Combine
  public import IsaKVO
  internal import IsaKeyValue

  extension Publisher where Failure == Never {
    /// Sets a property to each value, for as long as the object lives.
    ///
    ///     names.assign(to: \.name, of: person)
    ///
    /// The object has the subscription, which ends with it, and is not kept by it; there is no token.
    /// `prefix(untilOutputFrom:)` ends it earlier. Setters, `didSet` and overrides run, and observers are
    /// told.
    ///
    /// - Parameters:
    ///   - keyPath: Any property that can be set.
    ///   - object: The object whose property it is.
    ///   - file: The call's file, for the report of a misuse.
    ///   - line: The call's line.
    /// - Note: `assign(to:)` of `@Published` properties in Combine; `assign(to:on:)` keeps the object.
    public func assign<Root: KVObject>(
      to keyPath: ReferenceWritableKeyPath<Root, Output>, of object: Root,
      file: StaticString = #fileID, line: UInt = #line
    ) {
      endingMisuse((), file, line) { () throws(KeyValueError) in
        let assignments = try object.kept { Assignments() }
        let subscriber = PropertySubscriber(object, keyPath, assignments)
        assignments.add(subscriber)
        subscribe(subscriber)
      }
    }
  }

  /// The subscriptions that set properties of an object, which ends them by its own end.
  private final class Assignments: Sendable {
    private let subscribers = Locked<[CombineIdentifier: any Cancellable & Sendable]>([:])

    deinit { subscribers.withLock { $0 }.values.forEach { $0.cancel() } }

    func add<Root, Value>(_ subscriber: PropertySubscriber<Root, Value>) {
      subscribers.withLock { $0[subscriber.combineIdentifier] = subscriber }
    }

    func remove<Root, Value>(_ subscriber: PropertySubscriber<Root, Value>) {
      let removed = subscribers.withLock { $0.removeValue(forKey: subscriber.combineIdentifier) }
      withExtendedLifetime(removed) {}
    }
  }

  /// Sets a property to each value.
  private final class PropertySubscriber<Root: KVObject, Value>: Subscriber, Cancellable,
    @unchecked Sendable
  {
    // Sendable because all that changes is reached under a lock; values are set where they are sent.
    private enum State {
      case waiting, over
      case subscribed(any Subscription)
    }

    private weak let root: Root?
    private let keyPath: ReferenceWritableKeyPath<Root, Value>
    private weak let assignments: Assignments?
    private let state = Locked(State.waiting)

    init(
      _ root: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>, _ assignments: Assignments
    ) {
      self.root = root
      self.keyPath = keyPath
      self.assignments = assignments
    }

    func receive(subscription: any Subscription) {
      let isFirst = state.withLock { state in
        guard case .waiting = state else { return false }
        state = .subscribed(subscription)
        return true
      }
      if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    func receive(_ value: Value) -> Subscribers.Demand {
      root?[keyPath: keyPath] = value
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {
      end()
      assignments?.remove(self)
    }

    func cancel() {
      if case .subscribed(let subscription) = end() { subscription.cancel() }
    }

    @discardableResult
    private func end() -> State {
      state.withLock { state in
        defer { state = .over }
        return state
      }
    }
  }
#endif
