import CIsa
import CIsa.Testing
import Foundation
import Testing

/// Random programs on the engine and on the reference.
///
/// ISA_SEED=n repeats a run, ISA_PROGRAMS=n runs so many programs: with both, the one program that
/// a failure names.
@Suite(.serialized)
struct ModelTests {
  @Test("observers are told what the rules say, whatever a program does")
  func programs() {
    let engine = Engine()
    let seed = Self.seed, count = Self.count
    print("model: \(count) programs from ISA_SEED=\(seed)")
    _ = EngineRun.run(Generator.program(seed: seed), on: engine)
    let counts = LiveCounts.now
    for number in 0..<count {
      let programSeed = seed &+ UInt64(number)
      let program = Generator.program(seed: programSeed)
      if fails(program, engine) { return report(program, programSeed, engine) }
      if LiveCounts.now != counts { return reportLeak(program, programSeed, engine) }
    }
  }

  private func fails(_ program: Program, _ engine: Engine) -> Bool {
    EngineRun.run(program, on: engine) != Reference.run(program)
  }

  private func report(_ program: Program, _ seed: UInt64, _ engine: Engine) {
    let small = Shrinker { fails($0, engine) }.shrink(program)
    let engineTrace = EngineRun.run(small, on: engine), rules = Reference.run(small)
    Issue.record(
      """
      ISA_SEED=\(seed) ISA_PROGRAMS=1: the engine tells other than the rules say
      \(small)
      the rules:
      \(rules.map(\.description).joined(separator: "\n"))
      the engine:
      \(engineTrace.map(\.description).joined(separator: "\n"))
      """)
  }

  private func reportLeak(_ program: Program, _ seed: UInt64, _ engine: Engine) {
    let leaks: (Program) -> Bool = { program in
      let before = LiveCounts.now
      _ = EngineRun.run(program, on: engine)
      return LiveCounts.now != before
    }
    let small = leaks(program) ? Shrinker(fails: leaks).shrink(program) : program
    Issue.record("ISA_SEED=\(seed) ISA_PROGRAMS=1: this leaves something behind\n\(small)")
  }

  private static var seed: UInt64 {
    let text = ProcessInfo.processInfo.environment["ISA_SEED"]
    return text.flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64(UInt32.max))
  }

  private static var count: Int {
    let text = ProcessInfo.processInfo.environment["ISA_PROGRAMS"]
    #if DEBUG
      return text.flatMap { Int($0) } ?? 2000
    #else
      return text.flatMap { Int($0) } ?? 100_000
    #endif
  }
}

/// What a program must leave as it was.
private struct LiveCounts: Equatable {
  let objects, sideRecords, registrations, snapshots, pending: Int64

  static var now: LiveCounts {
    let counts = isa_testing_live_counts()
    return LiveCounts(
      objects: counts.objects, sideRecords: counts.side_records,
      registrations: counts.registrations, snapshots: counts.snapshots, pending: counts.pending)
  }
}
