import Foundation
import IsaKVO
import KVOTrace
import Testing

/// Traces that the library itself has recorded.
@Suite(.serialized, .oneAtATime)
struct RecorderTests {
  private final class TracedOrder: KVObject {
    @Dynamic var total = 0
    @Dynamic var count = 0
  }

  /// Records what `body` does, and opens the trace.
  private func record(
    _ options: KeyValueTrace.Options = .init(), _ body: () throws -> Void
  ) throws -> Trace {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("kvotrace-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try KeyValueTrace.start(to: path, options: options)
    defer { KeyValueTrace.stop() }
    try body()
    let growing = try Trace(path: path)
    #expect(growing.isBeingRecorded)
    #expect(KeyValueTrace.stop())
    let trace = try Trace(path: path)
    #expect(trace.events.map(\.id) == growing.events.map(\.id))
    #expect(trace.header.end == .stopped)
    #expect(!trace.isBeingRecorded)
    return trace
  }

  @Test("a recorded life has its changes, handlers, places and values")
  func life() throws {
    var line = 0
    let trace = try record {
      let order = TracedOrder()
      line = #line + 1
      let token = order.observe(\.count, options: [.old, .new]) { order, _ in order.total += 1 }
      for count in 1...3 { order.count = count }
      token.invalidate()
    }
    let summary = trace.summary()
    #expect(summary.problems.isEmpty)
    #expect(summary.keys.map { trace.text($0.key.key) } == ["count"])
    #expect(summary.keys.first?.changes == 3)
    let handler = try #require(summary.handlers.first)
    #expect(handler.runs == 3)
    #expect(trace.text(handler.origin.file).hasSuffix("RecorderTests.swift"))
    #expect(Int(handler.origin.line) == line)
    #expect(summary.open.isEmpty)
    let sets = trace.sets(of: try #require(TraceProperty("TracedOrder.count")))
    #expect(sets.changes.map(\.value) == [.integer(1), .integer(2), .integer(3)])
    #expect(sets.changes.map(\.oldValue) == [.integer(0), .integer(1), .integer(2)])
    let last = try #require(sets.changes.last)
    #expect(trace.why(last.event.id)?.end == .program)
  }

  @Test("a ring keeps the latest events and says how many it has lost")
  func ring() throws {
    let options = KeyValueTrace.Options(limit: 1 << 20, keep: .latest)
    let trace = try record(options) {
      let order = TracedOrder()
      let token = order.observe(\.count, options: [.old, .new]) { _, _ in }
      for count in 1...60_000 { order.count = count }
      token.invalidate()
    }
    let summary = trace.summary()
    #expect(trace.header.keep == .latest)
    #expect(summary.lostEvents > 0)
    #expect(summary.keys.first.map { $0.changes < 60_000 && $0.changes > 10_000 } == true)
    #expect(summary.problems.isEmpty)
    #expect(summary.open.isEmpty)
    #expect(trace.observers().count == 1)
  }

  @Test("threads that record at the same time are merged by id, and none of their events is torn")
  func threads() throws {
    let trace = try record {
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        let order = TracedOrder()
        let token = order.observe(\.count, options: [.old, .new]) { _, _ in }
        for count in 1...2000 { order.count = count }
        token.invalidate()
      }
    }
    let ids = trace.events.map(\.id)
    #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
    let summary = trace.summary()
    #expect(summary.keys.first?.changes == 16_000)
    #expect(summary.handlers.map(\.runs).reduce(0, +) == 16_000)
    #expect(summary.problems.isEmpty && summary.open.isEmpty)
  }

  @Test("a follower tells all events of a program while it records")
  func follow() throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("kvotrace-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try KeyValueTrace.start(to: path)
    defer { KeyValueTrace.stop() }
    let follower = try TraceFollower(path: path)
    var told: [UInt64] = []
    let order = TracedOrder()
    let token = order.observe(\.count, options: [.old, .new]) { _, _ in }
    for round in 1...20 {
      for count in 1...500 { order.count = round * count }
      told += try follower.read().map(\.id)
    }
    token.invalidate()
    KeyValueTrace.stop()
    told += try follower.read().map(\.id)
    #expect(told == told.sorted())
    #expect(told == (try Trace(path: path).events.map(\.id)))
  }
}
