import Foundation
import IsaKVO
import IsaKVOTestSupport
import Testing

/// The layout assumed of the Swift runtime is compared with it before anything is read by it.
@Suite(.serialized, .leavesNoObjects)
struct SwiftLayoutTests {
  @Test("the layout is the one of this process")
  func known() { #expect(SwiftLayout().difference == nil) }

  @Test("each assumption that is false is found out, a word more or less as well as another value")
  func falsified() {
    let word = MemoryLayout<UInt>.size
    let changes: [(String, (inout SwiftLayout) -> Void)] = [
      ("first property", { $0.firstProperty += word }),
      ("first property", { $0.firstProperty -= word }),
      ("states that they have", { $0.instanceSize += word }),
      ("states that they have", { $0.instanceSize -= word }),
      ("one word longer", { $0.classSize += word }),
      ("one word longer", { $0.classSize -= word }),
      ("one word longer", { swap(&$0.classSize, &$0.sizeBefore) }),
      ("one word longer", { $0.sizeBefore += word }),
      ("one word longer", { $0.sizeBefore -= word }),
      ("first method", { $0.members += word }),
      ("first method", { $0.members -= word }),
      ("Int does not state its kind", { $0.structure += 1 }),
      ("(Int, Int) does not state its kind", { $0.tuple += 1 }),
      ("Any does not state its kind", { $0.existential += 1 }),
      ("what it is made with", { $0.describing += word }),
      ("what it is made with", { $0.argument += word }),
      ("what it is made with", { $0.argument -= word }),
      ("property constant for a var", { $0.isStrong += word }),
      ("for a let", { $0.isVariable += word }),
      ("property constant for a var", { swap(&$0.isStrong, &$0.isVariable) }),
      ("class VariableProbe", { $0.methods += 4 }),
      ("class VariableProbe", { $0.methods -= 4 }),
      ("class VariableProbe", { $0.methods += word }),
      ("class VariableProbe", { $0.hasMethods = 1 << 15 }),
      ("class VariableProbe", { $0.hasMore = 1 << 31 }),
      ("class VariableProbe", { $0.isGeneric = 1 << 31 }),
      ("class GenericProbe", { $0.isGeneric = 1 << 15 }),
      ("class GenericProbe", { $0.parameterCount -= 2 }),
      ("class GenericProbe", { $0.requirementCount += 4 }),
      ("class GenericProbe", { $0.moreParameters -= 2 }),
      ("class GenericProbe", { $0.parameters += 4 }),
      ("class GenericProbe", { $0.parameters -= 4 }),
      ("class GenericProbe", { $0.requirementSize += 4 }),
      ("class GenericProbe", { $0.requirementSize -= 4 }),
      ("a getter and a setter", { $0.methodSize += 4 }),
      ("a getter and a setter", { $0.methodSize -= 4 }),
      ("a getter and a setter", { $0.kind = 0xF }),
      ("a getter and a setter", { $0.getter += 1 }),
      ("a getter and a setter", { $0.setter += 1 }),
    ]
    for (words, change) in changes {
      var layout = SwiftLayout()
      change(&layout)
      let difference = layout.difference
      #expect(difference?.contains(words) == true, "\(words): \(difference ?? "nothing")")
    }
  }

  @Test("a layout that differs stops at the first use, with what differs and Swift's version")
  func refused() async throws {
    let word = MemoryLayout<UInt>.size
    #expect(word == 8)
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      SwiftLayout.assumed.classSize += MemoryLayout<UInt>.size
      _ = Human().observe(\.age) { _, _ in }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("IsaKVO does not know the layout of classes in Swift 6."))
    #expect(text.contains("a class with one method more is not stated to be one word longer"))
  }
}
