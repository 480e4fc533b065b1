import CIsa
import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite("Rules 1: registration and options", .serialized, .leavesNothing)
struct RegistrationRules {
  @Test(
    "rule 0.4 options have Foundation's numbers, and bits beyond them are refused",
    arguments: Kind.allCases)
  func optionBits(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      let options: [ObservationOptions] = [.new, .old, .initial, .prior]
      #expect(options.map(\.rawValue) == [1, 2, 4, 8])
      let unknown = ObservationOptions(rawValue: 0x100)
      expectError(.invalidOptions) { try i.add(p, "count", unknown) }
      #expect(LastError.current.exception == "NSInvalidArgumentException")
      #expect(!i.isObserved)
    }
  }

  @Test(
    "rule 1.4 Initial with New throws for an unknown key, and nothing is registered",
    arguments: Kind.allCases)
  func unknownKeyWithInitial(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher(), original = i.isa
      expectError(.undefinedKey, key: "nonesuch", className: original.name) {
        try i.add(p, "nonesuch", [.initial, .new])
      }
      #expect(LastError.current.exception == "NSUnknownKeyException")
      #expect(i.isa == original)
      #expect(!i.isObserved)
    }
  }

  @Test(
    "rule 1.4 a value of an unknown key that is asked for at a change is a misuse",
    arguments: Kind.allCases)
  func unknownKeyWithValues(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.add(p, "nonesuch", [.old, .new])
      let reported = try reports {
        try i.willChangeValue(forKey: "nonesuch")
        try i.didChangeValue(forKey: "nonesuch")
      }
      #expect(reported.map(\.exception) == ["NSUnknownKeyException", "NSUnknownKeyException"])
      #expect(p.told == ["nonesuch setting"])
      try i.remove(p, "nonesuch")
    }
  }

  @Test(
    "rule 1.7 Initial with New has the present value, and is told before registering returns",
    arguments: Kind.allCases)
  func initialWithNew(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher(), context = ObservationContext()
      try i.assign("count", 7)
      try i.add(p, "count", [.new, .initial], context: context)
      #expect(p.told == ["count setting new 7 initial"])
      #expect(p.all.map(\.object) == [i.address])
      #expect(p.all.map(\.context) == [context])
      try i.remove(p, "count")
    }
  }

  @Test("rule 1.8 Initial tells nil as nil", arguments: Kind.allCases)
  func initialNil(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.add(p, "name", [.new, .initial])
      #expect(p.told == ["name setting new nil initial"])
      try i.remove(p, "name")
    }
  }

  @Test(
    "rule 1.9 Initial is sent for a key without automatic notification", arguments: Kind.allCases)
  func initialOfManualKey(kind: Kind) throws {
    try onStage(kind) { stage in
      let m = try stage.manual(), p = try stage.watcher()
      try m.add(p, "manual", [.new, .initial])
      #expect(p.told == ["manual setting new 0 initial"])
      try m.remove(p, "manual")
    }
  }

  @Test(
    "rule 1.10 inside Initial an observer object is not registered yet", arguments: Kind.allCases)
  func removesInInitial(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), errors = Recorder<KeyValueError>()
      let p = try stage.watcher { observer, change in
        do throws(KeyValueError) {
          try change.object.removeObserver(observer, forKeyPath: change.keyPath)
        } catch { errors.add(error) }
      }
      try i.add(p, "count", .initial)
      #expect(errors.all.map(\.code) == [.notRegistered])
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
    ] as [(ObservationOptions, [String])], Kind.allCases)
  func priorValues(given: (options: ObservationOptions, expected: [String]), kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.assign("count", 1)
      try i.add(p, "count", given.options)
      try i.assign("count", 2)
      #expect(p.told == given.expected)
      try i.remove(p, "count")
    }
  }

  @Test(
    "rule 1.17 the did phase keeps to the order of registration, whoever asked for what",
    arguments: Kind.allCases)
  func orderWithMixedOptions(kind: Kind) throws {
    try onStage(kind) { stage in
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
      expectError(.notObservable, key: "name") {
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
