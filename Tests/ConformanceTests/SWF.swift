import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite("SWF: tokens of the Swift layer", .serialized, .leavesNothing)
struct SwiftTokens {
  @Test("SWF-03 invalidate", arguments: Kind.allCases)
  func invalidate(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), told = Recorder<Void>()
      let token = try i.observe("name") { _ in told.add(()) }
      token.invalidate()
      try i.assign("name", stage.text("five"))
      #expect(told.count == 0)
    }
  }

  // The process does not end: `observe` reports the property by its name, or throws where it takes a
  // name itself.
  @Test("SWF-05 non-objc path", arguments: Kind.allCases)
  func noSuchKey(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.make("Closed", Closed()) { _ in }
      switch i {
      case .made:
        let error = expectError(.notObservable) { _ = try i.observe("swiftOnly") { _ in } }
        #expect(error?.description.contains("swiftOnly") == true)
      case .swift:
        let told = try reports { _ = try i.observe("swiftOnly") { _ in } }
        #expect(told.count == 1 && told.first?.reason.contains("swiftOnly") == true)
      }
      #expect(!i.isObserved)
    }
  }

  // There is no helper that a callback could be injected into: another object of the class changes.
  @Test("SWF-14 helper identity", arguments: Kind.allCases)
  func otherObject(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), other = try stage.item(), told = Recorder<String>()
      let token = try i.observe("count") { change in told.add(change.object.description) }
      try other.assign("count", 1)
      try other.willChangeValue(forKey: "count")
      try other.didChangeValue(forKey: "count")
      #expect(told.count == 0)
      try i.assign("count", 1)
      #expect(told.all == [i.description])
      token.invalidate()
    }
  }

  // The first notification is the initial one, which has no old value.
  @Test("SWF-06 optional", arguments: Kind.allCases)
  func optional(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), told = Recorder<[String]>()
      let options: ObservationOptions = [.initial, .old, .new]
      let token = try i.observe("name", options: options) { change in
        told.add([change.oldWords, change.newWords].map { $0 ?? "absent" })
      }
      try i.assign("name", nil)
      try i.assign("name", stage.text("foo"))
      #expect(told.all == [["absent", "nil"], ["nil", "nil"], ["nil", "foo"]])
      token.invalidate()
    }
  }

  @Test("SWF-09 object gone", arguments: Kind.allCases)
  func objectGone(kind: Kind) throws {
    try onStage(kind) { stage in
      var token: KeyValueObservation?
      do {
        let i = try stage.item()
        token = try i.observe("count") { _ in }
      }
      token?.invalidate()
      token = nil
    }
  }

  @Test("SWF-11 type and isa", arguments: Kind.allCases)
  func claims(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), original = i.isa
      let token = try i.observe("count") { _ in }
      #expect(i.class == original)
      #expect(i.isa.name == "NSKVONotifying_\(original.name)")
      #expect(i.description.contains(original.name))
      token.invalidate()
    }
  }

  @Test("SWF-15 NSKeyValueObservedChange fields", arguments: Kind.allCases)
  func fields(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), told = Recorder<String>()
      try i.assign("count", 3)
      let token = try i.observe("count", options: [.prior, .new, .old]) { change in
        let values = [change.oldWords, change.newWords].map { $0 ?? "nil" }
        told.add("\(change.kind) \(change.isPrior) \(values)")
      }
      try i.assign("count", 4)
      #expect(
        told.all == [#"setting true ["3", "nil"]"#, #"setting false ["3", "4"]"#])
      token.invalidate()
    }
  }

  @Test("SWF-02 dependent via customization", arguments: Kind.allCases)
  func customized(kind: Kind) throws {
    try onStage(kind) { stage in
      let base = try stage.define("Values") {
        try $0.properties(.object, "objcValue", "objcValue2", "objcValue3")
      }
      let object = try stage.make("Target", Customized(), superclass: base) {
        try $0.keyPathsForValuesAffecting { _, key, inherited in
          key == "objcValue" ? ["objcValue2", "objcValue3"] : inherited
        }
        try $0.automaticallyNotifies { ["objcValue2", "objcValue3"].contains($0) ? false : nil }
        try $0.method("setObjcValue2:", "v@:@") { call in
          attempt { _ = try call.receiver.change("objcValue2") { try call.callSuper() } }
        }
      }
      let told = Recorder<Void>()
      let token = try object.observe("objcValue") { _ in told.add(()) }
      try object.assign("objcValue2", "six")
      #expect(told.count == 1)
      try object.assign("objcValue3", "nothing")
      #expect(told.count == 1)
      token.invalidate()
    }
  }

  @Test("SWF-08 nested observe inside customization callbacks", arguments: Kind.allCases)
  func observesInCallbacks(kind: Kind) throws {
    try onStage(kind) { stage in
      let other = try stage.fixture("Other") { try $0.property("name", .object) }
      let asked = kind == .swift ? Asking.asked : Recorder<String>()
      let targets = try [("Target", { Target() }), ("Target2", { Target2() })].map { stem, swift in
        try stage.make(stem, swift()) {
          try $0.property("name", .object)
          try $0.keyPathsForValuesAffecting { _, key, inherited in
            asked.add("affecting \(key)")
            attempt { _ = try other.allocate().observe("name") { _ in } }
            return inherited
          }
          try $0.automaticallyNotifies { key in
            asked.add("automatic \(key)")
            attempt { _ = try other.allocate().observe("name") { _ in } }
            return nil
          }
        }
      }
      for object in targets {
        asked.clear()
        let told = Recorder<Void>()
        let token = try object.observe("name") { _ in told.add(()) }
        #expect(Set(asked.all) == ["affecting name", "automatic name"])
        try object.assign("name", "x")
        #expect(told.count == 1)
        token.invalidate()
        #expect(!object.isObserved)
      }
    }
  }

  // A write to the ivar stands for an assignment that is not dispatched; in Swift it is one of a
  // property without a wrapper.
  @Test("SWF-12 dynamic vs objc only", arguments: Kind.allCases)
  func notDispatched(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.plain()
      let p = try stage.watcher()
      try i.add(p, "count", .new)
      try i.write("count", 1)
      #expect(p.count == 0)
      try i.setValue(2, forKey: "count")
      #expect(p.told == ["count setting new 2"])
      try i.remove(p, "count")
    }
  }
}

// MARK: - Swift classes

private final class Closed: KVObject, TypedObject {
  @Dynamic var open = 0
  var swiftOnly = 0

  var properties: [String: TypedProperty] { ["swiftOnly": .at(\Closed.swiftOnly)] }
}

private final class Customized: KVObject, TypedObject {
  @Dynamic var objcValue: String?
  @Dynamic var objcValue2: String? {
    willSet { willChangeValue(forKey: "objcValue2") }
    didSet { didChangeValue(forKey: "objcValue2") }
  }
  @Dynamic var objcValue3: String?

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "objcValue"
      ? ["objcValue2", "objcValue3"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    !["objcValue2", "objcValue3"].contains(key)
  }
  var properties: [String: TypedProperty] {
    [
      "objcValue": .at(\Customized.objcValue), "objcValue2": .at(\Customized.objcValue2),
      "objcValue3": .at(\Customized.objcValue3),
    ]
  }
}

/// A class that observes something else when it is asked about its keys.
private class Asking: KVObject, TypedObject {
  static let asked = Recorder<String>()
  @Dynamic var name: String?

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    note("affecting \(key)")
    return super.keyPathsForValuesAffectingValue(forKey: key)
  }
  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    note("automatic \(key)")
    return true
  }
  private static func note(_ question: String) {
    asked.add(question)
    attempt { _ = Item().observe(\.name) { _, _ in } }
  }
  var properties: [String: TypedProperty] { ["name": .at(\Asking.name)] }
}

private final class Target: Asking {}
private final class Target2: Asking {}
