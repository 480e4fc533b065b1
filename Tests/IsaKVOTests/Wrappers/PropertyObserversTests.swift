import IsaKVO
import IsaKVOTestSupport
import IsaKVOWrappers
import Testing

@Suite(.serialized, .leavesNoObjects)
struct PropertyObserversTests {
  @Test("a property's closures are told old and new for as long as the object lives")
  func lives() throws {
    let notes = Recorder<String>()
    var human: Human? = Human()
    weak let reference = human
    human?.observeProperty(\.age) { notes.add("\($0.name) \($1) \($2)") }
    human?.observeProperty(\.place) { _, old, new in
      notes.add("\(old?.city ?? "nil") \(new?.city ?? "nil")")
    }
    human?.age = 2
    human?.place = Place()
    #expect(notes.all == ["Ann 1 2", "nil Paris"])
    human = nil
    #expect(reference == nil)
  }

  @Test("EasyKVO's bug: one object's end leaves the closures of others alone")
  func others() throws {
    let notes = Recorder<Int>()
    let human = Human()
    var second: Human? = Human()
    human.observeProperty(\.age) { notes.add($2) }
    second?.observeProperty(\.age) { notes.add($2) }
    second?.age = 2
    second = nil
    human.age = 3
    #expect(notes.all == [2, 3])
  }

  @Test("closures end by property and all at once, those of the object only")
  func ended() throws {
    let notes = Recorder<String>()
    let human = Human(), other = Human()
    human.observeProperty(\.age) { _, _, _ in notes.add("first") }
    human.observeProperty(\.age) { _, _, _ in notes.add("second") }
    human.observeProperty(\.name) { _, _, _ in notes.add("name") }
    other.observeProperty(\.age) { _, _, _ in notes.add("other") }
    human.unobserveProperty(\.age)
    human.unobserveProperty(\.ratio)
    human.age = 2
    human.name = "Bob"
    #expect(notes.all == ["name"])
    human.unobserveProperties()
    human.name = "Eve"
    other.age = 2
    #expect(notes.all == ["name", "other"])
  }

  @Test("with an owner, a closure ends with whichever goes first")
  func owner() throws {
    let human = Human()
    var owner: Plain? = Plain()
    weak let reference = owner
    let notes = Recorder<String>()
    human.observeProperty(\.age, owner: owner!) { owner, _, _, new in
      notes.add("\(owner.text) \(new)")
    }
    human.age = 2
    owner = nil
    #expect(reference == nil)
    human.age = 3
    #expect(notes.all == ["plain 2"])
    var place: Place? = Place()
    human.observeProperty(\.age, owner: place!) { _, _, _, new in notes.add("\(new)") }
    human.age = 4
    place = nil
    human.age = 5
    #expect(notes.all == ["plain 2", "4"])
  }

  @Test("what cannot be observed is a misuse")
  func refused() {
    let human = Human()
    expectMisuse { human.observeProperty(\.unwrapped) { _, _, _ in } }
    expectMisuse { human.observeProperty(\.unwrapped, owner: Human()) { _, _, _, _ in } }
    human.unobserveProperty(\.unwrapped)
  }
}
