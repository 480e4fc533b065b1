import Foundation

// Programs on subclasses of KVObject and on classes made at run time: observers are told what the
// reference of the rules says, and nothing is left. The bytes choose each step of a program.

// The fuzzer has one thread.
nonisolated(unsafe) private let models = ClassKind.allCases.map(Model.init)

/// One input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let numbers = DrawnNumbers(bytes: Array(UnsafeBufferPointer(start: bytes, count: count)))
  let program = Generator.program(numbers)
  for model in models {
    let before = LiveCounts.now
    if model.trace(program) != model.rules(program) { fail("other than the rules say", program) }
    if LiveCounts.now != before { fail("leaves something behind", program) }
  }
  return 0
}

private func fail(_ problem: String, _ program: Program) -> Never {
  FileHandle.standardError.write(Data("objects: \(problem)\n\(program)\n".utf8))
  abort()
}
