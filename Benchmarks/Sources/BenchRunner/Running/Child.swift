import Foundation

/// A program that could not be run to an end.
struct ChildError: Error, CustomStringConvertible {
  let description: String
}

/// Another program, run to its end.
struct Child {
  /// Where a program's lines go.
  enum Stream {
    case output, errors
  }

  let path: String
  let arguments: [String]

  /// Finds a program in PATH; nil if there is none of that name.
  static func find(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs the program and hands over each line of one of its streams as it comes; the other goes
  /// where this program's goes, or nowhere.
  ///
  /// - Returns: The exit code.
  func run(
    reading stream: Stream = .output, showingOther: Bool = true, line: (String) -> Void
  ) throws(ChildError) -> Int32 {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let shown = FileHandle.standardError
    let other = showingOther ? shown : FileHandle.nullDevice
    process.standardOutput = stream == .output ? pipe : other
    process.standardError = stream == .errors ? pipe : other
    do {
      try process.run()
    } catch {
      throw ChildError(description: "\(path): cannot be run: \(error.localizedDescription)")
    }
    pipe.fileHandleForReading.forEachLine(line)
    process.waitUntilExit()
    guard process.terminationReason == .exit else {
      throw ChildError(description: "\(path): stopped by signal \(process.terminationStatus)")
    }
    return process.terminationStatus
  }

  /// The first line that the program prints, if it succeeds.
  func firstLine() -> String? {
    var lines: [String] = []
    guard let code = try? run(showingOther: false, line: { lines.append($0) }), code == 0
    else { return nil }
    return lines.first
  }
}

extension FileHandle {
  /// Reads to the end, a line at a time.
  fileprivate func forEachLine(_ body: (String) -> Void) {
    var pending = Data()
    while true {
      let data = availableData
      if data.isEmpty { break }
      pending += data
      while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        body(String(decoding: pending[pending.startIndex..<end], as: UTF8.self))
        pending = Data(pending[(end + 1)...])
      }
    }
    if !pending.isEmpty { body(String(decoding: pending, as: UTF8.self)) }
  }
}
