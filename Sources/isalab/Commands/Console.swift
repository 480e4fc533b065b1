import Foundation

/// Where a command writes: the terminal, or what a test collects.
struct Console {
  var out: (String) -> Void
  var err: (String) -> Void

  static var standard: Console {
    Console(
      out: { print($0) },
      err: { FileHandle.standardError.write(Data(($0 + "\n").utf8)) })
  }
}

extension TextStyle {
  /// The style for standard output.
  static var standard: TextStyle {
    suited(isTerminal: isatty(1) != 0, environment: ProcessInfo.processInfo.environment)
  }
}
