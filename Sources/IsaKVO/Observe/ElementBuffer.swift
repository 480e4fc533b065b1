// The elements of an observation on their way to the tasks that await them. Code that runs for each
// element is inlined into users of the library, so that it is compiled for the elements' type.
//
// Owns:      the elements that nobody has taken, and the observation, until it ends.
// Lives:     as long as a reader, a change that came this way, or the observation has it.
// Locks:     `state`, for a moment: no task is resumed, and nothing comes to its end, under it.
// Invariant: a task waits only while there is no element; an element that comes goes to the task
//            that has waited longest. After the end no element is taken, and nobody waits.
public import IsaKeyValue

@usableFromInline
final class ElementBuffer<Element: Sendable>: Sendable {
  @usableFromInline typealias Policy = ObservationSequence<Element>.BufferingPolicy

  @usableFromInline let policy: Policy
  @usableFromInline let state = Locked(BufferState<Element>())

  @usableFromInline
  init(_ policy: Policy) { self.policy = policy }

  /// Takes an element, or hands it to a task that waits.
  @inlinable
  func offer(_ element: Element) {
    // An element that has no place ends with this variable.
    var element = Element?.some(element)
    let logged = LoggedNotification.send()
    let waiter = state.withLock { $0.admit(&element, logged, policy) }
    if waiter != nil { logged?.arrive() }
    waiter?.resume(returning: element)
  }

  /// The same with the element that was there at the start, unless a newer one has come.
  @inlinable
  func offerFirst(_ element: Element) {
    var element = Element?.some(element)
    let waiter = state.withLock { $0.isUntouched ? $0.admit(&element, nil, policy) : nil }
    waiter?.resume(returning: element)
  }

  /// The next element, once there is one; nil at the end.
  ///
  /// Runs where the caller does, and stops it only where it has to wait.
  @inlinable
  func next(isolation: isolated (any Actor)?) async -> Element? {
    if Task.isCancelled { end() }
    if let element = state.withLock({ $0.take() }) {
      element.logged?.arrive()
      return element.element
    }
    return await withTaskCancellationHandler {
      // A closure runs in the isolation of a parameter only if it mentions that.
      await withUnsafeContinuation(isolation: isolation) { waiter in
        if let answer = state.withLock({ $0.answer(waiter) }) {
          answer?.logged?.arrive()
          waiter.resume(returning: answer?.element)
        }
      }
    } onCancel: {
      end()
    }
  }

  /// Ends it; elements that are in it are still handed over.
  @usableFromInline
  func end() {
    let (observation, waiters) = state.withLock { $0.end() }
    observation?.invalidate()
    for waiter in waiters { waiter.resume(returning: nil) }
  }

  /// Takes the observation over that the elements come from.
  func open(from observation: KeyValueObservation) {
    let isLate = state.withLock { state in
      if !state.hasEnded { state.observation = observation }
      return state.hasEnded
    }
    if isLate || !observation.isValid { end() }
  }

  /// Ends it for good: nobody is there to be handed an element.
  fileprivate func abandon() {
    end()
    _ = state.withLock { state in
      defer { (state.elements, state.logged) = (ElementQueue(), ElementQueue()) }
      return (state.elements, state.logged)
    }
  }
}

/// Stands for the registration that elements come from: the object's end, and a change that stops the
/// observation, end the buffer.
extension ElementBuffer: RegistrationControl {
  @usableFromInline
  package var isValid: Bool { state.withLock { !$0.hasEnded } }
  package func invalidate() { end() }
  package func invalidateAndWait() { end() }

  /// A change that stops the buffer.
  @usableFromInline
  func owning<Value>(_ change: ValueChange<Value>) -> ValueChange<Value> { change.owned(by: self) }
}

/// A buffer as those have it who may read it: the last of them ends it.
@usableFromInline
final class BufferReader<Element: Sendable>: Sendable {
  @usableFromInline let buffer: ElementBuffer<Element>

  @usableFromInline
  init(_ buffer: ElementBuffer<Element>) { self.buffer = buffer }

  deinit { buffer.abandon() }
}

/// The part of a buffer that its lock guards.
@frozen @usableFromInline
struct BufferState<Element: Sendable> {
  @usableFromInline typealias Waiter = UnsafeContinuation<Element?, Never>

  @usableFromInline typealias Taken = (element: Element, logged: LoggedNotification?)

  @usableFromInline var elements = ElementQueue<Element>()
  /// What is logged of the last elements, if anything is.
  @usableFromInline var logged = ElementQueue<LoggedNotification?>()
  @usableFromInline var observation: KeyValueObservation?
  @usableFromInline var hasEnded = false
  @usableFromInline var waiters: [Waiter] = []
  /// Whether no element has come.
  @usableFromInline var isUntouched = true

  @usableFromInline init() {}

  /// Takes an element, and leaves in its place another that has to go, if there is one; or answers
  /// the task that it is for.
  @inlinable
  mutating func admit(
    _ element: inout Element?, _ logged: LoggedNotification?,
    _ policy: ObservationSequence<Element>.BufferingPolicy
  ) -> Waiter? {
    if hasEnded { return nil }
    isUntouched = false
    if !waiters.isEmpty { return waiters.removeFirst() }
    switch policy {
    case .bufferingOldest(let limit) where elements.count >= limit: return nil
    case .bufferingNewest(let limit) where elements.count >= limit:
      guard limit > 0 else { return nil }
      let oldest = take()?.element
      append(element.take()!, logged)
      element = oldest
    default: append(element.take()!, logged)
    }
    return nil
  }

  @inlinable
  mutating func append(_ element: Element, _ logged: LoggedNotification?) {
    elements.append(element)
    if logged != nil || self.logged.count > 0 { note(logged) }
  }

  @usableFromInline @inline(never)
  mutating func note(_ logged: LoggedNotification?) {
    while self.logged.count < elements.count - 1 { self.logged.append(nil) }
    self.logged.append(logged)
  }

  @inlinable
  mutating func take() -> Taken? {
    guard let element = elements.popFirst() else { return nil }
    return (element, logged.count > 0 ? logged.popFirst()! : nil)
  }

  /// An element, or nil at the end, for a task that asks; without either the task waits.
  @inlinable
  mutating func answer(_ waiter: Waiter) -> Taken?? {
    if let element = take() { return .some(element) }
    if hasEnded { return .some(nil) }
    waiters.append(waiter)
    return nil
  }

  mutating func end() -> (KeyValueObservation?, [Waiter]) {
    defer { (hasEnded, observation, waiters) = (true, nil, []) }
    return (observation, waiters)
  }
}

/// A queue, at both ends of which an element takes constant time on average.
@frozen @usableFromInline
struct ElementQueue<Element> {
  /// The elements that have come, and before them the elements that go, the first one last.
  @usableFromInline var coming: [Element] = []
  @usableFromInline var going: [Element] = []

  @usableFromInline init() {}

  @inlinable var count: Int { coming.count + going.count }

  @inlinable
  mutating func append(_ element: Element) { coming.append(element) }

  @inlinable
  mutating func popFirst() -> Element? {
    if going.isEmpty {
      swap(&coming, &going)
      going.reverse()
    }
    return going.popLast()
  }
}
