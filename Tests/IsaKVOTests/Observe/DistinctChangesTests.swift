import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .leavesNoObjects)
struct DistinctChangesTests {
  @Test("a change to an equal value is not told where equal values are suppressed")
  func suppressed() throws {
    let human = Human()
    let notes = Recorder<[Int?]>()
    let token = human.observe(\.age, options: .new, suppressing: ==) { _, change in
      notes.add([change.oldValue, change.newValue])
    }
    human.age = 1
    human.age = 2
    human.age = 2
    human.age = 3
    #expect(notes.all == [[nil, 2], [nil, 3]])
    token.invalidate()
  }

  @Test("what is equal can be said, also of a computed property")
  func predicate() throws {
    let human = Human()
    let notes = Recorder<String>()
    let token = human.observe(
      \.full, options: [.initial, .old], suppressing: { $0.count == $1.count }
    ) { _, change in
      #expect(change.newValue == nil)
      notes.add(change.oldValue ?? "none")
    }
    human.name = "Bob"
    human.name = "Robert"
    #expect(notes.all == ["none", "Bob Lee"])
    token.invalidate()
  }

  @Test("the notification before a change is told whatever comes of it")
  func prior() throws {
    let human = Human()
    let notes = Recorder<Bool>()
    let token = human.observe(\.age, options: .prior, suppressing: ==) { _, change in
      notes.add(change.isPrior)
    }
    human.age = 1
    #expect(notes.all == [true])
    human.age = 2
    #expect(notes.all == [true, true, false])
    token.invalidate()
  }

  @Test("an observation of one change ends with it")
  func once() throws {
    let human = Human()
    let notes = Recorder<Int?>()
    let token = human.observeOnce(\.age, options: .new) { _, change in
      notes.add(change.newValue)
    }
    human.age = 2
    human.age = 3
    #expect(notes.all == [2])
    #expect(!token.isValid)
  }

  @Test("the initial notification is the one change, of a computed property too")
  func onceInitially() throws {
    let human = Human()
    let notes = Recorder<String>()
    let token = human.observeOnce(\.full, options: [.initial, .new]) { _, change in
      notes.add(change.newValue ?? "none")
    }
    human.name = "Bob"
    #expect(notes.all == ["Ann Lee"])
    #expect(!token.isValid)
  }

  @Test("a handler that sets the property again is called once")
  func onceReentrant() throws {
    let human = Human()
    let notes = Recorder<Bool>()
    let token = human.observeOnce(\.age, options: .prior) { human, change in
      notes.add(change.isPrior)
      if !change.isPrior { human.age += 1 }
    }
    human.age = 2
    #expect(notes.all == [true, false])
    #expect(human.age == 3)
    withExtendedLifetime(token) {}
  }
}
