import IsaKVO
import IsaKVOTestSupport
import Testing

private final class Person: KVObject {
  @Dynamic var name = "a"
  @Dynamic var friend: Person?
}

/// Hands all that it is asked on to another object.
private final class Proxy: KVObject {
  let target: Person
  let asked = Recorder<String>()

  init(_ target: Person) { self.target = target }

  override func addObserver(
    _ observer: KVObject, forKeyPath keyPath: String, options: ObservationOptions,
    context: UnsafeMutableRawPointer?
  ) throws(KeyValueError) {
    asked.add("add \(keyPath)")
    try target.addObserver(observer, forKeyPath: keyPath, options: options, context: context)
  }

  override func removeObserver(
    _ observer: KVObject, forKeyPath keyPath: String
  ) throws(KeyValueError) {
    asked.add("remove \(keyPath)")
    try target.removeObserver(observer, forKeyPath: keyPath)
  }

  override func removeObserver(
    _ observer: KVObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) throws(KeyValueError) {
    asked.add("remove \(keyPath)")
    try target.removeObserver(observer, forKeyPath: keyPath, context: context)
  }

  override func value(forKey key: String) throws(KeyValueError) -> Any? {
    try target.value(forKey: key)
  }
}

private final class Holder: KVObject {
  @Dynamic var proxy: Proxy?
}

@Suite(.serialized, .leavesNoObjects)
struct HandingOnTests {
  @Test("an object that hands on what it is asked is asked in the middle of a path too")
  func middle() throws {
    let person = Person(), other = Person(), holder = Holder()
    other.name = "o"
    holder.proxy = Proxy(person)
    let told = Recorder<String>()
    let token = try holder.observe("proxy.name", as: String.self, options: [.old, .new]) {
      told.add("\($1.oldValue ?? "") \($1.newValue ?? "")")
    }
    let first = try #require(holder.proxy)
    #expect(first.asked.all == ["add name"])
    person.name = "b"
    #expect(told.all == ["a b"])
    holder.proxy = Proxy(other)
    #expect(first.asked.all == ["add name", "remove name"])
    person.name = "c"
    other.name = "p"
    #expect(told.all == ["a b", "b o", "o p"])
    token.invalidate()
    other.name = "q"
    #expect(told.count == 3 && other.observationInfo == nil && person.observationInfo == nil)
  }

  @Test("so it is in the middle of a longer path, and with several observers")
  func longer() throws {
    let person = Person(), friend = Person(), holder = Holder()
    person.friend = friend
    holder.proxy = Proxy(person)
    let told = Recorder<String>()
    let tokens = try (0..<2).map { number in
      try holder.observe("proxy.friend.name", as: String.self, options: .new) {
        told.add("\(number) \($1.newValue ?? "")")
      }
    }
    friend.name = "f"
    #expect(told.all == ["1 f", "0 f"])
    tokens[0].invalidate()
    told.clear()
    person.friend = Person()
    #expect(told.all == ["1 a"])
    tokens[1].invalidate()
    #expect(person.observationInfo == nil)
  }
}
