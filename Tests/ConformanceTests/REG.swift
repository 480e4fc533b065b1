import CIsa
import IsaKVO
import Testing

@Suite("REG: registration and options", .serialized, .leavesNothing)
struct Registering {
  @Test("REG-01 single change, New only")
  func singleChange() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher(), context = ObservationContext()
      try i.add(p, "name", .new, context: context)
      try i.assign("name", stage.text("Hello"))
      #expect(p.told == ["name setting new Hello"])
      #expect(p.all.map(\.object) == [i.address])
      #expect(p.all.map(\.context) == [context])
      try i.remove(p, "name")
    }
  }

  @Test("REG-02 options 0 delivers kind only")
  func kindOnly() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.add(p, "count")
      try i.assign("count", 5)
      #expect(p.told == ["count setting"])
      try i.remove(p, "count")
    }
  }

  @Test("REG-04 old then new on consecutive sets")
  func oldThenNew() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.assign("count", 2)
      try i.add(p, "count", [.old, .new])
      try i.assign("count", 3)
      #expect(p.told == ["count setting old 2 new 3"])
      try i.remove(p, "count")
    }
  }

  @Test("REG-05 observers of different keys are independent")
  func independentKeys() throws {
    try onStage { stage in
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

  @Test("REG-07 five observers are told in reverse order")
  func reverseOrder() throws {
    try onStage { stage in
      let i = try stage.item(), order = Recorder<Int>()
      let watchers = try (1...5).map { number in try stage.watcher { _, _ in order.add(number) } }
      for watcher in watchers { try i.add(watcher, "count") }
      try i.assign("count", 42)
      #expect(order.all == [5, 4, 3, 2, 1])
      for watcher in watchers { try i.remove(watcher, "count") }
    }
  }

  @Test("REG-08 prior phase runs in registration order")
  func priorOrder() throws {
    try onStage { stage in
      let i = try stage.item(), order = Recorder<String>()
      let watchers = try (1...3).map { number in
        try stage.watcher { _, change in order.add("P\(number) \(change.isPrior ? "prior" : "post")") }
      }
      for watcher in watchers { try i.add(watcher, "count", .prior) }
      try i.assign("count", 1)
      #expect(
        order.all == ["P1 prior", "P2 prior", "P3 prior", "P3 post", "P2 post", "P1 post"])
      for watcher in watchers { try i.remove(watcher, "count") }
    }
  }

  @Test("REG-10 duplicate registration delivers twice")
  func duplicate() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher(), context = ObservationContext()
      for _ in 0..<2 { try i.add(p, "name", context: context) }
      try i.assign("name", stage.text("a"))
      #expect(p.count == 2)
      for _ in 0..<2 { try i.remove(p, "name") }
    }
  }

  @Test("REG-11 same observer, two contexts")
  func twoContexts() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      let contexts = [ObservationContext(), ObservationContext()]
      for context in contexts { try i.add(p, "name", .new, context: context) }
      try i.assign("name", stage.text("a"))
      #expect(p.told == ["name setting new a", "name setting new a"])
      #expect(p.all.map(\.context) == contexts.reversed())
      for _ in contexts { try i.remove(p, "name") }
    }
  }

  @Test("REG-13 Initial without New")
  func initialWithoutNew() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.assign("name", stage.text("foo"))
      #expect(p.count == 0)
      try i.add(p, "name", .initial)
      #expect(p.told == ["name setting initial"])
      try i.remove(p, "name")
    }
  }

  @Test("REG-14 Initial with Old never has old")
  func initialWithOld() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.assign("flag", true)
      try i.add(p, "flag", [.old, .new, .initial])
      #expect(p.told == ["flag setting new true initial"])
      try i.remove(p, "flag")
    }
  }

  @Test("REG-16 Initial plus Prior")
  func initialPlusPrior() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.add(p, "name", [.initial, .prior])
      #expect(p.told == ["name setting initial"])
      try i.remove(p, "name")
    }
  }

  @Test("REG-17 Prior without Initial is silent at registration")
  func priorIsSilent() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.add(p, "name", .prior)
      #expect(p.count == 0)
      try i.assign("name", stage.text("a"))
      #expect(p.told == ["name setting prior", "name setting"])
      try i.remove(p, "name")
    }
  }

  @Test("REG-19 unknown single key is accepted")
  func unknownKey() throws {
    try onStage { stage in
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
  @Test("REG-25 observer without callback")
  func withoutCallback() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      let mute = try stage.define("Mute").allocate(), context = ObservationContext(address: 0x1234)
      try i.add(p, "name")
      try i.addObserver(mute, forKeyPath: "name", context: context)
      let reported = try misuses { try i.assign("name", stage.text("a")) }
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

  @Test("REG-26 references are not retained")
  func notRetained() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      #expect([i.retainCount, p.object.retainCount] == [1, 1])
      try i.add(p, "name")
      #expect([i.retainCount, p.object.retainCount] == [1, 1])
      try i.remove(p, "name")
      #expect([i.retainCount, p.object.retainCount] == [1, 1])
    }
  }
}

@Suite("Rules 1: registration and options", .serialized, .leavesNothing)
struct RegistrationRules {
  @Test("rule 1.4 Initial with New throws for an unknown key, and nothing is registered")
  func unknownKeyWithInitial() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher(), original = i.isa
      #expect(throws: ObservingError.coding(.undefinedKey("nonesuch", className: original.name))) {
        try i.add(p, "nonesuch", [.initial, .new])
      }
      #expect(LastError.current.exception == "NSUnknownKeyException")
      #expect(i.isa == original)
      #expect(!i.isObserved)
    }
  }

  @Test("rule 1.4 a value of an unknown key that is asked for at a change is a misuse")
  func unknownKeyWithValues() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.add(p, "nonesuch", [.old, .new])
      let reported = try misuses {
        try i.willChangeValue(forKey: "nonesuch")
        try i.didChangeValue(forKey: "nonesuch")
      }
      #expect(reported.map(\.exception) == ["NSUnknownKeyException", "NSUnknownKeyException"])
      #expect(p.told == ["nonesuch setting"])
      try i.remove(p, "nonesuch")
    }
  }

  @Test("rule 1.7 Initial with New has the present value, and is told before registering returns")
  func initialWithNew() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher(), context = ObservationContext()
      try i.assign("count", 7)
      try i.add(p, "count", [.new, .initial], context: context)
      #expect(p.told == ["count setting new 7 initial"])
      #expect(p.all.map(\.object) == [i.address])
      #expect(p.all.map(\.context) == [context])
      try i.remove(p, "count")
    }
  }

  @Test("rule 1.8 Initial tells nil as nil")
  func initialNil() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.add(p, "name", [.new, .initial])
      #expect(p.told == ["name setting new nil initial"])
      try i.remove(p, "name")
    }
  }

  @Test("rule 1.9 Initial is sent for a key without automatic notification")
  func initialOfManualKey() throws {
    try onStage { stage in
      let m = try stage.manual(), p = try stage.watcher()
      try m.add(p, "manual", [.new, .initial])
      #expect(p.told == ["manual setting new 0 initial"])
      try m.remove(p, "manual")
    }
  }

  @Test("rule 1.10 inside Initial an observer object is not registered yet")
  func removesInInitial() throws {
    try onStage { stage in
      let i = try stage.item(), errors = Recorder<ObservingError>()
      let p = try stage.watcher { observer, change in
        do throws(ObservingError) {
          try change.object.removeObserver(observer, forKeyPath: change.keyPath)
        } catch { errors.add(error) }
      }
      try i.add(p, "count", .initial)
      #expect(errors.all == [.notRegistered(keyPath: "count")])
      #expect(i.isObserved)
      try i.assign("count", 1)
      #expect(p.told == ["count setting initial", "count setting"])
      #expect(!i.isObserved)
    }
  }

  @Test(
    "rule 1.13 prior has old if asked for and never new",
    arguments: [
      ([.prior], ["count setting prior", "count setting"]),
      ([.prior, .old], ["count setting old 1 prior", "count setting old 1"]),
      ([.prior, .new], ["count setting prior", "count setting new 2"]),
      ([.prior, .old, .new], ["count setting old 1 prior", "count setting old 1 new 2"]),
    ] as [(ObservationOptions, [String])])
  func priorValues(options: ObservationOptions, expected: [String]) throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.assign("count", 1)
      try i.add(p, "count", options)
      try i.assign("count", 2)
      #expect(p.told == expected)
      try i.remove(p, "count")
    }
  }

  @Test("rule 1.17 the did phase keeps to the order of registration, whoever asked for what")
  func orderWithMixedOptions() throws {
    try onStage { stage in
      let i = try stage.item(), order = Recorder<Int>()
      let options: [ObservationOptions] = [.new, [], .prior, [.old, .new], .old]
      let watchers = try options.indices.map { number in
        try stage.watcher { _, change in if !change.isPrior { order.add(number) } }
      }
      for (watcher, options) in zip(watchers, options) { try i.add(watcher, "count", options) }
      let token = try i.observe("count") { _ in order.add(5) }
      try i.assign("count", 1)
      #expect(order.all == [5, 4, 3, 2, 1, 0])
      token.invalidate()
      for watcher in watchers { try i.remove(watcher, "count") }
    }
  }

  @Test("rule 1.24 class objects are refused")
  func classObject() throws {
    try onStage { stage in
      let cls = try stage.itemClass(), isa = cls.object.isa, p = try stage.watcher()
      #expect(throws: ObservingError.notObservable(keyPath: "name")) {
        try cls.object.add(p, "name")
      }
      #expect(cls.object.isa == isa)
    }
  }

  @Test("rule 1.26 no observer, no key path and an empty one are refused")
  func nothingGiven() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      #expect(kvo_add_observer(i.id, nil, "name", 0, nil) == ISA_ERR_INVALID_ARGUMENT)
      #expect(kvo_add_observer(i.id, p.object.id, nil, 0, nil) == ISA_ERR_INVALID_ARGUMENT)
      #expect(kvo_add_observer(i.id, p.object.id, "", 0, nil) == ISA_ERR_INVALID_ARGUMENT)
      #expect(kvo_add_observer(nil, p.object.id, "name", 0, nil) == ISA_ERR_INVALID_ARGUMENT)
      #expect(!i.isObserved)
    }
  }
}
