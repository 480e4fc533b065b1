import Foundation

/// The process that runs programs over GNUstep's Foundation.
final class Driver {
  private let executable: URL
  private var process: Process?
  private var input: FileHandle?
  private var output: LineReader?
  private var served = 0

  /// A process frees nothing, and each class takes it longer to register than the one before.
  private static let mostPrograms = 200

  init(_ path: String) { executable = URL(fileURLWithPath: path) }

  deinit { stop() }

  /// The trace of a program; if the process dies, what came before and a line that says so.
  func run(_ program: [String]) throws -> [[String]] {
    if served == Self.mostPrograms { stop() }
    if process == nil { try start() }
    served += 1
    // A program written to a process that died is lost, and told by the lack of an answer.
    try? input!.write(contentsOf: Data((program + ["end", ""]).joined(separator: "\n").utf8))
    var trace: [[String]] = []
    while let line = output!.next() {
      if line == "end" { return padded(trace, program.count) }
      if line.hasPrefix("#") { trace.append([]) } else { trace[trace.count - 1].append(line) }
    }
    stop()
    if trace.isEmpty { trace.append([]) }
    trace[trace.count - 1].append("died")
    return padded(trace, program.count)
  }

  private func padded(_ trace: [[String]], _ count: Int) -> [[String]] {
    trace + Array(repeating: [], count: max(0, count - trace.count))
  }

  private func start() throws {
    signal(SIGPIPE, SIG_IGN)
    let process = Process(), input = Pipe(), output = Pipe()
    process.executableURL = executable
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    self.input = input.fileHandleForWriting
    self.output = LineReader(output.fileHandleForReading)
  }

  private func stop() {
    try? input?.close()
    process?.waitUntilExit()
    process = nil
    served = 0
    input = nil
    output = nil
  }
}

/// The lines of a pipe, one by one.
private final class LineReader {
  private let handle: FileHandle
  private var buffer = Data()

  init(_ handle: FileHandle) { self.handle = handle }

  func next() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer = Data(buffer[(end + 1)...])
        return line
      }
      let more = handle.availableData
      if more.isEmpty { return nil }
      buffer.append(more)
    }
  }
}
