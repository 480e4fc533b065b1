import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

@Suite("Announcing changes by key path", .serialized, .leavesNoObjects)
struct ChangesTests {
  @Test("willChangeValue(for:) and didChangeValue(for:) notify by hand")
  func value() {
    final class Manual: KVObject {
      @Dynamic var count = 1
      override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
        key != "count"
      }
    }
    let object = Manual(), notes = Recorder<String>()
    let token = object.observe(\.count, options: [.old, .new]) { _, change in
      notes.add("\(show(change.oldValue)) \(show(change.newValue))")
    }
    object.count = 2
    #expect(notes.count == 0)
    object.willChangeValue(for: \.count)
    object.count = 3
    object.didChangeValue(for: \.count)
    token.invalidate()
    #expect(notes.all == ["2 3"])
  }

  @Test("elements are announced with an IndexSet, by key path and by key")
  func elements() {
    let person = Person(), notes = Recorder<String>()
    let token = person.observe(\.items, options: .old) { _, change in
      notes.add("\(change.kind) \(Array(change.indexes ?? [])) \(show(change.oldValue))")
    }
    person.willChange(.removal, valuesAt: IndexSet(integer: 0), for: \.items)
    person.didChange(.removal, valuesAt: IndexSet(integer: 0), for: \.items)
    person.willChange(NSKeyValueChange.removal, valuesAt: IndexSet([1]), forKey: "items")
    person.didChange(NSKeyValueChange.removal, valuesAt: IndexSet([1]), forKey: "items")
    token.invalidate()
    #expect(notes.all == ["removal [0] [\"a\"]", "removal [1] [\"b\"]"])
  }

  @Test("set mutations are announced, by key path and by key")
  func sets() {
    let person = Person(), notes = Recorder<String>()
    let token = person.observe(\.tags, options: .new) { _, change in
      notes.add("\(change.kind) \(show(change.newValue))")
    }
    person.willChangeValue(for: \.tags, withSetMutation: .union, using: ["x"])
    person.didChangeValue(for: \.tags, withSetMutation: .union, using: ["x"])
    person.willChangeValue(forKey: "tags", withSetMutation: .union, using: ["y"])
    person.didChangeValue(forKey: "tags", withSetMutation: .union, using: ["y"])
    token.invalidate()
    #expect(notes.all == ["insertion [\"x\"]", "insertion [\"y\"]"])
  }

  @Test("a key path through another object announces a change of that object")
  func path() {
    let person = Person(), notes = Recorder<Void>()
    let token = person.home.observe(\.city) { _, _ in notes.add(()) }
    person.willChangeValue(for: \.home.city)
    person.didChangeValue(for: \.home.city)
    token.invalidate()
    #expect(notes.count == 1)
  }

  @Test("a key path that stands for no key is reported")
  func noKey() {
    let person = Person()
    let misuses = reports {
      person.willChangeValue(for: \.plain)
      person.didChangeValue(for: \.plain)
    }
    #expect(misuses.count == 2)
    #expect(misuses.allSatisfy { $0.reason.contains("Person") })
  }
}
