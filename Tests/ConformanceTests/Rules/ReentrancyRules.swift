import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite("Rules 7: recursion and re-entrancy", .serialized, .leavesNothing)
struct ReentrancyRules {
  @Test(
    "rule 7.4 who is removed by an observer told earlier is not told of this change",
    arguments: Kind.allCases)
  func removedByAnother(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), victim = try stage.watcher()
      let remover = try stage.watcher { _, change in
        attempt { try change.object.remove(victim, "count") }
      }
      try i.add(victim, "count")
      try i.add(remover, "count")
      try i.assign("count", 1)
      #expect(victim.count == 0)
      #expect(remover.count == 1)
      try i.remove(remover, "count")
    }
  }

  @Test(
    "rule 7.4 a token ended by an observer told earlier does not fire", arguments: Kind.allCases)
  func endedByAnother(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), told = Recorder<String>()
      let victim = try i.observe("count") { _ in told.add("victim") }
      let ender = try i.observe("count") { _ in victim.invalidate() }
      try i.assign("count", 1)
      #expect(told.all.isEmpty)
      ender.invalidate()
    }
  }

  @Test(
    "rule 7.5 who is added inside a callback hears later changes only", arguments: Kind.allCases)
  func addedInCallback(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), n = try stage.watcher(), isAdded = Shared(false)
      let m = try stage.watcher { _, change in
        guard !isAdded.value else { return }
        isAdded.value = true
        attempt { try change.object.add(n, "count", .new) }
      }
      try i.add(m, "count")
      try i.assign("count", 1)
      #expect(n.count == 0)
      try i.assign("count", 2)
      #expect(n.told == ["count setting new 2"])
      try i.remove(m, "count")
      try i.remove(n, "count")
    }
  }
}
