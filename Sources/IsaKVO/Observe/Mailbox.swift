internal import IsaKeyValue

/// Changes on their way to where a handler runs: in order, one at a time.
final class Mailbox<Letter: Sendable>: RegistrationControl, Sendable {
  private struct State {
    var letters: [Letter] = []
    /// Whether somebody has been asked to empty the box and has not finished.
    var isBeingEmptied = false
    var isClosed = false
    var source: (any RegistrationControl)?
  }

  private let state: Locked<State>

  /// - Parameter isHeld: Whether letters are kept until ``release()``.
  init(isHeld: Bool = false) { state = Locked(State(isBeingEmptied: isHeld)) }

  /// Lets letters go that were kept; whether somebody has to be asked to empty the box.
  func release() -> Bool {
    state.withLock { state in
      state.isBeingEmptied = !state.letters.isEmpty
      return state.isBeingEmptied
    }
  }

  /// Takes a letter; whether somebody has to be asked to empty the box.
  func post(_ letter: Letter) -> Bool {
    state.withLock { state in
      if state.isClosed { return false }
      state.letters.append(letter)
      defer { state.isBeingEmptied = true }
      return !state.isBeingEmptied
    }
  }

  /// Hands a letter over at once, unless others are on their way; whether that was done.
  func hand(_ letter: Letter, to read: (Letter) -> Void) -> Bool {
    if state.withLock({ $0.isBeingEmptied }) { return false }
    deliver(letter, read)
    return true
  }

  /// Hands over the letters that are there now, unless the box is closed meanwhile; whether
  /// somebody has to be asked again.
  ///
  /// A letter that comes in meanwhile waits for the next time, so that others have their turn.
  func empty(_ read: (Letter) -> Void) -> Bool {
    let letters = state.withLock { state in
      defer { state.letters = [] }
      return state.letters
    }
    for letter in letters { deliver(letter, read) }
    return release()
  }

  /// Hands over one letter, unless the mailbox is closed; closing it waits for that.
  private func deliver(_ letter: Letter, _ read: (Letter) -> Void) {
    DeliveriesUnderWay.with(self) { if !isClosed { read(letter) } }
  }

  // MARK: Ending

  /// Names the registration that the letters come from.
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

  /// Closes the box and lets go of the source, whose handler may hold the box, and of the letters.
  private func close() -> (any RegistrationControl)? {
    let (source, letters) = state.withLock { state in
      state.isClosed = true
      defer { (state.source, state.letters) = (nil, []) }
      return (state.source, state.letters)
    }
    // They go outside of the lock: each may hold the last reference to an object.
    withExtendedLifetime(letters) {}
    return source
  }

  var identities: [UInt] { [identity(of: self)] + (source?.identities ?? []) }
}
