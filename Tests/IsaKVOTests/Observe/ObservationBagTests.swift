import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .leavesNoObjects)
struct ObservationBagTests {
  @Test("observations end with the bag, the set or the array that keeps them")
  func owners() throws {
    let human = Human()
    let notes = Recorder<String>()
    do {
      let bag = ObservationBag()
      var set: Set<KeyValueObservation> = []
      var array: [KeyValueObservation] = []
      human.observe(\.age) { _, _ in notes.add("bag") }.store(in: bag)
      human.observe(\.age) { _, _ in notes.add("set") }.store(in: &set)
      human.observe(\.age) { _, _ in notes.add("array") }.store(in: &array)
      human.age = 2
      #expect(set.count == 1 && array.count == 1 && !bag.isEmpty)
      withExtendedLifetime((bag, set, array)) {}
    }
    #expect(Set(notes.all) == ["bag", "set", "array"])
    human.age = 3
    #expect(notes.count == 3)
  }

  @Test("a bag ends all at once and can be used again")
  func reuse() throws {
    let human = Human(), bag = ObservationBag()
    let notes = Recorder<Void>()
    for _ in 0..<3 { human.observe(\.age) { _, _ in notes.add(()) }.store(in: bag) }
    bag.invalidate()
    #expect(bag.isEmpty)
    human.age = 2
    #expect(notes.count == 0)
    human.observe(\.age) { _, _ in notes.add(()) }.store(in: bag)
    human.age = 3
    #expect(notes.count == 1)
    bag.invalidate()
  }

  @Test("a bag lets go of observations that have ended on their own")
  func ended() throws {
    let human = Human(), bag = ObservationBag()
    weak var first: KeyValueObservation?
    for number in 0..<100 {
      let token = human.observe(\.age) { _, _ in }
      if number == 0 { first = token }
      token.store(in: bag)
      token.invalidate()
    }
    #expect(first == nil)
    #expect(bag.isEmpty)
  }

  @Test("any thread may add to a bag and end what is in it")
  func threads() async throws {
    let bag = ObservationBag()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            let place = Place()
            place.observe(\.city) { _, _ in }.store(in: bag)
            if Bool.random() { bag.invalidate() }
          }
        }
      }
    }
    bag.invalidate()
    #expect(bag.isEmpty)
  }
}
