import Foundation

@testable import isalab

/// The program itself, for tests that need it as a process of its own.
enum Child {
  /// It stands beside what runs the tests.
  static var executable: URL {
    #if os(Linux)
      let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      let tests =
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        ?? URL(fileURLWithPath: CommandLine.arguments[0])
    #endif
    return tests.deletingLastPathComponent().appendingPathComponent("isalab")
  }

  /// Time enough for a loaded machine and its sanitizers; who hangs is waited for so long.
  static func process(seconds: Double = 60) -> ChildProcess {
    ChildProcess(executable: executable, seconds: seconds)
  }

  /// Runs the program with arguments as a user gives them.
  static func run(_ arguments: [String], input: String = "") throws -> ChildProcess.Result {
    guard let result = process().run(arguments, input: input) else { throw NoProcess() }
    return result
  }

  /// Which signal a crash brings depends on system and sanitizer.
  static func withoutSignals(_ text: String) -> String {
    text.replacing(/SIG(SEGV|BUS|ABRT|ILL|TRAP)/, with: "SIGNAL")
  }

  struct NoProcess: Error {}
}
