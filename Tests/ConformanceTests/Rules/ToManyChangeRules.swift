import CIsa
import CIsaTestSupport
import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite("Rules 2 and 1: what is told of to-many changes", .serialized, .leavesNothing)
struct ToManyChangeRules {
  // MARK: 2.2 the table

  @Test(
    "rule 2.2, 8.3.2 an ordered change is told alike in every way, with any options",
    arguments: ToldEdit.ordered, Way.allCases)
  func orderedTable(told: ToldEdit, way: Way) throws {
    try keepingClasses {
      for kind in way.orderedKinds {
        for options in 0..<16 {
          let items = try way.items(kind, [1, 2, 3]), p = try items.listener(options)
          try items.make(told.edit)
          #expect(p.take() == told.lines(options), "options \(options)")
          #expect(try items.words == told.left)
        }
      }
    }
  }

  @Test(
    "rule 2.2, 8.3.2 an unordered change is told alike in every way, with any options",
    arguments: ToldEdit.unordered, Way.allCases)
  func unorderedTable(told: ToldEdit, way: Way) throws {
    try keepingClasses {
      if !way.has(told.edit) { return }
      for options in 0..<16 {
        let items = try way.items(KVC_KIND_SET, [1, 2, 3]), p = try items.listener(options)
        try items.make(told.edit)
        #expect(p.take() == told.lines(options), "options \(options)")
        #expect(try items.words == told.left)
      }
    }
  }

  @Test(
    "rule 2.2 a value set, and a plain pair, are told with what is there before and after",
    arguments: Kind.allCases)
  func settingRow(kind: Kind) throws {
    try onStage(kind) { stage in
      for options in 0..<16 {
        let object = try stage.shared("Loose", LooseItems()) { try $0.property("items", .object) }
        let p = try stage.watcher()
        try object.setValue(.array([1]), forKey: "items")
        try object.add(p, "items", ObservationOptions(rawValue: UInt(options)))
        p.clear()
        let old = options & KVO_OPTION_OLD != 0, new = options & KVO_OPTION_NEW != 0
        let begin = "items setting\(old ? " old (1)" : "")"
        let prior = options & KVO_OPTION_PRIOR != 0 ? ["\(begin) prior"] : []
        let lines = prior + ["\(begin)\(new ? " new nil" : "")"]
        try object.setValue(nil, forKey: "items")
        #expect(p.told == lines)
        p.clear()
        try object.write("items", .array([1]))
        try object.change("items") { try object.write("items", nil) }
        #expect(p.told == lines)
        try object.remove(p, "items")
      }
    }
  }

  @Test(
    "rule 2.2, 2.11 a dependent key is told as set, whatever happened to its source",
    arguments: Way.allCases)
  func dependentKey(way: Way) throws {
    try keepingClasses {
      for told in ToldEdit.ordered {
        let items = try way.items(KVC_KIND_ARRAY, [1, 2, 3])
        let p = try items.thingsListener(11)
        let q = try items.countListener(KVO_OPTION_OLD | KVO_OPTION_NEW)
        try items.make(told.edit)
        // A collection that changes in place is old and new at once.
        let lines = p.take()
        #expect(lines.count == 2 && lines[0].hasPrefix("prior setting old ("))
        #expect(lines[1].hasPrefix("setting old (") && lines[1].hasSuffix("new \(told.left)"))
        #expect(q.take() == ["setting old 3 new \(told.left.split(separator: ",").count)"])
      }
    }
  }

  // MARK: 2.7 to 2.12

  @Test("rule 2.7 to-many changes leak nothing to who did not ask", arguments: Way.allCases)
  func noLeaks(way: Way) throws {
    try keepingClasses {
      for told in ToldEdit.ordered + ToldEdit.unordered {
        if !way.has(told.edit) { continue }
        let items = try way.items(told.isOrdered ? KVC_KIND_ARRAY : KVC_KIND_SET, [1, 2, 3])
        let listeners = try [3, 0, 1, 2, 8, 11].map { ($0, try items.listener($0)) }
        try items.make(told.edit)
        for (options, p) in listeners { #expect(p.take() == told.lines(options)) }
      }
    }
  }

  @Test("rule 2.8 what an ordered set turned out not to change is left out after the change")
  func trimmed() throws {
    let accessors = ISA_TEST_GETTER | ISA_TEST_ONE_BY_ONE | ISA_TEST_AT_INDEXES | ISA_TEST_REPLACE
    let shelf = try Shelf(accessors, .orderedSet(1, 2, 3)), p = try Listener(shelf, 11)
    try ToManyEdit.insert([3], at: [0]).callAccessor(of: shelf)
    #expect(p.take() == ["prior insertion {0}", "insertion {} new ()"])
    try ToManyEdit.insert([9, 2], at: [0, 1]).callAccessor(of: shelf)
    #expect(p.take() == ["prior insertion {0 1}", "insertion {0} new (9)"])
    try shelf.replace(shelf.backing!.object(at: 1), at: 1)
    #expect(p.take() == ["prior replacement {1} old (1)", "replacement {} old () new ()"])
    let same = try shelf.backing!.object(at: 2), proxy = try shelf.mutableOrderedSet()
    try succeed(kvc_ordered_replace(proxy.id, 2, same.id))
    #expect(p.take() == ["prior replacement {2} old (2)", "replacement {} old () new ()"])
  }

  @Test("rule 2.8 by hand, and for arrays, which have every object as often as it is put in")
  func trimmedByHand() throws {
    let edit = ToManyEdit.insert([9, 9], at: [0, 1])
    for (backing, lines) in [
      (try Kept.orderedSet(1, 2), ["prior insertion {0 1}", "insertion {1} new (9)"]),
      (try Kept.array(1, 2), ["prior insertion {0 1}", "insertion {0 1} new (1, 9)"]),
    ] {
      let shelf = try Shelf(ISA_TEST_GETTER, backing), p = try Listener(shelf, 11)
      try edit.announce(shelf.id) { try backing.insert(.number(9), at: 1) }
      #expect(p.take() == lines)
    }
  }

  @Test(
    "rule 2.10 a set's difference is worked out when it is announced",
    arguments: [
      (ToManyEdit.union([1, 4]), "insertion new {4}"), (.minus([1, 4]), "removal old {1}"),
      (.intersect([1, 4]), "removal old {2}"), (.set([1, 4]), "replacement old {2} new {4}"),
    ], Kind.allCases)
  func differenceAtWill(edit: (ToManyEdit, told: String), kind: Kind) throws {
    try keepingClasses {
      let items = try Way.byHand.on(kind).items(KVC_KIND_SET, [1, 2]), p = try items.listener()
      try items.announce(edit.0) { try items.write([77]) }
      #expect(p.take() == [edit.told])
    }
  }

  @Test(
    "rule 2.12 a path whose leaf is the to-many key is told as the leaf is",
    arguments: Way.allCases)
  func leaf(way: Way) throws {
    try keepingClasses {
      for told in ToldEdit.ordered + ToldEdit.unordered where way.has(told.edit) {
        let kind = told.isOrdered ? KVC_KIND_ARRAY : KVC_KIND_SET
        let items = try way.items(kind, [1, 2, 3]), root = try items.root()
        let p = try root.listener(11)
        try items.make(told.edit)
        #expect(p.take() == told.lines(11))
        try root.forgetChild()
      }
    }
  }

  // MARK: 1.13 to 1.22

  @Test(
    "rule 1.17 priors come in the order of registration, changes in reverse",
    arguments: Way.allCases)
  func order(way: Way) throws {
    try keepingClasses {
      let items = try way.items(KVC_KIND_ARRAY, [1, 2, 3]), told = Recorder<Int>()
      let listeners = try (1...3).map { number in
        try items.listener(KVO_OPTION_PRIOR) { told.add(number) }
      }
      try items.make(.remove(at: [0]))
      #expect(told.all == [1, 2, 3, 3, 2, 1])
      withExtendedLifetime(listeners) {}
    }
  }

  @Test(
    "rule 1.19 arrays, ordered sets and sets refuse to be observed, by an operator too",
    arguments: [KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET, KVC_KIND_SET], ["name", "count", "@count"])
  func refusal(kind: kvc_kind, key: String) throws {
    for isMutable in [false, true] {
      let collection = try Kept.collection(kind, isMutable: isMutable, [.number(1)])
      #expect(throws: CoreFailure(exception: "NSInvalidArgumentException")) {
        _ = try Listener(collection.id, key, 0)
      }
      try withTestObserver { observer, _ in
        for status in [
          kvo_add_observer(collection.id, observer, key, 0, nil),
          kvo_remove_observer(collection.id, observer, key),
          kvo_remove_observer_context(collection.id, observer, key, nil),
        ] {
          #expect(status == KVO_ERR_NOT_OBSERVABLE)
          #expect(LastError.current.exception == "NSInvalidArgumentException")
        }
      }
    }
  }

  @Test(
    "rule 1.20 the elements of an array are registered on, at indexes; 1.11 each with an initial one"
  )
  func elements() throws {
    let shelves = try (0..<4).map { try Shelf(ISA_TEST_GETTER, .array($0)) }
    let array = try Kept.collection(KVC_KIND_ARRAY, shelves.map { Kept(retaining: $0.id) })
    try withTestObserver { observer, told in
      try withIndexes([1, 3]) { indexes in
        try succeed(kvo_elements_add_observer(array.id, observer, indexes, "items", 5, nil))
        #expect(told.all == ["setting initial new (1)", "setting initial new (3)"])
        for shelf in shelves { try ToManyEdit.remove(at: [0]).announce(shelf.id) {} }
        #expect(told.count == 4)
        try succeed(kvo_elements_remove_observer(array.id, observer, indexes, "items"))
        #expect(
          kvo_elements_remove_observer(array.id, observer, indexes, "items")
            == KVO_ERR_NOT_REGISTERED)
      }
      try withIndexes([0, 4]) { indexes in
        #expect(
          kvo_elements_add_observer(array.id, observer, indexes, "items", 0, nil) == KVC_ERR_RANGE)
        #expect(LastError.current.exception == "NSRangeException")
        #expect(kvo_elements_remove_observer(array.id, observer, indexes, "items") == KVC_ERR_RANGE)
      }
      #expect(shelves.allSatisfy { !kvo_is_observed($0.id) })
    }
  }

  @Test("rule 1.21 a mutable dictionary is observed for any key, however it is changed")
  func dictionaries() throws {
    let dictionary = try Kept { kvc_mutable_dictionary_make(nil, nil, 0, $0) }
    let p = try Listener(dictionary.id, "any key", 11), key = try Kept.text("any key")
    let one = try Kept.number(1), two = try Kept.number(2)
    try succeed(kvc_dictionary_set(dictionary.id, key.id, one.id))
    try succeed(kvc_set_value(dictionary.id, "any key", two.id))
    try succeed(kvc_dictionary_remove(dictionary.id, key.id))
    #expect(
      p.take() == [
        "prior setting old nil", "setting old nil new 1", "prior setting old 1",
        "setting old 1 new 2", "prior setting old 2", "setting old 2 new nil",
      ])
  }

  @Test("rule 1.22 what cannot change accepts a registration, and its isa stays")
  func fixedValues() throws {
    for value in [
      try Kept.text("x"), try Kept.number(1), try Kept { kvc_dictionary_make(nil, nil, 0, $0) },
    ] {
      let before = isa_object_get_class(value.id), p = try Listener(value.id, "anything", 0)
      #expect(isa_object_get_class(value.id) == before && kvo_is_observed(value.id))
      #expect(p.take() == [])
    }
  }

  // MARK: 6.13 and 2.4

  @Test("rule 6.13 the kind is that of will; did's is ignored", arguments: Kind.allCases)
  func kindOfWill(kind: Kind) throws {
    try onStage(kind) { stage in
      let lister = try stage.lister(), p = try stage.watcher()
      try lister.assign("list", .array([1, 2]))
      try lister.add(p, "list", [.old, .new])
      try lister.willChange(.removal, at: [0], "list")
      try lister.didChange(.insertion, at: [1], "list")
      try lister.willChange(.insertion, at: [0], "list")
      try lister.didChangeValue(forKey: "list")
      #expect(p.told == ["list removal at [0] old (1)", "list insertion at [0] new (1)"])
      try lister.remove(p, "list")
    }
  }

  @Test(
    "rule 2.4 elements are read when they are told: after a nested change the later sees it",
    arguments: Way.allCases)
  func nestedChange(way: Way) throws {
    try keepingClasses {
      let items = try way.items(KVC_KIND_ARRAY, []), isNested = Shared(false)
      let first = try items.listener()
      let last = try items.listener(KVO_OPTION_OLD | KVO_OPTION_NEW) {
        if isNested.value { return }
        isNested.value = true
        try items.make(.insert([2], at: [0]))
      }
      try items.make(.insert([1], at: [0]))
      #expect(last.take() == ["insertion {0} new (1)", "insertion {0} new (2)"])
      #expect(first.take() == ["insertion {0} new (2)", "insertion {0} new (2)"])
    }
  }

  // MARK: ways within one another

  @Test(
    "rule 6.10 what tells of itself does so within a pair by hand, and the pair too",
    arguments: Way.allCases)
  func withinPair(way: Way) throws {
    try keepingClasses {
      let items = try way.items(KVC_KIND_ARRAY, [1, 2, 3]), p = try items.listener(11)
      let edit = ToManyEdit.insert([9], at: [0])
      try items.announce(edit) { try items.make(edit) }
      let prior = "prior insertion {0}", post = "insertion {0} new (9)"
      #expect(p.take() == [prior, prior, post, post])
    }
  }

  @Test(
    "rule 6.12 pairs of two to-many keys may interleave, each told of its own",
    arguments: Kind.allCases)
  func interleaved(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Lists", Lists()) {
        try $0.properties(.object, "items", "things").notAutomatic(["items", "things"])
      }
      let p = try stage.watcher()
      for key in ["items", "things"] {
        try object.assign(key, .array([1, 2]))
        try object.add(p, key, [.old, .new])
      }
      try object.willChange(.removal, at: [0], "items")
      try object.willChange(.replacement, at: [0], "things")
      for key in ["items", "things"] { try object.assign(key, .array([2, 3])) }
      try object.didChange(.removal, at: [0], "items")
      try object.didChange(.replacement, at: [0], "things")
      #expect(
        p.told == ["items removal at [0] old (1)", "things replacement at [0] old (1) new (2)"])
      for key in ["items", "things"] { try object.remove(p, key) }
    }
  }
}

private final class LooseItems: KVObject, TypedObject {
  var items: [Int]?

  override class var keys: [KeyDeclaration] { [.key("items", \LooseItems.items)] }
  var properties: [String: TypedProperty] { ["items": .named("items", \LooseItems.items)] }
}

private final class Lists: KVObject, TypedObject {
  @Dynamic var items: [Any] = []
  @Dynamic var things: [Any] = []

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
  var properties: [String: TypedProperty] {
    ["items": .at(\Lists.items), "things": .at(\Lists.things)]
  }
}

/// Runs `body` with an observer object and what it is told.
private func withTestObserver(
  _ body: (isa_id, Recorder<String>) throws -> Void
) throws {
  var cls: isa_class?, observer: isa_id?
  try succeed(isa_test_observer_make(uniqueName("Observer"), &cls))
  try succeed(isa_object_allocate(cls, &observer))
  let told = Recorder<String>()
  var function = kvo_function(
    callback: { change, info in
      Unmanaged<Recorder<String>>.fromOpaque(info!).takeUnretainedValue().add(
        words(for: change!.pointee))
    },
    info: Unmanaged.passUnretained(told).toOpaque(), release: nil)
  isa_test_observer_set(observer, &function)
  defer {
    isa_object_release(observer)
    isa_class_pair_dispose(cls)
  }
  try body(observer!, told)
}
