import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .leavesNoObjects)
struct ObservingSeveralTests {
  @Test("one call observes several key paths and tells which one changed")
  func several() throws {
    let human = Human()
    let notes = Recorder<PartialKeyPath<Human>>()
    let token = human.observe(anyOf: [\.age, \.name, \.full]) { object, keyPath in
      #expect(object === human)
      notes.add(keyPath)
    }
    human.age = 2
    human.last = "May"
    #expect(notes.all == [\.age, \.full])
    token.invalidate()
    human.age = 3
    #expect(notes.count == 2)
    #expect(!token.isValid)
  }

  @Test("a key path that is named twice is told once, and each at first if that is asked for")
  func twice() throws {
    let human = Human()
    let notes = Recorder<PartialKeyPath<Human>>()
    let token = human.observe(anyOf: [\.age, \.age, \.name], initial: true) { _, keyPath in
      notes.add(keyPath)
    }
    #expect(notes.all == [\.age, \.name])
    human.age = 2
    #expect(notes.all == [\.age, \.name, \.age])
    token.invalidate()
  }

  @Test("where one key path is refused, none is observed")
  func refused() {
    let human = Human()
    let notes = Recorder<Void>()
    var tokens: [KeyValueObservation] = []
    expectMisuse {
      tokens.append(human.observe(anyOf: [\.age, \.unwrapped]) { _, _ in notes.add(()) })
    }
    expectMisuse { tokens.append(human.observe(\.age, \.unwrapped) { _, _, _ in notes.add(()) }) }
    #expect(tokens.allSatisfy { !$0.isValid })
    human.age = 2
    #expect(notes.count == 0)
  }

  @Test("several key paths together hand over the values of all")
  func together() throws {
    let human = Human()
    human.place = Place()
    let notes = Recorder<String>()
    let token = human.observe(\.name, \.age, \.place?.city, initial: true) {
      _, name, age, city in
      notes.add("\(name) \(age) \(city ?? "nowhere")")
    }
    human.age = 2
    human.place?.city = "Rome"
    human.place = nil
    #expect(notes.all == ["Ann 1 Paris", "Ann 2 Paris", "Ann 2 Rome", "Ann 2 nowhere"])
    token.invalidate()
    human.name = "Bob"
    #expect(notes.count == 4)
  }

  @Test("dropping the token ends all of them")
  func dropped() throws {
    let human = Human()
    let notes = Recorder<Void>()
    var token: KeyValueObservation? = human.observe(\.name, \.age) { _, _, _ in notes.add(()) }
    #expect(token?.isValid == true)
    token = nil
    human.age = 2
    #expect(notes.count == 0)
  }
}
