import CIsa
import CIsa.Testing
import CIsaTestSupport
import Foundation
import Testing

@Suite(.serialized, .balancedCounts)
struct ToManyChangeTests {
  // MARK: by hand

  @Test("an ordered change by hand tells its part of the value", arguments: Edit.ordered)
  func orderedPair(edit: Edit) throws {
    for options in ObservingOptions.combinations {
      let shelf = try edit.makeShelf(), observation = try shelf.observe(options)
      try edit.announce(shelf)
      try edit.mutate(shelf)
      try edit.end(shelf)
      #expect(observation.lines == edit.lines(options), "\(options.testDescription)")
    }
  }

  @Test("an unordered change by hand tells what comes and goes", arguments: Edit.unordered)
  func unorderedPair(edit: Edit) throws {
    for options in ObservingOptions.combinations {
      let shelf = try edit.makeShelf(), observation = try shelf.observe(options)
      try edit.announce(shelf)
      try edit.mutate(shelf)
      try edit.end(shelf)
      #expect(observation.lines == edit.lines(options), "\(options.testDescription)")
    }
  }

  @Test("a difference is that of the announcement, whatever happens until the end")
  func differenceAtWill() throws {
    let shelf = try Shelf(.getter, CollectionType.mutableSet(1)), observation = try shelf.observe()
    let objects = try CollectionType.set(1, 2)
    try check(kvo_will_change_set(shelf.id, "items", KVO_SET_UNION, objects.id))
    shelf.backing = try CollectionType.mutableSet(7)
    try check(kvo_did_change_set(shelf.id, "items", KVO_SET_UNION, objects.id))
    #expect(observation.lines == ["insertion new {2}"])
  }

  @Test("the kind told is the one announced, whatever kind the end names")
  func kindOfWill() throws {
    let shelf = try Shelf(.getter, CollectionType.mutableArray(1, 2))
    let observation = try shelf.observe()
    try withIndexes([1]) { one in
      try check(kvo_will_change_indexes(shelf.id, KVO_CHANGE_REMOVAL, one, "items"))
      try withIndexes([0]) {
        try check(kvo_did_change_indexes(shelf.id, KVO_CHANGE_INSERTION, $0, "items"))
      }
    }
    try withIndexes([0]) { first in
      try check(kvo_will_change_indexes(shelf.id, KVO_CHANGE_INSERTION, first, "items"))
    }
    try check(kvo_did_change(shelf.id, "items"))
    #expect(observation.lines == ["removal {1} old (2)", "insertion {0} new (1)"])
  }

  @Test("indexes are copied at the announcement")
  func indexesAreCopied() throws {
    let shelf = try Shelf(.getter, CollectionType.mutableArray(1, 2))
    let observation = try shelf.observe()
    var indexes = kvc_index_set()
    try check(kvc_index_set_make_range(0, 1, &indexes))
    try check(kvo_will_change_indexes(shelf.id, KVO_CHANGE_REPLACEMENT, &indexes, "items"))
    kvc_index_set_destroy(&indexes)
    try withIndexes([1]) {
      try check(kvo_did_change_indexes(shelf.id, KVO_CHANGE_REPLACEMENT, $0, "items"))
    }
    #expect(observation.lines == ["replacement {0} old (1) new (1)"])
  }

  @Test("what depends on the elements is told that it was set, whatever it asks for")
  func dependent() throws {
    for options in [[], .old, .new, [.old, .new]] as [ObservingOptions] {
      let shelf = try Shelf([.readArray, .oneByOne], CollectionType.mutableArray(1, 2))
      let observation = try Observation(shelf.id, "items.@count", options, notes: Notes())
      let proxy = try shelf.array(), nine = try Boxed.number(9)
      try check(kvc_ordered_insert(proxy.id, nine.id, 0))
      try check(kvo_will_change(shelf.id, "items"))
      try check(kvo_did_change(shelf.id, "items"))
      let old = options.contains(.old) ? [" old 2", " old 3"] : ["", ""]
      let new = options.contains(.new) ? [" new 3", " new 3"] : ["", ""]
      let values = zip(old, new).map { "\($0)\($1)".trimmingPrefix(" ") }
      #expect(observation.lines == values.map { $0.isEmpty ? "change" : String($0) })
    }
  }

  @Test("what is pending names its kind, the latest first")
  func pending() throws {
    let shelf = try Shelf(.getter, CollectionType.mutableSet(1)), observation = try shelf.observe()
    let objects = try CollectionType.set(1, 2)
    try check(kvo_will_change(shelf.id, "items"))
    for mutation in [KVO_SET_UNION, KVO_SET_MINUS, KVO_SET_INTERSECT, KVO_SET_SET] {
      try check(kvo_will_change_set(shelf.id, "items", mutation, objects.id))
    }
    var list: UnsafeMutablePointer<kvo_pending_info>?, count = 0
    try check(kvo_copy_pending(shelf.id, &list, &count))
    let kinds = (0..<count).map { list![$0].kind }
    isa_free(list)
    #expect(
      kinds == [
        KVO_CHANGE_REPLACEMENT, KVO_CHANGE_REMOVAL, KVO_CHANGE_REMOVAL, KVO_CHANGE_INSERTION,
        KVO_CHANGE_SETTING,
      ])
    // The rest is let go with the object.
    observation.invalidate()
  }

  @Test("a will without a did is let go with the object, its indexes and objects too")
  func willAlone() throws {
    try withBalancedCounts {
      do {
        let shelf = try Shelf(.getter, CollectionType.mutableOrderedSet(1, 2, 3))
        let observation = try shelf.observe()
        for kind in [KVO_CHANGE_INSERTION, KVO_CHANGE_REMOVAL, KVO_CHANGE_REPLACEMENT] {
          try withIndexes([0, 2]) {
            try check(kvo_will_change_indexes(shelf.id, kind, $0, "items"))
          }
        }
        #expect(isa_testing_live_counts().pending > 0)
        observation.invalidate()
      }
    }
  }

  @Test("a did on another thread than its will is reported, and the change stays pending")
  func wrongThread() throws {
    let shelf = try Shelf(.getter, CollectionType.mutableArray(1)),
      observation = try shelf.observe()
    let id = UInt(bitPattern: shelf.id)
    try withIndexes([0]) {
      try check(kvo_will_change_indexes(shelf.id, KVO_CHANGE_REMOVAL, $0, "items"))
    }
    let misuses = collectMisuses {
      RunningThread {
        var range = kvc_range(start: 0, count: 1)
        withUnsafeMutablePointer(to: &range) {
          var indexes = kvc_index_set(ranges: $0, range_count: 1, count: 1)
          let object = isa_id(bitPattern: id)
          #expect(
            kvo_did_change_indexes(object, KVO_CHANGE_REMOVAL, &indexes, "items")
              == KVO_ERR_WRONG_THREAD)
        }
      }.join()
    }
    #expect(misuses.map(\.status) == [KVO_ERR_WRONG_THREAD] && observation.lines == [])
    try withIndexes([0]) {
      try check(kvo_did_change_indexes(shelf.id, KVO_CHANGE_REMOVAL, $0, "items"))
    }
    #expect(observation.lines == ["removal {0} old (1)"])
  }

  // MARK: refusals

  @Test("another kind, no indexes, another mutation and what is no set are refused")
  func refusals() throws {
    let shelf = try Shelf(.getter, CollectionType.mutableArray(1))
    let observation = try shelf.observe([.prior]), text = try Boxed.string("x")
    let set = try CollectionType.set(1)
    typealias At = (isa_id?, kvo_change_kind, UnsafePointer<kvc_index_set>?, UnsafePointer<CChar>?)
      -> isa_status
    let at: [At] = [
      { kvo_will_change_indexes($0, $1, $2, $3) }, { kvo_did_change_indexes($0, $1, $2, $3) },
    ]
    try withIndexes([0]) { indexes in
      for call in at {
        #expect(call(shelf.id, KVO_CHANGE_SETTING, indexes, "items") == ISA_ERR_INVALID_ARGUMENT)
        #expect(
          call(shelf.id, kvo_change_kind(5), indexes, "items") == ISA_ERR_INVALID_ARGUMENT)
        #expect(
          lastReason() == "a change at indexes is an insertion, removal or replacement, not kind 5")
        #expect(call(shelf.id, KVO_CHANGE_REMOVAL, nil, "items") == ISA_ERR_INVALID_ARGUMENT)
        #expect(call(shelf.id, KVO_CHANGE_REMOVAL, indexes, nil) == ISA_ERR_INVALID_ARGUMENT)
        #expect(call(nil, KVO_CHANGE_REMOVAL, indexes, "items") == ISA_ERR_INVALID_ARGUMENT)
      }
    }
    typealias By = (isa_id?, UnsafePointer<CChar>?, kvo_set_mutation, isa_id?) -> isa_status
    let by: [By] = [
      { kvo_will_change_set($0, $1, $2, $3) }, { kvo_did_change_set($0, $1, $2, $3) },
    ]
    for call in by {
      #expect(call(shelf.id, "items", kvo_set_mutation(0), set.id) == ISA_ERR_INVALID_ARGUMENT)
      #expect(call(shelf.id, "items", kvo_set_mutation(5), set.id) == ISA_ERR_INVALID_ARGUMENT)
      #expect(call(shelf.id, "items", KVO_SET_UNION, text.id) == ISA_ERR_INVALID_ARGUMENT)
      #expect(call(shelf.id, "items", KVO_SET_UNION, nil) == ISA_ERR_INVALID_ARGUMENT)
      #expect(call(shelf.id, nil, KVO_SET_UNION, set.id) == ISA_ERR_INVALID_ARGUMENT)
    }
    #expect(observation.lines == [])
  }

  @Test("a key that nobody observes keeps nothing pending")
  func nobody() throws {
    let shelf = try Shelf(.getter, CollectionType.mutableArray(1))
    let before = isa_testing_live_counts().pending
    try withIndexes([0]) {
      try check(kvo_will_change_indexes(shelf.id, KVO_CHANGE_REMOVAL, $0, "items"))
    }
    let set = try CollectionType.set(1)
    try check(kvo_will_change_set(shelf.id, "items", KVO_SET_SET, set.id))
    #expect(isa_testing_live_counts().pending == before)
  }

  // MARK: what cannot be read

  @Test(
    "where there is nothing at an index announced, did says so, and tells the observers without",
    arguments: [CollectionType.mutableArray, .mutableOrderedSet])
  func nothingThere(type: CollectionType) throws {
    let shelf = try Shelf(.getter, type(1)), observation = try shelf.observe()
    let other = try shelf.observe([])
    for kind in [KVO_CHANGE_REPLACEMENT, KVO_CHANGE_REMOVAL] {
      let misuses = try withIndexes([3]) { indexes in
        collectMisuses {
          #expect(kvo_will_change_indexes(shelf.id, kind, indexes, "items") == ISA_OK)
          _ = kvo_did_change_indexes(shelf.id, kind, indexes, "items")
        }
      }
      #expect(misuses.map(\.status) == [KVC_ERR_RANGE])
    }
    #expect(observation.lines == ["replacement {3}", "removal {3}"])
    #expect(other.lines == observation.lines)
  }

  @Test("an insertion that an array did not make cannot be read; it fails its did alone")
  func notInserted() throws {
    let shelf = try Shelf(.getter, CollectionType.mutableArray(1))
    let observation = try shelf.observe([.new, .prior]), other = try shelf.observe([])
    let misuses = try withIndexes([1]) { indexes in
      collectMisuses {
        #expect(kvo_will_change_indexes(shelf.id, KVO_CHANGE_INSERTION, indexes, "items") == ISA_OK)
        #expect(
          kvo_did_change_indexes(shelf.id, KVO_CHANGE_INSERTION, indexes, "items") == KVC_ERR_RANGE)
        #expect(lastException() == "NSRangeException")
      }
    }
    #expect(misuses.isEmpty)
    #expect(observation.lines == ["prior insertion {1}", "insertion {1}"])
    #expect(other.lines == ["insertion {1}"])
  }

  @Test(
    "an accessor that does not do what it says is reported; through a proxy the change fails",
    arguments: Wrapping.allCases)
  func liars(wrapping: Wrapping) throws {
    try withPolicy(wrapping.policy) {
      let shelf = try Shelf([.getter, .oneByOne], CollectionType.mutableArray(1))
      let refused = try Boxed.number(9), proxy = try shelf.array()
      isa_test_to_many_set_veto(shelf.id, refused.id, nil)
      let observation = try shelf.observe(), other = try shelf.observe([])
      let misuses = try collectMisuses { try shelf.insert(refused, at: 1) }
      #expect(misuses.map(\.status) == [KVC_ERR_RANGE])
      let silent = collectMisuses {
        #expect(kvc_ordered_insert(proxy.id, refused.id, 1) == KVC_ERR_RANGE)
        #expect(lastException() == "NSRangeException")
      }
      #expect(silent.isEmpty && shelf.numbers == [1])
      #expect(observation.lines == ["insertion {1}", "insertion {1}"])
      #expect(other.lines == observation.lines)
      // A value that nobody asks for is not read.
      observation.invalidate()
      #expect(kvc_ordered_insert(proxy.id, refused.id, 1) == ISA_OK)
      isa_test_to_many_set_veto(shelf.id, nil, nil)
    }
  }

  @Test("a proxy's change that fails is told all the same, and the failure comes back")
  func failingAccessor() throws {
    let shelf = try Shelf([.getter, .removeAt], CollectionType.mutableArray(1))
    try addMethod(shelf.cls, "insertObject:inItemsAtIndex:", "i@:@Q") { call in
      call.answer(KVC_ERR_TYPE.rawValue)
    }
    let observation = try shelf.observe([.prior]), proxy = try shelf.array()
    let nine = try Boxed.number(9)
    #expect(kvc_ordered_insert(proxy.id, nine.id, 0) == KVC_ERR_TYPE)
    #expect(observation.lines == ["prior insertion {0}", "insertion {0}"])
  }

  // MARK: ordered sets

  @Test("what an ordered set has already is announced and then left out", arguments: Trim.all)
  func trimmed(trim: Trim) throws {
    for options in ObservingOptions.combinations {
      for wrapping in Wrapping.allCases {
        try withPolicy(wrapping.policy) {
          let accessors: Accessors = [.getter, .oneByOne, .atIndexes, .replace, .replaceMany]
          let shelf = try Shelf(accessors, CollectionType.mutableOrderedSet(1, 2, 3))
          let observation = try shelf.observe(options)
          _ = observation.notes.take()
          try trim.change(shelf)
          #expect(observation.lines == trim.lines(options), "\(options.testDescription)")
        }
      }
    }
  }

  @Test("an array's objects all count as changed")
  func arraysAreNotTrimmed() throws {
    let shelf = try Shelf([.getter, .oneByOne, .replace], CollectionType.mutableArray(1, 2))
    let observation = try shelf.observe()
    let first = try Boxed { kvc_ordered_copy_object(shelf.backing?.id, 0, $0) }
    try shelf.replace(at: 0, with: first)
    try shelf.insert(first, at: 2)
    #expect(observation.lines == ["replacement {0} old (1) new (1)", "insertion {2} new (1)"])
  }

  @Test("a replacement by an equal object that is another one counts")
  func equalIsAnother() throws {
    let shelf = try Shelf([.getter, .oneByOne, .replace], CollectionType.mutableOrderedSet(1, 2))
    let observation = try shelf.observe(), equal = try Boxed.number(1.0)
    try shelf.replace(at: 0, with: equal)
    #expect(observation.lines == ["replacement {0} old (1) new (1)"])
  }

  @Test("an ordered set's change by hand is trimmed by what was there at the announcement")
  func trimmedByHand() throws {
    let shelf = try Shelf(.getter, CollectionType.mutableOrderedSet(1, 2))
    let observation = try shelf.observe([.old, .new, .prior])
    try withIndexes([0, 2, 3]) { indexes in
      try check(kvo_will_change_indexes(shelf.id, KVO_CHANGE_INSERTION, indexes, "items"))
      try shelf.backing?.add(Boxed.number(9))
      try check(kvo_did_change_indexes(shelf.id, KVO_CHANGE_INSERTION, indexes, "items"))
    }
    #expect(observation.lines == ["prior insertion {0 2 3}", "insertion {2} new (9)"])
  }

  @Test("an insertion announced at more indexes than there are is trimmed to what is there")
  func trimmedFromEndless() throws {
    let shelf = try Shelf(.getter, CollectionType.mutableOrderedSet(1, 2))
    for (count, added) in [(1 << 40, 8), (1 << 60, 9), (.max - 1, 10)] {
      let observation = try shelf.observe(.new)
      var indexes = kvc_index_set()
      try check(kvc_index_set_make_range(0, count, &indexes))
      defer { kvc_index_set_destroy(&indexes) }
      try check(kvo_will_change_indexes(shelf.id, KVO_CHANGE_INSERTION, &indexes, "items"))
      let place = try #require(shelf.backing?.count)
      try shelf.backing?.add(Boxed.number(added))
      try check(kvo_did_change_indexes(shelf.id, KVO_CHANGE_INSERTION, &indexes, "items"))
      #expect(observation.lines == ["insertion {\(place)} new (\(added))"])
    }
  }

  @Test("without memory a change of an ordered set is not announced, or told untrimmed")
  func trimmingWithoutMemory() throws {
    let shelf = try Shelf(.getter, CollectionType.mutableOrderedSet(1, 2, 3))
    for kind in [KVO_CHANGE_INSERTION, KVO_CHANGE_REPLACEMENT, KVO_CHANGE_REMOVAL] {
      let observation = try shelf.observe([.old, .new, .prior])
      try withIndexes([0, 1]) { indexes in
        // The first time finds the getter, which is kept.
        try check(kvo_will_change_indexes(shelf.id, kind, indexes, "items"))
        try check(kvo_did_change_indexes(shelf.id, kind, indexes, "items"))
        _ = try collectMisuses {
          let end = { _ = kvo_did_change_indexes(shelf.id, kind, indexes, "items") }
          try withEachAllocationFailing(undo: end) {
            try check(kvo_will_change_indexes(shelf.id, kind, indexes, "items"))
          }
          try withEachAllocationFailing(
            undo: {
              _ = kvo_will_change_indexes(shelf.id, kind, indexes, "items")
            },
            {
              _ = kvo_did_change_indexes(shelf.id, kind, indexes, "items")
            })
        }
      }
      observation.invalidate()
    }
  }

  // MARK: classes that speak for themselves

  @Test(
    "a class that overrides the messages of to-many changes is sent them by accessors and proxies",
    arguments: Wrapping.allCases)
  func overridden(wrapping: Wrapping) throws {
    try withPolicy(wrapping.policy) {
      for accessor in AccessorCall.all {
        let shelf = try accessor.makeShelf(), sent = Notes()
        try overrideToManyMessages(shelf.cls, sent)
        let observation = try shelf.observe([.old, .new, .prior])
        try accessor.call(shelf)
        let name = accessor.isOrdered ? "Change:valuesAtIndexes:" : "Change:withSetMutation:"
        #expect(sent.take() == ["will\(name)", "did\(name)"])
        #expect(observation.notes.take() == accessor.lines([.old, .new, .prior]))
        let proxy = try shelf.proxy(accessor.isOrdered ? KVC_KIND_ARRAY : KVC_KIND_SET)
        let nine = try Boxed.number(17)
        try proxy.add(nine)
        #expect(sent.lines == ["will\(name)", "did\(name)"])
        #expect(observation.lines.count == 2)
      }
    }
  }

  @Test("an override that sends nothing on keeps its observers in silence")
  func silentOverride() throws {
    let shelf = try Shelf([.getter, .oneByOne], CollectionType.mutableArray(1))
    try addMethod(shelf.cls, "willChange:valuesAtIndexes:forKey:", "i@:Q^v*") {
      $0.answer(ISA_OK.rawValue)
    }
    let observation = try shelf.observe([.prior])
    try shelf.insert(9, at: 0)
    try shelf.array().add(Boxed.number(8))
    #expect(observation.lines == [] && shelf.numbers == [9, 1, 8])
  }

  // MARK: proxies

  @Test("a proxy's change of a key without automatic notification is told to nobody")
  func notAutomatic() throws {
    let shelf = try Shelf([.getter, .oneByOne], CollectionType.mutableArray(1))
    let no: @convention(c) (isa_id?, isa_sel?, UnsafePointer<CChar>?) -> Bool = { _, _, _ in false }
    try check(
      isa_class_add_method(
        isa_class_metaclass(shelf.cls), selector("automaticallyNotifiesObserversForKey:"),
        unsafeBitCast(no, to: isa_imp.self), "B@:*"))
    let observation = try shelf.observe([.prior])
    try shelf.array().add(Boxed.number(9))
    try shelf.insert(8, at: 0)
    #expect(observation.lines == [] && shelf.numbers == [8, 1, 9])
    #expect(isa_object_get_class(shelf.id) == shelf.cls)
  }

  @Test("what an observer changes while an accessor runs for a proxy is told")
  func changeDuringProxy() throws {
    let shelf = try Shelf([.getter, .removeAt, .insertMany], CollectionType.mutableArray(1))
    try addMethod(shelf.cls, "insertObject:inItemsAtIndex:", "v@:@Q") { call in
      kvo_will_change(call.receiver, "other")
      kvo_did_change(call.receiver, "other")
      let index = Int(call.argument(3, as: UInt64.self))
      kvc_ordered_insert(isa_test_to_many_backing(call.receiver), call.argument(2), index)
    }
    let observation = try shelf.observe()
    let other = try Observation(shelf.id, "other", notes: Notes { _ in try? shelf.remove(at: 0) })
    try shelf.array().insert(Boxed.number(9), at: 0)
    #expect(observation.lines == ["removal {0} old (1)", "insertion {0} new (9)"])
    #expect(other.lines == ["change"] && shelf.numbers == [9])
  }
}
