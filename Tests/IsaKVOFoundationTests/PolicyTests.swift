import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

@Suite("The misuse policy", .serialized, .leavesNoObjects)
struct PolicyTests {
  @Test("it is to report, and to carry on")
  func report() {
    #expect(MisusePolicy.current == .report)
    let person = Person()
    #expect(reports { person.removeObserver(person, forKeyPath: "age") }.count == 1)
  }

  @Test("strict stops at a removal that matches nothing")
  func strictRemoval() async {
    await #expect(processExitsWith: .failure) {
      MisusePolicy.current = .strict
      let person = Person()
      person.removeObserver(person, forKeyPath: "age")
    }
  }

  @Test("strict stops at an unknown key, and at a change that nobody handles")
  func strictKey() async {
    await #expect(processExitsWith: .failure) {
      MisusePolicy.current = .strict
      Person().setValue(1, forKey: "nope")
    }
    await #expect(processExitsWith: .failure) {
      MisusePolicy.current = .strict
      let person = Person(), other = Person()
      person.addObserver(other, forKeyPath: "age", options: [], context: nil)
      person.age = 2
    }
  }

  @Test("strict lets pass what is right")
  func strictIsQuiet() async {
    await #expect(processExitsWith: .success) {
      MisusePolicy.current = .strict
      let person = Person()
      let token = person.observe(\.age) { _, _ in }
      person.setValue(2, forKey: "age")
      token.invalidate()
    }
  }
}
