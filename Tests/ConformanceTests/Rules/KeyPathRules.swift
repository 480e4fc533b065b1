import CIsa
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("Rules 4: key paths", .serialized, .leavesNothing)
struct KeyPathRules {
  // MARK: forwarders

  @Test(
    "rule 4.1 a path is followed key by key, by a forwarder for the rest on each object",
    arguments: Kind.allCases)
  func forwarders(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), d = try stage.node(), p = try stage.watcher()
      try c.assign("child", d)
      try t.add(p, "child.child.count", [.old, .prior])
      #expect(t.registrations.map(\.keyPath) == ["child.child.count"])
      #expect(!t.registrations[0].isForwarder)
      for (object, rest) in [(c, "child.count"), (d, "count")] {
        let forwarder = try #require(object.registrations.first)
        #expect(object.registrations.count == 1 && forwarder.isForwarder)
        #expect(forwarder.keyPath == rest && forwarder.options == [.old, .prior])
        #expect(forwarder.root == t.address && forwarder.rootKeyPath == "child.child.count")
        #expect(forwarder.observer == p.object.address)
      }
      try t.remove(p, "child.child.count")
      #expect([t, c, d].allSatisfy { $0.registrations.isEmpty })
    }
  }

  @Test(
    "rule 4.3 a chain may be incomplete, and is told once for each part that comes",
    arguments: Kind.allCases)
  func incomplete(kind: Kind) throws {
    try onStage(kind) { stage in
      let t = try stage.node(), c = try stage.node(), d = try stage.node()
      let p = try stage.watcher()
      try d.assign("count", 5)
      try t.add(p, "child.child.count", [.old, .new])
      try t.assign("child", c)
      try c.assign("child", d)
      try d.assign("count", 6)
      #expect(
        p.told == [
          "child.child.count setting old nil new nil", "child.child.count setting old nil new 5",
          "child.child.count setting old 5 new 6",
        ])
      try t.remove(p, "child.child.count")
    }
  }

  @Test(
    "rule 4.4 replacing an intermediate moves the forwarder: the one before is silent",
    arguments: Kind.allCases)
  func replaced(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, first) = try stage.family(), second = try stage.node(), p = try stage.watcher()
      try t.add(p, "child.count", .new)
      try t.assign("child", second)
      #expect(!first.isObserved && !first.isa.isNotifying)
      try first.assign("count", 1)
      try second.assign("count", 2)
      #expect(p.told == ["child.count setting new 0", "child.count setting new 2"])
      try t.remove(p, "child.count")
    }
  }

  @Test("rule 4.5 nil in the place of an intermediate is told as nil", arguments: Kind.allCases)
  func toNil(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), p = try stage.watcher()
      try c.assign("count", 5)
      try t.add(p, "child.count", [.old, .new])
      try t.assign("child", nil)
      try t.assign("child", nil)
      #expect(
        p.told == ["child.count setting old 5 new nil", "child.count setting old nil new nil"])
      try t.remove(p, "child.count")
    }
  }

  @Test(
    "rule 4.6 the same intermediate again is told, and keeps one forwarder",
    arguments: Kind.allCases)
  func sameAgain(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), p = try stage.watcher()
      try t.add(p, "child.count")
      for _ in 1...3 { try t.assign("child", c) }
      #expect(p.count == 3)
      #expect(c.registrations.count == 1)
      try c.assign("count", 1)
      #expect(p.count == 4)
      try t.remove(p, "child.count")
    }
  }

  @Test(
    "rule 4.7 a key and a path through it each have their own values in one change",
    arguments: Kind.allCases)
  func keyAndPath(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c1) = try stage.family(), c2 = try stage.node()
      let p = try stage.watcher(), q = try stage.watcher()
      try c1.assign("name", "Ann")
      try c2.assign("name", "Bob")
      try t.add(p, "child", [.old, .new])
      try t.add(q, "child.name", [.old, .new])
      try t.assign("child", c2)
      #expect(p.told == ["child setting old \(c1.class.name) new \(c2.class.name)"])
      #expect(q.told == ["child.name setting old Ann new Bob"])
      try t.remove(p, "child")
      try t.remove(q, "child.name")
    }
  }

  @Test("rule 4.8 paths lead through mutable dictionaries at any level")
  func dictionaries() throws {
    try onStage { stage in
      let inner = try dictionaryObject(["x": 1]), (t, c) = try stage.family()
      let outer = try dictionaryObject(["in": RuntimeValue(inner)]), p = try stage.watcher()
      try c.assign("dict", RuntimeValue(outer))
      try t.add(p, "child.dict.in.x", [.old, .new])
      try inner.setValue(2, forKey: "x")
      try inner.setValue(nil, forKey: "x")
      try outer.setValue(RuntimeValue(dictionaryObject(["x": 3])), forKey: "in")
      try outer.setValue(nil, forKey: "in")
      #expect(
        p.told == [
          "child.dict.in.x setting old 1 new 2", "child.dict.in.x setting old 2 new nil",
          "child.dict.in.x setting old nil new 3", "child.dict.in.x setting old 3 new nil",
        ])
      #expect(!inner.isObserved)
      try t.remove(p, "child.dict.in.x")
      #expect(!outer.isObserved)
    }
  }

  // MARK: collections on the way

  @Test(
    "rule 4.9 a collection on the way is refused, at any depth, and nothing is registered",
    arguments: ["dict.count", "child.dict.count", "child.dict.@sum.count"], Kind.allCases)
  func collectionOnTheWay(keyPath: String, kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), original = t.isa, p = try stage.watcher()
      for collection in [RuntimeValue.array([1]), .set([1]), .orderedSet([1])] {
        for node in [t, c] { try node.assign("dict", collection) }
        let error = #expect(throws: KeyValueError.self) { try t.add(p, keyPath) }
        #expect(error?.exceptionName == "NSInvalidArgumentException")
        #expect([t, c].allSatisfy { !$0.isObserved && $0.isa == original })
      }
    }
  }

  @Test(
    "rule 4.9 a collection that comes later is a misuse: the value is set, the observer told",
    arguments: Kind.allCases)
  func collectionComesLater(kind: Kind) throws {
    try onStage(kind) { stage in
      let t = try stage.node(), c = try stage.node(), p = try stage.watcher()
      try t.add(p, "dict.name")
      let reported = try reports { try t.assign("dict", RuntimeValue.array([1, 2])) }
      #expect(reported.map(\.exception) == ["NSInvalidArgumentException"])
      #expect(t.number("dict.@count") == 2)
      #expect(p.told == ["dict.name setting"])
      try t.assign("dict", c)
      try c.assign("name", "x")
      #expect(p.count == 3)
      try t.remove(p, "dict.name")
      #expect(!c.isObserved)
    }
  }

  @Test(
    "rule 4.10, rule 2.11 an operator without argument at the end tells whole values",
    arguments: Kind.allCases)
  func trailingOperator(kind: Kind) throws {
    try onStage(kind) { stage in
      let lister = try stage.lister(), p = try stage.watcher()
      try lister.add(p, "list.@count", [.old, .new])
      try lister.appendToList("x")
      try lister.change("list") { try lister.assign("list", RuntimeValue.array([1, 2, 3])) }
      #expect(
        p.told == ["list.@count setting old 0 new 1", "list.@count setting old 1 new 3"])
      try lister.remove(p, "list.@count")
    }
  }

  @Test(
    "rule 4.10 an operator without argument may stand where there is nothing yet",
    arguments: Kind.allCases)
  func trailingOperatorOfNil(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), p = try stage.watcher()
      try t.add(p, "child.dict.@count", [.old, .new])
      try c.assign("dict", RuntimeValue.array([1, 2]))
      try c.assign("dict", nil)
      #expect(
        p.told == [
          "child.dict.@count setting old nil new 2", "child.dict.@count setting old 2 new nil",
        ])
      try t.remove(p, "child.dict.@count")
      #expect(!c.isObserved)
    }
  }

  // MARK: unknown and odd keys

  @Test(
    "rule 4.11 an unknown key before the last is refused, and nothing is registered",
    arguments: [("nope.other", "nope"), ("child.nope.other", "nope"), ("what.is.this", "what")],
    Kind.allCases)
  func unknownKey(names: (keyPath: String, key: String), kind: Kind) throws {
    try onStage(kind) { stage in
      let (keyPath, key) = names
      let (t, c) = try stage.family(), original = t.isa, p = try stage.watcher()
      expectError(.undefinedKey, key: key, className: original.name) { try t.add(p, keyPath) }
      #expect(LastError.current.exception == "NSUnknownKeyException")
      #expect(LastError.current.reason.contains("for the key \(key)."))
      expectError(.notObservable, key: key) {
        _ = try t.observe(keyPath) { _ in }
      }
      #expect([t, c].allSatisfy { $0.observationInfo == nil && $0.isa == original })
      expectError(.notRegistered, key: keyPath) { try t.remove(p, keyPath) }
    }
  }

  @Test(
    "rule 4.16 an unknown last key is accepted, and a value of it that is asked for a misuse",
    arguments: Kind.allCases)
  func unknownLastKey(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), p = try stage.watcher()
      try t.add(p, "child.nope", .new)
      let reported = try reports { try t.assign("child", c) }
      #expect(reported.map(\.exception) == ["NSUnknownKeyException"])
      #expect(p.told == ["child.nope setting"])
      try t.remove(p, "child.nope")
      #expect(throws: KeyValueError.self) { try t.add(p, "child.nope", [.initial, .new]) }
      #expect([t, c].allSatisfy { !$0.isObserved })
    }
  }

  @Test(
    "rule 4.17 empty keys are refused", arguments: ["", ".", "child.", ".child", "child..name"],
    Kind.allCases)
  func emptyKeys(keyPath: String, kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), p = try stage.watcher()
      #expect(throws: KeyValueError.self) { try t.add(p, keyPath) }
      #expect(isa_last_error().pointee.status == ISA_ERR_INVALID_ARGUMENT)
      #expect([t, c].allSatisfy { !$0.isObserved })
    }
  }

  @Test("rule 4.17 keys differ by case and by white space", arguments: Kind.allCases)
  func distinctKeys(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), p = try stage.watcher()
      let keyPaths = ["child.count", "child. count", "child.Count"]
      for keyPath in keyPaths { try t.add(p, keyPath) }
      try c.change("count") {}
      #expect(p.told == ["child.count setting"])
      try c.change(" count") {}
      #expect(p.told.last == "child. count setting")
      #expect(throws: KeyValueError.self) { try t.add(p, " child.count") }
      for keyPath in keyPaths { try t.remove(p, keyPath) }
    }
  }

  @Test(
    "rule 4.18 an operator on a plain object is affected by its argument", arguments: Kind.allCases)
  func operatorOnObject(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), p = try stage.watcher()
      try t.add(p, "@count")
      try t.add(p, "@sum.child.count")
      try t.assign("count", 1)
      #expect(p.count == 0)
      try c.assign("count", 2)
      try t.assign("child", nil)
      #expect(p.told == ["@sum.child.count setting", "@sum.child.count setting"])
      #expect(!c.isObserved)
      try t.remove(p, "@count")
      try t.remove(p, "@sum.child.count")
    }
  }

  // MARK: who takes part

  @Test(
    "rule 4.12 where an intermediate refuses a registration, nothing is registered",
    arguments: Kind.allCases)
  func refusingIntermediate(kind: Kind) throws {
    try onStage(kind) { stage in
      let asked = Recorder<String>(), el = try stage.node(), p = try stage.watcher()
      let registrar = try stage.registrar(asked), h = try stage.registrarHolder()
      try registrar.assign("element", el)
      try h.assign("registrar", registrar)
      #expect(throws: KeyValueError.self) { try h.add(p, "registrar.nope.other") }
      #expect(asked.all == ["add nope.other"])
      #expect([h, registrar, el].allSatisfy { !$0.isObserved })
      try h.assign("registrar", nil)
    }
  }

  @Test(
    "rule 4.12 what takes over is asked again when it comes and when it goes",
    arguments: Kind.allCases)
  func takesOverLater(kind: Kind) throws {
    try onStage(kind) { stage in
      let asked = Recorder<String>(), el = try stage.node(), p = try stage.watcher()
      let registrar = try stage.registrar(asked), h = try stage.registrarHolder()
      try registrar.assign("element", el)
      try h.add(p, "registrar.count", .prior)
      let reported = try reports { try h.assign("registrar", registrar) }
      #expect(reported.isEmpty && asked.all == ["add count"])
      p.clear()
      try el.assign("count", 1)
      #expect(p.told == ["registrar.count setting prior", "registrar.count setting"])
      try h.assign("registrar", nil)
      #expect(asked.all == ["add count", "remove count"])
      #expect(!el.isObserved)
      try h.remove(p, "registrar.count")
    }
  }

  @Test(
    "rule 4.13 each root of a shared intermediate is told of its own, context included",
    arguments: Kind.allCases)
  func sharedIntermediate(kind: Kind) throws {
    try onStage(kind) { stage in
      let a = try stage.node(), b = try stage.node(), shared = try stage.node()
      let p = try stage.watcher(), contexts = [ObservationContext(), ObservationContext()]
      for (root, context) in zip([a, b], contexts) {
        try root.assign("child", shared)
        try root.add(p, "child.count", .new, context: context)
      }
      try shared.assign("count", 1)
      #expect(p.all.map(\.object) == [b.address, a.address])
      #expect(p.all.map(\.context) == contexts.reversed())
      try a.assign("child", nil)
      #expect(p.told.last == "child.count setting new nil")
      p.clear()
      try shared.assign("count", 2)
      #expect(p.all.map(\.object) == [b.address])
      try a.remove(p, "child.count")
      try b.remove(p, "child.count")
    }
  }

  @Test(
    "rule 4.14 an intermediate held weakly that dies is not told, and may be replaced then",
    arguments: Kind.allCases)
  func weakIntermediate(kind: Kind) throws {
    try onStage(kind) { stage in
      let t = try stage.make("WeakHolder", WeakHolder()) {
        try $0.property("child", .object, ownership: .weak)
      }
      let next = try stage.node(), p = try stage.watcher()
      do {
        let c = try stage.node()
        try t.assign("child", c)
        try t.add(p, "child.count", [.old, .new])
      }
      #expect(p.count == 0)
      #expect(try t.get("child").isNil)
      let reported = try reports { try t.assign("child", next) }
      #expect(reported.isEmpty)
      #expect(p.told == ["child.count setting old nil new 0"])
      try next.assign("count", 1)
      #expect(p.count == 2)
      try t.remove(p, "child.count")
    }
  }

  // MARK: with options, order and several observers

  @Test(
    "rule 1.6 a function and an object observer are told root, full path and context",
    arguments: Kind.allCases)
  func functions(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), told = Recorder<Told>()
      let notes = ["child.count setting old 0 new 1", "child.count setting old 1 new nil"]
      let token = try t.observe("child.count", options: [.old, .new]) { told.add($0) }
      try c.assign("count", 1)
      try t.assign("child", nil)
      #expect(told.all.map { Note($0).description } == notes)
      #expect(told.all.allSatisfy { $0.object == t })
      token.invalidate()
      #expect([t, c].allSatisfy { !$0.isObserved })
      told.clear()
    }
  }

  @Test(
    "rule 1.10 a path is not registered yet inside its Initial, and its token may end there",
    arguments: Kind.allCases)
  func insideInitial(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), errors = Recorder<KeyValueError>()
      let p = try stage.watcher { observer, change in
        guard change.isInitial else { return }
        do throws(KeyValueError) {
          try change.object.removeObserver(observer, forKeyPath: change.keyPath)
        } catch { errors.add(error) }
      }
      try t.add(p, "child.count", [.initial, .new])
      #expect(errors.all.map(\.code) == [.notRegistered])
      try t.remove(p, "child.count")
      let token = try t.observe("child.count", options: .initial) { $0.stopObserving() }
      #expect(!token.isValid)
      #expect([t, c].allSatisfy { !$0.isObserved })
    }
  }

  @Test(
    "rule 1.13 leaf and intermediate both announce themselves to who asks for prior",
    arguments: Kind.allCases)
  func prior(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), p = try stage.watcher()
      try t.add(p, "child.count", [.prior, .old, .new])
      try c.assign("count", 1)
      try t.assign("child", nil)
      #expect(
        p.told == [
          "child.count setting old 0 prior", "child.count setting old 0 new 1",
          "child.count setting old 1 prior", "child.count setting old 1 new nil",
        ])
      try t.remove(p, "child.count")
    }
  }

  @Test(
    "rule 1.17 keys and paths through them keep to the order of registration",
    arguments: Kind.allCases)
  func order(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), order = Recorder<String>()
      let keyPaths = ["child", "child.count", "child.child.name", "child"]
      let watchers = try keyPaths.indices.map { number in
        try stage.watcher { _, change in order.add("\(number)\(change.isPrior ? " prior" : "")") }
      }
      for (watcher, keyPath) in zip(watchers, keyPaths) { try t.add(watcher, keyPath, .prior) }
      try t.assign("child", c)
      let priors = ["0 prior", "1 prior", "2 prior", "3 prior"]
      #expect(order.all == priors + ["3", "2", "1", "0"])
      for (watcher, keyPath) in zip(watchers, keyPaths) { try t.remove(watcher, keyPath) }
    }
  }

  @Test(
    "rule 2.4 who is told later of a leaf that was set meanwhile is told its latest value",
    arguments: Kind.allCases)
  func latestValue(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), later = try stage.watcher()
      let first = try stage.watcher { _, _ in
        if c.number("count") == 1 { attempt { try c.assign("count", 2) } }
      }
      try t.add(later, "child.count", [.old, .new])
      try t.add(first, "child.count")
      try c.assign("count", 1)
      #expect(
        later.told == ["child.count setting old 1 new 2", "child.count setting old 0 new 2"])
      try t.remove(later, "child.count")
      try t.remove(first, "child.count")
    }
  }

  @Test("rule 2.5 a leaf set to an equal value is told", arguments: Kind.allCases)
  func equalValue(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), p = try stage.watcher()
      try t.add(p, "child.count", [.old, .new])
      try c.assign("count", 0)
      #expect(p.told == ["child.count setting old 0 new 0"])
      try t.remove(p, "child.count")
    }
  }

  // MARK: removal

  @Test(
    "rule 3.2 a path is removed latest first, and by its exact context", arguments: Kind.allCases)
  func removalOrder(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), p = try stage.watcher()
      let contexts = (0..<3).map { _ in ObservationContext() }
      for context in contexts { try t.add(p, "child.count", context: context) }
      try t.remove(p, "child.count")
      #expect(t.registrations.map(\.context) == Array(contexts[..<2]))
      try t.remove(p, "child.count", context: contexts[0])
      #expect(c.registrations.count == 1)
      try c.assign("count", 1)
      #expect(p.all.map(\.context) == [contexts[1]])
      try t.remove(p, "child.count")
    }
  }

  @Test(
    "rule 3.4 a path removed between will and did of its leaf, or of its head, is not told",
    arguments: Kind.allCases)
  func removedBetween(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), p = try stage.watcher()
      for (object, key) in [(c, "count"), (t, "child")] {
        try t.add(p, "child.count")
        try object.change(key) { try t.remove(p, "child.count") }
      }
      #expect(p.count == 0)
      #expect([t, c].allSatisfy { !$0.isObserved })
    }
  }

  @Test(
    "rule 6.14 a path registered between will and did of its head is told of later changes",
    arguments: Kind.allCases)
  func addedBetween(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.looseFamily(), next = try stage.node()
      let p = try stage.watcher(), q = try stage.watcher()
      try t.add(q, "child")
      try t.willChangeValue(forKey: "child")
      try t.add(p, "child.count", .new)
      try t.write("child", next)
      try t.didChangeValue(forKey: "child")
      try c.assign("count", 1)
      #expect(p.count == 0)
      try next.assign("count", 2)
      #expect(p.told == ["child.count setting new 2"])
      try t.remove(p, "child.count")
      try t.remove(q, "child")
      #expect([t, c, next].allSatisfy { !$0.isObserved })
    }
  }

  @Test(
    "rule 3.6 an observer may remove itself while its path is being told", arguments: Kind.allCases)
  func removesItself(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family()
      for setting in [{ try c.assign("count", 1) }, { try t.assign("child", nil) }] {
        let p = try stage.watcher { observer, change in
          attempt { try change.object.removeObserver(observer, forKeyPath: change.keyPath) }
        }
        try t.add(p, "child.count")
        try setting()
        #expect(p.count == 1)
        #expect([t, c].allSatisfy { !$0.isObserved })
      }
    }
  }

  @Test(
    "rule 3.7 an intermediate replaced unannounced makes removal fail, which removes all",
    arguments: Kind.allCases)
  func unannouncedAtRemoval(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.looseFamily(), next = try stage.node(), p = try stage.watcher()
      try t.add(p, "child.count")
      try t.write("child", next)
      let error = expectError(.inconsistent, key: "child.count") {
        try t.remove(p, "child.count")
      }
      #expect(error?.exceptionName == "NSInternalInconsistencyException")
      #expect(error?.reason.contains("has changed without an appropriate KVO notification") == true)
      #expect([t, c, next].allSatisfy { !$0.isObserved && !$0.isa.isNotifying })
      expectError(.notRegistered, key: "child.count") {
        try t.remove(p, "child.count")
      }
    }
  }

  @Test(
    "rule 3.7 an intermediate replaced unannounced is a misuse at the next change, told anyway",
    arguments: Kind.allCases)
  func unannouncedAtChange(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.looseFamily(), next = try stage.node(), last = try stage.node()
      let p = try stage.watcher()
      try t.add(p, "child.count")
      try t.write("child", next)
      let reported = try reports { try t.assign("child", last) }
      #expect(reported.map(\.exception) == ["NSInternalInconsistencyException"])
      #expect(p.count == 1)
      #expect([c, next].allSatisfy { !$0.isObserved })
      try last.assign("count", 1)
      #expect(p.count == 2)
      try t.remove(p, "child.count")
    }
  }

  // MARK: lifetime

  @Test("rule 11.1 a root that dies takes its forwarders along", arguments: Kind.allCases)
  func rootDies(kind: Kind) throws {
    try onStage(kind) { stage in
      let c = try stage.node(), p = try stage.watcher()
      do {
        let t = try stage.node()
        try t.assign("child", c)
        try t.add(p, "child.count")
        #expect(c.isObserved)
      }
      #expect(!c.isObserved && !c.isa.isNotifying)
      try c.assign("count", 1)
      #expect(p.count == 0)
    }
  }

  @Test(
    "rule 11.3 an observer of a path that dies is told nothing, and the rest goes on",
    arguments: Kind.allCases)
  func observerDies(kind: Kind) throws {
    try onStage(kind) { stage in
      let (t, c) = try stage.family(), q = try stage.watcher()
      do {
        let p = try stage.watcher()
        try t.add(p, "child.count")
      }
      try t.add(q, "child.count")
      try c.assign("count", 1)
      #expect(q.count == 1)
      try t.remove(q, "child.count")
    }
  }

  @Test(
    "rule 11.4 an intermediate that dies unannounced is silent, and removal succeeds",
    arguments: Kind.allCases)
  func intermediateDies(kind: Kind) throws {
    try onStage(kind) { stage in
      let t = try stage.make("Unowned", WeakHolder()) {
        try $0.property("child", .object, ownership: .weak)
      }
      let p = try stage.watcher()
      do {
        let c = try stage.node()
        try t.assign("child", c)
        try t.add(p, "child.count")
      }
      #expect(try reports { try t.remove(p, "child.count") }.isEmpty)
      #expect(!t.isObserved && p.count == 0)
    }
  }
}
