import Foundation
import Testing

@Suite struct MainLoopTests {
  @Test("GLib's main loop serves the main actor, timeouts, other threads, and loops within")
  func served() throws {
    let probe = Process(), output = Pipe()
    probe.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("MainLoopProbe")
    probe.standardOutput = output
    try probe.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    probe.waitUntilExit()
    let expected = """
      a task of the main actor
      after a detached task: 55
      after a sleep
      a timeout that a task has set
      a source from another thread, on the main one: true
      a task in a loop within the loop
      the end

      """
    #expect(String(decoding: data, as: UTF8.self) == expected)
  }
}
