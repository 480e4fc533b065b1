// The way of one object's values to one subscriber. It knows no types itself: the code that sends a
// value does, which the registration has.
//
// Owns:      the registration at the object and the tie to the object's end, until it ends.
// Lives:     as the object has the registration, or the subscriber the subscription.
// Locks:     `state`, for a moment: neither the subscriber nor a value's end runs under it.
// Invariant: one thread at a time calls the subscriber. A value that comes meanwhile on another thread
//            is left to the thread that delivers, which sends it next. A value that comes on the
//            same thread, set by the subscriber, is sent at once, behind the values that wait.
#if Combine
  internal import IsaKVO
  internal import IsaKeyValue

  final class KeyValueSubscription: @unchecked Sendable {
    // Sendable because all that changes is reached under a lock; values are sent where the object is
    // changed, as handlers of observations are called.
    private let state: Locked<SubscriptionState>

    init<Downstream: Subscriber>(to downstream: Downstream, hasInitial: Bool) {
      state = Locked(
        SubscriptionState(awaitsInitial: hasInitial) {
          downstream.receive(completion: .finished)
          return .none
        })
    }

    /// Registers with the object; the initial value waits for demand.
    func observe<Subject: KVObject, Value, Downstream: Subscriber>(
      _ source: KVObject.KeyValueObservingPublisher<Subject, Value>, for downstream: Downstream
    ) throws(KeyValueError) where Downstream.Input == Value {
      let property = PropertyEnd(source.keyPath), walk = PathWalk(source.keyPath)
      // The value is read: a change has neither the whole collection nor what another observer has set
      // meanwhile.
      let send: (Subject, Bool) -> Void = { object, isInitial in
        if let walk, walk.stops(at: object) { return }
        property.withValue(of: object) { place in
          let value = place.assumingMemoryBound(to: Value.self)
          defer { value.deinitialize(count: 1) }
          self.offer(isInitial: isInitial) {
            downstream.receive(value.pointee)
          } later: {
            { [value = value.pointee] in downstream.receive(value) }
          }
        }
      }
      let registration = try property.observe(
        on: source.object, source.options.subtracting(.initial)
      ) { send($0, false) }
      state.withLock { $0.registration = registration }
      // Key-value observing tells the initial value before it registers, and of a change between the two
      // it tells nobody.
      if source.options.contains(.initial) { send(source.object, true) }
      do {
        let tie = try tied(self, to: source.object)
        state.withLock { $0.tie = tie }
      } catch {
        cancel()
        throw error
      }
    }

    /// Has a value sent: by `now`, or by the code that `later` makes.
    private func offer(
      isInitial: Bool, _ now: () -> Subscribers.Demand, later: () -> SubscriptionState.Send
    ) {
      let thread = currentThread()
      switch state.withLock({ $0.admit(isInitial: isInitial, thread, later) }) {
      case .own(let isOutermost): deliver(behind: now(), isOutermost)
      case let turn: take(turn)
      }
    }

    private func take(_ turn: SubscriptionState.Turn) {
      guard case .step(let step, let isOutermost) = turn else { return }
      deliver(behind: run(step), isOutermost)
    }

    /// Sends what has come meanwhile, behind something that has brought demand.
    private func deliver(behind demand: Subscribers.Demand, _ isOutermost: Bool) {
      var more = demand
      while let step = state.withLock({ $0.following(more, isOutermost) }) { more = run(step) }
    }

    private func run(_ step: SubscriptionState.Step) -> Subscribers.Demand {
      if step.isEnd { cancel() }
      return step.send()
    }
  }

  extension KeyValueSubscription: Subscription {
    func request(_ demand: Subscribers.Demand) {
      let thread = currentThread()
      take(state.withLock { $0.add(demand, thread) })
    }

    func cancel() {
      // The end of what it held runs code of others: not under the lock.
      let old = state.withLock { $0.close() }
      old.registration?.invalidate()
      old.tie?.invalidate()
    }
  }

  /// Stands for the subscription as if it were a registration, which the object's end ends.
  extension KeyValueSubscription: RegistrationControl {
    var isValid: Bool { state.withLock { $0.isOpen } }

    func invalidate() {
      let thread = currentThread()
      take(state.withLock { $0.end(by: thread) })
    }

    func invalidateAndWait() { invalidate() }
  }

  /// The subscription as a subscriber has it: its release ends the subscription.
  final class OwnedSubscription: Subscription {
    private let subscription: any Subscription

    init(_ subscription: any Subscription) { self.subscription = subscription }

    deinit { subscription.cancel() }

    func request(_ demand: Subscribers.Demand) { subscription.request(demand) }

    func cancel() { subscription.cancel() }
  }
#endif
