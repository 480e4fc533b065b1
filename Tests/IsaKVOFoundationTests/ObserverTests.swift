import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

@Suite("addObserver(_:forKeyPath:options:context:)", .serialized, .leavesNoObjects)
struct ObserverTests {
  @Test("an observer gets key path, object, change and context")
  func told() {
    final class Keen: KVObject {
      var hasSeen = false

      let subject: Person
      let mark: Context

      init(_ subject: Person, _ mark: Context) {
        self.subject = subject
        self.mark = mark
      }

      override func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
      ) {
        guard context == mark.address, keyPath == "age", let person = object as? Person else {
          return super.observeValue(
            forKeyPath: keyPath, of: object, change: change, context: context)
        }
        hasSeen = person === subject && change?[.newKey] as? Int == 5
      }
    }
    let person = Person(), mark = Context(), keen = Keen(person, mark)
    person.addObserver(keen, forKeyPath: "age", options: .new, context: mark.address)
    person.age = 5
    #expect(keen.hasSeen)
    person.removeObserver(keen, forKeyPath: "age", context: mark.address)
    #expect(person.observationInfo == nil)
  }

  @Test("numbers cast to any type that they fit in")
  func numbers() {
    let person = Person(), watcher = Watcher()
    person.addObserver(watcher, forKeyPath: "small", options: [.old, .new], context: nil)
    person.addObserver(watcher, forKeyPath: "ratio", options: .new, context: nil)
    person.addObserver(watcher, forKeyPath: "isGood", options: .new, context: nil)
    person.small = 7
    #expect(watcher.changes[0][.newKey] as? Int32 == 7)
    #expect(watcher.changes[0][.newKey] as? Int == 7)
    #expect(watcher.changes[0][.oldKey] as? NSNumber == 1)
    #expect(watcher.changes[0][.kindKey] as? UInt == NSKeyValueChange.setting.rawValue)
    person.ratio = 2.5
    #expect(watcher.changes[1][.newKey] as? Double == 2.5)
    person.isGood = false
    #expect(watcher.changes[2][.newKey] as? Bool == false)
    for key in ["small", "ratio", "isGood"] { person.removeObserver(watcher, forKeyPath: key) }
  }

  @Test("the form of a change is that of the registration, whoever else is registered how")
  func forms() throws {
    let person = Person(), apple = Watcher(), neutral = Watcher(), both = Watcher()
    person.addObserver(apple, forKeyPath: "nick", options: [.old, .new], context: nil)
    try neutrallyRegister(neutral, on: person, "nick")
    try neutrallyRegister(both, on: person, "nick")
    person.addObserver(both, forKeyPath: "nick", options: [.old, .new], context: nil)
    person.nick = "x"
    #expect(apple.changes.map { $0[.oldKey] is NSNull } == [true])
    #expect(neutral.changes.map { $0[.oldKey] is KeyValueNull } == [true])
    #expect(both.changes.map { $0[.oldKey] is NSNull } == [true, false])
    for observer in [apple, neutral, both, both] {
      person.removeObserver(observer, forKeyPath: "nick")
    }
    #expect(person.observationInfo == nil)
  }

  @Test("nil is NSNull, absent is absent, prior is marked")
  func null() {
    let person = Person(), watcher = Watcher()
    person.addObserver(watcher, forKeyPath: "nick", options: [.old, .new, .prior], context: nil)
    person.nick = "x"
    #expect(watcher.changes[0][.notificationIsPriorKey] as? Bool == true)
    #expect(watcher.changes[0][.oldKey] is NSNull && watcher.changes[0][.newKey] == nil)
    #expect(watcher.changes[1][.oldKey] is NSNull)
    #expect(watcher.changes[1][.newKey] as? String == "x")
    person.removeObserver(watcher, forKeyPath: "nick")
  }

  @Test("indexes are an IndexSet, elements an array")
  func elements() {
    let person = Person(), watcher = Watcher()
    person.addObserver(watcher, forKeyPath: "items", options: [.old, .new], context: nil)
    let items = person.mutableArrayValue(forKey: "items")
    items.add("c")
    items.removeObject(at: 0)
    #expect(watcher.changes[0][.kindKey] as? UInt == NSKeyValueChange.insertion.rawValue)
    #expect(watcher.changes[0][.indexesKey] as? IndexSet == [2])
    #expect(watcher.changes[0][.newKey] as? [String] == ["c"])
    #expect(watcher.changes[1][.indexesKey] as? IndexSet == [0])
    #expect(watcher.changes[1][.oldKey] as? [String] == ["a"])
    person.removeObserver(watcher, forKeyPath: "items")
  }

  @Test("observers that remove themselves in their own deinit report nothing")
  func removesItselfInDeinit() {
    final class Short: KVObject {
      let subject: Person
      let mark = Context()

      init(_ subject: Person) {
        self.subject = subject
        super.init()
        subject.addObserver(self, forKeyPath: "age", options: .new, context: mark.address)
        subject.addObserver(self, forKeyPath: "home.city", options: .initial, context: nil)
        subject.addObserver(self, forKeyPath: "name", options: .old, context: nil)
      }

      deinit {
        subject.removeObserver(self, forKeyPath: "age", context: mark.address)
        subject.removeObserver(self, forKeyPath: "home.city")
        subject.removeObserver(self, forKeyPath: "name")
      }

      override func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
      ) {}
    }
    let person = Person()
    let misuses = reports {
      var short: Short? = Short(person)
      person.age = 2
      person.home = Place()
      withExtendedLifetime(short) {}
      short = nil
      person.age = 3
    }
    #expect(misuses.isEmpty)
    #expect(person.observationInfo == nil && person.home.observationInfo == nil)
  }

  @Test("an observer that forgets to remove itself is skipped and reports nothing")
  func forgetful() {
    let person = Person()
    let misuses = reports {
      do {
        let watcher = Watcher()
        person.addObserver(watcher, forKeyPath: "age", options: [], context: nil)
      }
      person.age = 2
    }
    #expect(misuses.isEmpty)
  }

  @Test("removing what is not registered is reported in Foundation's words, and goes on")
  func notRegistered() {
    let person = Person(), watcher = Watcher()
    let misuses = reports { person.removeObserver(watcher, forKeyPath: "age") }
    #expect(misuses.map(\.exception) == ["NSRangeException"])
    let reason = misuses.first?.reason ?? ""
    #expect(reason.hasPrefix("Cannot remove an observer <"))
    #expect(reason.contains("for the key path \"age\" from <"))
    #expect(reason.hasSuffix("because it is not registered as an observer."))
  }

  @Test("a change that nobody handles is reported")
  func unhandled() {
    final class Deaf: KVObject {}
    let person = Person(), deaf = Deaf()
    person.addObserver(deaf, forKeyPath: "age", options: [], context: nil)
    let misuses = reports { person.age = 2 }
    #expect(misuses.map(\.exception) == ["NSInternalInconsistencyException"])
    #expect(misuses.first?.reason.contains("message was received but not handled") == true)
    person.removeObserver(deaf, forKeyPath: "age")
  }

  @Test("setting observationInfo to nil ends all registrations")
  func observationInfo() {
    let person = Person(), watcher = Watcher()
    person.addObserver(watcher, forKeyPath: "age", options: [], context: nil)
    #expect(person.observationInfo != nil)
    person.observationInfo = nil
    person.age = 2
    #expect(watcher.notes.count == 0)
  }

  @Test("both modules' names stand side by side: the throwing forms are there for `try`")
  func throwingForms() {
    let person = Person(), watcher = Watcher()
    expectError(.notRegistered, key: "age") {
      try neutrallyRemove(watcher, from: person)
    }
    #expect(throws: KeyValueError.self) { try neutrallyRead("nope", of: person) }
  }
}
