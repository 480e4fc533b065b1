import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("Rules 15: where GNUstep differs", .serialized, .leavesNothing)
struct ProfileRules {
  // MARK: the profile

  @Test(
    "rule 15 a profile is inherited by classes below, and may be chosen anew there",
    arguments: Kind.allCases)
  func inherited(kind: Kind) throws {
    try onStage(kind) { stage in
      let base = try stage.make("Base", GNUstepGadget(), profile: .gnustep)
      let below = try stage.make("Below", GadgetBelow(), superclass: base.isa)
      let apple = try stage.make(
        "Apple", AppleGadget(), superclass: below.isa, profile: .apple)
      #expect([base, below, apple].map(\.isa.profile) == [.gnustep, .gnustep, .apple])
      #expect(RuntimeClass.root.profile == .apple)
    }
  }

  // MARK: order

  @Test(
    "rule 15 the did phase is in reverse registration order",
    arguments: KeyValueProfile.allCases, Kind.allCases)
  func didOrder(profile: KeyValueProfile, kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.gadget(profile), order = Recorder<Int>()
      let watchers = try (0..<3).map { number in try stage.watcher { _, _ in order.add(number) } }
      for watcher in watchers { try object.add(watcher, "count") }
      try object.assign("count", 1)
      #expect(order.all == [2, 1, 0])
      for watcher in watchers { try object.remove(watcher, "count") }
    }
  }

  // MARK: removal

  @Test(
    "rule 15 removal without context takes the latest, under GNUstep the oldest",
    arguments: [(KeyValueProfile.apple, 0), (.gnustep, 1)], Kind.allCases)
  func removalPicks(choice: (profile: KeyValueProfile, left: Int), kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.gadget(choice.profile), p = try stage.watcher()
      let contexts = [ObservationContext(), ObservationContext()]
      for keyPath in ["count", "child.count", "total"] {
        for context in contexts { try object.add(p, keyPath, context: context) }
        try object.remove(p, keyPath)
        #expect(object.registrations.map(\.context) == [contexts[choice.left]])
        try object.remove(p, keyPath)
      }
    }
  }

  @Test(
    "rule 15 no context is exactly none, under GNUstep any",
    arguments: KeyValueProfile.allCases, Kind.allCases)
  func noContext(profile: KeyValueProfile, kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.gadget(profile), p = try stage.watcher()
      for keyPath in ["count", "child.count"] {
        try object.add(p, keyPath, context: ObservationContext())
        if profile == .apple {
          expectError(.notRegistered, key: keyPath) {
            try object.remove(p, keyPath, context: .none)
          }
          try object.remove(p, keyPath)
        } else {
          try object.remove(p, keyPath, context: .none)
        }
        #expect(!object.isObserved)
      }
    }
  }

  @Test(
    "rule 15 a removal that matches nothing has the exception of its implementation",
    arguments: [
      (KeyValueProfile.apple, "NSRangeException"), (.gnustep, "NSInvalidArgumentException"),
    ], Kind.allCases)
  func notRegistered(choice: (profile: KeyValueProfile, exception: String), kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.gadget(choice.profile), p = try stage.watcher()
      for keyPath in ["count", "child.count", "neverRegistered"] {
        let error = expectError(.notRegistered, key: keyPath) {
          try object.remove(p, keyPath)
        }
        #expect(error?.exceptionName == choice.exception)
        #expect(error?.reason.contains(keyPath) == true)
      }
    }
  }

  @Test(
    "rule 3.5 registered anew between will and did, the same tuple is told, under GNUstep not",
    arguments: [(KeyValueProfile.apple, 1), (.gnustep, 0)], Kind.allCases)
  func registeredAnew(choice: (profile: KeyValueProfile, count: Int), kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.gadget(choice.profile), p = try stage.watcher()
      try object.add(p, "k")
      try object.change("k") {
        try object.remove(p, "k")
        try object.add(p, "k")
      }
      #expect(p.count == choice.count)
      try object.change("k") {}
      #expect(p.count == choice.count + 1)
      try object.remove(p, "k")
    }
  }

  @Test(
    "rule 3.7 under GNUstep an intermediate replaced unannounced is found by its forwarder",
    arguments: Kind.allCases)
  func unannounced(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.gadget(.gnustep), before = try object.child()
      let next = try stage.gadget(.gnustep), p = try stage.watcher()
      try object.add(p, "child.count")
      try object.write("child", next)
      try object.remove(p, "child.count")
      #expect([object, before, next].allSatisfy { !$0.isObserved })
      try object.add(p, "child.count")
      try object.write("child", before)
      #expect(try reports { try object.assign("child", nil) }.isEmpty)
      #expect(!next.isObserved)
      try object.remove(p, "child.count")
    }
  }

  // MARK: Initial

  @Test(
    "rule 1.10, rule 15 Initial comes before the registration, under GNUstep after it",
    arguments: KeyValueProfile.allCases, Kind.allCases)
  func initial(profile: KeyValueProfile, kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.gadget(profile), observed = Recorder<Bool>()
      let p = try stage.watcher { observer, change in
        observed.add(change.object.isObserved)
        try? change.object.removeObserver(observer, forKeyPath: change.keyPath)
      }
      for keyPath in ["count", "child.count", "total"] {
        try object.add(p, keyPath, [.initial, .new])
        #expect(p.told == ["\(keyPath) setting new 0 initial"])
        #expect(observed.all == [profile == .gnustep])
        #expect(object.isObserved == (profile == .apple))
        if profile == .apple { try object.remove(p, keyPath) }
        p.clear()
        observed.clear()
      }
    }
  }

  @Test(
    "rule 1.10 an Initial whose value cannot be read registers nothing under GNUstep either",
    arguments: Kind.allCases)
  func failingInitial(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.gadget(.gnustep), p = try stage.watcher()
      for keyPath in ["nope", "child.nope"] {
        #expect(throws: KeyValueError.self) { try object.add(p, keyPath, [.initial, .new]) }
        #expect(!object.isObserved)
      }
      #expect(p.count == 0)
    }
  }

  // MARK: changes

  @Test(
    "rule 15, rule 6.7 nested pairs of one key are told each, under GNUstep at the outermost did",
    arguments: [(KeyValueProfile.apple, 2), (.gnustep, 1)], Kind.allCases)
  func nesting(choice: (profile: KeyValueProfile, count: Int), kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.gadget(choice.profile), p = try stage.watcher()
      for key in ["k", "kTwice"] {
        try object.add(p, key, [.old, .new])
        try object.willChangeValue(forKey: "k")
        try object.willChangeValue(forKey: "k")
        try object.assign("k", 1)
        try object.didChangeValue(forKey: "k")
        #expect(p.count == choice.count - 1)
        try object.didChangeValue(forKey: "k")
        #expect(p.count == choice.count)
        #expect(object.pendingChanges.isEmpty)
        try object.remove(p, key)
        p.clear()
      }
    }
  }

  @Test(
    "rule 15 who is told later of a value set meanwhile is told that, under GNUstep the first",
    arguments: [(KeyValueProfile.apple, 2), (.gnustep, 1)], Kind.allCases)
  func newOfLater(choice: (profile: KeyValueProfile, new: Int), kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.gadget(choice.profile), later = try stage.watcher()
      for (keyPath, target) in [("count", object), ("child.count", try object.child())] {
        let first = try stage.watcher { _, change in
          if change.newValue?.int == 1 { attempt { try target.assign("count", 2) } }
        }
        try object.add(later, keyPath, .new)
        try object.add(first, keyPath, .new)
        try target.assign("count", 1)
        #expect(
          later.told == ["\(keyPath) setting new 2", "\(keyPath) setting new \(choice.new)"])
        try object.remove(later, keyPath)
        try object.remove(first, keyPath)
        later.clear()
      }
    }
  }

  @Test(
    "rule 15 a path through a collection is refused",
    arguments: KeyValueProfile.allCases, Kind.allCases)
  func throughCollection(profile: KeyValueProfile, kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.gadget(profile), p = try stage.watcher()
      try object.assign("any", RuntimeValue.array([]))
      for keyPath in ["any.count", "any.@sum.count"] {
        let error = #expect(throws: KeyValueError.self) { try object.add(p, keyPath) }
        #expect(error?.exceptionName == "NSInvalidArgumentException")
        #expect(!object.isObserved)
      }
    }
  }

  // MARK: lifetime and isa

  @Test(
    "rule 15 an object that dies observed is silent, under GNUstep a misuse",
    arguments: KeyValueProfile.allCases, Kind.allCases)
  func dies(profile: KeyValueProfile, kind: Kind) throws {
    try onStage(kind) { stage in
      let p = try stage.watcher()
      for keyPath in ["count", "child.count", "total"] {
        var object: Subject? = try stage.gadget(profile)
        try object?.add(p, keyPath)
        let reported = reports { object = nil }
        #expect(
          reported.map(\.exception) == (profile == .gnustep ? ["NSInvalidArgumentException"] : []))
      }
    }
  }

  @Test(
    "rule 11.4 under GNUstep an intermediate that dies with forwarders alone is silent",
    arguments: Kind.allCases)
  func intermediateDies(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("WeakGadget", WeakGadget(), profile: .gnustep) {
        try $0.property("child", .object, ownership: .weak)
      }
      let p = try stage.watcher()
      let reported = try reports {
        let child = try stage.gadget(.gnustep)
        try object.assign("child", child)
        try object.add(p, "child.count")
      }
      #expect(reported.isEmpty)
      #expect(try object.get("child").isNil)
      #expect(try reports { try object.remove(p, "child.count") }.isEmpty)
    }
  }

  @Test(
    "rule 15 the last removal gives the isa back, under GNUstep it stays",
    arguments: KeyValueProfile.allCases, Kind.allCases)
  func isaAfterRemoval(profile: KeyValueProfile, kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.gadget(profile), original = object.isa, p = try stage.watcher()
      for keyPath in ["count", "child.count", "total"] {
        try object.add(p, keyPath)
        #expect(object.isa.isNotifying && object.class == original)
        try object.remove(p, keyPath)
        #expect(object.isa.isNotifying == (profile == .gnustep))
        #expect(object.class == original && !object.isObserved)
      }
      try object.assign("count", 1)
      #expect(object.number("count") == 1 && p.count == 0)
    }
  }

  // MARK: what is wrapped

  @Test(
    "rule 15, rule 8.1.1 an accessor that inserts has one that removes, under GNUstep it is enough",
    arguments: [
      (KeyValueProfile.apple, [String]()), (.gnustep, ["items insertion at [0] new (x)"]),
    ])
  func insertAlone(profile: KeyValueProfile, told: [String]) throws {
    try onStage { stage in
      let object = try stage.define("Inserting", profile: profile) {
        try $0.property("items", .object)
        try $0.orderedMutators(
          "items",
          insert: { shelf, element, index in
            let items = shelf.ivar(named: "_items")?.object.flatMap { MutableArrayProxy($0) }
            attempt { try items?.insert(element, at: index) }
          })
      }.allocate()
      let p = try stage.watcher()
      try object.assign("items", RuntimeValue.array([], isMutable: true))
      try object.add(p, "items", .new)
      try object.send("insertObject:inItemsAtIndex:", "x", 0)
      #expect(p.told.map { $0.replacing("\"", with: "") } == told)
      try object.remove(p, "items")
    }
  }

  @Test("rule 15 a struct of six words is observed under GNUstep, a larger one is refused")
  func largeStructs() throws {
    try onStage { stage in
      let object = try stage.define("Structs", profile: .gnustep) {
        try $0.property("six", "{Six=qqqqqq}").property("seven", "{Seven=qqqqqqq}")
      }.allocate()
      let p = try stage.watcher()
      try object.add(p, "six")
      try object.assign("six", RuntimeValue("{Six=qqqqqq}", members: [1, 2, 3, 4, 5, 6]))
      #expect(p.told == ["six setting"])
      try object.remove(p, "six")
      let error = #expect(throws: KeyValueError.self) { try object.add(p, "seven") }
      #expect(error?.exceptionName == "NSInvalidArgumentException")
      #expect(!object.isObserved)
    }
  }

  @Test(
    "rule 15 a setter of a pointer is left alone as Apple does, under GNUstep it is wrapped",
    arguments: [(KeyValueProfile.apple, 0), (.gnustep, 1)])
  func pointers(profile: KeyValueProfile, count: Int) throws {
    try withWrapping(profile == .apple ? .asApple : .automatic) {
      try onStage { stage in
        let object = try stage.define("Pointers", profile: profile) {
          try $0.property("x", "^v")
        }.allocate()
        let p = try stage.watcher()
        let reported = try reports { try object.add(p, "x") }
        #expect(reported.count == 1 - count)
        try object.assign("x", .pointer(address: 16))
        #expect(p.count == count)
        try object.remove(p, "x")
      }
    }
  }
}

extension Stage {
  /// An object of a profile's, with a `child` of its class: `count` and `child`, `any` which may be
  /// a collection, `total` which depends on the first two, `k` without automatic notification and
  /// `kTwice` which depends on it.
  fileprivate func gadget(_ profile: KeyValueProfile) throws -> Subject {
    let parent = try lonelyGadget(profile)
    try parent.assign("child", lonelyGadget(profile))
    return parent
  }

  private func lonelyGadget(_ profile: KeyValueProfile) throws -> Subject {
    let swift = { profile == .apple ? Gadget() : GNUstepGadget() }
    return try shared("Gadget \(profile)", swift(), profile: profile) {
      try $0.properties(.int64, "count", "k").properties(.object, "child", "any")
      try $0.notAutomatic(["k"]).sum("total", of: "count", "child.count")
      try $0.sum("kTwice", of: "k", "k")
    }
  }
}

extension Subject {
  /// A gadget's child.
  fileprivate func child() throws -> Subject { Subject(try #require(get("child").object)) }
}

// MARK: - Swift classes

private class Gadget: KVObject, TypedObject {
  @Dynamic var count = 0
  @Dynamic var child: Gadget?
  @Dynamic var any: Any?
  @Dynamic var k = 0
  var total: Int { count + (child?.count ?? 0) }
  var kTwice: Int { k + k }

  override class var keys: [KeyDeclaration] {
    [
      .key("total", \Gadget.total, affectedBy: [\Gadget.count], paths: ["child.count"]),
      .key("kTwice", \Gadget.kTwice, affectedBy: [\Gadget.k]),
    ]
  }

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "k" }

  var properties: [String: TypedProperty] {
    [
      "count": .at(\Gadget.count), "any": .at(\Gadget.any), "k": .at(\Gadget.k),
      "total": .at(\Gadget.total), "kTwice": .at(\Gadget.kTwice),
      "child": .at(\Gadget.child) { $0._child = Dynamic(wrappedValue: $1) },
    ]
  }
}

private class GNUstepGadget: Gadget {
  override class var profile: KeyValueProfile { .gnustep }
}

private class GadgetBelow: GNUstepGadget {}

private final class AppleGadget: GadgetBelow {
  override class var profile: KeyValueProfile { .apple }
}

private final class WeakGadget: KVObject, TypedObject {
  @WeakDynamic var child: Gadget?

  override class var profile: KeyValueProfile { .gnustep }
  var properties: [String: TypedProperty] { ["child": .at(\WeakGadget.child)] }
}
