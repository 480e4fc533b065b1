import Foundation
import IsaKVO
import IsaKVOTestSupport
import Testing

/// Random programs on objects that are reached in all ways that there are: no observer may know
/// another value than the property has.
///
/// ISA_ROUNDS=n runs so many; ISA_SEED=n ISA_PROGRAMS=1 repeats the one that a failure names.
@Suite(.serialized, .oneAtATime)
struct HeardTests {
  @Test("an observer knows the value that the property has, however objects are reached")
  func swiftClasses() { Self.run(SwiftWorld.self) }

  @Test("an observer knows the value that the property has, whichever type it is observed as first")
  func described() async {
    // In a process of its own: such classes have all that is observed evaluated more often.
    await #expect(processExitsWith: .success) { HeardTests.run(DescribedWorld.self) }
  }

  @Test("an observer knows the value that the property has, of classes made at run time")
  func runtimeClasses() { Self.run(RuntimeWorld.self) }

  private static func run<Kind: World>(_ kind: Kind.Type) {
    // That nobody is told of a property without a wrapper may be reported.
    KeyValueSettings.misuseHandler = { _ in }
    defer { KeyValueSettings.misuseHandler = nil }
    let groups = kind.siteNames.map(\.count)
    print("heard: \(count) programs from ISA_SEED=\(seed) on \(kind)")
    for programSeed in (0..<count).map({ seed &+ UInt64($0) }) {
      let program = HeardProgram.random(DrawnNumbers(seed: programSeed), groups: groups)
      // A program may be the first to use a class or a global, which stays.
      if fails(program, kind) || fails(program, kind, beside: programSeed % 8 == 0) {
        return report(program, programSeed, kind)
      }
      let before = LiveCounts.now
      if fails(program, kind) { return report(program, programSeed, kind) }
      #expect(LiveCounts.now == before, "ISA_SEED=\(programSeed) leaves something behind")
    }
  }

  /// - Parameter beside: Whether the program runs on two threads at once, on objects of its own.
  private static func fails<Kind: World>(
    _ program: HeardProgram, _ kind: Kind.Type, beside: Bool = false
  ) -> Bool {
    let complaints = Recorder<String>()
    nonisolated(unsafe) let run = { HeardRun.complaint(about: program, kind, lane: $0) }
    DispatchQueue.concurrentPerform(iterations: beside ? 2 : 1) { lane in
      if let complaint = run(lane) { complaints.add(complaint) }
    }
    return complaints.count > 0
  }

  private static func report<Kind: World>(
    _ program: HeardProgram, _ seed: UInt64, _ kind: Kind.Type
  ) {
    let small = program.shrunk { HeardRun.complaint(about: $0, kind) != nil }
    Issue.record(
      """
      ISA_SEED=\(seed) ISA_PROGRAMS=1, \(kind): \
      \(HeardRun.complaint(about: small, kind) ?? "fails on two threads at once")
      \(small.text(kind.siteNames))
      """)
  }

  private static let seed =
    number("ISA_SEED").map(UInt64.init) ?? UInt64.random(in: 0...UInt64(UInt32.max))
  private static let count = number("ISA_PROGRAMS") ?? number("ISA_ROUNDS") ?? 1000

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }
}
