import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNoObjects)
struct LazyBoxTests {
  /// A value that counts how often it is hashed, which the runtime has to do to box it.
  struct Counted: Hashable {
    var number: Int
    func hash(into hasher: inout Hasher) {
      Counted.hashes += 1
      hasher.combine(number)
    }
    nonisolated(unsafe) static var hashes = 0
  }

  final class Box: KVObject {
    @Dynamic var set: Set<Counted> = []
    @Dynamic var lookup: [Counted: Int] = [:]
    @Dynamic var numbers: Set<Int> = []
    @Dynamic var words: [String: Int] = [:]
  }

  @Test("a typed observer gets the collections as they are, no element is looked at")
  func typed() throws {
    let box = Box(), elements = (0..<10).map { Counted(number: $0) }
    let set = Set(elements), lookup = Dictionary(uniqueKeysWithValues: elements.map { ($0, 1) })
    var counts: [Int] = []
    let tokens = [
      box.observe(\.set, options: [.old, .new]) { counts.append($1.newValue!.count) },
      box.observe(\.lookup, options: [.old, .new]) { counts.append($1.newValue!.count) },
    ]
    Counted.hashes = 0
    box.set = set
    box.lookup = lookup
    #expect(counts == [10, 10] && Counted.hashes == 0)
    tokens.forEach { $0.invalidate() }
  }

  @Test("to the runtime they are sets and dictionaries like any other")
  func untyped() throws {
    let box = Box()
    box.numbers = [1, 2, 3]
    box.words = ["one": 1, "two": 2]
    let object = try RuntimeObject(box)
    let numbers = try object.value(forKey: "numbers"), words = try object.value(forKey: "words")
    #expect(numbers.set == [1, 2, 3] && numbers == .set([3, 2, 1]))
    #expect(words.dictionary == ["one": 1, "two": 2])
    #expect(words == .dictionary(["two": 2, "one": 1]))
    #expect(try object.value(forKeyPath: "words.two") == 2)
    #expect(try object.value(forKeyPath: "words.three").isNil)
    #expect(try object.value(forKeyPath: "numbers.@max.self") == 3)
    try box.setValue(numbers.object as Any, forKey: "numbers")
    #expect(box.numbers == [1, 2, 3])
  }

  @Test("a member is found by an equal object only")
  func members() throws {
    let box = Box()
    box.numbers = [1]
    let numbers = try box.mutableSetValue(forKey: "numbers")
    #expect(numbers.contains(1) && numbers.contains(1.0))
    #expect(!numbers.contains(1.5) && !numbers.contains(RuntimeValue("1")))
  }
}
