#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The terminal as one reads keys and draws screens on it: no echo, no line editing, the alternate
/// screen. However the program ends, `leave` has put it back as it was.
///
/// Threads: one, the one that reads keys; signal handlers only write a byte, or leave and die.
final class RawTerminal {
  enum Input: Hashable {
    case key(Key)
    case resized
    /// A signal that asks to end, or to stop for a while.
    case signal(Int32)
  }

  private var bytes: [UInt8] = []
  private static let asking = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]
  private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE]

  /// - Returns: Nil if standard input or output is no terminal.
  init?() {
    guard isatty(0) != 0, isatty(1) != 0, tcgetattr(0, TerminalState.saved) == 0 else {
      return nil
    }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    (TerminalState.readEnd, TerminalState.writeEnd) = (ends[0], ends[1])
    listen()
    enter()
  }

  private func listen() {
    for number in RawTerminal.asking { signal(number, TerminalState.note) }
    for number in RawTerminal.crashes { signal(number, TerminalState.crash) }
  }

  /// Takes the terminal, again after `leave`.
  func enter() {
    TerminalState.raw.pointee = TerminalState.saved.pointee
    cfmakeraw(TerminalState.raw)
    TerminalState.isRaw = true
    tcsetattr(0, TCSADRAIN, TerminalState.raw)
    // The alternate screen, no cursor, no wrapping at the right edge.
    writeAll("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J", to: 1)
  }

  func leave() { TerminalState.leave() }

  var size: ScreenSize {
    var window = winsize()
    #if canImport(Musl)
      let status = ioctl(1, Int32(TIOCGWINSZ), &window)
    #else
      let status = ioctl(1, UInt(TIOCGWINSZ), &window)
    #endif
    guard status == 0, window.ws_col > 0, window.ws_row > 0 else {
      return ScreenSize(columns: 80, rows: 24)
    }
    return ScreenSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }

  func draw(_ lines: [String], clearing: Bool) {
    let text = lines.enumerated().map { "\u{1B}[\($0 + 1);1H\($1)" }.joined()
    writeAll((clearing ? "\u{1B}[2J" : "") + text, to: 1)
  }

  // MARK: Waiting

  /// Waits for a key or a signal.
  func next() -> Input {
    while true {
      if let key = Key.next(in: &bytes, isAll: false) { return .key(key) }
      // The bytes behind an escape come at once if it is a sequence.
      var ready = [
        pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
        pollfd(fd: TerminalState.readEnd, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&ready, 2, bytes.isEmpty ? -1 : 50)
      if let number = noted() { return number == SIGWINCH ? .resized : .signal(number) }
      if count == 0, let key = Key.next(in: &bytes, isAll: true) { return .key(key) }
      if count > 0, ready[0].revents != 0, !fill() { return .key(.endOfInput) }
    }
  }

  private func noted() -> Int32? {
    var byte: UInt8 = 0
    return read(TerminalState.readEnd, &byte, 1) == 1 ? Int32(byte) : nil
  }

  /// - Returns: False when the terminal is gone.
  private func fill() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(0, &buffer, buffer.count)
    guard count > 0 else { return count < 0 && errno == EINTR }
    bytes += buffer[..<count]
    return true
  }

  // MARK: Stopping

  /// Stops as Ctrl-Z does, everything in the foreground with it, until somebody goes on with it.
  func stop(isWholeJob: Bool) {
    leave()
    signal(SIGTSTP, SIG_DFL)
    kill(isWholeJob ? 0 : getpid(), SIGTSTP)
    // Here it goes on.
    signal(SIGTSTP, TerminalState.note)
    goOn()
  }

  /// Takes the terminal again once it is ours; in the background it stops, or ends if it is asked to.
  func goOn() {
    while tcgetpgrp(0) != getpgrp() {
      usleep(20_000)
      while let number = noted() {
        if [SIGINT, SIGTERM, SIGHUP].contains(number) { die(of: number) }
      }
      if tcgetpgrp(0) < 0 { die(of: SIGHUP) }
      TerminalState.isRaw = false
      kill(getpid(), SIGSTOP)
    }
    enter()
  }

  /// Ends as if the signal had never been caught.
  func die(of number: Int32) -> Never {
    leave()
    signal(number, SIG_DFL)
    kill(getpid(), number)
    exit(128 + number)
  }
}

/// The state that signal handlers need: it is set before they are.
private enum TerminalState {
  // Allocated: for a variable of the type the compiler takes three bytes less than C does.
  nonisolated(unsafe) static let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  nonisolated(unsafe) static let raw = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  nonisolated(unsafe) static var isRaw = false
  nonisolated(unsafe) static var readEnd: Int32 = -1
  nonisolated(unsafe) static var writeEnd: Int32 = -1

  static let note: @convention(c) (Int32) -> Void = { number in
    let error = errno
    var byte = UInt8(number)
    _ = write(writeEnd, &byte, 1)
    errno = error
  }

  static let crash: @convention(c) (Int32) -> Void = { number in
    leave()
    signal(number, SIG_DFL)
    raise(number)
  }

  static func leave() {
    guard isRaw else { return }
    isRaw = false
    // Nothing is allocated here: a crash may have happened in the allocator.
    // It is cleared first: a terminal that has grown meanwhile may show what stood there.
    let sequence: StaticString = "\u{1B}[?7h\u{1B}[?25h\u{1B}[0m\u{1B}[2J\u{1B}[?1049l"
    _ = write(1, sequence.utf8Start, sequence.utf8CodeUnitCount)
    tcsetattr(0, TCSADRAIN, saved)
  }
}
