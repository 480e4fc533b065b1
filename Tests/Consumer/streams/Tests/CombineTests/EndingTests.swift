import IsaKVO
import IsaKVOCombine
import Testing

@Suite("Ends of a subscription")
struct EndingTests {
  @Test("CMB-30: a cancelled subscription sends nothing, not even its end")
  func cancelled() {
    let probe = Probe<Int>()
    do {
      let person = Person()
      person.publisher(for: \.age).subscribe(probe)
      probe.cancel()
      person.age = 2
    }
    #expect(probe.values == [1])
    #expect(probe.endings == 0)
  }

  @Test("CMB-31: a subscriber may cancel inside a value, and is sent none after it")
  func cancelledInValue() {
    let person = Person()
    let probe = Probe<Int> { probe, age in
      if age == 2 {
        probe.cancel()
        person.age = 3
        return .unlimited
      }
      return .none
    }
    person.publisher(for: \.age).subscribe(probe)
    person.age = 2
    person.age = 4
    #expect(probe.values == [1, 2])
  }

  @Test("CMB-32: a subscriber may cancel inside receive(subscription:)")
  func cancelledAtStart() {
    let person = Person()
    let probe = Probe<Int>(begin: { probe, subscription in
      subscription.cancel()
      subscription.request(.unlimited)
      probe.subscription = subscription
    })
    person.publisher(for: \.age).subscribe(probe)
    person.age = 2
    #expect(probe.values.isEmpty)
    #expect(person.observationInfo == nil)
  }

  @Test("CMB-33: a subscription that its subscriber lets go of ends")
  func letGo() {
    let person = Person(), probe = Probe<Int>()
    person.publisher(for: \.age).subscribe(probe)
    #expect(person.observationInfo != nil)
    probe.subscription = nil
    #expect(person.observationInfo == nil)
    person.age = 2
    #expect(probe.values == [1])
  }

  @Test("CMB-34: cancelling lets go of the subscriber at once, and of the object's registration")
  func cancellingFrees() {
    let person = Person()
    weak var gone: Probe<Int>?
    do {
      let probe = Probe<Int>()
      gone = probe
      person.publisher(for: \.age).subscribe(probe)
      probe.cancel()
      probe.subscription = nil
    }
    #expect(gone == nil)
    #expect(person.observationInfo == nil)
  }

  @Test("CMB-35: cancelling twice does nothing more, and demand after it neither")
  func twice() {
    let person = Person(), probe = Probe<Int>(demanding: .none)
    person.publisher(for: \.age).subscribe(probe)
    probe.cancel()
    probe.cancel()
    probe.request(.unlimited)
    #expect(probe.values.isEmpty)
  }

  @Test("CMB-36: a publisher keeps the object, a subscription does not")
  func lifetimes() {
    weak var gone: Person?
    var publisher: KVObject.KeyValueObservingPublisher<Person, Int>?
    do {
      let person = Person()
      gone = person
      publisher = person.publisher(for: \.age)
    }
    #expect(gone != nil)
    let probe = Probe<Int>()
    publisher?.subscribe(probe)
    publisher = nil
    #expect(gone == nil)
    #expect(probe.values == [1])
  }

  @Test("CMB-37: a subscription finishes when the object goes, and lets go of the subscriber")
  func finishes() {
    weak var gone: Probe<Int>?
    do {
      let probe = Probe<Int>()
      gone = probe
      do {
        let person = Person()
        person.publisher(for: \.age).subscribe(probe)
        person.age = 2
        #expect(probe.endings == 0)
      }
      #expect(probe.values == [1, 2])
      #expect(probe.endings == 1)
      probe.subscription = nil
    }
    #expect(gone == nil)
  }

  @Test("CMB-38: a subscriber may let go of the object inside a value; its end comes behind that")
  func goesInValue() {
    var person: Person? = Person()
    var order: [String] = []
    let values = person!.publisher(for: \.age, options: .new)
      .handleEvents(receiveCompletion: { _ in order.append("end") })
      .sink { age in
        person = nil
        order.append("\(age)")
      }
    person!.age = 2
    #expect(person == nil)
    #expect(order == ["2", "end"])
    values.cancel()
  }

  @Test("CMB-39: an asynchronous loop over the values ends with the object")
  func asynchronous() async {
    var person: Person? = Person()
    var seen: [Int] = []
    for await age in person!.publisher(for: \.age).values {
      seen.append(age)
      person = nil
    }
    #expect(seen == [1])
  }

  @Test("CMB-40: a key path that cannot be observed is a misuse with file and line, and finishes")
  func notObservable() {
    let person = Person(), probe = Probe<Int>()
    let line = #line + 2
    let noted = misuses {
      let publisher = person.publisher(for: \.plain)
      publisher.subscribe(probe)
      publisher.subscribe(probe)
    }
    #expect(noted.map(\.code) == [.notObservable, .notObservable])
    #expect(noted.allSatisfy { $0.reason.hasSuffix("EndingTests.swift:\(line)") })
    #expect(probe.values.isEmpty)
    #expect(probe.endings == 2)
  }

  @Test("CMB-41: bits that are no option are a misuse, and finish")
  func noOption() {
    let person = Person(), probe = Probe<Int>()
    let noted = misuses {
      person.publisher(for: \.age, options: ObservationOptions(rawValue: 1 << 20)).subscribe(probe)
    }
    #expect(noted.count == 1)
    #expect(probe.endings == 1)
    #expect(person.observationInfo == nil)
  }
}
