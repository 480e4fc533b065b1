import Foundation

/// Ends with this program, when a signal ends it: its folders, and the process groups that it waits
/// for.
enum Interruption {
  private static let lock = NSLock()
  private nonisolated(unsafe) static var leaders: Set<pid_t> = []
  private nonisolated(unsafe) static var folders: Set<String> = []
  /// The handler's end of the pipe that a thread waits at.
  private nonisolated(unsafe) static var alarm: Int32 = -1
  /// Whether such an end is the one that is meant to come.
  private nonisolated(unsafe) static var isSuccess = false
  private static let ending = [SIGINT, SIGTERM, SIGHUP]

  static func add(group leader: pid_t) { lock.withLock { _ = leaders.insert(leader) } }
  static func remove(group leader: pid_t) { lock.withLock { _ = leaders.remove(leader) } }
  static func add(folder: URL) {
    _ = isWatched
    lock.withLock { _ = folders.insert(folder.path) }
  }
  static func remove(folder: URL) { lock.withLock { _ = folders.remove(folder.path) } }

  /// Lets the signals end the program with success: nothing else ends it.
  static func endsWithSuccess() {
    lock.withLock { isSuccess = true }
    _ = isWatched
    // Threads that start programs may block signals, and their programs go on to.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in ending { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// The handler may do next to nothing, so a thread does it.
  private static let isWatched: Bool = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    alarm = ends[1]
    let reading = ends[0]
    Thread.detachNewThread {
      var number: UInt8 = 0
      while read(reading, &number, 1) != 1 {}
      end(by: Int32(number))
    }
    for number in ending {
      // A program that ignores a signal, as under nohup, goes on to.
      let before = signal(number) { number in
        var byte = UInt8(number)
        _ = write(Interruption.alarm, &byte, 1)
      }
      if unsafeBitCast(before, to: Int.self) == 1 { signal(number, SIG_IGN) }
    }
    return true
  }()

  /// The lock stays taken: nothing begins any more.
  private static func end(by number: Int32) {
    lock.lock()
    for leader in leaders { kill(-leader, SIGKILL) }
    for folder in folders { try? FileManager.default.removeItem(atPath: folder) }
    if isSuccess { _exit(0) }
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }
}
