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
      err: { fputs($0 + "\n", stderr) },
      prompt: {
        print($0, terminator: "")
        fflush(nil)
      },
      line: {
        guard let line = readLine() else { return nil }
        // What comes from elsewhere than a terminal has not been seen yet.
        if isatty(0) == 0 { print(line.shown) }
        return line
      })
  }
}

extension TextStyle {
  /// The style for standard output.
  static var standard: TextStyle {
    suited(isTerminal: isatty(1) != 0, environment: ProcessInfo.processInfo.environment)
  }
}
