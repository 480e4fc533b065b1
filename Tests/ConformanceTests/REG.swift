import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("REG: registration and options", .serialized, .leavesNothing)
struct Registering {
  @Test("REG-01 single change, New only", arguments: Kind.allCases)
  func singleChange(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher(), context = ObservationContext()
      try i.add(p, "name", .new, context: context)
      try i.assign("name", stage.text("Hello"))
      #expect(p.told == ["name setting new Hello"])
      #expect(p.all.map(\.object) == [i.address])
      #expect(p.all.map(\.context) == [context])
      try i.remove(p, "name")
    }
  }

  @Test("REG-02 options 0 delivers kind only", arguments: Kind.allCases)
  func kindOnly(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.add(p, "count")
      try i.assign("count", 5)
      #expect(p.told == ["count setting"])
      try i.remove(p, "count")
    }
  }

  @Test("REG-04 old then new on consecutive sets", arguments: Kind.allCases)
  func oldThenNew(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.assign("count", 2)
      try i.add(p, "count", [.old, .new])
      try i.assign("count", 3)
      #expect(p.told == ["count setting old 2 new 3"])
      try i.remove(p, "count")
    }
  }

  @Test("REG-05 observers of different keys are independent", arguments: Kind.allCases)
  func independentKeys(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher(), q = try stage.watcher()
      try i.add(p, "name", .new)
      try i.add(q, "count", .new)
      try i.assign("name", stage.text("Hello"))
      try i.assign("count", 1)
      #expect(p.told == ["name setting new Hello"])
      #expect(q.told == ["count setting new 1"])
      try i.remove(p, "name")
      try i.remove(q, "count")
    }
  }

  @Test("REG-07 five observers are told in reverse order", arguments: Kind.allCases)
  func reverseOrder(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), order = Recorder<Int>()
      let watchers = try (1...5).map { number in try stage.watcher { _, _ in order.add(number) } }
      for watcher in watchers { try i.add(watcher, "count") }
      try i.assign("count", 42)
      #expect(order.all == [5, 4, 3, 2, 1])
      for watcher in watchers { try i.remove(watcher, "count") }
    }
  }

  @Test("REG-08 prior phase runs in registration order", arguments: Kind.allCases)
  func priorOrder(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), order = Recorder<String>()
      let watchers = try (1...3).map { number in
        try stage.watcher { _, change in
          order.add("P\(number) \(change.isPrior ? "prior" : "post")")
        }
      }
      for watcher in watchers { try i.add(watcher, "count", .prior) }
      try i.assign("count", 1)
      #expect(
        order.all == ["P1 prior", "P2 prior", "P3 prior", "P3 post", "P2 post", "P1 post"])
      for watcher in watchers { try i.remove(watcher, "count") }
    }
  }

  @Test("REG-10 duplicate registration delivers twice", arguments: Kind.allCases)
  func duplicate(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher(), context = ObservationContext()
      for _ in 0..<2 { try i.add(p, "name", context: context) }
      try i.assign("name", stage.text("a"))
      #expect(p.count == 2)
      for _ in 0..<2 { try i.remove(p, "name") }
    }
  }

  @Test("REG-11 same observer, two contexts", arguments: Kind.allCases)
  func twoContexts(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      let contexts = [ObservationContext(), ObservationContext()]
      for context in contexts { try i.add(p, "name", .new, context: context) }
      try i.assign("name", stage.text("a"))
      #expect(p.told == ["name setting new a", "name setting new a"])
      #expect(p.all.map(\.context) == contexts.reversed())
      for _ in contexts { try i.remove(p, "name") }
    }
  }

  @Test("REG-13 Initial without New", arguments: Kind.allCases)
  func initialWithoutNew(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.assign("name", stage.text("foo"))
      #expect(p.count == 0)
      try i.add(p, "name", .initial)
      #expect(p.told == ["name setting initial"])
      try i.remove(p, "name")
    }
  }

  @Test("REG-14 Initial with Old never has old", arguments: Kind.allCases)
  func initialWithOld(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.assign("flag", true)
      try i.add(p, "flag", [.old, .new, .initial])
      #expect(p.told == ["flag setting new true initial"])
      try i.remove(p, "flag")
    }
  }

  @Test("REG-16 Initial plus Prior", arguments: Kind.allCases)
  func initialPlusPrior(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.add(p, "name", [.initial, .prior])
      #expect(p.told == ["name setting initial"])
      try i.remove(p, "name")
    }
  }

  @Test("REG-17 Prior without Initial is silent at registration", arguments: Kind.allCases)
  func priorIsSilent(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.add(p, "name", .prior)
      #expect(p.count == 0)
      try i.assign("name", stage.text("a"))
      #expect(p.told == ["name setting prior", "name setting"])
      try i.remove(p, "name")
    }
  }

  @Test("REG-19 unknown single key is accepted", arguments: Kind.allCases)
  func unknownKey(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), original = i.isa, p = try stage.watcher()
      try i.add(p, "nonesuch")
      #expect(i.isa.isNotifying)
      #expect(i.isObserved)
      try i.remove(p, "nonesuch")
      #expect(i.isa == original)
      #expect(!i.isObserved)
    }
  }

  // Nothing can propagate out of a void setter here: the exception goes to the misuse handler, the
  // value stays set, and the remaining observers are told.
  @Test("REG-25 observer without callback", arguments: Kind.allCases)
  func withoutCallback(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      let mute = try stage.mute(), context = ObservationContext(address: 0x1234)
      try i.add(p, "name")
      try i.addObserver(mute, forKeyPath: "name", context: context)
      let reported = try reports { try i.assign("name", stage.text("a")) }
      #expect(reported.map(\.exception) == ["NSInternalInconsistencyException"])
      let reason = try #require(reported.first?.reason)
      for part in ["was received but not handled", "name", "\(i.isa.original.name)", "0x1234"] {
        #expect(reason.contains(part))
      }
      #expect(try words(for: i.value(forKey: "name")) == "a")
      #expect(p.told == ["name setting"])
      try i.removeObserver(mute, forKeyPath: "name")
      try i.remove(p, "name")
    }
  }

  @Test("REG-26 references are not retained", arguments: Kind.allCases)
  func notRetained(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      let before = [i.retainCount, p.object.retainCount]
      try i.add(p, "name")
      #expect([i.retainCount, p.object.retainCount] == before)
      try i.remove(p, "name")
      #expect([i.retainCount, p.object.retainCount] == before)
    }
  }

  @Test(
    "REG-20 collections refuse observers", arguments: [RuntimeBoxKind.array, .set, .orderedSet])
  func collections(kind: RuntimeBoxKind) throws {
    try onStage { stage in
      let p = try stage.watcher(), empty = try #require(collection(kind).object)
      for call in [
        { try empty.add(p, "count") }, { try empty.remove(p, "count") },
        { try empty.remove(p, "count", context: .none) },
      ] as [() throws -> Void] {
        expectError(.notObservable, key: "count", call)
        #expect(LastError.current.exception == "NSInvalidArgumentException")
      }
      #expect(!empty.isObserved)
    }
  }

  private func collection(_ kind: RuntimeBoxKind) -> RuntimeValue {
    switch kind {
    case .array: .array([])
    case .orderedSet: .orderedSet([])
    default: .set([])
    }
  }

  @Test("REG-22 array bulk registration out of range", arguments: Kind.allCases)
  func bulkOutOfRange(kind: Kind) throws {
    try onStage(kind) { stage in
      let items = try [stage.item(), stage.item()], p = try stage.watcher()
      let all = try arrayObject(items)
      let error = #expect(throws: KeyValueError.self) {
        try all.addObserver(p.object, toObjectsAt: [0, 4], forKeyPath: "count")
      }
      #expect(error?.exceptionName == "NSRangeException")
      #expect(items.allSatisfy { !$0.isObserved })
    }
  }

  @Test("REG-23 array bulk with partial removal", arguments: Kind.allCases)
  func bulkPartialRemoval(kind: Kind) throws {
    try onStage(kind) { stage in
      let lists = try (0..<3).map { _ in try stage.lister() }, all = try arrayObject(lists)
      let p = try stage.watcher()
      let hits = { (number: Int) in
        try lists[number].appendToList("x")
        return p.count
      }
      try all.addObserver(
        p.object, toObjectsAt: [0, 1], forKeyPath: "list", options: [.old, .new])
      #expect(try [0, 0, 1, 2].map(hits) == [1, 2, 3, 3])
      try all.removeObserver(p.object, fromObjectsAt: [0], forKeyPath: "list")
      #expect(try [0, 1].map(hits) == [3, 4])
      try all.removeObserver(p.object, fromObjectsAt: [1], forKeyPath: "list")
      #expect(try hits(1) == 4)
    }
  }
}
