import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct KeyPathObservationTests {
  @Test("a key path is followed when an object on it is replaced")
  func follows() throws {
    try withPerson { person in
      let friend = try person.isa.original.allocate()
      try friend.set("age", 30)
      let told = Recorder<String>()
      let token = try person.observe("friend.age", options: [.old, .new]) { told.add("\($0)") }
      try person.set("friend", friend)
      try friend.set("age", 31)
      try person.set("friend", nil as RuntimeObject?)
      try friend.set("age", 32)
      #expect(
        told.all == [
          "friend.age: nil → 30", "friend.age: 30 → 31", "friend.age: 31 → nil",
        ])
      token.invalidate()
      #expect(!person.isObserved && !friend.isObserved)
    }
  }

  @Test("a key path with an unknown key is refused, wherever there is an object to ask")
  func unknown() throws {
    try withPerson { person in
      for keyPath in ["wings.age", "wings", "friend..age", "friend.", ""] {
        #expect(throws: KeyValueError.self) { _ = try person.observe(keyPath) { _ in } }
      }
      let unasked = try person.observe("friend.wings") { _ in }
      unasked.invalidate()
      try person.set("friend", person.isa.original.allocate())
      let error = #expect(throws: KeyValueError.self) {
        _ = try person.observe("friend.wings") { _ in }
      }
      #expect(error?.code == .notObservable && error?.key == "wings")
      #expect(!person.isObserved)
    }
  }

  @Test("a path through an array is refused, one that ends in a count is not")
  func collections() throws {
    try withClass("Holder", { try $0.property("items", .object) }) { made in
      let holder = try made.allocate()
      try holder.setValue(.array([1]), forKey: "items")
      let error = #expect(throws: KeyValueError.self) {
        _ = try holder.observe("items.age") { _ in }
      }
      #expect(error?.code == .notObservable && error?.key == "age")
      #expect(error?.exceptionName == "NSInvalidArgumentException")
      let told = Recorder<Int?>()
      let token = try holder.observe("items.@count", as: Int.self, options: .new) { change in
        told.add(change.newValue)
      }
      try holder.mutableArrayValue(forKey: "items").append(2)
      #expect(told.all == [2])
      token.invalidate()
    }
  }

  @Test("a path without end is refused")
  func tooDeep() throws {
    try withPerson { person in
      try person.set("friend", person)
      let path = Array(repeating: "friend", count: 2000).joined(separator: ".")
      let error = #expect(throws: KeyValueError.self) { _ = try person.observe(path) { _ in } }
      #expect(error?.code == .tooDeep && error?.key == path)
      try person.set("friend", nil as RuntimeObject?)
    }
  }
}

@Suite(.serialized, .leavesNoObjects)
struct LongKeyPathTests {
  @Test("a path of a thousand keys is followed through objects of Swift classes")
  func longPath() throws {
    let links = (0..<1001).map { _ in Link() }
    for (link, next) in zip(links, links.dropFirst()) { link.next = next }
    let path = String(repeating: "next.", count: 999) + "count"
    let told = Recorder<String>()
    let token = try links[0].observe(keyPath: path, options: [.old, .new]) { _, change in
      told.add("\(change.oldValue as? Int ?? -1) → \(change.newValue as? Int ?? -1)")
    }
    links[999].count = 1
    links[1000].count = 2
    links[500].next = links[502]  // the end is one further
    links[1000].count = 3
    #expect(told.all == ["0 → 1", "1 → 2", "2 → 3"])
    token.invalidate()
    links[1000].count = 4
    #expect(told.all.count == 3)
    // One after another, as each holds the next.
    for link in links { link.next = nil }
  }
}

private final class Link: KVObject {
  @Dynamic var next: Link?
  @Dynamic var count = 0
}
