import Foundation

/// The words of a run on standard error while it goes on: a line that moves on a terminal, one line
/// a driver elsewhere.
public final class Progress {
  private let isTerminal: Bool
  private let write: (String) -> Void
  private var driver = ""
  private var expected = 0
  private var done = 0
  private var start = Date()

  /// On a terminal, or where `write` takes it.
  public init(
    isTerminal: Bool = isatty(STDERR_FILENO) != 0,
    write: @escaping (String) -> Void = { FileHandle.standardError.write(Data($0.utf8)) }
  ) {
    self.isTerminal = isTerminal
    self.write = write
  }

  /// A line that stays.
  public func say(_ text: String) { write((isTerminal ? "\r\u{1b}[K" : "") + text + "\n") }

  func begin(_ driver: String, _ expected: Int) {
    (self.driver, self.expected, done, start) = (driver, expected, 0, Date())
    if !isTerminal { write("\(driver): \(expected) rows\n") }
  }

  func step(_ row: String) {
    done += 1
    if isTerminal { write("\r\u{1b}[K\(driver): \(done) of \(expected): \(row)") }
  }

  func end() {
    guard expected > 0 else { return }
    expected = 0
    let seconds = Int(Date().timeIntervalSince(start).rounded())
    if isTerminal { say("\(driver): \(done) rows in \(seconds) s") }
  }
}
