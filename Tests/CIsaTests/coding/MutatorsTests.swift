import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct MutatorsTests {
  @Test("an ordered key needs an accessor that inserts and one that removes, of either form")
  func ordered() throws {
    for inserting: Accessors in [.insert, .insertMany] {
      for removing: Accessors in [.removeAt, .removeMany] {
        let shelf = try Shelf([.getter, inserting, removing], CollectionType.mutableArray(1))
        let proxy = try shelf.array()
        try proxy.add(Boxed.number(2))
        try check(kvc_ordered_remove(proxy.id, 0))
        #expect(proxy.description == "(2)")
        #expect(shelf.takeCalls().split(separator: ",").count == 2)
      }
    }
  }

  @Test("one of the two alone is not enough, under either profile")
  func alone() throws {
    for lonely: Accessors in [.insert, .insertMany, .removeAt, .removeMany] {
      let shelf = try Shelf([.getter, .setter, lonely], CollectionType.mutableArray(1))
      try shelf.array().add(Boxed.number(2))
      #expect(shelf.takeCalls() == "set 2")
    }
  }

  @Test("an unordered key needs one that adds and one that removes, of either form")
  func unordered() throws {
    for adding: Accessors in [.add, .addMany] {
      for removing: Accessors in [.remove, .removeSet] {
        let shelf = try Shelf([.getter, adding, removing], CollectionType.mutableSet(1))
        let proxy = try shelf.set()
        try proxy.add(Boxed.number(2))
        try proxy.remove(Boxed.number(1))
        #expect(proxy.description == "{(2)}")
        #expect(shelf.takeCalls().split(separator: ",").count == 2)
      }
      let shelf = try Shelf([.getter, .setter, adding], CollectionType.mutableSet(1))
      try shelf.set().add(Boxed.number(2))
      #expect(shelf.takeCalls() == "set 2")
    }
  }

  @Test("accessors are inherited, and found when they are added later")
  func inherited() throws {
    let base = try Shelf([.getter, .insert], CollectionType.mutableArray(), name: "BaseShelf")
    let shelf = try Shelf(.setter, CollectionType.mutableArray(1), below: base)
    let proxy = try shelf.array()
    try proxy.add(Boxed.number(2))
    #expect(shelf.takeCalls() == "set 2")
    try base.add(.removeAt)
    try proxy.add(Boxed.number(3))
    #expect(shelf.takeCalls() == "insert 2")
    #expect(proxy.description == "(1, 2, 3)")
  }

  @Test("a method of the name that takes another number of arguments is no accessor")
  func arity() throws {
    let shelf = try Shelf([.getter, .setter, .removeAt], CollectionType.mutableArray(1))
    try addMethod(shelf.cls, "insertObject:inItemsAtIndex:", "i@:@Q^@") { _ in
      Issue.record("called")
    }
    try shelf.array().add(Boxed.number(2))
    #expect(shelf.takeCalls() == "set 2")
  }

  @Test("an index may be an integer of any type", arguments: Scalars.indexes)
  func integers(type: String) throws {
    let shelf = try Shelf([.getter, .removeAt], CollectionType.mutableArray(1, 2, 3))
    let notes = Notes()
    try addMethod(shelf.cls, "insertObject:inItemsAtIndex:", "v@:@\(type)") {
      switch type {
      case "q", "Q": notes.add("\($0.argument(3, as: Int.self))")
      case "i", "I", "l", "L": notes.add("\($0.argument(3, as: Int32.self))")
      case "s", "S": notes.add("\($0.argument(3, as: Int16.self))")
      default: notes.add("\($0.argument(3, as: Int8.self))")
      }
    }
    try shelf.array().insert(Boxed.number(9), at: 2)
    #expect(notes.lines == ["2"])
  }

  @Test(
    "an index that the accessor's type cannot hold fails, and nothing is called",
    arguments: [("c", 128), ("C", 256), ("s", 32_768), ("S", 65_536), ("B", 2)])
  func narrowIndexes(type: String, index: Int) throws {
    let shelf = try Shelf([.getter, .removeAt], CollectionType.mutableArray())
    try addMethod(shelf.cls, "insertObject:inItemsAtIndex:", "v@:@\(type)") { _ in
      Issue.record("called")
    }
    for number in 0..<index {
      let boxed = try Boxed.number(number)
      try check(kvc_collection_add(shelf.backing?.id, boxed.id))
      withExtendedLifetime(boxed) {}
    }
    let nine = try Boxed.number(9)
    #expect(try status(of: { try shelf.array().insert(nine, at: index) }) == KVC_ERR_RANGE)
    #expect(lastReason().contains("its index of type '\(type)' cannot be \(index)"))
  }

  @Test("an accessor that answers a status fails with it; any other answer is dropped")
  func answers() throws {
    let shelf = try Shelf([.getter, .insert], CollectionType.mutableArray(1))
    try addMethod(shelf.cls, "removeObjectFromItemsAtIndex:", "i@:Q") {
      $0.answer(ISA_ERR_UNSUPPORTED)
    }
    try addMethod(shelf.cls, "replaceObjectInItemsAtIndex:withObject:", "d@:Q@") {
      $0.answer(5.0)
    }
    let proxy = try shelf.array(), two = try Boxed.number(2)
    #expect(kvc_ordered_remove(proxy.id, 0) == ISA_ERR_UNSUPPORTED)
    try check(kvc_ordered_replace(proxy.id, 0, two.id))
    #expect(proxy.description == "(1)")
  }

  @Test("an accessor whose encoding does not fit is refused by name, and not called")
  func encodings() throws {
    let shelf = try Shelf([.getter, .removeAt], CollectionType.mutableArray(1))
    try addMethod(shelf.cls, "insertObject:inItemsAtIndex:", "v@:@d") { _ in
      Issue.record("called")
    }
    let proxy = try shelf.array(), two = try Boxed.number(2)
    #expect(kvc_ordered_insert(proxy.id, two.id, 0) == KVC_ERR_TYPE)
    #expect(lastReason().contains("-[Shelf insertObject:inItemsAtIndex:] has encoding \"v@:@d\""))
  }

  @Test("a search for which there is no memory fails, and leaves nothing")
  func memory() throws {
    let shelf = try Shelf([.getter, .oneByOne], CollectionType.mutableArray(1))
    let two = try Boxed.number(2)
    try shelf.array().add(two)  // fills the caches
    shelf.backing = try CollectionType.mutableArray(1)
    try withEachAllocationFailing(undo: { shelf.backing = try CollectionType.mutableArray(1) }) {
      try shelf.array().add(two)
    }
    #expect(try shelf.value().count == 2)
  }
}
