import Foundation
import Paired

/// The rows of the programs in a folder.
func programWorkloads(in folder: String) -> [Workload] {
  let subjects = [
    ("isakvo-swift", "hello-isakvo"), ("opencombine", "hello-opencombine"),
    ("swift-collections", "hello-collections"),
  ]
  let programs = subjects.flatMap { (subject: String, name: String) -> [Workload] in
    let isOwn = subject == "isakvo-swift"
    return [
      Workload("program-build", of: subject, goal: isOwn ? 40 : nil, unit: "s") {
        try Figure(of: folder, name) { try $0.secondsToBuild() }
      },
      Workload("program-size", of: subject, goal: isOwn ? 1500 : nil, unit: "kB") {
        try Figure(of: folder, name) {
          Double(try $0.size() - Program(folder, "empty").size()) / 1000
        }
      },
      Workload("program-start", of: subject, goal: isOwn ? 2 : nil, unit: "ms") {
        try Figure(of: folder, name) { try $0.timeBeyond(Program(folder, "empty")) }
      },
    ]
  }
  let firsts = [("process", 1500.0), ("class", 70), ("key-path", 25), ("computed-key-path", 100)]
    .enumerated().map { place, first in
      Workload("first-observation-of-\(first.0)", of: "isakvo-swift", goal: first.1, unit: "µs") {
        try Figure(of: folder, "firsts") { try $0.firstObservation(place) }
      }
    }
  return programs + firsts
}

/// A figure of a program, which runs as often as samples are taken.
private final class Figure: Work {
  private let program: Program
  private let measure: (Program) throws -> Double
  private var failures = 0

  init(of folder: String, _ name: String, _ measure: @escaping (Program) throws -> Double) throws {
    program = try Program(folder, name)
    self.measure = measure
  }

  func run(_ count: Int) {}

  func figure() -> Double {
    do {
      return try measure(program)
    } catch {
      FileHandle.standardError.write(Data("\(program.path): \(error)\n".utf8))
      failures += 1
      return .nan
    }
  }

  func check(_ count: Int) -> Bool { failures == 0 }
}

/// A program that was built.
private struct Program {
  let path: String

  init(_ folder: String, _ name: String) throws {
    path = "\(folder)/\(name)"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Missing("\(path) is not there; Benchmarks/Programs/build.sh builds it")
    }
  }

  /// The processor's time that building it from nothing took.
  func secondsToBuild() throws -> Double {
    let text = try String(contentsOfFile: path + ".seconds", encoding: .utf8)
    guard let seconds = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw WrongOutput(text: text)
    }
    return seconds
  }

  /// The bytes of its file, which is stripped. What it links at run time is not among them.
  func size() throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.size] as? Int) ?? 0
  }

  /// How many milliseconds longer it takes to run than another one, which takes turns with it: the
  /// least of some runs each.
  func timeBeyond(_ other: Program) throws -> Double {
    var (own, others) = (Double.infinity, Double.infinity)
    for _ in 0..<9 {
      own = min(own, try timeToGreet())
      others = min(others, try other.timeToGreet())
    }
    return own - others
  }

  private func timeToGreet() throws -> Double {
    let (output, time) = try run()
    guard output == "hello\n" else { throw WrongOutput(text: output) }
    return Double(time.components.seconds) * 1e3 + Double(time.components.attoseconds) / 1e15
  }

  /// The microseconds that the program tells, in one line, at that place.
  func firstObservation(_ place: Int) throws -> Double {
    let (output, _) = try run()
    let times = output.split(separator: " ").compactMap {
      Double($0.trimmingCharacters(in: .newlines))
    }
    guard times.count == 4 else { throw WrongOutput(text: output) }
    return times[place] / 1e3
  }

  /// Runs it; its output, and the time until that ended.
  private func run() throws -> (output: String, time: Duration) {
    let clock = ContinuousClock()
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: path)
    process.standardOutput = pipe
    let start = clock.now
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    let time = clock.now - start
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw WrongOutput(text: "exit code \(process.terminationStatus)")
    }
    return (String(decoding: output, as: UTF8.self), time)
  }
}

private struct WrongOutput: Error {
  let text: String
}
