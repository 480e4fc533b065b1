import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct ToManyProxyTests {
  @Test("what cannot change is refused in Foundation's words, and described in Swift's")
  func refusesInWords() throws {
    try withPerson { person in
      let proxy = try person.mutableArrayValue(forKey: "age")
      let error = expectError(.unrecognizedSelector, key: "age") { try proxy.append(1) }
      #expect(error?.reason.contains("unrecognized selector") == true)
      #expect(error?.description.contains("is no collection that can change") == true)
    }
  }

  @Test("an array proxy reads and changes the object behind it")
  func array() throws {
    try withHolder(.array([1, 2])) { holder in
      let items = try holder.mutableArrayValue(forKey: "items")
      try items.append(3)
      try items.append(Int32(4))
      try items.insert(0, at: 0)
      try items.replace(at: 1, with: "one")
      try items.remove(at: 2)
      #expect(items.elements == [0, "one", 3, RuntimeValue(Int32(4))])
      #expect(try holder.value(forKey: "items").array == items.elements)
      #expect(items.count == 4 && items[1] == "one" && Array(items) == items.elements)
      #expect(items.firstIndex(of: 3) == 2 && items.firstIndex(of: 9) == nil)
      #expect(items.contains(0) && !items.contains(9))
      try items.removeAll()
      #expect(items.isEmpty && items.description == "[]")
    }
  }

  @Test("an array proxy changes many elements at one go")
  func manyElements() throws {
    try withHolder(.array([1])) { holder in
      let items = try holder.mutableArrayValue(forKey: "items")
      let told = Recorder<String>()
      let token = try holder.observe("items", options: [.old, .new]) { told.add("\($0)") }
      try items.append(contentsOf: [2, 3])
      try items.insert(contentsOf: [8, 9], at: [0, 2])
      try items.replace(at: [0, 1], with: [6, 7])
      try items.remove(at: [0, 4])
      #expect(items.elements == [7, 9, 2])
      #expect(
        told.all == [
          "items: insertion at [1, 2] → (2, 3)", "items: insertion at [0, 2] → (8, 9)",
          "items: replacement at [0, 1] (8, 1) → (6, 7)", "items: removal at [0, 4] (6, 3)",
        ])
      try items.removeAll(equalTo: 9)
      try items.setElements([5])
      #expect(items.elements == [5])
      token.invalidate()
    }
  }

  @Test("who is told of elements that a handler has taken away is shown those that came")
  func takenAway() throws {
    try withHolder(.array([1])) { holder in
      let items = try holder.mutableArrayValue(forKey: "items")
      let told = Recorder<String>()
      let first = try holder.observe("items", options: [.old, .new]) { told.add("\($0)") }
      let second = try holder.observe("items", options: .new) { change in
        if change.kind != .setting { try? holder.set("items", .array([])) }
      }
      try items.append(2)
      #expect(told.all.last == "items: insertion at [1] → (2)" && items.isEmpty)
      first.invalidate()
      second.invalidate()
    }
  }

  @Test("an index beyond the end throws NSRangeException, and nothing changes")
  func outOfRange() throws {
    try withHolder(.array([1])) { holder in
      let items = try holder.mutableArrayValue(forKey: "items")
      let name = holder.isa.name
      let error = expectError(.outOfRange, key: "items", className: name) {
        try items.remove(at: 1)
      }
      #expect(error?.exceptionName == "NSRangeException")
      expectError(.outOfRange) { try items.insert(2, at: 3) }
      expectError(.outOfRange) { try items.element(at: -1) }
      #expect(throws: KeyValueError.self) { try items.insert(contentsOf: [1, 2], at: [0]) }
      #expect(items.elements == [1])
    }
  }

  @Test("an ordered set proxy keeps each element once")
  func orderedSet() throws {
    try withHolder(.orderedSet([1, 2])) { holder in
      let items = try holder.mutableOrderedSetValue(forKey: "items")
      try items.append(2)
      try items.append(3)
      try items.formUnion([3, 4])
      try items.subtract([1])
      try items.replace(at: 0, with: 5)
      #expect(items.elements == [5, 3, 4])
      try items.formIntersection([3, 5])
      try items.remove(5)
      #expect(items.elements == [3] && items.firstIndex(of: 3) == 0)
      #expect(try holder.value(forKey: "items").orderedSet == [3])
    }
  }

  @Test("a set proxy tells what came and went")
  func set() throws {
    try withHolder(.set([1])) { holder in
      let items = try holder.mutableSetValue(forKey: "items")
      let told = Recorder<RuntimeChange>()
      let token = try holder.observe("items", options: [.old, .new]) { told.add($0) }
      try items.insert(2)
      try items.formUnion([2, 3])
      try items.subtract([1, 9])
      try items.formIntersection([3])
      try items.setElements([7])
      #expect(told.all.map(\.kind) == [.insertion, .insertion, .removal, .removal, .replacement])
      #expect(told.all.map(\.newValue?.set) == [[2], [3], nil, nil, [7]])
      #expect(told.all.map(\.oldValue?.set) == [nil, nil, [1], [2], [3]])
      #expect(told.all.allSatisfy { $0.indexes == nil })
      #expect(items.elements == [7] && items.contains(7) && items.count == 1)
      try items.remove(7)
      #expect(items.isEmpty && Array(items) == [])
      told.clear()
      token.invalidate()
    }
  }

  @Test("a proxy is had by key path too")
  func keyPaths() throws {
    try withHolder(.array([1])) { holder in
      try withClass("Owner", { try $0.property("holder", .object) }) { owners in
        let owner = try owners.allocate()
        try owner.set("holder", holder)
        try owner.mutableArrayValue(forKeyPath: "holder.items").append(2)
        #expect(try owner.get(keyPath: "holder.items", as: [Int].self) == [1, 2])
        #expect(throws: KeyValueError.self) { try owner.mutableSetValue(forKeyPath: "wings.items") }
      }
    }
  }

  @Test("a key that cannot be changed throws at the first change")
  func unknownKey() throws {
    try withHolder(.array([1])) { holder in
      let wings = try holder.mutableArrayValue(forKey: "wings")
      let error = #expect(throws: KeyValueError.self) { try wings.append(1) }
      #expect(error?.code == .undefinedKey && error?.key == "wings")
    }
  }

  @Test("a collection that is nobody's is changed likewise")
  func collections() throws {
    let object = try #require(RuntimeValue.array([1], isMutable: true).object)
    let array = try #require(MutableArrayProxy(object))
    try array.append("two")
    #expect(RuntimeValue(object).array == [1, "two"])
    #expect(MutableSetProxy(object) == nil && MutableOrderedSetProxy(object) == nil)
    let fixed = try #require(RuntimeValue.array([1]).object)
    #expect(MutableArrayProxy(fixed) == nil)
  }
}

/// Runs `body` with an object whose property `items` is `items`.
private func withHolder(
  _ items: RuntimeValue, _ body: (RuntimeObject) throws -> Void
) throws {
  try withClass("Holder", { try $0.property("items", .object) }) { made in
    let holder = try made.allocate()
    try holder.setValue(items, forKey: "items")
    try body(holder)
  }
}
