import IsaKVO
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
      var token: Observation?
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
}

/// Tells absent from nil.
private func inWords(_ value: RuntimeObject??) -> String {
  switch value {
  case .none: "absent"
  case .some(.none): "nil"
  case .some(.some(let object)): words(for: RuntimeValue(object))
  }
}
