import IsaKVO
import IsaKVOTestSupport
import Testing

/// Keys from outside may be as long as they like: they are refused with a sentence that can be read.
@Suite(.serialized, .leavesNoObjects)
struct LongKeyTests {
  private func keys(_ size: Int) -> [String] {
    [
      String(repeating: "k", count: size), String(repeating: "é", count: size / 2),
      "age" + String(repeating: "\u{0}", count: size),
      String(repeating: "k", count: size - 1) + "\n",
    ]
  }

  private func paths(_ size: Int) -> [String] {
    [
      "friend." + String(repeating: "k", count: size),
      String(repeating: "a.", count: size / 2) + "a", String(repeating: ".", count: size),
      "@" + String(repeating: "k", count: size) + ".age",
    ]
  }

  private func expectSentence(
    _ key: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ act: () throws(KeyValueError) -> Void
  ) {
    do throws(KeyValueError) {
      try act()
      Issue.record("accepted", sourceLocation: sourceLocation)
    } catch {
      // Alone, since what is expected is kept with its parts.
      let sizes = (error.reason.utf8.count, "\(error)".utf8.count)
      #expect(sizes.0 > 20 && sizes.0 < 3000, sourceLocation: sourceLocation)
      #expect(sizes.1 > 20 && sizes.1 < 6000, sourceLocation: sourceLocation)
    }
  }

  @Test("a long key is refused with a sentence, and the object is as it was")
  func refused() {
    let human = Human()
    human.age = 7
    // Four of 64 KiB, and one of 4 MiB, which takes a second without optimisation.
    let all = keys(64 << 10) + keys(4 << 20).prefix(1)
    for key in all {
      expectSentence(key) { () throws(KeyValueError) in _ = try human.value(forKey: key) }
      expectSentence(key) { () throws(KeyValueError) in try human.setValue(1, forKey: key) }
      expectSentence(key) { () throws(KeyValueError) in
        _ = try human.observe(key, as: Int.self) { _, _ in }
      }
    }
    for path in paths(64 << 10) + paths(4 << 20).prefix(1) {
      expectSentence(path) { () throws(KeyValueError) in _ = try human.value(forKeyPath: path) }
      expectSentence(path) { () throws(KeyValueError) in try human.setValue(1, forKeyPath: path) }
    }
    #expect(human.age == 7)
  }
}
