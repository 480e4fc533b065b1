#if Combine
  internal import IsaKeyValue

  /// The part of a subscription that its lock guards. It knows no types, so that no value takes a look-up of
  /// them: a value that cannot be sent at once waits as the code that sends it.
  struct SubscriptionState {
    /// Sends a value, or the end, and answers the demand that comes back.
    typealias Send = () -> Subscribers.Demand

    /// Something to be sent.
    struct Step {
      let send: Send
      var isEnd = false
    }

    /// The part of the thread that brings a value, or the end.
    enum Turn {
      /// It sends nothing: there is no demand, or another thread sends it.
      case none
      /// It sends the value that it has brought. Whether it was delivering nothing before.
      case own(isOutermost: Bool)
      /// It sends this.
      case step(Step, isOutermost: Bool)
    }

    /// Sends the end; nil once it has ended.
    private var finish: Send?
    var registration: (any RegistrationControl)?
    var tie: (any RegistrationControl)?
    private var demand = Subscribers.Demand.none
    /// The initial value, or the latest one after it, until one is demanded.
    private var initial: Send?
    /// Whether the initial value is still to come: the first change would take its place.
    private var awaitsInitial: Bool
    /// The values that are left to the thread that delivers; each has had its demand.
    private var waiting: [Send] = []
    /// The number of that thread; 0 if there is none.
    private var deliverer: UInt = 0
    private var isFinishing = false

    init(awaitsInitial: Bool = false, _ finish: Send?) {
      self.awaitsInitial = awaitsInitial
      self.finish = finish
    }

    var isOpen: Bool { finish != nil }

    /// Takes demand for a value that has come; without any the value is dropped, but for the
    /// initial value, and for a value that comes while that waits. `later` makes the code that
    /// sends it, and is called if it has to wait.
    mutating func admit(isInitial: Bool, _ thread: UInt, _ later: () -> Send) -> Turn {
      guard isOpen, awaitsInitial || !isInitial else { return .none }
      let isFirst = awaitsInitial
      awaitsInitial = false
      guard demand > 0 else {
        if isFirst || initial != nil { initial = later() }
        return .none
      }
      demand -= 1
      let isOutermost = deliverer == 0
      guard enter(thread), waiting.isEmpty else { return enqueue(later(), thread, isOutermost) }
      return .own(isOutermost: isOutermost)
    }

    /// Adds demand, and takes it again for the initial value if that waits.
    mutating func add(_ more: Subscribers.Demand, _ thread: UInt) -> Turn {
      guard isOpen else { return .none }
      demand += more
      guard demand > 0, let value = initial.take() else { return .none }
      demand -= 1
      let isOutermost = deliverer == 0
      _ = enter(thread)
      return enqueue(value, thread, isOutermost)
    }

    /// Has the end come behind the values that wait.
    mutating func end(by thread: UInt) -> Turn {
      guard isOpen, !isFinishing else { return .none }
      isFinishing = true
      let isOutermost = deliverer == 0
      guard enter(thread), let step = next() else { return .none }
      return .step(step, isOutermost: isOutermost)
    }

    /// The next step behind a step that has brought demand; without one the thread leaves.
    mutating func following(_ more: Subscribers.Demand, _ isOutermost: Bool) -> Step? {
      demand += more
      if let step = next() { return step }
      if isOutermost { deliverer = 0 }
      return nil
    }

    /// Lets go of everything, and answers it.
    mutating func close() -> Self {
      defer { self = SubscriptionState(nil) }
      return self
    }

    /// Has the thread deliver; false if another one does.
    private mutating func enter(_ thread: UInt) -> Bool {
      if deliverer == 0 { deliverer = thread }
      return deliverer == thread
    }

    /// Puts a value behind the values that wait, and answers the first of them if the thread
    /// delivers.
    private mutating func enqueue(_ value: @escaping Send, _ thread: UInt, _ isOutermost: Bool)
      -> Turn
    {
      waiting.append(value)
      guard deliverer == thread, let step = next() else { return .none }
      return .step(step, isOutermost: isOutermost)
    }

    private mutating func next() -> Step? {
      guard let finish else { return nil }
      if !waiting.isEmpty { return Step(send: waiting.removeFirst()) }
      return isFinishing ? Step(send: finish, isEnd: true) : nil
    }
  }
#endif
