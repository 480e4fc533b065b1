import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

/// The means of proxies, held beside the class's: listeners to the event log close them.
@Suite(.serialized, .balancedCounts)
struct OneChangeTests {
  /// A shelf with 1, 2, 3, read and changed by accessors alone.
  private func makeShelf(_ more: Accessors = []) throws -> Shelf {
    try Shelf([.readArray, .oneByOne, .replace, more], CollectionType.mutableArray(1, 2, 3))
  }

  /// Runs `body` as it is, or with a listener to the event log.
  private func run(logged: Bool, _ body: () throws -> Void) rethrows {
    if logged { _ = try recordEvents(body) } else { try body() }
  }

  @Test("one observer hears each change of one, whatever it asks for", arguments: [false, true])
  func eachKind(logged: Bool) throws {
    for options in ObservingOptions.combinations where !options.contains(.initial) {
      let shelf = try makeShelf(), observation = try shelf.observe(options)
      let proxy = try shelf.array(), nine = try Boxed.number(9)
      _ = shelf.takeCalls()
      try run(logged: logged) {
        try check(kvc_ordered_insert(proxy.id, nine.id, 1))
        try check(kvc_ordered_replace(proxy.id, 0, nine.id))
        try check(kvc_ordered_remove(proxy.id, 3))
      }
      var expected: [String] = []
      for (what, old, new) in [
        ("insertion {1}", "", " new (9)"), ("replacement {0}", " old (1)", " new (9)"),
        ("removal {3}", " old (3)", ""),
      ] {
        let before = options.contains(.old) ? old : ""
        let after = options.contains(.new) ? new : ""
        expected += options.contains(.prior) ? ["prior \(what)\(before)"] : []
        expected.append("\(what)\(before)\(after)")
      }
      #expect(observation.lines == expected, "\(options.testDescription)")
      #expect(shelf.numbers == [9, 9, 2])
    }
  }

  @Test("a change that nobody asks a value of takes no memory", .shortWays)
  func noMemory() throws {
    let shelf = try makeShelf(), notes = HeardIndexes(), proxy = try shelf.array()
    let nine = try Boxed.number(9), token = try notes.observe(shelf.id)
    defer { kvo_token_release(token) }
    // The first one looks the accessors up, and the array behind them has room from then on.
    try check(kvc_ordered_insert(proxy.id, nine.id, 3))
    try check(kvc_ordered_remove(proxy.id, 3))
    _ = isa_testing_fail_allocation(0)
    let inserted = kvc_ordered_insert(proxy.id, nine.id, 3)
    let removed = kvc_ordered_remove(proxy.id, 3)
    let needed = isa_testing_fail_allocation(-1)
    #expect(!needed)
    #expect(inserted == ISA_OK && removed == ISA_OK)
    #expect(notes.count == 4)
  }

  @Test("an index beyond the end is refused before anything is told", arguments: [false, true])
  func beyondTheEnd(logged: Bool) throws {
    let shelf = try makeShelf(), observation = try shelf.observe([]), proxy = try shelf.array()
    let nine = try Boxed.number(9)
    try run(logged: logged) {
      #expect(kvc_ordered_insert(proxy.id, nine.id, 4) == KVC_ERR_RANGE)
      #expect(lastException() == "NSRangeException")
      #expect(kvc_ordered_remove(proxy.id, 3) == KVC_ERR_RANGE)
      #expect(kvc_ordered_replace(proxy.id, 3, nine.id) == KVC_ERR_RANGE)
      #expect(kvc_ordered_insert(proxy.id, nil, 0) == ISA_ERR_INVALID_ARGUMENT)
      try check(kvc_ordered_insert(proxy.id, nine.id, 3))
    }
    #expect(observation.lines == ["insertion {3}"])
  }

  @Test("an accessor that calls others is announced once", arguments: [false, true])
  func nestedAccessors(logged: Bool) throws {
    let shelf = try Shelf([.readArray, .removeAt, .atIndexes], CollectionType.mutableArray(1))
    try addMethod(shelf.cls, "insertObject:inItemsAtIndex:", "v@:@Q") { [unowned shelf] call in
      kvc_ordered_insert(isa_test_to_many_backing(call.receiver), call.argument(2), 0)
      try? shelf.insert([7], at: [0])
    }
    let observation = try shelf.observe([]), proxy = try shelf.array()
    try run(logged: logged) { try proxy.insert(Boxed.number(9), at: 1) }
    #expect(observation.lines == ["insertion {1}"] && shelf.numbers == [7, 9, 1])
  }

  @Test("what an accessor does to the registrations counts", arguments: [false, true])
  func registrationsMeanwhile(logged: Bool) throws {
    for ends in [false, true] {
      let shelf = try Shelf([.readArray, .removeAt], CollectionType.mutableArray(1))
      let first = try shelf.observe([])
      var second: Observation?
      try addMethod(shelf.cls, "insertObject:inItemsAtIndex:", "v@:@Q") { [unowned shelf] call in
        kvc_ordered_insert(isa_test_to_many_backing(call.receiver), call.argument(2), 0)
        if ends { first.invalidate() } else if second == nil { second = try? shelf.observe([]) }
      }
      let proxy = try shelf.array(), nine = try Boxed.number(9)
      try run(logged: logged) {
        try proxy.insert(nine, at: 0)
        try proxy.insert(nine, at: 1)
      }
      #expect(first.lines == (ends ? [] : ["insertion {0}", "insertion {1}"]))
      #expect(second?.lines == (ends ? nil : ["insertion {1}"]))
      second = nil
    }
  }

  @Test("what an accessor changes about methods is seen, and the change told once")
  func methodsMeanwhile() throws {
    let shelf = try Shelf([.readArray, .removeAt], CollectionType.mutableArray(1))
    var calls = 0
    try addMethod(shelf.cls, "insertObject:inItemsAtIndex:", "v@:@Q") { [unowned shelf] call in
      calls += 1
      kvc_ordered_insert(isa_test_to_many_backing(call.receiver), call.argument(2), 0)
      try? addMethod(shelf.cls, "unrelated\(calls)", "v@:") { _ in }
    }
    let observation = try shelf.observe([]), proxy = try shelf.array()
    for _ in 0..<3 { try proxy.insert(Boxed.number(9), at: 0) }
    #expect(observation.lines == Array(repeating: "insertion {0}", count: 3) && calls == 3)
    try shelf.remove(at: 0)
    #expect(observation.lines.last == "removal {0}")
  }

  @Test("a listener that comes while an accessor runs hears of the end of the change")
  func listenerMeanwhile() throws {
    let shelf = try Shelf([.readArray, .removeAt], CollectionType.mutableArray(1))
    nonisolated(unsafe) var listener: isa_event_listener = 0
    try addMethod(shelf.cls, "insertObject:inItemsAtIndex:", "v@:@Q") { call in
      kvc_ordered_insert(isa_test_to_many_backing(call.receiver), call.argument(2), 0)
      listener = listen { _, _ in }
    }
    let observation = try shelf.observe([]), proxy = try shelf.array()
    try proxy.insert(Boxed.number(9), at: 0)
    isa_event_remove_listener(listener)
    #expect(observation.lines == ["insertion {0}"])
  }

  @Test("a replaced accessor is called by the next change")
  func replacedAccessor() throws {
    let shelf = try makeShelf(), observation = try shelf.observe([]), proxy = try shelf.array()
    let nine = try Boxed.number(9)
    func replace(_ name: String, _ types: String, by code: isa_imp?) throws {
      try check(isa_class_replace_method(shelf.cls, selector(name), code, types, nil))
    }
    try proxy.insert(nine, at: 0)
    let twice: @convention(c) (isa_id?, isa_sel?, isa_id?, UInt64) -> Void = {
      shelf, _, object, _ in
      kvc_ordered_insert(isa_test_to_many_backing(shelf), object, 0)
      kvc_ordered_insert(isa_test_to_many_backing(shelf), object, 0)
    }
    try replace("insertObject:inItemsAtIndex:", "v@:@Q", by: unsafeBitCast(twice, to: isa_imp.self))
    try proxy.insert(nine, at: 0)
    #expect(shelf.numbers == [9, 9, 9, 1, 2, 3])
    #expect(observation.lines == ["insertion {0}", "insertion {0}"])
    try replace("countOfItems", "Q@:", by: imp(answering: 0))
    #expect(kvc_ordered_insert(proxy.id, nine.id, 1) == KVC_ERR_RANGE && proxy.count == 0)
  }

  @Test("changes within one another are told inside out", arguments: [false, true])
  func nestedChanges(logged: Bool) throws {
    let shelf = try makeShelf(), proxy = try shelf.array(), nine = try Boxed.number(9)
    var inner: isa_status?, isInside = false
    let notes = Notes { change in
      guard !isInside else { return }
      isInside = true
      inner = kvc_ordered_remove(proxy.id, 0)
      #expect(change.indexes.pointee.ranges[0].start == 2)
    }
    let observation = try Observation(shelf.id, "items", notes: notes)
    try run(logged: logged) { try proxy.insert(nine, at: 2) }
    #expect(observation.lines == ["insertion {2}", "removal {0}"] && inner == ISA_OK)
    #expect(shelf.numbers == [2, 9, 3])
  }

  @Test("a setting after a change of one shows nothing of it")
  func settingAfterwards() throws {
    let shelf = try makeShelf(.setter), observation = try shelf.observe([])
    let proxy = try shelf.array()
    try proxy.insert(Boxed.number(9), at: 0)
    kvo_will_change(shelf.id, "items")
    kvo_did_change(shelf.id, "items")
    let person = try Person(), age = try Observation(person, "age", [.old, .new])
    person.age = 3
    #expect(observation.lines == ["insertion {0}", "change"])
    #expect(age.lines == ["old 0 new 3"])
  }

  @Test("an observer of another key leaves the change to itself")
  func otherKey() throws {
    let shelf = try makeShelf(), proxy = try shelf.array()
    let other = try Observation(shelf.id, "other", notes: Notes())
    try proxy.insert(Boxed.number(9), at: 0)
    try check(kvc_ordered_remove(proxy.id, 0))
    #expect(other.lines == [] && shelf.numbers == [1, 2, 3])
  }

  @Test("accessors of the class that were wrapped serve again once nobody observes")
  func afterTheLast() throws {
    let shelf = try makeShelf(), proxy = try shelf.array(), nine = try Boxed.number(9)
    try proxy.insert(nine, at: 0)
    let observation = try shelf.observe([])
    try proxy.insert(nine, at: 0)
    observation.invalidate()
    try proxy.insert(nine, at: 0)
    #expect(observation.lines == ["insertion {0}"] && shelf.numbers == [9, 9, 9, 1, 2, 3])
    #expect(shelf.takeCalls().contains("insert 0"))
  }
}

/// An observer that takes no memory to be told.
private final class HeardIndexes {
  private(set) var count = 0

  func observe(_ object: isa_id) throws -> kvo_token {
    let hear: kvo_callback = { _, info in
      Unmanaged<HeardIndexes>.fromOpaque(info!).takeUnretainedValue().count += 1
    }
    var function = kvo_function(
      callback: hear, info: Unmanaged.passUnretained(self).toOpaque(), release: nil)
    var token: kvo_token?
    try check(kvo_observe(object, "items", 0, &function, nil, &token))
    return token!
  }
}
