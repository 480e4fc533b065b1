import Foundation
import IsaKVOTestSupport
import Testing

/// Random programs on the engine and on the reference.
///
/// ISA_SEED=n repeats a run, ISA_PROGRAMS=n runs so many programs: with both, the one program that
/// a failure names.
@Suite(.serialized, .oneAtATime)
struct ModelTests {
  @Test(
    "observers are told what the rules say, whatever a program does",
    arguments: ClassKind.allCases)
  func programs(kind: ClassKind) {
    let model = Model(kind)
    let seed = Self.seed, count = Self.count
    print("model: \(count) programs from ISA_SEED=\(seed) on classes of kind \(kind)")
    _ = model.trace(Generator.program(seed: seed))
    let counts = LiveCounts.now
    for number in 0..<count {
      let programSeed = seed &+ UInt64(number)
      let program = Generator.program(seed: programSeed)
      if fails(program, model) { return report(program, programSeed, model) }
      if LiveCounts.now != counts { return reportLeak(program, programSeed, model) }
    }
  }

  private func fails(_ program: Program, _ model: Model) -> Bool {
    let trace = model.trace(program)
    for line in trace { Recording.add("\(line)") }
    return trace != model.rules(program)
  }

  private func report(_ program: Program, _ seed: UInt64, _ model: Model) {
    let small = Shrinker { fails($0, model) }.shrink(program)
    Issue.record(
      """
      ISA_SEED=\(seed) ISA_PROGRAMS=1, kind \(model.kind): the engine tells other than the rules say
      \(small.said(of: model.kind))
      the rules:
      \(model.rules(small).map(\.description).joined(separator: "\n"))
      the engine:
      \(model.trace(small).map(\.description).joined(separator: "\n"))
      """)
  }

  private func reportLeak(_ program: Program, _ seed: UInt64, _ model: Model) {
    let leaks: (Program) -> Bool = { program in
      let before = LiveCounts.now
      _ = model.trace(program)
      return LiveCounts.now != before
    }
    let small = leaks(program) ? Shrinker(fails: leaks).shrink(program) : program
    Issue.record(
      """
      ISA_SEED=\(seed) ISA_PROGRAMS=1, kind \(model.kind): this leaves something behind
      \(small.said(of: model.kind))
      """)
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
