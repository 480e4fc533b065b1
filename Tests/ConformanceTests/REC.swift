import CIsa
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("REC: re-entrancy", .serialized, .leavesNothing)
struct Reentrancy {
  @Test("REC-01 set inside callback", arguments: Kind.allCases)
  func setInside(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), trace = Recorder<String>()
      let p = try stage.watcher { _, change in
        attempt {
          let count = try change.object.get("count", as: Int.self)
          trace.add(">> \(count)")
          if count != 2 { try change.object.assign("count", 2) }
          trace.add("<<")
        }
      }
      try i.add(p, "count")
      try i.assign("count", 1)
      #expect(trace.all == [">> 1", ">> 2", "<<", "<<"])
      try i.remove(p, "count")
    }
  }

  @Test("REC-02 two observers, last-registered sets", arguments: Kind.allCases)
  func lastRegisteredSets(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), trace = Recorder<String>()
      @Sendable func note(_ name: String, _ object: Subject, reset: Bool) {
        attempt {
          let count = try object.get("count", as: Int.self)
          trace.add("\(name) in(\(count))")
          if reset && count == 1 { try object.assign("count", 2) }
          trace.add("\(name) out")
        }
      }
      let s = try stage.watcher { _, change in note("S", change.object, reset: false) }
      let f = try stage.watcher { _, change in note("F", change.object, reset: true) }
      try i.add(s, "count")
      try i.add(f, "count")
      try i.assign("count", 1)
      #expect(
        trace.all == [
          "F in(1)", "F in(2)", "F out", "S in(2)", "S out", "F out", "S in(2)", "S out",
        ])
      try i.remove(s, "count")
      try i.remove(f, "count")
    }
  }

  @Test("REC-04 manual interleaved with recursion", arguments: Kind.allCases)
  func interleavedRecursion(kind: Kind) throws {
    try onStage(kind) { stage in
      let dependent = try manualDependent(stage), level = Shared(1), trace = Recorder<String>()
      let p = try stage.watcher { _, change in
        attempt {
          if change.keyPath == "anInt", !change.isPrior,
            try change.object.get("anInt", as: Int.self) != 42
          {
            level.value += 1
            try change.object.assign("anInt", 42)
            level.value -= 1
          }
          let value = try change.object.get(change.keyPath)
          let phase = change.isPrior ? "will" : "did"
          trace.add("\(level.value) \(phase) \(change.keyPath) \(value.string ?? "\(value)")")
        }
      }
      try dependent.add(p, "anInt", .prior)
      try dependent.add(p, "str", .prior)
      try dependent.assign("anInt", 1)
      #expect(
        trace.all == [
          "1 will anInt 0", "1 will str 0", "2 will anInt 1", "2 will str 1", "2 did anInt 42",
          "2 did str 42", "1 did anInt 42", "1 did str 42",
        ])
      try dependent.remove(p, "str")
      try dependent.remove(p, "anInt")
    }
  }

  /// A ManualDependent: its setter announces `anInt` and `str`, which reads `anInt` as text.
  private func manualDependent(_ stage: Stage) throws -> Subject {
    let base = try stage.define("Number") { try $0.property("anInt", .int64) }
    return try stage.make("ManualDependent", ManualDependent(), superclass: base) {
      try $0.notAutomatic(["anInt"])
      try $0.method("str", "*@:") { call in
        RuntimeValue("\((try? call.receiver.get("anInt", as: Int.self)) ?? -1)")
      }
      try $0.method("setAnInt:", "v@:q") { call in
        attempt {
          for key in ["anInt", "str"] { try call.receiver.willChangeValue(forKey: key) }
          try call.callSuper()
          for key in ["anInt", "str"] { try call.receiver.didChangeValue(forKey: key) }
        }
      }
    }
  }

  // The observer's method is a C function, whose arguments add no reference of their own.
  @Test("REC-05 remove self and release inside callback")
  func leaves() throws {
    try onStage { stage in
      let i = try stage.item()
      let leavers = try isa_class_find(stage.define("Leaver").name)
      let observe = isa_sel_register(RuntimeSelector.observeValue.name)
      let imp = unsafeBitCast(removeAndRelease, to: isa_imp.self)
      #expect(isa_class_add_method(leavers, observe, imp, "v@:*@^v^v") == ISA_OK)
      var leaver: isa_id?
      #expect(isa_object_allocate(leavers, &leaver) == ISA_OK)
      var slot = isa_weak()
      #expect(isa_weak_init(&slot, leaver) == ISA_OK)
      #expect(kvo_add_observer(i.id, leaver, "count", 0, nil) == ISA_OK)
      try i.assign("count", 42)
      #expect(countInside.value == 2)
      #expect(isa_weak_copy(&slot) == nil)
      isa_weak_destroy(&slot)
      #expect(!i.isObserved)
    }
  }

  @Test("REC-05 released in its own callback, it goes afterwards", arguments: Kind.allCases)
  func goes(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), holder = Shared<Observer?>(nil), end: RuntimeWeakReference
      do {
        let leaver = try stage.observer { observer, change in
          attempt { try change.object.removeObserver(observer, forKeyPath: "count") }
          holder.value = nil
        }
        end = try RuntimeWeakReference(to: leaver.object)
        try i.addObserver(leaver, forKeyPath: "count")
        holder.value = leaver
      }
      try i.assign("count", 42)
      #expect(holder.value == nil && end.object == nil)
      #expect(!i.isObserved)
    }
  }

  @Test("REC-07 add during prior", arguments: Kind.allCases)
  func addDuringPrior(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), n = try stage.watcher(), isAdded = Shared(false)
      let m = try stage.watcher { _, change in
        guard change.isPrior, !isAdded.value else { return }
        isAdded.value = true
        attempt { try change.object.add(n, "count", .new) }
      }
      try i.add(m, "count", [.new, .prior])
      for count in 1...3 { try i.assign("count", RuntimeValue(count)) }
      #expect(n.told == ["count setting new 2", "count setting new 3"])
      #expect(m.count == 6)
      try i.remove(m, "count")
      try i.remove(n, "count")
    }
  }

  @Test("REC-08 add on another key during callback", arguments: Kind.allCases)
  func addOnAnotherKey(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), n = try stage.watcher(), isAdded = Shared(false)
      let m = try stage.watcher { _, change in
        guard change.isPrior, !isAdded.value else { return }
        isAdded.value = true
        attempt { try change.object.add(n, "flag", .new) }
      }
      try i.add(m, "count", [.new, .prior])
      try i.assign("count", 1)
      try i.assign("flag", true)
      #expect(n.told == ["flag setting new true"])
      try i.remove(m, "count")
      try i.remove(n, "flag")
    }
  }

  @Test("REC-10 wrapper cancel in Initial", arguments: Kind.allCases)
  func cancelInInitial(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), told = Recorder<Bool>()
      let token = try i.observe("count", options: [.initial, .new]) { change in
        told.add(change.isInitial)
        change.stopObserving()
      }
      try i.assign("count", 1)
      #expect(told.all == [true])
      #expect(!token.isValid)
      #expect(!i.isObserved)
    }
  }

  @Test("REC-11 self-observation chain", arguments: Kind.allCases)
  func selfObservation(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("SelfObserver", SelfObserver()) {
        try $0.property("integer", .int64).property("integer2", .int64)
        try $0.observer { observer, change in
          guard change.keyPath == "integer", change.object == observer else { return }
          attempt { try observer.assign("integer2", 11) }
        }
      }
      try object.addObserver(Observer(object), forKeyPath: "integer")
      try object.assign("integer", 1)
      #expect(try object.get("integer2", as: Int.self) == 11)
      try object.removeObserver(Observer(object), forKeyPath: "integer")
    }
  }
}

private let countInside = Shared(0)

private let removeAndRelease:
  @convention(c) (
    isa_id, isa_sel, UnsafePointer<CChar>, isa_id, UnsafePointer<kvo_change>,
    UnsafeMutableRawPointer?
  ) -> Void = { observer, _, keyPath, object, _, _ in
    countInside.value = isa_object_retain_count(observer)
    let status = kvo_remove_observer(object, observer, keyPath)
    #expect(status == ISA_OK)
    isa_object_release(observer)
  }

// MARK: - Swift classes

private final class ManualDependent: KVObject, TypedObject {
  @Dynamic var anInt = 0 {
    willSet { for key in ["anInt", "str"] { willChangeValue(forKey: key) } }
    didSet { for key in ["anInt", "str"] { didChangeValue(forKey: key) } }
  }
  var str: String { "\(anInt)" }

  override class var keys: [KeyDeclaration] { [.key("str", \ManualDependent.str)] }
  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    key != "anInt"
  }
  var properties: [String: TypedProperty] {
    ["anInt": .at(\ManualDependent.anInt), "str": .at(\ManualDependent.str)]
  }
}

private final class SelfObserver: KVObject, TypedObject {
  @Dynamic var integer = 0
  @Dynamic var integer2 = 0

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    if keyPath == "integer", object as? SelfObserver === self { integer2 = 11 }
  }

  var properties: [String: TypedProperty] {
    ["integer": .at(\SelfObserver.integer), "integer2": .at(\SelfObserver.integer2)]
  }
}
