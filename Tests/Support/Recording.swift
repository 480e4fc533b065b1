import Foundation

/// What handlers are called with, line after line, in the file that `ISA_RECORD` names; nowhere without
/// it. With the same seed it is the same, before and after a change that keeps behaviour.
package enum Recording {
  nonisolated(unsafe) private static let file = ProcessInfo.processInfo.environment["ISA_RECORD"]
    .flatMap { fopen($0, "a") }

  package static func add(_ line: @autoclosure () -> String) {
    if let file { fputs(line() + "\n", file) }
  }
}
