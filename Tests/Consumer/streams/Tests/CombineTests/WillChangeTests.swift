import IsaKVO
import IsaKVOCombine
import IsaRuntime
import Testing

@Suite("objectWillChange")
struct WillChangeTests {
  @Test("CMB-70: it is sent before each change, whatever makes it")
  func everyWay() throws {
    let person = Person()
    var seen: [String] = []
    let changes = person.objectWillChange.sink {
      seen.append("\(person.age) \(person.pets.count) \(person.announced)")
    }
    person.age = 2
    person.pets.append("cat")
    try person.setValue(3, forKey: "age")
    try person.mutableArrayValue(forKey: "pets").append("dog")
    person.announced = 4
    #expect(seen == ["1 0 0", "2 0 0", "2 1 0", "3 1 0", "3 2 0"])
    changes.cancel()
  }

  @Test("CMB-71: a key that others affect is not told of besides these")
  func once() {
    let person = Person()
    var count = 0
    let changes = person.objectWillChange.sink { count += 1 }
    person.name = "Bob"
    #expect(count == 1)
    changes.cancel()
  }

  @Test("CMB-72: an object has one publisher, of its subclass's properties too")
  func onePublisher() {
    let pupil = Pupil()
    #expect(pupil.objectWillChange === pupil.objectWillChange)
    #expect(pupil.objectWillChange !== Pupil().objectWillChange)
    var count = 0
    let changes = pupil.objectWillChange.sink { count += 1 }
    pupil.grade = 2
    pupil.age = 2
    #expect(count == 2)
    changes.cancel()
  }

  @Test("CMB-73: it is that of ObservableObject, for code that knows no more")
  func generic() {
    func count<Object: ObservableObject>(_ object: Object, _ change: () -> Void) -> Int {
      var count = 0
      let changes = object.objectWillChange.sink { _ in count += 1 }
      change()
      changes.cancel()
      return count
    }
    let person = Person()
    #expect(count(person) { person.age = 2 } == 1)
  }

  @Test("CMB-74: nothing is kept by it")
  func lifetimes() {
    weak var gone: Person?
    var publisher: ObservableObjectPublisher?
    do {
      let person = Person()
      gone = person
      publisher = person.objectWillChange
    }
    #expect(gone == nil)
    #expect(publisher != nil)
  }
}

@Suite("Classes of the main actor")
@MainActor
struct MainActorTests {
  @Test("CMB-80: a class of the main actor is published, assigned to and told of as another")
  func mainActor() {
    let screen = Screen(), numbers = PassthroughSubject<Int, Never>()
    var log: [String] = []
    let changes = screen.objectWillChange.sink { log.append("from \(screen.count)") }
    let counts = screen.publisher(for: \.count, options: .new).sink { log.append("to \($0)") }
    numbers.assign(to: \.count, of: screen)
    numbers.send(1)
    screen.count = 2
    #expect(log == ["from 0", "to 1", "from 1", "to 2"])
    changes.cancel()
    counts.cancel()
  }

  @Test("CMB-81: one property of a class of the main actor is shown in another")
  func shown() {
    let screen = Screen()
    screen.publisher(for: \.count).map { "\($0) things" }.assign(to: \.text, of: screen)
    #expect(screen.text == "0 things")
    screen.count = 3
    #expect(screen.text == "3 things")
  }
}
