import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("Rules 2: change dictionary", .serialized, .leavesNothing)
struct ChangeRules {
  @Test(
    "rule 2.3 values of every type come with their encoding",
    arguments: [
      (.int8, -8), (.uint16, 16), (.int32, -32), (.uint64, 64), (.float, 0.5), (.double, 0.25),
      (.bool, true), (.classObject, RuntimeValue(RuntimeClass.root)),
      ("{CGPoint=dd}", nil), ("{Big=q[9i]c}", nil),
    ] as [(RuntimeTypeEncoding, RuntimeValue?)])
  func valueTypes(encoding: RuntimeTypeEncoding, sample: RuntimeValue?) throws {
    let size = try encoding.measure().size
    let value = try sample ?? RuntimeValue(encoding, bytes: (0..<size).map { UInt8($0) })
    try onStage { stage in
      let object = try stage.define("Box") { try $0.property("x", encoding) }.allocate()
      let changes = Recorder<Told>(),
        p = try stage.watcher { _, change in changes.add(change) }
      try object.add(p, "x", [.old, .new])
      try object.send("setX:", value)
      let change = try #require(changes.all.first)
      #expect(change.newValue?.encoding == encoding)
      #expect(change.oldValue?.encoding == encoding)
      #expect(try change.newValue == value.converted(to: encoding))
      try object.remove(p, "x")
      changes.clear()
    }
  }

  @Test(
    "rule 2.4 who is told later sees the latest new, and the old of the outer change",
    arguments: Kind.allCases)
  func valueAtDelivery(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), s = try stage.watcher()
      let f = try stage.watcher { _, change in
        guard change.newValue == 1 else { return }
        attempt { try change.object.assign("count", 2) }
      }
      try i.add(s, "count", [.old, .new])
      try i.add(f, "count", [.old, .new])
      try i.assign("count", 1)
      #expect(f.told == ["count setting old 0 new 1", "count setting old 1 new 2"])
      #expect(s.told == ["count setting old 1 new 2", "count setting old 0 new 2"])
      try i.remove(s, "count")
      try i.remove(f, "count")
    }
  }

  @Test("rule 2.6 an old object lives as long as the change that is told", arguments: Kind.allCases)
  func oldObjectLives(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.assign("name", stage.text("only the property holds me"))
      try i.add(p, "name", .old)
      try i.assign("name", nil)
      #expect(p.told == ["name setting old only the property holds me"])
      try i.remove(p, "name")
    }
  }

  @Test("rule 2.7 options are each registration's own", arguments: Kind.allCases)
  func optionsDoNotLeak(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item()
      let options: [ObservationOptions] = [[], .new, .old, [.old, .new], .prior]
      let watchers = try options.map { _ in try stage.watcher() }
      for (watcher, options) in zip(watchers, options) { try i.add(watcher, "count", options) }
      try i.assign("count", 1)
      #expect(
        watchers.map(\.told) == [
          ["count setting"], ["count setting new 1"], ["count setting old 0"],
          ["count setting old 0 new 1"], ["count setting prior", "count setting"],
        ])
      for watcher in watchers { try i.remove(watcher, "count") }
    }
  }
}
