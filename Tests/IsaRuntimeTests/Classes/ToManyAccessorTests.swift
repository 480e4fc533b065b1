import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct ToManyAccessorTests {
  @Test("closures are the accessors of an ordered key, for proxies and observers alike")
  func ordered() throws {
    let store = Store()
    try withClass("Team") { builder in
      try builder.orderedAccessors(
        "members", count: { _ in store.count }, object: { _, index in store[index] },
        insert: { _, member, index in store.change { $0.insert(member, at: index) } },
        remove: { _, index in store.change { $0.remove(at: index) } },
        replace: { _, index, member in store.change { $0[index] = member } })
    } body: { made in
      let team = try made.allocate()
      let told = Recorder<String>()
      let token = try team.observe("members", options: [.old, .new]) { told.add("\($0)") }
      let members = try team.mutableArrayValue(forKey: "members")
      try members.append("Ann")
      try members.insert(7, at: 0)
      try members.replace(at: 1, with: "Bob")
      try members.remove(at: 0)
      #expect(store.elements == ["Bob"])
      #expect(try team.value(forKey: "members").elements == ["Bob"])
      #expect(
        told.all == [
          "members: insertion at [0] → (Ann)", "members: insertion at [0] → (7)",
          "members: replacement at [1] (Ann) → (Bob)", "members: removal at [0] (7)",
        ])
      try team.send("insertObject:inMembersAtIndex:", "Eve", 0)
      #expect(told.last == "members: insertion at [0] → (Eve)")
      token.invalidate()
      store.change { $0 = [] }
    }
  }

  @Test("an ordered key's index-of and an unordered key's whole sets are asked where there are any")
  func wholeForms() throws {
    let store = Store(), asked = Recorder<String>()
    try withClass("Shelf") { builder in
      try builder.orderedAccessors(
        "books", count: { _ in store.count }, object: { _, index in store[index] },
        index: { _, book in
          asked.add("index")
          return store.elements.firstIndex(of: book)
        })
      try builder.unorderedAccessors(
        "tags", elements: { _ in store.elements },
        add: { _, tag in store.change { $0.append(tag) } },
        remove: { _, tag in store.change { tags in tags.removeAll { $0 == tag } } },
        unite: { _, tags in
          asked.add("unite")
          store.change { $0 += tags }
        },
        subtract: { _, gone in
          asked.add("subtract")
          store.change { tags in tags.removeAll { gone.contains($0) } }
        })
    } body: { made in
      let shelf = try made.allocate()
      try shelf.mutableSetValue(forKey: "tags").formUnion(["a", "b", "c"])
      try shelf.mutableSetValue(forKey: "tags").subtract(["a"])
      #expect(Set(store.elements) == ["b", "c"])
      store.change { $0 = ["x", "y"] }
      let proxy = try shelf.mutableArrayValue(forKey: "books")
      #expect(proxy.firstIndex(of: "y") == 1 && proxy.firstIndex(of: "z") == nil)
      #expect(asked.all.starts(with: ["unite", "subtract", "index"]))
      store.change { $0 = [] }
    }
  }

  @Test("a closure says what nil sets, and leaves other keys to the superclass")
  func nilValues() throws {
    try withClass("Meter") { builder in
      try builder.property("level", .int64).property("limit", .int64)
        .nilValues { meter, key in
          guard key == "level" else { return false }
          return (try? meter.set("level", -1)) != nil
        }
    } body: { made in
      let meter = try made.allocate()
      try meter.setValue(nil, forKey: "level")
      #expect(try meter.get("level", as: Int.self) == -1)
      expectError(.nilValue, key: "limit") { try meter.setValue(nil, forKey: "limit") }
    }
  }

  @Test("a closure of one expression that fits both results is taken for one that answers")
  func unambiguous() throws {
    try withClass("Plain") { builder in
      try builder.method("never", "q@:") { _ in fatalError("never called") }
        .method("note:", "v@:q") { _ in () }
    } body: { made in
      #expect(made.methods.count == 2)
    }
  }

  @Test("a value is boxed by hand")
  func boxed() throws {
    #expect(try RuntimeValue(7).boxed().boxKind == .number)
    #expect(try RuntimeValue("a").boxed().boxKind == .string)
    #expect(try RuntimeValue("{P=dd}", members: [1, 2]).boxed().boxKind == .value)
    expectError(.incompatible) { try RuntimeValue.nilObject.boxed() }
  }

  @Test("closures are the accessors of an unordered key")
  func unordered() throws {
    let store = Store()
    try withClass("Page") { builder in
      try builder.unorderedAccessors(
        "tags", elements: { _ in store.elements },
        add: { _, tag in store.change { $0.append(tag) } },
        remove: { _, tag in store.change { tags in tags.removeAll { $0 == tag } } },
        intersect: { _, kept in store.change { tags in tags.removeAll { !kept.contains($0) } } })
    } body: { made in
      let page = try made.allocate()
      let told = Recorder<RuntimeChange>()
      let token = try page.observe("tags", options: [.old, .new]) { told.add($0) }
      let tags = try page.mutableSetValue(forKey: "tags")
      try tags.insert("a")
      try tags.insert("b")
      try tags.formIntersection(["b"])
      #expect(store.elements == ["b"])
      #expect(tags.contains("b") && !tags.contains("a"))
      #expect(told.all.map(\.kind) == [.insertion, .insertion, .removal])
      #expect(told.last?.oldValue?.set == ["a"])
      told.clear()
      token.invalidate()
      store.change { $0 = [] }
    }
  }
}

/// Elements that closures keep.
private final class Store: @unchecked Sendable {
  // Sendable because each test uses its own on one thread.
  private(set) var elements: [RuntimeValue] = []

  var count: Int { elements.count }
  subscript(index: Int) -> RuntimeValue { elements[index] }

  func change(_ body: (inout [RuntimeValue]) -> Void) { body(&elements) }
}
