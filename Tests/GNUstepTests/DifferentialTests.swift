import CIsa
import Foundation
import IsaKVOTestSupport
import Testing

private let environment = ProcessInfo.processInfo.environment

// `make test-gnustep` builds the driver and says where it is: without GNUstep there is nothing to
// compare with.
@Suite(.serialized, .leavesNothing, .enabled(if: environment["ISA_GNUSTEP"] != nil))
struct DifferentialTests {
  private let driver = Driver(environment["ISA_GNUSTEP"] ?? "")

  @Test("random programs do the same over GNUstep's Foundation")
  func randomPrograms() throws {
    let count = environment["ISA_PROGRAMS"].flatMap { UInt64($0) } ?? 2000
    let seed = environment["ISA_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1 << 48)
    print("differential test: \(count) programs from ISA_SEED=\(seed)")
    var failures = 0
    for number in 0..<count where failures < 5 {
      let (area, program) = Area.program(seed: seed + number)
      guard let difference = try difference(in: program) else { continue }
      failures += 1
      let shrinker = Shrinker { try self.difference(in: $0) == difference }
      let report = try report(shrinker.shrink(program))
      Issue.record("ISA_SEED=\(seed + number) ISA_PROGRAMS=1, \(area)\n\(report)")
    }
  }

  @Test("a difference that is known is still there", arguments: Difference.all)
  func known(_ difference: Difference) throws {
    #expect(try Engine.run(difference.program).last == difference.here, "here")
    #expect(try driver.run(difference.program).last == difference.there, "there")
  }

  private func difference(in program: [String]) throws -> Unexplained? {
    try Difference.firstUnexplained(program, Engine.run(program), driver.run(program))
  }

  /// The program with both traces, line by line.
  private func report(_ program: [String]) throws -> String {
    let here = try Engine.run(program), there = try driver.run(program)
    return program.indices.map { index in
      let traces =
        here[index] == there[index]
        ? here[index].map { "    \($0)" }
        : here[index].map { "    here  \($0)" } + there[index].map { "    there \($0)" }
      return ([program[index]] + traces).joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

@Suite(.serialized, .oneAtATime) struct DocumentedDifferencesTests {
  @Test("docs/behaviour.md names each difference and its reason", arguments: Difference.all)
  func documented(_ difference: Difference) throws {
    let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
    let page = root.appendingPathComponent("docs/behaviour.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    #expect(text.contains("| \(difference.name) | \(difference.reason) |"))
  }
}

extension Difference: CustomTestStringConvertible {
  var testDescription: String { name }
}
