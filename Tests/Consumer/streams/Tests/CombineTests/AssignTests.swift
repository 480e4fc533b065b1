import IsaKVO
import IsaKVOCombine
import Testing

@Suite("Publishers bound to properties")
struct AssignTests {
  @Test("CMB-60: assign(to:on:) sets the property and tells its observers, and keeps the object")
  func assignOn() {
    let person = Person(), numbers = PassthroughSubject<Int, Never>()
    var told: [Int] = []
    let observer = person.observe(\.age, options: .new) { told.append($1.newValue!) }
    weak var kept: Person?
    var cancellable: AnyCancellable?
    do {
      let other = Person()
      kept = other
      cancellable = numbers.assign(to: \.age, on: other)
    }
    let both = numbers.assign(to: \.age, on: person)
    numbers.send(2)
    #expect(person.age == 2)
    #expect(told == [2])
    #expect(kept?.age == 2)
    cancellable?.cancel()
    cancellable = nil
    #expect(kept == nil)
    observer.invalidate()
    both.cancel()
  }

  @Test("CMB-61: assign(to:of:) sets the property to each value and tells its observers")
  func assignOf() {
    let person = Person(), numbers = CurrentValueSubject<Int, Never>(2)
    numbers.assign(to: \.age, of: person)
    #expect(person.age == 2)
    var told: [Int] = []
    let observer = person.observe(\.age, options: .new) { told.append($1.newValue!) }
    numbers.send(3)
    #expect(told == [3])
    observer.invalidate()
  }

  @Test("CMB-62: it does not keep the object, and ends upstream when the object goes")
  func endsWithObject() {
    let numbers = PassthroughSubject<Int, Never>()
    var cancels = 0
    weak var gone: Person?
    do {
      let person = Person()
      gone = person
      numbers.handleEvents(receiveCancel: { cancels += 1 }).assign(to: \.age, of: person)
      #expect(cancels == 0)
    }
    #expect(gone == nil)
    #expect(cancels == 1)
    numbers.send(2)
  }

  @Test("CMB-63: a property may be set to another of the same object, and nothing is kept")
  func sameObject() {
    weak var gone: Person?
    do {
      let person = Person()
      gone = person
      person.publisher(for: \.age).map { "\($0)" }.assign(to: \.name, of: person)
      person.age = 2
      #expect(person.name == "2")
    }
    #expect(gone == nil)
  }

  @Test("CMB-64: a publisher that finishes leaves the property, and is let go of")
  func finished() {
    let person = Person()
    weak var gone: PassthroughSubject<Int, Never>?
    do {
      let numbers = PassthroughSubject<Int, Never>()
      gone = numbers
      numbers.assign(to: \.age, of: person)
      numbers.send(2)
      numbers.send(completion: .finished)
      numbers.send(3)
    }
    #expect(person.age == 2)
    #expect(gone == nil)
    weak var slot: Slot?
    do {
      let made = Slot()
      slot = made
      Just(5).assign(to: \.[made], of: person)
    }
    #expect(person.age == 5)
    #expect(slot == nil)
  }

  @Test("CMB-65: several publishers set one property, each until its own end")
  func several() {
    let person = Person()
    let first = PassthroughSubject<Int, Never>(), second = PassthroughSubject<Int, Never>()
    first.assign(to: \.age, of: person)
    second.assign(to: \.age, of: person)
    first.send(2)
    second.send(3)
    first.send(completion: .finished)
    second.send(4)
    #expect(person.age == 4)
  }

  @Test("CMB-66: a property that cannot be observed can be set")
  func plain() {
    let person = Person(), numbers = PassthroughSubject<Int, Never>()
    numbers.assign(to: \.plain, of: person)
    numbers.send(2)
    #expect(person.plain == 2)
  }

  @Test("CMB-67: prefix(untilOutputFrom:) ends it before the object goes")
  func endedEarlier() {
    let person = Person(), numbers = PassthroughSubject<Int, Never>()
    let end = PassthroughSubject<Void, Never>()
    numbers.prefix(untilOutputFrom: end).assign(to: \.age, of: person)
    numbers.send(2)
    end.send()
    numbers.send(3)
    #expect(person.age == 2)
  }

  @Test("CMB-68: a second subscription to the subscriber is cancelled")
  func secondSubscription() {
    let person = Person(), twice = Twice()
    twice.assign(to: \.age, of: person)
    #expect(twice.second.isCancelled)
    #expect(!twice.first.isCancelled)
  }
}

/// An object that a key path keeps.
private final class Slot: Hashable {
  static func == (first: Slot, second: Slot) -> Bool { first === second }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Person {
  fileprivate subscript(slot: Slot) -> Int {
    get { age }
    set { age = newValue }
  }
}

/// A publisher that, wrongly, hands over two subscriptions.
private struct Twice: Publisher {
  typealias Output = Int
  typealias Failure = Never

  final class Noted: Subscription {
    private(set) var isCancelled = false
    func request(_ demand: Subscribers.Demand) {}
    func cancel() { isCancelled = true }
  }

  let first = Noted(), second = Noted()

  func receive<Downstream: Subscriber>(
    subscriber: Downstream
  ) where Downstream.Input == Int, Downstream.Failure == Never {
    subscriber.receive(subscription: first)
    subscriber.receive(subscription: second)
  }
}
