import Foundation

// Programs on subclasses of KVObject and on classes made at run time: observers are told what the
// reference of the rules says, no observer knows another value than the property has, however it is
// computed, and nothing is left. The bytes choose each step of a program.

// The fuzzer has one thread.
nonisolated(unsafe) private let models = ClassKind.allCases.map(Model.init)

/// One input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var numbers = DrawnNumbers(bytes: Array(UnsafeBufferPointer(start: bytes, count: count)))
  switch numbers.next() % 4 {
  case 0: check(SwiftWorld.self, numbers)
  case 2: check(DescribedWorld.self, numbers)
  case 1: check(RuntimeWorld.self, numbers)
  default: check(Generator.program(numbers))
  }
  return 0
}

private func check(_ program: Program) {
  for model in models {
    let before = LiveCounts.now
    if model.trace(program) != model.rules(program) {
      fail("other than the rules say", "\(program)")
    }
    if LiveCounts.now != before { fail("leaves something behind", "\(program)") }
  }
}

private func check<Kind: World>(_ kind: Kind.Type, _ numbers: DrawnNumbers) {
  let program = HeardProgram.random(numbers, groups: kind.siteNames.map(\.count))
  // A program may be the first to use a class or a global, which stays.
  for isFirst in [true, false] {
    let before = LiveCounts.now
    if let complaint = HeardRun.complaint(about: program, kind) {
      fail(complaint, program.text(kind.siteNames))
    }
    if !isFirst, LiveCounts.now != before {
      fail("leaves something behind", program.text(kind.siteNames))
    }
  }
}

private func fail(_ problem: String, _ program: String) -> Never {
  FileHandle.standardError.write(Data("objects: \(problem)\n\(program)\n".utf8))
  abort()
}
