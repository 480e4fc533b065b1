import IsaKVO
import IsaKVOCombine
import IsaRuntime
import Testing

@Suite("Values of a publisher")
struct ValueTests {
  @Test("CMB-01: the value that there is comes first")
  func initial() {
    let person = Person(), probe = Probe<Int>()
    person.publisher(for: \.age).subscribe(probe)
    #expect(probe.values == [1])
    person.age = 2
    #expect(probe.values == [1, 2])
    probe.cancel()
  }

  @Test("CMB-02: without .initial a change comes first")
  func noInitial() {
    let person = Person(), probe = Probe<Int>()
    person.publisher(for: \.age, options: .new).subscribe(probe)
    #expect(probe.values.isEmpty)
    person.age = 2
    #expect(probe.values == [2])
    probe.cancel()
  }

  @Test(
    "CMB-03: .old and .new make no difference",
    arguments: [[], .old, .new, [.old, .new]] as [ObservationOptions])
  func oldAndNew(options: ObservationOptions) {
    let person = Person(), probe = Probe<Int>()
    person.publisher(for: \.age, options: options).subscribe(probe)
    person.age = 2
    #expect(probe.values == [2])
    probe.cancel()
  }

  @Test("CMB-04: a value is sent before the setter returns, an equal one too")
  func everySet() {
    let person = Person()
    var sent: [Int] = []
    let all = person.publisher(for: \.age).sink { sent.append($0) }
    person.age = 1
    #expect(sent == [1, 1])
    person.age += 1
    #expect(sent == [1, 1, 2])
    all.cancel()
  }

  @Test("CMB-05: with .prior the old value is sent before each change, and the new one after it")
  func prior() {
    let person = Person(), probe = Probe<Int>()
    person.publisher(for: \.age, options: [.prior, .new]).subscribe(probe)
    person.age = 2
    person.age = 3
    #expect(probe.values == [1, 2, 2, 3])
    probe.cancel()
  }

  @Test("CMB-06: whatever changes the property, its whole value is sent")
  func everyWay() throws {
    let person = Person(), pets = Probe<[String]>(), announced = Probe<Int>()
    person.publisher(for: \.pets, options: .new).subscribe(pets)
    person.publisher(for: \.announced, options: .new).subscribe(announced)
    person.pets.append("cat")
    try person.mutableArrayValue(forKey: "pets").append("dog")
    try person.setValue(["bird"], forKey: "pets")
    person.announced = 4
    #expect(pets.values == [["cat"], ["cat", "dog"], ["bird"]])
    #expect(announced.values == [4])
    pets.cancel()
    announced.cancel()
  }

  @Test("CMB-07: a key path is followed to objects that come, and leaves those that went")
  func nested() {
    let person = Person(), first = person.address, probe = Probe<String>()
    person.publisher(for: \.address.city).subscribe(probe)
    first.city = "Paris"
    person.address = Address("Rome")
    first.city = "Oslo"
    person.address.city = "Bern"
    #expect(probe.values == ["London", "Paris", "Rome", "Bern"])
    probe.cancel()
  }

  @Test("CMB-08: a computed property is sent when a property that it reads changes")
  func computed() {
    let person = Person(), probe = Probe<String>()
    person.publisher(for: \.title).subscribe(probe)
    person.name = "Bob"
    person.age = 2
    #expect(probe.values == ["Ada, 1", "Bob, 1", "Bob, 2"])
    probe.cancel()
  }

  @Test("CMB-08: a wrapped property that a class overrides is sent, set above or where it reads")
  func overridden() {
    final class Formal: Person {
      @Dynamic var style = "Dr "
      override var name: String {
        get { style + super.name }
        set { super.name = newValue }
      }
    }
    let formal = Formal(), person: Person = formal
    let own = Probe<String>(), above = Probe<String>(), label = Probe<String>()
    formal.publisher(for: \.name).subscribe(own)
    person.publisher(for: \.name).subscribe(above)
    person.publisher(for: \.title).subscribe(label)
    formal.style = ""
    person.name = "Bob"
    for probe in [own, above] {
      #expect(probe.values == ["Dr Ada", "Ada", "Bob"])
      probe.cancel()
    }
    #expect(label.values == ["Dr Ada, 1", "Ada, 1", "Bob, 1"])
    label.cancel()
  }

  @Test("CMB-09: nil on the way is sent as nil where the key path is optional")
  func optional() {
    let person = Person(), probe = Probe<String?>()
    person.publisher(for: \.second?.city).subscribe(probe)
    person.second = Address("Rome")
    person.second = nil
    #expect(probe.values == [nil, "Rome", nil])
    probe.cancel()
  }

  @Test("CMB-10: nil that a key path unwraps by force is no value")
  func forced() {
    let person = Person(), probe = Probe<String>()
    person.publisher(for: \.second!.city).subscribe(probe)
    #expect(probe.values.isEmpty)
    person.second = Address("Rome")
    person.second = nil
    person.second = Address("Bern")
    #expect(probe.values == ["Rome", "Bern"])
    probe.cancel()
  }

  @Test("CMB-11: a set by an observer that is told earlier never comes behind with an old value")
  func neverOlder() {
    let person = Person(), probe = Probe<Int>()
    person.publisher(for: \.age, options: .new).subscribe(probe)
    // The latest registration is told first.
    let corrector = person.observe(\.age) { person, _ in if person.age > 10 { person.age = 10 } }
    person.age = 50
    #expect(probe.values == [10, 10])
    corrector.invalidate()
    probe.cancel()
  }

  @Test("CMB-12: a transaction sends one value, at its end")
  func transaction() {
    let person = Person(), probe = Probe<Int>()
    person.publisher(for: \.age, options: .new).subscribe(probe)
    KVObject.transaction {
      person.age = 2
      person.age = 3
      #expect(probe.values.isEmpty)
    }
    #expect(probe.values == [3])
    probe.cancel()
  }

  @Test("CMB-12: what an observer sets at a transaction's end is sent with what waits")
  func correctedTransaction() {
    let person = Person(), probe = Probe<Int>()
    person.publisher(for: \.age, options: .new).subscribe(probe)
    let corrector = person.observe(\.age) { person, _ in if person.age > 10 { person.age = 10 } }
    KVObject.transaction { person.age = 50 }
    #expect(probe.values == [10])
    corrector.invalidate()
    probe.cancel()
  }

  @Test("CMB-13: a muted change sends nothing")
  func muted() {
    let person = Person(), probe = Probe<Int>()
    person.publisher(for: \.age).subscribe(probe)
    person.muting { person.age = 2 }
    #expect(probe.values == [1])
    probe.cancel()
  }

  @Test("CMB-14: didChange() tells of each value without it")
  func didChange() {
    let person = Person()
    var count = 0
    let changes = person.publisher(for: \.age, options: .new).didChange().sink { count += 1 }
    person.age = 2
    person.age = 3
    #expect(count == 2)
    changes.cancel()
  }

  @Test("CMB-15: publishers are equal that are of one object, key path and options")
  func equality() {
    let person = Person(), publisher = person.publisher(for: \.age)
    #expect(publisher == person.publisher(for: \.age))
    #expect(
      publisher
        == KVObject.KeyValueObservingPublisher(
          object: person, keyPath: \.age, options: [.initial, .new]))
    #expect(publisher != Person().publisher(for: \.age))
    #expect(publisher != person.publisher(for: \.age, options: .new))
    #expect(publisher != person.publisher(for: \.plain))
  }

  @Test("CMB-16: each subscriber observes by itself, from when it subscribes")
  func subscribers() {
    let person = Person(), early = Probe<Int>(), late = Probe<Int>()
    let publisher = person.publisher(for: \.age)
    publisher.subscribe(early)
    person.age = 2
    publisher.subscribe(late)
    early.cancel()
    person.age = 3
    #expect(early.values == [1, 2])
    #expect(late.values == [2, 3])
    late.cancel()
  }

  @Test("CMB-17: Combine's operators stand behind it")
  func operators() {
    let person = Person()
    var names: [String] = []
    let ages = person.publisher(for: \.age).removeDuplicates().map { "\($0)" }
    let both = ages.zip(person.publisher(for: \.name)).sink { names.append($0 + $1) }
    person.age = 1
    person.name = "Bob"
    person.age = 2
    #expect(names == ["1Ada", "2Bob"])
    both.cancel()
  }
}
