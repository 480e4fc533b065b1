import Foundation
import IsaKVO
import IsaKVOTestSupport
import Testing

/// The layout assumed of the Swift runtime is compared with it before anything is read by it.
@Suite(.serialized, .leavesNoObjects)
struct SwiftLayoutTests {
  @Test("the layout is the one of this process")
  func known() { #expect(SwiftLayout().differences.isEmpty) }

  @Test("each assumption that is false is found out, a word more or less as well as another value")
  func falsified() {
    let word = MemoryLayout<UInt>.size
    let changes: [(Answers, String, (inout SwiftLayout) -> Void)] = [
      (.properties, "first property", { $0.firstProperty += word }),
      (.properties, "first property", { $0.firstProperty -= word }),
      (.sizes, "one word longer", { $0.classSize += word }),
      (.sizes, "one word longer", { $0.classSize -= word }),
      (.sizes, "one word longer", { swap(&$0.classSize, &$0.sizeBefore) }),
      (.sizes, "one word longer", { $0.sizeBefore += word }),
      (.sizes, "one word longer", { $0.sizeBefore -= word }),
      (.sizes, "first method", { $0.members += word }),
      (.sizes, "first method", { $0.members -= word }),
      (.kinds, "Any does not state its kind", { $0.existential += 1 }),
      (.arguments, "what it is made with", { $0.argument += word }),
      (.arguments, "what it is made with", { $0.argument -= word }),
      (.natures, "for a weak one", { $0.isStrong += word }),
      (.natures, "for a let", { $0.isVariable += word }),
      (.natures, "for a ", { swap(&$0.isStrong, &$0.isVariable) }),
      (.getters, "class VariableProbe", { $0.methods += 4 }),
      (.getters, "class VariableProbe", { $0.methods -= 4 }),
      (.getters, "class VariableProbe", { $0.methods += word }),
      (.getters, "class VariableProbe", { $0.hasMethods = 1 << 15 }),
      (.getters, "class VariableProbe", { $0.hasMore = 1 << 31 }),
      (.getters, "class VariableProbe", { $0.isGeneric = 1 << 31 }),
      (.genericGetters, "class GenericProbe", { $0.isGeneric = 1 << 15 }),
      (.genericGetters, "class GenericProbe", { $0.parameterCount -= 2 }),
      (.genericGetters, "class GenericProbe", { $0.requirementCount += 4 }),
      (.genericGetters, "class GenericProbe", { $0.moreParameters -= 2 }),
      (.genericGetters, "class GenericProbe", { $0.parameters += 4 }),
      (.genericGetters, "class GenericProbe", { $0.parameters -= 4 }),
      (.genericGetters, "class GenericProbe", { $0.requirementSize += 4 }),
      (.genericGetters, "class GenericProbe", { $0.requirementSize -= 4 }),
      (.getters, "a getter and a setter", { $0.methodSize += 4 }),
      (.getters, "a getter and a setter", { $0.methodSize -= 4 }),
      (.getters, "a getter and a setter", { $0.kind = 0xF }),
      (.getters, "a getter and a setter", { $0.getter += 1 }),
      (.getters, "a getter and a setter", { $0.setter += 1 }),
    ]
    for (answers, words, change) in changes {
      var layout = SwiftLayout()
      change(&layout)
      let found = layout.differences.first { $0.answers == answers }
      #expect(found?.text.contains(words) == true, "\(words): \(layout.differences)")
    }
  }

  @Test(
    "a layout that differs is reported once, with what differs, Swift's version and what follows")
  func reported() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      SwiftLayout.assumed.classSize += MemoryLayout<UInt>.size
      let human = Human(), lines = Recorder<String>()
      let tokens = [
        human.observe(\.age) { lines.add("age \($1.kind)") },
        Named().observe(\.name) { _, _ in },
      ]
      human.age += 1
      precondition(lines.all == ["age setting"])
      tokens.forEach { $0.invalidate() }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let reports = text.split(separator: "\n").filter { $0.contains("lays out classes") }
    #expect(reports.count == 1)
    #expect(text.contains("IsaKVO does not know how Swift 6."))
    #expect(text.contains("a class with one method more is not stated to be one word longer"))
    #expect(text.contains("methods are found by the compiler's notes of them alone"))
  }

  @Test("where properties are not known, a class that has some is refused, and nothing stops")
  func refused() async {
    await #expect(processExitsWith: .success) {
      SwiftLayout.assumed.firstProperty += MemoryLayout<UInt>.size
      let human = Human()
      do throws(KeyValueError) {
        _ = try human.observe("age", as: Int.self) { _, _ in }
        preconditionFailure("observed")
      } catch {
        precondition(error.code == .unsupported)
        precondition(error.reason.contains("lays out objects in a way that IsaKVO does not know"))
      }
      human.age = 7
      precondition(human.age == 7)
    }
  }

  @Test("key paths that are laid out otherwise are evaluated, and modified by following them")
  func followed() async {
    await #expect(processExitsWith: .success) {
      SwiftLayout.assumed.stepsSize += MemoryLayout<UInt>.size
      let human = Human(), lines = Recorder<String>()
      let token = human.observe(\.list, options: [.old, .new]) { lines.add(words($1)) }
      human.list.append(4)
      precondition(lines.all == ["setting: [1] → [1, 4]"], "\(lines.all)")
      token.invalidate()
    }
  }
}

private final class Named: KVObject {
  @Dynamic var name = ""
}
