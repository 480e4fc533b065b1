import CIsa
import CIsaTestSupport
import IsaKVOTestSupport
import Testing

@Suite("TOM: to-many, ordered", .serialized, .leavesNothing)
struct OrderedToMany {
  private static let oneByOne = ISA_TEST_GETTER | ISA_TEST_ONE_BY_ONE

  @Test("TOM-01 manual array sequence", arguments: Kind.allCases)
  func manualSequence(kind: Kind) throws {
    try keepingClasses {
      let items = try Way.byHand.on(kind).items(KVC_KIND_ARRAY, []), p = try items.listener()
      let steps: [ToManyEdit] = [.insert([1], at: [0]), .insert([2], at: [1]), .remove(at: [0])]
      for step in steps { try items.make(step) }
      #expect(
        p.take() == ["insertion {0} new (1)", "insertion {1} new (2)", "removal {0} old (1)"])
    }
  }

  @Test("TOM-03 Initial on array", arguments: Kind.allCases)
  func initial(kind: Kind) throws {
    try keepingClasses {
      let items = try Way.byHand.on(kind).items(KVC_KIND_ARRAY, [2])
      let p = try items.listener(KVO_OPTION_INITIAL | KVO_OPTION_NEW)
      #expect(p.take() == ["setting initial new (2)"])
    }
  }

  @Test("TOM-04 proxy, no accessors", arguments: Kind.allCases)
  func proxyOfIvar(kind: Kind) throws {
    try keepingClasses {
      let items = try Way.proxyOfIvar.on(kind).items(KVC_KIND_ARRAY, []), p = try items.listener()
      let steps: [ToManyEdit] = [.insert([1], at: [0]), .insert([2], at: [1]), .remove(at: [0])]
      for step in steps { try items.make(step) }
      #expect(
        p.take() == ["insertion {0} new (1)", "insertion {1} new (2)", "removal {0} old (1)"])
    }
  }

  @Test("TOM-06 accessors called directly")
  func accessors() throws {
    let shelf = try Shelf(Self.oneByOne, .array()), p = try Listener(shelf)
    try shelf.insert(.number(1), at: 0)
    try shelf.insert(.number(2), at: 1)
    try shelf.remove(at: 0)
    #expect(p.take() == ["insertion {0} new (1)", "insertion {1} new (2)", "removal {0} old (1)"])
  }

  @Test("TOM-07 aggregate @count", arguments: Kind.allCases)
  func count(kind: Kind) throws {
    try keepingClasses {
      for way in kind == .runtime ? [Way.proxyOfAccessors, .accessors] : [.swiftProxy] {
        let items = try way.items(KVC_KIND_ARRAY, [])
        let p = try items.countListener(KVO_OPTION_OLD | KVO_OPTION_NEW)
        try items.make(.insert([1], at: [0]))
        #expect(p.take() == ["setting old 0 new 1"])
      }
    }
  }

  @Test("TOM-09 removal with Prior", arguments: Kind.allCases)
  func removalWithPrior(kind: Kind) throws {
    try keepingClasses {
      let items = try Way.byHand.on(kind).items(KVC_KIND_ARRAY, [1, 2]), p = try items.listener(11)
      try items.make(.remove(at: [1]))
      #expect(p.take() == ["prior removal {1} old (2)", "removal {1} old (2)"])
    }
  }

  @Test("TOM-10 replacement with Prior", arguments: Kind.allCases)
  func replacementWithPrior(kind: Kind) throws {
    try keepingClasses {
      let items = try Way.byHand.on(kind).items(KVC_KIND_ARRAY, [1]), p = try items.listener(11)
      try items.make(.replace([2], at: [0]))
      #expect(p.take() == ["prior replacement {0} old (1)", "replacement {0} old (1) new (2)"])
    }
  }

  // MARK: ordered sets

  private static let tiers = [
    oneByOne | ISA_TEST_REPLACE, ISA_TEST_GETTER | ISA_TEST_SETTER, ISA_TEST_IVAR,
  ]

  /// Changes the ordered set of 0 through a proxy, and tells what its observer was told and read.
  private func throughProxy(
    _ tier: Int, _ change: (Kept) throws -> Void
  ) throws -> (told: [String], read: [String]) {
    let shelf = try Shelf(tier, .orderedSet(0)), read = Recorder<String>()
    let p = try Listener(shelf, 11) { [unowned shelf] _ in read.add(try shelf.value().words) }
    try change(shelf.mutableOrderedSet())
    return (p.take(), read.all)
  }

  @Test("TOM-12 ordered set remove", arguments: tiers)
  func orderedSetRemove(tier: Int) throws {
    let (told, read) = try throughProxy(tier) { try $0.remove(at: 0) }
    #expect(told == ["prior removal {0} old (0)", "removal {0} old (0)"])
    #expect(read == ["(0)", "()"])
  }

  @Test("TOM-13 ordered set replace", arguments: tiers)
  func orderedSetReplace(tier: Int) throws {
    let (told, read) = try throughProxy(tier) { try ToManyEdit.replace([1], at: [0]).apply(to: $0) }
    #expect(told == ["prior replacement {0} old (0)", "replacement {0} old (0) new (1)"])
    #expect(read == ["(0)", "(1)"])
  }

  @Test("TOM-15 ordered set minus", arguments: tiers)
  func orderedSetMinus(tier: Int) throws {
    let (told, read) = try throughProxy(tier) { try ToManyEdit.minus([0]).apply(to: $0) }
    #expect(told == ["prior removal {0} old (0)", "removal {0} old (0)"])
    #expect(read == ["(0)", "()"])
  }

  @Test("TOM-16 set vs index notifications")
  func setOrIndexes() throws {
    let shelf = try Shelf(ISA_TEST_GETTER | ISA_TEST_SETTER, .orderedSet(7))
    let p = try Listener(shelf, 0), empty = try Kept.orderedSet()
    try succeed(kvc_set_value(shelf.id, "items", empty.id))
    let proxy = try shelf.mutableOrderedSet()
    try proxy.add(.number(1))
    try ToManyEdit.replace([2], at: [0]).apply(to: proxy)
    try proxy.remove(.number(2))
    #expect(p.take() == ["setting", "insertion {0}", "replacement {0}", "removal {0}"])
  }

  // MARK: what is there when it is told

  @Test("TOM-18 proxy observes values", arguments: Kind.allCases)
  func proxyObservesValues(kind: Kind) throws {
    try keepingClasses {
      let items = try Way.proxyOfSingleAccessors.on(kind).items(KVC_KIND_ARRAY, [42])
      let read = Recorder<String>(), p = try items.listener(0) { read.add(try items.words) }
      let proxy = try items.proxy()
      try proxy.make(.insert([1], at: [0]))
      try proxy.make(.replace([2], at: [1]))
      try proxy.make(.remove(at: [1]))
      #expect(read.all == ["(1, 42)", "(1, 2)", "(1)"])
      #expect(p.take() == ["insertion {0}", "replacement {1}", "removal {1}"])
      let calls = kind == .runtime ? "insert 0, remove 1, insert 1, remove 1" : ""
      #expect(items.takeCalls() == calls)
    }
  }

  @Test("TOM-19 accessor tier values", arguments: Kind.allCases)
  func accessorTierValues(kind: Kind) throws {
    try keepingClasses {
      let items = try Way.proxyOfSetter.on(kind).items(KVC_KIND_ARRAY, []),
        read = Recorder<String>()
      let p = try items.listener(0) { read.add(try items.words) }
      try items.make(.insert([1], at: [0]))
      try items.make(.insert([2], at: [1]))
      #expect(read.all == ["(1)", "(1, 2)"])
      #expect(p.take() == ["insertion {0}", "insertion {1}"])
    }
  }

  @Test("TOM-21 set tier values", arguments: Kind.allCases)
  func setTierValues(kind: Kind) throws {
    try keepingClasses {
      let items = try Way.proxyOfSingleAccessors.on(kind).items(KVC_KIND_SET, [42])
      let read = Recorder<String>(), p = try items.listener(0) { read.add(try items.words) }
      let proxy = try items.proxy()
      for edit in [ToManyEdit.union([1, 2]), .intersect([1]), .minus([1])] {
        try proxy.make(edit)
      }
      #expect(read.all == ["{1, 2, 42}", "{1}", "{}"])
      #expect(p.take() == ["insertion", "removal", "removal"])
    }
  }

  @Test("TOM-22 veto and change")
  func veto() throws {
    let words = try ["One", "Ten", "Three", "Ninety"].map { try Kept.text($0) }
    let shelf = try Shelf(Self.oneByOne | ISA_TEST_REPLACE, .collection(KVC_KIND_ARRAY, words))
    let nan = try Kept.text("NaN"), two = try Kept.text("Two"), proxy = try shelf.mutableArray()
    isa_test_to_many_set_veto(shelf.id, nan.id, two.id)
    let p = try Listener(shelf, 15)
    try proxy.remove(at: 3)
    #expect(throws: CoreFailure(exception: "NSRangeException")) { try proxy.add(nan) }
    let seven = try Kept.text("Seven")
    try succeed(kvc_ordered_replace(proxy.id, 1, seven.id))
    try proxy.add(.text("Four"))
    isa_test_to_many_set_veto(shelf.id, words[0].id, two.id)
    try proxy.remove(words[0])
    #expect(shelf.backing?.words == "(One, Two, Three, Four)")
    #expect(
      p.take().dropFirst() == [
        "prior removal {3} old (Ninety)", "removal {3} old (Ninety)", "prior insertion {3}",
        "insertion {3}", "prior replacement {1} old (Ten)", "replacement {1} old (Ten) new (Two)",
        "prior insertion {3}", "insertion {3} new (Four)", "prior removal {0} old (One)",
        "removal {0} old (One)",
      ])
  }
}
