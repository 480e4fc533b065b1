internal import CIsa
internal import IsaKeyValue

/// Changes on their way to where a handler runs: in order, one at a time.
final class DeliveryQueue<Element: Sendable>: RegistrationControl, Sendable {
  private typealias Sent = (element: Element, logged: LoggedNotification?)

  private struct State {
    var elements: [Sent] = []
    /// Whether somebody has been asked to empty the queue and has not finished.
    var isBeingEmptied = false
    var isClosed = false
    var source: (any RegistrationControl)?
    /// The thread that is asking somebody to empty the queue, and what has been done meanwhile if that
    /// was done at once; 0 if none is.
    var asker: UInt = 0
    var isToAskAgain = false
    var isFedByAsker = false
  }

  private let state: Locked<State>

  /// - Parameter isHeld: Whether elements are kept until ``release()``.
  init(isHeld: Bool = false) { state = Locked(State(isBeingEmptied: isHeld)) }

  /// Lets elements go that were kept; whether somebody has to be asked to empty the queue.
  func release() -> Bool {
    state.withLock { state in
      state.isBeingEmptied = !state.elements.isEmpty
      return state.isBeingEmptied
    }
  }

  /// Takes an element; whether somebody has to be asked to empty the queue.
  func post(_ element: Element) -> Bool {
    let logged = LoggedNotification.send()
    return state.withLock { state in
      if state.isClosed { return false }
      state.elements.append((element, logged))
      if state.asker != 0, state.asker == currentThread() { state.isFedByAsker = true }
      defer { state.isBeingEmptied = true }
      return !state.isBeingEmptied
    }
  }

  /// Hands an element over at once, unless others are on their way; whether that was done.
  func hand(_ element: Element, to read: (Element) -> Void) -> Bool {
    if state.withLock({ $0.isBeingEmptied }) { return false }
    deliver((element, nil), read)
    return true
  }

  /// Hands over the elements that are there now, unless the queue is closed meanwhile; whether
  /// somebody has to be asked again.
  ///
  /// An element that comes in meanwhile waits for the next time, so that others have their turn.
  func empty(_ read: (Element) -> Void) -> Bool {
    let elements = state.withLock { state in
      defer { state.elements = [] }
      return state.elements
    }
    for element in elements { deliver(element, read) }
    return release()
  }

  // MARK: Who empties at once

  func beginAsking() {
    state.withLock {
      ($0.asker, $0.isToAskAgain, $0.isFedByAsker) = (currentThread(), false, false)
    }
  }

  /// Whether the calling thread is inside the asking, which then asks again.
  func isAskedByThisThread() -> Bool {
    state.withLock { state in
      if state.asker != currentThread() { return false }
      state.isToAskAgain = true
      return true
    }
  }

  /// Whether elements have come of the handler itself; nil if there is nobody to ask again.
  func endAsking() -> Bool? {
    state.withLock { state in
      if state.asker != currentThread() { return nil }
      state.asker = 0
      return state.isToAskAgain ? state.isFedByAsker : nil
    }
  }

  /// Drops what is there: a handler that runs at once has changed what it hears of again and again.
  func refuse(_ turns: Int) {
    let elements = state.withLock { state in
      defer { (state.elements, state.isBeingEmptied) = ([], false) }
      return state.elements
    }
    withExtendedLifetime(elements) {}
    isa_report_misuse(
      KVO_ERR_TOO_DEEP, "NSInternalInconsistencyException",
      "a handler that runs at once has changed what it is told of \(turns) times in a row; the next "
        + "change is not sent")
  }

  /// Hands over one element, unless the queue is closed; closing it waits for that.
  private func deliver(_ sent: Sent, _ read: (Element) -> Void) {
    DeliveriesUnderWay.with(self) {
      if !isClosed { LoggedNotification.run(sent.logged) { read(sent.element) } }
    }
  }

  // MARK: Ending

  /// Names the registration that the elements come from.
  func open(from source: any RegistrationControl) {
    state.withLock { $0.source = source }
    if isClosed { close()?.invalidate() }
  }

  private var isClosed: Bool { state.withLock { $0.isClosed } }

  private var source: (any RegistrationControl)? { state.withLock { $0.source } }

  var isValid: Bool { !isClosed && source?.isValid ?? true }

  func invalidate() { close()?.invalidate() }

  func invalidateAndWait() {
    close()?.invalidateAndWait()
    DeliveriesUnderWay.wait(for: [identity(of: self)])
  }

  /// Closes the queue and lets go of the source, whose handler may hold the queue, and of the elements.
  private func close() -> (any RegistrationControl)? {
    let (source, elements) = state.withLock { state in
      state.isClosed = true
      defer { (state.source, state.elements) = (nil, []) }
      return (state.source, state.elements)
    }
    // They go outside of the lock: each may hold the last reference to an object.
    withExtendedLifetime(elements) {}
    return source
  }

  var identities: [UInt] { [identity(of: self)] + (source?.identities ?? []) }
}
