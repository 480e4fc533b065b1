import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct MutatorTests {
  // MARK: every accessor

  @Test(
    "each accessor notifies through thunk and closure, with any options",
    arguments: AccessorCall.all, Wrapping.allCases)
  func matrix(accessor: AccessorCall, wrapping: Wrapping) throws {
    try withPolicy(wrapping.policy) {
      for options in ObservingOptions.combinations {
        let shelf = try accessor.makeShelf(), observation = try shelf.observe(options)
        try accessor.call(shelf)
        #expect(observation.lines == accessor.lines(options))
        #expect(shelf.takeCalls() == accessor.noted && shelf.numbers == accessor.left)
        #expect(try shelf.wrapped()[accessor.name] == (wrapping == .closure))
        observation.invalidate()
        try accessor.call(shelf)
        #expect(observation.lines.count == accessor.lines(options).count)
      }
    }
  }

  @Test(
    "an object of the class that nobody observes is changed in silence", arguments: AccessorCall.all
  )
  func unobserved(accessor: AccessorCall) throws {
    let shelf = try accessor.makeShelf(), observation = try shelf.observe()
    var other: isa_id?
    try check(isa_object_allocate(shelf.cls, &other))
    defer { isa_object_release(other) }
    let backing =
      try accessor.isOrdered
      ? CollectionType.mutableArray(1, 2, 3) : CollectionType.mutableSet(1, 2, 3)
    isa_test_to_many_set_backing(other, backing.id)
    let another = try Observation(other!, "others", notes: Notes())
    try accessor.call(shelf)
    #expect(observation.lines.count == 1 && another.lines == [] && backing.count == 3)
  }

  @Test(
    "an inherited accessor is wrapped for the class that is observed", arguments: AccessorCall.all)
  func inherited(accessor: AccessorCall) throws {
    let above = try accessor.makeShelf()
    let shelf = try Shelf([], above.backing, name: "Below", below: above)
    let observation = try shelf.observe()
    try accessor.call(shelf)
    #expect(observation.lines == accessor.lines([.old, .new]))
    #expect(try above.wrapped().isEmpty)
  }

  // MARK: which are wrapped

  @Test(
    "it takes an accessor that inserts and one that removes, or one that adds and one that removes")
  func sufficient() throws {
    let sufficient: [(Accessors, Int)] = [
      ([.insert], 0), ([.insertMany], 0), ([.removeAt], 0), ([.removeMany], 0),
      ([.replace, .replaceMany], 0), ([.insert, .insertMany, .replace], 0),
      ([.insert, .removeAt], 2), ([.insert, .removeMany], 2), ([.insertMany, .removeAt], 2),
      ([.insertMany, .removeMany], 2), ([.insert, .removeAt, .replace, .replaceMany], 4),
      ([.add], 0), ([.addMany], 0), ([.remove], 0), ([.removeSet], 0), ([.intersect], 0),
      ([.add, .intersect], 0), ([.add, .remove], 2), ([.add, .removeSet], 2),
      ([.addMany, .remove], 2), ([.addMany, .removeSet, .intersect], 3),
    ]
    for (accessors, count) in sufficient {
      let shelf = try Shelf(accessors.union(.getter), CollectionType.mutableArray())
      let observation = try shelf.observe()
      #expect(try shelf.wrapped().count == count, "\(accessors)")
      observation.invalidate()
    }
  }

  @Test("under GNUstep's profile one that inserts is enough")
  func gnustep() throws {
    let shelf = try Shelf([.getter, .insert], CollectionType.mutableArray(), below: gnustepBase())
    let observation = try shelf.observe()
    try shelf.insert(9, at: 0)
    #expect(observation.lines == ["insertion {0} new (9)"])
  }

  @Test("accessors that answer something, or take what no accessor takes, are left alone")
  func otherShapes() throws {
    let shelf = try Shelf(.getter, CollectionType.mutableArray(1))
    let shapes = [
      "insertObject:inItemsAtIndex:": "i@:@Q", "removeObjectFromItemsAtIndex:": "v@:Q",
      "replaceObjectInItemsAtIndex:withObject:": "v@:d@", "removeItemsAtIndexes:": "v@:@",
      "insertItems:atIndexes:": "v@:@{R=QQ}", "replaceItemsAtIndexes:withItems:": "v@:^v^v",
    ]
    for (name, types) in shapes { try addMethod(shelf.cls, name, types) { _ in } }
    let observation = try shelf.observe()
    #expect(try Set(shelf.wrapped().keys) == ["removeObjectFromItemsAtIndex:"])
    observation.invalidate()
  }

  @Test("an accessor added later is wrapped from the next registration on")
  func addedLater() throws {
    let shelf = try Shelf([.getter, .oneByOne], CollectionType.mutableArray(1))
    let first = try shelf.observe()
    try shelf.add(.replace)
    let second = try shelf.observe()
    try shelf.replace(at: 0, with: 9)
    #expect(first.lines == second.lines && second.lines == ["replacement {0} old (1) new (9)"])
  }

  // MARK: indexes

  @Test(
    "an index may be an integer of any type", arguments: Scalars.indexes, Wrapping.allCases)
  func indexTypes(letter: String, wrapping: Wrapping) throws {
    try withPolicy(wrapping.policy) {
      switch letter {
      case "c": try withIndex(letter, wrapping, Int8.self)
      case "s": try withIndex(letter, wrapping, Int16.self)
      case "i", "l": try withIndex(letter, wrapping, Int32.self)
      case "C": try withIndex(letter, wrapping, UInt8.self)
      case "S": try withIndex(letter, wrapping, UInt16.self)
      case "I", "L": try withIndex(letter, wrapping, UInt32.self)
      case "q": try withIndex(letter, wrapping, Int64.self)
      default: try withIndex(letter, wrapping, UInt64.self)
      }
    }
  }

  @Test(
    "an index of 32 bits is told without what stands above it in its register",
    arguments: ["i", "l", "I", "L"])
  func narrowIndex(letter: String) throws {
    typealias Remove = @convention(c) (isa_id?, isa_sel?, UInt64) -> Void
    let shelf = try Shelf([.getter, .insert], CollectionType.mutableArray(1, 2, 3))
    try addMethod(shelf.cls, "removeObjectFromItemsAtIndex:", "v@:\(letter)") { call in
      let backing = isa_test_to_many_backing(call.receiver)
      kvc_ordered_remove(backing, Int(call.argument(2, as: UInt32.self)))
    }
    let observation = try shelf.observe(), sel = selector("removeObjectFromItemsAtIndex:")
    unsafeBitCast(isa_lookup(shelf.id, sel), to: Remove.self)(shelf.id, sel, 0xdead_beef << 32 | 1)
    #expect(observation.lines == ["removal {1} old (2)"] && shelf.numbers == [1, 3])
  }

  /// Observes a class whose three accessors for one object take an index of that type.
  private func withIndex<Index: FixedWidthInteger>(
    _ letter: String, _ wrapping: Wrapping, _ type: Index.Type
  ) throws {
    let shelf = try Shelf(.getter, CollectionType.mutableArray(1, 2, 3))
    try addMethod(shelf.cls, "insertObject:inItemsAtIndex:", "v@:@\(letter)") { call in
      let backing = isa_test_to_many_backing(call.receiver)
      kvc_ordered_insert(backing, call.argument(2), Int(call.argument(3, as: Index.self)))
    }
    try addMethod(shelf.cls, "removeObjectFromItemsAtIndex:", "v@:\(letter)") { call in
      let backing = isa_test_to_many_backing(call.receiver)
      kvc_ordered_remove(backing, Int(call.argument(2, as: Index.self)))
    }
    try addMethod(shelf.cls, "replaceObjectInItemsAtIndex:withObject:", "v@:\(letter)@") { call in
      let backing = isa_test_to_many_backing(call.receiver)
      kvc_ordered_replace(backing, Int(call.argument(2, as: Index.self)), call.argument(3))
    }
    let observation = try shelf.observe(), nine = try Boxed.number(9)
    try shelf.send("insertObject:inItemsAtIndex:", nine.id, Index(3), keeping: nine)
    try shelf.send("replaceObjectInItemsAtIndex:withObject:", Index(2), nine.id, keeping: nine)
    try shelf.send("removeObjectFromItemsAtIndex:", Index(1))
    #expect(
      observation.lines == [
        "insertion {3} new (9)", "replacement {2} old (3) new (9)", "removal {1} old (2)",
      ])
    #expect(shelf.numbers == [1, 9, 9])
    let hasThunk = MemoryLayout<Index>.size == 8 && wrapping == .thunk
    #expect(try shelf.wrapped().values.allSatisfy { $0 != hasThunk })
  }

  @Test("where closures cannot be had thunks serve, and what has none is left alone")
  func noClosures() throws {
    isa_testing_deny_trampolines(true)
    defer { isa_testing_deny_trampolines(false) }
    try withPolicy(KVO_WRAP_LIBFFI) {
      for accessor in AccessorCall.all {
        let shelf = try accessor.makeShelf(), observation = try shelf.observe()
        try accessor.call(shelf)
        #expect(observation.lines == accessor.lines([.old, .new]))
        #expect(try shelf.wrapped().values.allSatisfy { !$0 })
      }
    }
  }

  // MARK: other isas

  @Test(
    "an accessor whose code was fetched before the isa went back does its part in silence",
    arguments: AccessorCall.all, Wrapping.allCases)
  func afterTheEnd(accessor: AccessorCall, wrapping: Wrapping) throws {
    try withPolicy(wrapping.policy) {
      let shelf = try accessor.makeShelf(), observation = try shelf.observe()
      let sel = selector(accessor.name), wrapper = try #require(isa_lookup(shelf.id, sel))
      observation.invalidate()
      #expect(isa_object_get_class(shelf.id) == shelf.cls)
      shelf.code = wrapper
      try accessor.call(shelf)
      #expect(observation.lines == [] && shelf.takeCalls() == accessor.noted)
      #expect(shelf.numbers == accessor.left)
    }
  }

  @Test(
    "a foreign subclass above ours passes through, and is told for as long as somebody observes",
    arguments: AccessorCall.all, Wrapping.allCases)
  func foreignAbove(accessor: AccessorCall, wrapping: Wrapping) throws {
    try withPolicy(wrapping.policy) {
      let shelf = try accessor.makeShelf(), observation = try shelf.observe()
      let notifying = isa_object_get_class(shelf.id)
      var foreign: isa_class?
      try check(isa_class_pair_allocate(notifying, "Foreign", &foreign))
      try check(isa_class_pair_register(foreign))
      try check(isa_object_set_class(shelf.id, foreign, nil))
      try accessor.call(shelf)
      #expect(observation.lines == accessor.lines([.old, .new]))
      observation.invalidate()
      #expect(isa_object_get_class(shelf.id) == foreign)
      try accessor.call(shelf)
      #expect(observation.lines.count == 1)
      #expect(shelf.takeCalls() == "\(accessor.noted), \(accessor.noted)")
      try check(isa_object_set_class(shelf.id, notifying, nil))
      #expect(isa_object_get_class(shelf.id) == shelf.cls)
      #expect(isa_class_pair_dispose(foreign) == ISA_OK)
    }
  }

  // MARK: what else a call may meet

  @Test(
    "within a pair of one's own, an accessor tells as well; under GNUstep's profile it does not")
  func withinPair() throws {
    let items: Accessors = [.getter, .oneByOne]
    let plain = try Shelf(items, CollectionType.mutableArray(), name: "Plain")
    let gnustep = try Shelf(items, CollectionType.mutableArray(), below: gnustepBase())
    for (shelf, count) in [(plain, 2), (gnustep, 1)] {
      let observation = try shelf.observe()
      try withIndexes([0]) { indexes in
        try check(kvo_will_change_indexes(shelf.id, KVO_CHANGE_INSERTION, indexes, "items"))
        try shelf.insert(9, at: 0)
        try check(kvo_did_change_indexes(shelf.id, KVO_CHANGE_INSERTION, indexes, "items"))
        try check(kvo_will_change_indexes(shelf.id, KVO_CHANGE_INSERTION, indexes, "items"))
        try shelf.array().insert(Boxed.number(8), at: 0)
        try check(kvo_did_change_indexes(shelf.id, KVO_CHANGE_INSERTION, indexes, "items"))
      }
      let nine = Array(repeating: "insertion {0} new (9)", count: count)
      #expect(observation.lines == nine + Array(repeating: "insertion {0} new (8)", count: count))
    }
  }

  @Test("adding or removing nil is passed on and told to nobody")
  func addingNil() throws {
    let shelf = try Shelf([.getter, .each, .setWide], CollectionType.mutableSet(1))
    let observation = try shelf.observe([.old, .new, .prior])
    for name in ["addItemsObject:", "removeItemsObject:", "addItems:"] {
      try shelf.send(name, isa_id?.none)
    }
    #expect(observation.lines == [] && shelf.takeCalls() == "add, removeObject, addAll 0")
  }

  @Test("an accessor that calls another tells of both, each of its own change")
  func nestedAccessors() throws {
    let shelf = try Shelf([.getter, .removeAt, .insertMany], CollectionType.mutableArray(1))
    try addMethod(shelf.cls, "insertObject:inItemsAtIndex:", "v@:@Q") { call in
      let object: isa_id = call.argument(2), index: UInt64 = call.argument(3)
      var array: isa_id?, one: isa_id? = object
      guard kvc_array_make(&one, 1, &array) == ISA_OK else { return }
      defer { isa_object_release(array) }
      var range = kvc_range(start: Int(index), count: 1)
      withUnsafeMutablePointer(to: &range) { range in
        var indexes = kvc_index_set(ranges: range, range_count: 1, count: 1)
        withUnsafePointer(to: &indexes) { indexes in
          typealias Insert =
            @convention(c) (
              isa_id?, isa_sel?, isa_id?, UnsafePointer<kvc_index_set>?
            ) -> Void
          let sel = selector("insertItems:atIndexes:")
          unsafeBitCast(isa_lookup(call.receiver, sel), to: Insert.self)(
            call.receiver, sel, array, indexes)
        }
      }
    }
    let observation = try shelf.observe()
    try shelf.insert(9, at: 1)
    let line = "insertion {1} new (9)"
    #expect(observation.lines == [line, line] && shelf.numbers == [1, 9])
    // A proxy's change is one, however it is made.
    try shelf.array().add(Boxed.number(8))
    #expect(observation.lines == [line, line, "insertion {2} new (8)"])
  }

  @Test("an observer may change the key again; whoever is told later sees what is there then")
  func nestedChange() throws {
    let shelf = try Shelf([.getter, .oneByOne], CollectionType.mutableArray(1))
    let first = try shelf.observe(), seen = Notes()
    let last = try shelf.observe { _ in
      seen.add("\(shelf.numbers)")
      if shelf.numbers.count == 2 { try? shelf.insert(8, at: 0) }
    }
    try shelf.insert(9, at: 0)
    #expect(seen.lines == ["[9, 1]", "[8, 9, 1]"])
    #expect(last.lines == ["insertion {0} new (9)", "insertion {0} new (8)"])
    #expect(first.lines == ["insertion {0} new (8)", "insertion {0} new (8)"])
  }

  @Test("without memory an accessor does its part, and what cannot be told is reported")
  func noMemory() throws {
    for accessor in AccessorCall.all {
      let shelf = try accessor.makeShelf()
      let fresh = accessor.isOrdered ? CollectionType.mutableArray : .mutableSet
      // The first time makes the notifying class, which stays.
      try check(observeAndStop(shelf))
      try withEachAllocationFailing { try check(observeAndStop(shelf)) }
      let observation = try shelf.observe([.old, .new, .prior])
      for allowed in 0..<24 {
        let before = LiveCounts()
        let misuses = collectMisuses {
          _ = isa_testing_fail_allocation(Int64(allowed))
          defer { _ = isa_testing_fail_allocation(-1) }
          // Memory that the call itself needs is not the accessor's.
          try? accessor.call(shelf)
        }
        #expect(misuses.allSatisfy { $0.status == ISA_ERR_NO_MEMORY })
        shelf.backing = try fresh(1, 2, 3)
        #expect(LiveCounts().pending == before.pending)
        #expect(LiveCounts().registrations == before.registrations)
      }
      observation.invalidate()
    }
  }

  private func observeAndStop(_ shelf: Shelf) -> isa_status {
    var function = kvo_function(callback: { _, _ in }, info: nil, release: nil)
    var token: kvo_token?
    let status = kvo_observe(shelf.id, "items", 15, &function, nil, &token)
    kvo_token_release(token)
    return status
  }

  @Test("the events of an accessor's change are told in order, each with its cause")
  func events() throws {
    let shelf = try Shelf([.getter, .oneByOne], CollectionType.mutableArray())
    let observation = try shelf.observe([.new, .prior])
    let nine = try Boxed.number(9)
    let events = try recordEvents { try shelf.insert(nine, at: 0) }
    let expected = [
      "message", "wrapper-entered < message", "will-change < wrapper-entered",
      "notification < will-change", "notification-ended < notification",
      "original-called < wrapper-entered", "original-returned < original-called",
      "did-change < wrapper-entered", "value-read < did-change", "notification < did-change",
      "notification-ended < notification", "wrapper-left < wrapper-entered",
    ]
    let relevant = events.filter { !["object-allocated", "deallocated"].contains($0.kind) }
    #expect(relevant.story == expected)
    #expect(observation.lines == ["prior insertion {0}", "insertion {0} new (9)"])
  }

  private func gnustepBase() throws -> ClassPair {
    let base = try ClassPair("GNUstepBase", isRegistered: false)
    try check(isa_class_set_profile(base.cls, ISA_PROFILE_GNUSTEP))
    try base.register()
    return base
  }
}
