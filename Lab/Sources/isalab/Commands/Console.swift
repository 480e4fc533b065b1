import Foundation

/// Where a command writes and reads: the terminal, or what a test collects and provides.
struct Console {
  var out: (String) -> Void
  var err: (String) -> Void
  /// Writes a question, the answer to stand behind it.
  var prompt: (String) -> Void = { _ in }
  /// Reads a line; nil at the end of input.
  var line: () -> String? = { nil }

  static var standard: Console {
    Console(
      out: { print($0) },
      err: {
        // Where both go to one place, what was said before stands before it.
        fflush(nil)
        writeAll($0 + "\n", to: 2)
      },
      prompt: {
        print($0, terminator: "")
        fflush(nil)
      },
      line: {
        guard let line = readLine() else { return nil }
        // Input from elsewhere than a terminal has not been seen yet.
        if isatty(0) == 0 { print(line.shown) }
        return line
      })
  }
}

/// Writes all of it, as far as there is somebody to write to.
func writeAll(_ text: String, to file: Int32) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    if count < 0, errno != EINTR, errno != EAGAIN { return }
    if count > 0 { rest = rest.dropFirst(count) }
  }
}

extension TextStyle {
  /// The style for standard output.
  static var standard: TextStyle {
    suited(isTerminal: isatty(1) != 0, environment: ProcessInfo.processInfo.environment)
  }
}
