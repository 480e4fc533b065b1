import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("Rules 11: lifetime", .serialized, .leavesNothing)
struct LifetimeRules {
  @Test(
    "rule 11.2 what a class's own dealloc still changes is heard, then registrations end",
    arguments: Kind.allCases)
  func changeInDealloc(kind: Kind) throws {
    try onStage(kind) { stage in
      let p = try stage.watcher()
      do {
        let object = try stage.make("Farewell", Farewell(), superclass: stage.itemClass()) {
          try $0.method("dealloc", "v@:") { call in
            attempt { try call.receiver.assign("count", 0) }
          }
        }
        try object.assign("count", 1)
        try object.add(p, "count", [.old, .new])
      }
      #expect(p.told == ["count setting old 1 new 0"])
    }
  }

  @Test(
    "rule 11.3 a dead observer is collected at the next add or remove", arguments: Kind.allCases)
  func collected(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher(), log = try RuntimeEventLog()
      do {
        let mortal = try stage.observer { _, _ in }
        try i.addObserver(mortal, forKeyPath: "count")
      }
      try i.add(p, "flag")
      log.stop()
      #expect(i.registrations.map(\.keyPath) == ["flag"])
      let removed = log.events.filter { $0.kind == .observerRemoved }
      #expect(removed.map(\.reason) == [.observerDied])
      try i.remove(p, "flag")
    }
  }

  @Test("rule 11.5 a context is compared and handed back, never followed", arguments: Kind.allCases)
  func context(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      let nowhere = ObservationContext(address: 1)
      try i.add(p, "count", context: nowhere)
      try i.assign("count", 1)
      #expect(p.all.map(\.context) == [nowhere])
      try i.remove(p, "count", context: nowhere)
    }
  }
}

// MARK: - Swift classes

private final class Farewell: Item {
  deinit { count = 0 }
}
