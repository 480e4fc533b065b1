import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

/// Mistakes of the older Swift overlays, and the behaviour that any of them has to keep.
@Suite("SWF: Apple's names", .serialized, .leavesNoObjects)
struct OverlayBugTests {
  @Test("SWF-03 invalidate: twice, and nothing is told afterwards")
  func invalidate() {
    let person = Person(), notes = Recorder<String>()
    let token = person.observe(\.name, options: .new) { notes.add($1.newValue!) }
    person.name = "four"
    token.invalidate()
    token.invalidate()
    person.name = "five"
    #expect(notes.all == ["four"])
  }

  @Test("SWF-05 non-objc path: reported with the property's name, and the token does nothing")
  func notObservable() {
    let person = Person()
    let misuses = reports {
      let token = person.observe(\.plain) { _, _ in Issue.record("told") }
      person.plain = 2
      token.invalidate()
    }
    #expect(misuses.count == 1)
    #expect(misuses.first?.reason.contains("Person") == true)
    #expect(person.observationInfo == nil)
  }

  @Test("SWF-06 optional: nil is a value of its own, absent another")
  func optional() {
    let person = Person(), notes = Recorder<[String]>()
    let token = person.observe(\.nick, options: [.initial, .old, .new]) { _, change in
      notes.add([change.oldValue, change.newValue].map(inWords))
    }
    person.nick = nil
    person.nick = "foo"
    token.invalidate()
    #expect(notes.all == [["absent", "nil"], ["nil", "nil"], ["nil", "foo"]])
  }

  @Test("SWF-09 object gone: the observed object may die before its token")
  func objectGone() {
    var person: Person? = Person()
    weak let watched = person
    let token = person?.observe(\.age) { _, _ in }
    person = nil
    #expect(watched == nil)
    token?.invalidate()
  }

  @Test("SWF-11 type and isa: the type stays, the isa is the notifying class")
  func typeAndIsa() {
    let person = Person(), place = person.home
    let token = person.observe(\.home.city) { _, _ in }
    #expect(type(of: person) == Person.self && type(of: place) == Place.self)
    #expect(String(describing: type(of: person)) == "Person")
    let children = Mirror(reflecting: person).children.compactMap(\.label)
    #expect(children.contains("age") && children.contains("plain"))
    token.invalidate()
  }

  @Test("SWF-12 dynamic vs objc only: a property without a wrapper notifies nobody")
  func plain() {
    final class Half: KVObject {
      @Dynamic var wrapped = 1
      var count = 1
      override class var keys: [KeyDeclaration] { [.key("count", \Half.count)] }
    }
    let half = Half(), watcher = Watcher()
    half.addObserver(watcher, forKeyPath: "count", options: [], context: nil)
    half.count = 2
    #expect(watcher.notes.count == 0)
    half.setValue(3, forKey: "count")
    #expect(watcher.notes.all == ["count"] && half.count == 3)
    half.removeObserver(watcher, forKeyPath: "count")
  }

  @Test("SWF-14 helper identity: another object of the class is not heard")
  func otherObject() {
    let person = Person(), other = Person(), notes = Recorder<Int>()
    let token = person.observe(\.age, options: .new) { notes.add($1.newValue!) }
    other.age = 7
    other.willChangeValue(for: \.age)
    other.didChangeValue(for: \.age)
    #expect(notes.count == 0)
    token.invalidate()
  }

  @Test("SWF-15 NSKeyValueObservedChange fields")
  func fields() {
    let person = Person(), notes = Recorder<String>()
    person.age = 3
    let token = person.observe(\.age, options: [.prior, .new, .old]) { _, change in
      #expect(change.kind == .setting && change.indexes == nil)
      notes.add("\(change.isPrior) \(show(change.oldValue)) \(show(change.newValue))")
    }
    person.age = 4
    token.invalidate()
    #expect(notes.all == ["true 3 nil", "false 3 4"])
  }

  @Test("enums with a raw value have old and new, which the overlay left out")
  func rawRepresentable() {
    let person = Person(), notes = Recorder<String>()
    let token = person.observe(\.mood, options: [.old, .new]) { _, change in
      notes.add("\(show(change.oldValue)) \(show(change.newValue))")
    }
    person.mood = .glad
    token.invalidate()
    #expect(notes.all == ["calm glad"])
  }

  @Test("a key path that starts at the observer itself ends in its deinit")
  func compoundFromSelf() {
    final class Owner: KVObject {
      @Dynamic var place = Place()
      var token: NSKeyValueObservation?
      let notes: Recorder<String>

      init(_ notes: Recorder<String>) {
        self.notes = notes
        super.init()
        token = observe(\.place.city, options: .new) { [notes] in notes.add($1.newValue!) }
      }

      deinit { token?.invalidate() }
    }
    let notes = Recorder<String>(), place = Place()
    var owner: Owner? = Owner(notes)
    owner?.place = place
    place.city = "Rome"
    owner = nil
    place.city = "Oslo"
    #expect(notes.all == ["Paris", "Rome"])
    #expect(place.observationInfo == nil)
  }

  @Test("the same by name, with the object as its own observer")
  func compoundFromSelfByName() {
    final class Owner: Watcher {
      @Dynamic var place = Place()

      override init() {
        super.init()
        addObserver(self, forKeyPath: "place.city", options: [], context: nil)
      }

      deinit { removeObserver(self, forKeyPath: "place.city") }
    }
    let place = Place()
    let misuses = reports {
      var owner: Owner? = Owner()
      owner?.place = place
      place.city = "Rome"
      #expect(owner?.notes.count == 2)
      owner = nil
    }
    place.city = "Oslo"
    #expect(misuses.isEmpty)
    #expect(place.observationInfo == nil)
  }
}

/// Tells absent from nil.
private func inWords(_ value: String??) -> String {
  switch value {
  case .none: "absent"
  case .some(.none): "nil"
  case .some(.some(let text)): text
  }
}
