// The way of one object's values to one subscriber.
//
// Owns:      the registration at the object and the tie to the object's end, until it ends.
// Lives:     as the object has the registration, or the subscriber the subscription.
// Locks:     `state`, for a moment: neither the subscriber nor a value's end runs under it.
// Invariant: one thread at a time calls the subscriber. A value that comes meanwhile on another thread
//            is left to the one that delivers, which sends it next; one that comes on the same thread,
//            set by the subscriber, is sent at once, behind those that wait.
#if Combine
  internal import IsaKVO
  internal import IsaRuntime

  final class Conduit<Subject: KVObject, Value, Downstream: Subscriber>: @unchecked Sendable
  where Downstream.Input == Value, Downstream.Failure == Never {
    // Sendable because all that changes is reached under a lock; values are sent where the object is
    // changed, as handlers of observations are called.
    private let state: Locked<ConduitState<Value, Downstream>>

    init(to downstream: Downstream) { state = Locked(ConduitState(downstream)) }

    /// Registers with the object; the initial value waits for demand.
    func observe(
      _ source: KVObject.KeyValueObservingPublisher<Subject, Value>
    ) throws(KeyValueError) {
      let property = PropertyEnd(source.keyPath), missing = source.keyPath.missing
      // The value is read: a change has neither the whole collection nor what another observer has set
      // meanwhile.
      let registration = try source.object.register(
        source.keyPath, source.options.subtracting([.old, .new])
      ) { object, change in
        if let missing, object[keyPath: missing] { return }
        self.offer(property.value(of: object), isInitial: change.isInitial)
      }
      state.withLock { $0.registration = registration }
      do {
        let tie = try tied(self, to: source.object)
        state.withLock { $0.tie = tie }
      } catch {
        cancel()
        throw error
      }
    }

    private func offer(_ value: Value, isInitial: Bool) {
      let thread = currentThread()
      deliver(state.withLock { $0.admit(value, isInitial: isInitial, thread) })
    }

    /// Sends a value, and then those that have come meanwhile.
    private func deliver(_ first: ConduitState<Value, Downstream>.Delivery?) {
      guard let isOutermost = first?.isOutermost else { return }
      var next = first
      while let delivery = next {
        let more = send(delivery)
        next = state.withLock { $0.following(more, isOutermost) }
      }
    }

    private func send(
      _ delivery: ConduitState<Value, Downstream>.Delivery
    ) -> Subscribers.Demand {
      if let value = delivery.value { return delivery.downstream.receive(value) }
      cancel()
      delivery.downstream.receive(completion: .finished)
      return .none
    }
  }

  extension Conduit: Subscription {
    func request(_ demand: Subscribers.Demand) {
      let thread = currentThread()
      deliver(state.withLock { $0.add(demand, thread) })
    }

    func cancel() {
      // The end of what it held runs code of others: not under the lock.
      let old = state.withLock { $0.end() }
      old.registration?.invalidate()
      old.tie?.invalidate()
    }
  }

  /// Stands for the subscription as if it were a registration, which the object's end ends.
  extension Conduit: RegistrationControl {
    var isValid: Bool { state.withLock { $0.downstream != nil } }

    func invalidate() {
      let thread = currentThread()
      deliver(state.withLock { $0.finish(thread) })
    }

    func invalidateAndWait() { invalidate() }
  }

  /// The subscription as a subscriber has it: letting go of it ends the subscription.
  final class OwnedSubscription: Subscription {
    private let conduit: any Subscription

    init(_ conduit: any Subscription) { self.conduit = conduit }

    deinit { conduit.cancel() }

    func request(_ demand: Subscribers.Demand) { conduit.request(demand) }

    func cancel() { conduit.cancel() }
  }
#endif
