// Copies of a test's process, for what stops one: far quicker than a process that starts anew.
//
// Owns:  the child, which it waits for.
// Locks: none. To be called where no other thread does anything, as in an exit test: of the threads
//        only the calling one goes on in the copy.
import Foundation
internal import IsaKVO

/// How a copy of this process has ended.
package struct ChildEnd: Sendable {
  /// The signal that has stopped it; 0 if none has.
  package let signal: Int32
  /// The text that it has written to standard error.
  package let errors: String

  /// Whether Swift has stopped it for overlapping accesses.
  package var isExclusivityReport: Bool {
    signal == SIGABRT && errors.contains("Simultaneous accesses to")
  }
}

// The overlay of the C library leaves it out.
@_silgen_name("fork") private func cFork() -> pid_t

/// Runs `body` in a copy of this process, which ends with it.
///
/// A thread of the C library's, or of the tests' own, may hold a lock of Swift's runtime while the process
/// is copied: a copy that waits for it is ended after some seconds, and another made.
package func runInChild(_ body: () -> Void) -> ChildEnd {
  // The first read of a process begins a thread, which the thread sanitizer does not allow in a copy.
  _ = Read().number
  var end = runInCopy(body)
  for _ in 1..<5 where end.signal == SIGALRM { end = runInCopy(body) }
  return end
}

private func runInCopy(_ body: () -> Void) -> ChildEnd {
  var ends: [Int32] = [0, 0]
  precondition(pipe(&ends) == 0, "no pipe")
  let child = cFork()
  precondition(child >= 0, "no child process")
  if child == 0 {
    endLater(seconds: 15)
    dup2(ends[1], 2)
    close(ends[0])
    // Not through the runtime's own handler, which takes its time over a backtrace.
    signal(SIGABRT, SIG_DFL)
    body()
    _exit(0)
  }
  close(ends[1])
  let file = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
  let errors = (try? file.readToEnd()) ?? nil
  var status: Int32 = 0
  waitpid(child, &status, 0)
  return ChildEnd(signal: status & 0x7F, errors: String(decoding: errors ?? Data(), as: UTF8.self))
}

/// Has the system stop this process, whatever it then waits for.
private func endLater(seconds: UInt32) {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGALRM)
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  signal(SIGALRM, SIG_DFL)
  alarm(seconds)
}

private final class Read: KVObject {
  @Dynamic var number = 0
}
