import Foundation

/// Counts instructions, which do not depend on the machine's mood.
struct Callgrind: Sendable {
  /// The result of one row.
  enum Count: Sendable {
    /// The instructions of one operation, and of the one it is held against.
    case counted(Double, plain: Double)
    case failed(String)
  }

  let valgrind: String
  /// The operations of the two runs; work needed once falls out of their difference.
  private let fewer = 1_000
  private let more = 3_000

  init(valgrind: String) { self.valgrind = valgrind }

  /// Counts the instructions of rows and of the rows that they are held against.
  func count(
    _ driver: Driver, _ rows: [Row], _ plain: [Row?], step: (String) -> Void
  ) throws -> [Count] {
    let copy = try StrippedCopy(driver)
    let jobs = zip(rows, plain).flatMap { row, plain in
      [row.ownName, plain?.ownName].flatMap { name in [(name, fewer), (name, more)] }
    }
    let sums = inParallel(jobs.count) { index in
      sum([copy.path] + driver.arguments, jobs[index].0, jobs[index].1)
    }
    return rows.indices.map { index in
      step(rows[index].name)
      return count(Array(sums[4 * index..<4 * index + 4]))
    }
  }

  private func count(_ sums: [Result<Double, ChildError>]) -> Count {
    do {
      let sums = try sums.map { try $0.get() }
      let operations = Double(more - fewer)
      return .counted((sums[1] - sums[0]) / operations, plain: (sums[3] - sums[2]) / operations)
    } catch {
      return .failed("\(error)")
    }
  }

  /// The instructions of one run.
  private func sum(_ call: [String], _ name: String?, _ count: Int) -> Result<Double, ChildError> {
    Result {
      guard let name else { throw ChildError(description: "its partner is not among the rows") }
      var lines: [String] = []
      let arguments =
        [
          "--tool=callgrind", "--callgrind-out-file=/dev/null",
          "--toggle-collect=paired_measured",
        ] + call + ["--once", name, String(count)]
      let child = Child(path: valgrind, arguments: arguments)
      let code = try child.run(reading: .errors, showingOther: false) { lines.append($0) }
      return try Callgrind.collected(lines, code)
    }
    .mapError { $0 as? ChildError ?? ChildError(description: "\($0)") }
  }

  /// The sum that callgrind says it has collected.
  static func collected(_ lines: [String], _ code: Int32) throws(ChildError) -> Double {
    let sums = lines.compactMap { line -> Double? in
      guard let place = line.range(of: "Collected : ") else { return nil }
      return Double(line[place.upperBound...])
    }
    guard code == 0, let sum = sums.last, sum > 0 else {
      let last = lines.last { !$0.hasPrefix("==") } ?? lines.last ?? "no output"
      throw ChildError(description: "valgrind: exit code \(code): \(last)")
    }
    return sum
  }
}

/// Where valgrind is; nil where there is none.
public func findValgrind() -> String? { Child.find("valgrind") }

extension Row {
  /// The name that a driver takes.
  fileprivate var ownName: String { "\(subject)/\(workload)" }
}

/// A driver without the part of its debugging data that valgrind cannot read.
private final class StrippedCopy: Sendable {
  let path: String

  init(_ driver: Driver) throws {
    path = NSTemporaryDirectory() + "bench-\(UUID().uuidString)"
    let arguments = ["-g", "-o", path, driver.path]
    let strip = Child.find("strip").map { Child(path: $0, arguments: arguments) }
    if try strip?.run(line: { _ in }) != 0 {
      try FileManager.default.copyItem(atPath: driver.path, toPath: path)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Does jobs on all cores.
private func inParallel<Value: Sendable>(
  _ count: Int, _ job: @Sendable (Int) -> Value
) -> [Value] {
  let slots = Slots<Value>(count)
  DispatchQueue.concurrentPerform(iterations: count) { slots.fill($0, with: job($0)) }
  return slots.values
}

private final class Slots<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var filled: [Value?]

  init(_ count: Int) { filled = Array(repeating: nil, count: count) }

  var values: [Value] { lock.withLock { filled.compactMap { $0 } } }

  func fill(_ index: Int, with value: Value) { lock.withLock { filled[index] = value } }
}
