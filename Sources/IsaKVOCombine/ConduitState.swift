#if Combine
  internal import IsaRuntime

  /// The part of a conduit that its lock guards.
  struct ConduitState<Value, Downstream: Subscriber> {
    /// A value on its way, or the end if there is none.
    struct Delivery {
      let downstream: Downstream
      let value: Value?
      /// Whether the thread was delivering nothing before.
      let isOutermost: Bool
    }

    /// Nil once it has ended.
    private(set) var downstream: Downstream?
    var registration: (any RegistrationControl)?
    var tie: (any RegistrationControl)?
    private var demand = Subscribers.Demand.none
    /// The initial value, until it is demanded.
    private var initial: Value?
    /// The values that are left to the thread that delivers; each has had its demand.
    private var waiting: [Value] = []
    /// The number of that thread; 0 if there is none.
    private var deliverer: UInt = 0
    private var isFinishing = false

    init(_ downstream: Downstream?) { self.downstream = downstream }

    /// Takes demand for a value that has come; without any the value is dropped, but for the initial
    /// one.
    mutating func admit(_ value: Value, isInitial: Bool, _ thread: UInt) -> Delivery? {
      guard downstream != nil else { return nil }
      guard demand > 0 else {
        if isInitial { initial = value }
        return nil
      }
      demand -= 1
      return enter(thread, value)
    }

    /// Adds demand, and takes it again for the initial value if that waits.
    mutating func add(_ more: Subscribers.Demand, _ thread: UInt) -> Delivery? {
      guard downstream != nil else { return nil }
      demand += more
      guard demand > 0, let value = initial else { return nil }
      initial = nil
      demand -= 1
      return enter(thread, value)
    }

    /// Has the end come behind the values that wait.
    mutating func finish(_ thread: UInt) -> Delivery? {
      guard downstream != nil, !isFinishing else { return nil }
      isFinishing = true
      return enter(thread, nil)
    }

    /// The next delivery behind one that has brought demand; without one the thread leaves.
    mutating func following(_ more: Subscribers.Demand, _ isOutermost: Bool) -> Delivery? {
      demand += more
      if let downstream, isFinishing || !waiting.isEmpty {
        return Delivery(downstream: downstream, value: first(), isOutermost: isOutermost)
      }
      if isOutermost { deliverer = 0 }
      return nil
    }

    /// Lets go of everything, and answers it.
    mutating func end() -> Self {
      defer { self = ConduitState(nil) }
      return self
    }

    /// The delivery that the thread is to make now that a value, or the end, has come; none if another
    /// thread delivers.
    private mutating func enter(_ thread: UInt, _ value: Value?) -> Delivery? {
      guard let downstream else { return nil }
      let isOutermost = deliverer == 0
      if !isOutermost, deliverer != thread {
        if let value { waiting.append(value) }
        return nil
      }
      deliverer = thread
      var next = value
      if !waiting.isEmpty {
        if let value { waiting.append(value) }
        next = first()
      }
      return Delivery(downstream: downstream, value: next, isOutermost: isOutermost)
    }

    private mutating func first() -> Value? { waiting.isEmpty ? nil : waiting.removeFirst() }
  }
#endif
