import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite("SWF: tokens of the Swift layer", .serialized, .leavesNothing)
struct SwiftTokens {
  @Test("SWF-03 invalidate")
  func invalidate() throws {
    try onStage { stage in
      let i = try stage.item(), told = Recorder<Void>()
      let token = try i.observe("name") { _ in told.add(()) }
      token.invalidate()
      try i.assign("name", stage.text("five"))
      #expect(told.count == 0)
    }
  }

  // The process does not end: `observe` throws, naming what cannot be observed.
  @Test("SWF-05 non-objc path")
  func noSuchKey() throws {
    try onStage { stage in
      let i = try stage.item()
      let error = expectError(.notObservable, key: "swiftOnly") {
        _ = try i.observe("swiftOnly") { _ in }
      }
      #expect(error?.description.contains("swiftOnly") == true)
      #expect(!i.isObserved)
    }
  }

  // There is no helper that a callback could be injected into: another object of the class changes.
  @Test("SWF-14 helper identity")
  func otherObject() throws {
    try onStage { stage in
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
  @Test("SWF-06 optional")
  func optional() throws {
    try onStage { stage in
      let i = try stage.item(), told = Recorder<[String]>()
      let options: ObservationOptions = [.initial, .old, .new]
      let token = try i.observe("name", as: RuntimeObject?.self, options: options) { change in
        told.add([change.oldValue, change.newValue].map(inWords))
      }
      try i.assign("name", nil)
      try i.assign("name", stage.text("foo"))
      #expect(told.all == [["absent", "nil"], ["nil", "nil"], ["nil", "foo"]])
      token.invalidate()
    }
  }

  @Test("SWF-09 object gone")
  func objectGone() throws {
    try onStage { stage in
      var token: KeyValueObservation?
      do {
        let i = try stage.item()
        token = try i.observe("count") { _ in }
      }
      token?.invalidate()
      token = nil
    }
  }

  @Test("SWF-11 type and isa")
  func claims() throws {
    try onStage { stage in
      let i = try stage.item(), original = i.isa
      let token = try i.observe("count") { _ in }
      #expect(i.class == original)
      #expect(i.isa.name == "NSKVONotifying_\(original.name)")
      #expect(i.description.contains(original.name))
      token.invalidate()
    }
  }

  @Test("SWF-15 NSKeyValueObservedChange fields")
  func fields() throws {
    try onStage { stage in
      let i = try stage.item(), told = Recorder<String>()
      try i.assign("count", 3)
      let token = try i.observe("count", as: Int.self, options: [.prior, .new, .old]) { change in
        let values = [change.oldValue, change.newValue].map { $0.map(String.init) ?? "nil" }
        told.add("\(change.kind) \(change.isPrior) \(values)")
      }
      try i.assign("count", 4)
      #expect(
        told.all == [#"setting true ["3", "nil"]"#, #"setting false ["3", "4"]"#])
      token.invalidate()
    }
  }

  @Test("SWF-02 dependent via customization")
  func customized() throws {
    try onStage { stage in
      let base = try stage.define("Values") {
        try $0.properties(.object, "objcValue", "objcValue2", "objcValue3")
      }
      let object = try stage.define("Target", superclass: base) {
        try $0.keyPathsForValuesAffecting { _, key, inherited in
          key == "objcValue" ? ["objcValue2", "objcValue3"] : inherited
        }
        try $0.automaticallyNotifies { ["objcValue2", "objcValue3"].contains($0) ? false : nil }
        try $0.method("setObjcValue2:", "v@:@") { call in
          attempt { _ = try call.receiver.change("objcValue2") { try call.callSuper() } }
        }
      }.allocate()
      let told = Recorder<Void>()
      let token = try object.observe("objcValue") { _ in told.add(()) }
      try object.assign("objcValue2", "six")
      #expect(told.count == 1)
      try object.assign("objcValue3", "nothing")
      #expect(told.count == 1)
      token.invalidate()
    }
  }

  @Test("SWF-08 nested observe inside customization callbacks")
  func observesInCallbacks() throws {
    try onStage { stage in
      let other = try stage.fixture("Other") { try $0.property("name", .object) }
      let asked = Recorder<String>()
      let targets = try ["Target", "Target2"].map { stem in
        try stage.define(stem) {
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
      for target in targets {
        asked.clear()
        let object = try target.allocate(), told = Recorder<Void>()
        let token = try object.observe("name") { _ in told.add(()) }
        #expect(Set(asked.all) == ["affecting name", "automatic name"])
        try object.assign("name", "x")
        #expect(told.count == 1)
        token.invalidate()
        #expect(!object.isObserved)
      }
    }
  }

  // A write to the ivar stands for an assignment that is not dispatched.
  @Test("SWF-12 dynamic vs objc only")
  func notDispatched() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.add(p, "count", .new)
      try i.poke(ivar: "_count", 1)
      #expect(p.count == 0)
      try i.setValue(2, forKey: "count")
      #expect(p.told == ["count setting new 2"])
      try i.remove(p, "count")
    }
  }
}

/// Tells absent from nil.
private func inWords(_ value: RuntimeObject??) -> String {
  switch value {
  case .none: "absent"
  case .some(.none): "nil"
  case .some(.some(let object)): words(for: RuntimeValue(object))
  }
}
