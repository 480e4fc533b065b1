import Foundation

/// The process group that is being waited for, which a signal that ends this program ends too.
enum RunningGroup {
  private nonisolated(unsafe) static var leader: pid_t = 0
  private static let ending = [SIGINT, SIGTERM, SIGHUP]

  static func begin(_ child: pid_t) {
    leader = child
    for number in ending {
      // A program that ignores a signal, as under nohup, goes on to.
      let before = signal(number, endAll)
      if unsafeBitCast(before, to: Int.self) == 1 { signal(number, SIG_IGN) }
    }
  }

  static func end() {
    for number in ending {
      let before = signal(number, SIG_DFL)
      if unsafeBitCast(before, to: Int.self) == 1 { signal(number, SIG_IGN) }
    }
    leader = 0
  }

  private static let endAll: @convention(c) (Int32) -> Void = { number in
    if leader > 0 { kill(-leader, SIGKILL) }
    signal(number, SIG_DFL)
    raise(number)
  }
}
