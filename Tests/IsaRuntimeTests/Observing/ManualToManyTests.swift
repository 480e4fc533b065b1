import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct ManualToManyTests {
  @Test("a change of elements announced by hand is told with indexes and elements")
  func ordered() throws {
    try withList { list in
      let told = Recorder<RuntimeChange>()
      let token = try list.observe("items", options: [.old, .new]) { told.add($0) }
      try list.willChange(.insertion, valuesAt: [0, 2], forKey: "items")
      try list.poke(ivar: "_items", .array([7, 1, 8]))
      try list.didChange(.insertion, valuesAt: [0, 2], forKey: "items")
      try list.change("items", .removal, at: [1]) { try list.poke(ivar: "_items", .array([7, 8])) }
      #expect(told.all.map(\.kind) == [.insertion, .removal])
      #expect(told.all.map(\.indexes) == [[0, 2], [1]])
      #expect(told.all.map(\.newValue?.array) == [[7, 8], nil])
      #expect(told.all.map(\.oldValue?.array) == [nil, [1]])
      told.clear()
      token.invalidate()
    }
  }

  @Test("a typed observer is told the indexes too")
  func typed() throws {
    try withList { list in
      let told = Recorder<ValueChange<[Int]>>()
      let token = try list.observe("items", as: [Int].self, options: .new) { told.add($0) }
      try list.mutableArrayValue(forKey: "items").append(2)
      #expect(told.last?.indexes == [1] && told.last?.newValue == [2])
      #expect(told.last?.kind == .insertion)
      told.clear()
      token.invalidate()
    }
  }

  @Test("a change of a set announced by hand is told as the difference")
  func unordered() throws {
    try withList { list in
      try list.poke(ivar: "_items", .set([1, 2]))
      let told = Recorder<RuntimeChange>()
      let token = try list.observe("items", options: [.old, .new]) { told.add($0) }
      try list.willChangeValue(forKey: "items", withSetMutation: .union, using: [2, 3])
      try list.poke(ivar: "_items", .set([1, 2, 3]))
      try list.didChangeValue(forKey: "items", withSetMutation: .union, using: [2, 3])
      try list.change("items", .set, with: [3]) { try list.poke(ivar: "_items", .set([3])) }
      #expect(told.all.map(\.newValue?.set) == [[3], []])
      #expect(told.last?.oldValue?.set == [1, 2])
      told.clear()
      token.invalidate()
    }
  }

  @Test("a bracket ends however its body ends, and does not begin with what is no change")
  func brackets() throws {
    struct Stop: Error {}
    try withList { list in
      let told = Recorder<Void>()
      let token = try list.observe("items") { _ in told.add(()) }
      #expect(throws: Stop.self) {
        try list.change("items", .removal, at: [0]) { throw Stop() }
      }
      #expect(told.count == 1)
      #expect(throws: KeyValueError.self) {
        try list.change("items", .setting, at: [0]) { told.add(()) }
      }
      #expect(throws: KeyValueError.self) {
        try list.change("items", .removal, at: [-1]) { told.add(()) }
      }
      #expect(told.count == 1 && list.pendingChanges == [])
      token.invalidate()
    }
  }

  @Test("what is announced and not ended can be seen")
  func pending() throws {
    try withList { list in
      let token = try list.observe("items") { _ in }
      try list.willChangeValue(forKey: "items")
      try list.willChange(.removal, valuesAt: [0], forKey: "items")
      #expect(list.pendingChanges.map(\.kind) == [.removal, .setting])
      #expect(list.pendingChanges.allSatisfy { $0.key == "items" && $0.thread > 0 })
      try list.didChange(.removal, valuesAt: [0], forKey: "items")
      try list.didChangeValue(forKey: "items")
      #expect(list.pendingChanges == [])
      token.invalidate()
    }
  }
}

/// Runs `body` with an object whose property `items` is an array of 1.
private func withList(_ body: (RuntimeObject) throws -> Void) throws {
  try withClass("List", { try $0.property("items", .object) }) { made in
    let list = try made.allocate()
    try list.setValue(.array([1]), forKey: "items")
    try body(list)
  }
}
