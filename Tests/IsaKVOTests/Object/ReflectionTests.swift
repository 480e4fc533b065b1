import IsaKVO
import IsaKVOTestSupport
import Testing

private class Animal: KVObject {
  @Dynamic var name = "Bello"
  let legs = 4
}

private final class Dog: Animal {
  @Dynamic var age = 3
  @LazyDynamic var title = "made"
  @WeakDynamic var owner: Dog?
  weak var friend: Dog?
  var plain: [String] = ["a"]
  @Dynamic var plainNames: [String] = []
}

private final class Overriding: Animal {
  override var customMirror: Mirror { Mirror(self, children: ["mine": 1]) }
}

@Suite(.serialized, .leavesNoObjects)
struct ReflectionTests {
  private func children(_ mirror: Mirror) -> [String] {
    mirror.children.map { "\($0.label ?? "?"): \($0.value)" }
  }

  @Test("an object's mirror has its properties by name, those of the class above first")
  func properties() {
    let dog = Dog(), owner = Dog()
    let expected = [
      "name: Bello", "legs: 4", "age: 3", "title: nil", "owner: nil",
      "friend: a weak or unowned reference", "plain: [\"a\"]", "plainNames: []",
    ]
    #expect(children(Mirror(reflecting: dog)) == expected)
    let token = dog.observe(\.age) { _, _ in }
    dog.owner = owner
    #expect(children(Mirror(reflecting: dog))[4] == "owner: Optional(\(owner))")
    #expect(dog.title == "made")
    #expect(children(Mirror(reflecting: dog))[3] == "title: Optional(\"made\")")
    token.invalidate()
    #expect(children(Mirror(reflecting: Overriding())) == ["mine: 1"])
  }

  @Test("dump prints an object as what it is, and is a read that nobody hears of")
  func dumped() {
    let dog = Dog(), told = Recorder<String>()
    var text = ""
    let token = dog.observe(\.summary, options: .new) { told.add("\($1.newValue!)") }
    dump(dog, to: &text)
    #expect(text.contains("- age: 3\n") && text.contains("- name: \"Bello\"\n"))
    #expect(!text.contains("DynamicValue") && !text.contains("header"))
    dog.name = "Rex"
    #expect(told.all.isEmpty)
    token.invalidate()
  }

  @Test("a change is printed by what it says")
  func changes() {
    let dog = Dog(), told = Recorder<String>()
    let tokens = [
      dog.observe(\.age, options: [.old, .new, .prior]) { told.add("\($1)") },
      dog.observe(\.plainNames, options: .new) { told.add("\($1)") },
    ]
    dog.age = 4
    dog.mutableArrayValue(for: \.plainNames).append("b")
    #expect(
      told.all == [
        "age: setting, prior, old 3", "age: setting, old 3, new 4",
        "plainNames: insertion, at [0], new [\"b\"]",
      ])
    let change = ValueChange(keyPath: "age", isInitial: true, newValue: 5)
    #expect(
      Mirror(reflecting: change).children.compactMap(\.label) == [
        "keyPath", "cause", "kind", "isPrior", "isInitial", "indexes", "oldValue", "newValue",
      ])
    #expect("\(change)" == "age: setting, initial, new 5")
    #expect("\(tokens[0])" == "KeyValueObservation (valid)")
    tokens.forEach { $0.invalidate() }
    #expect("\(tokens[0])" == "KeyValueObservation (ended)")
    #expect(Mirror(reflecting: tokens[0]).children.map(\.label) == ["isValid"])
  }
}

extension Dog {
  /// Reads one property, and what `dump` reads.
  fileprivate var summary: Int {
    var text = ""
    dump(self, to: &text)
    return age
  }
}
