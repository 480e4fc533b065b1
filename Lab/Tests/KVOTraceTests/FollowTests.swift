import Foundation
import KVOTrace
import Testing

/// A file that a test writes to while a trace of it is open.
private final class GrowingFile {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).kvotrace"
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The file stays the same one, as with a recorder.
  func write(_ bytes: [UInt8]) throws {
    if !FileManager.default.fileExists(atPath: path) { try Data().write(to: url) }
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  private var url: URL { URL(fileURLWithPath: path) }
}

@Suite("A trace that is being recorded")
struct FollowTests {
  private func builder() -> TraceBuilder {
    var builder = TraceBuilder(chunkSize: 600)
    builder.endReason = 0
    return builder
  }

  @Test("each event is told once, over chunks and streams, with the texts that came with it")
  func growth() throws {
    let file = GrowingFile()
    var builder = builder()
    try file.write(builder.bytes)
    let follower = try TraceFollower(path: file.path)
    var told: [UInt64] = []
    for id in UInt64(1)...300 {
      let kind: TraceEventKind = id % 10 == 0 ? .observerAdded : .mark
      let stream = id % 10 == 0 ? 0 : UInt32(1 + id % 2)
      builder.event(BuiltEvent(kind: kind, id: id, time: id, name: "text \(id)"), stream: stream)
      guard id % 7 == 0 || id == 300 else { continue }
      try file.write(builder.bytes)
      let events = try follower.read()
      for event in events { #expect(follower.trace.text(event.name) == "text \(event.id)") }
      told += events.map(\.id)
    }
    #expect(told == Array(1...300))
    #expect(try follower.read().isEmpty)
    #expect(follower.trace.events.map(\.id) == told)
    #expect(follower.trace.problems.isEmpty)
  }

  @Test("a chunk that a ring has taken back and used again is read from its begin")
  func ring() throws {
    let file = GrowingFile()
    var builder = builder()
    for id in 1...3 as ClosedRange<UInt64> { builder.event(BuiltEvent(kind: .mark, id: id)) }
    try file.write(builder.bytes)
    let follower = try TraceFollower(path: file.path)
    #expect(try follower.read().map(\.id) == [1, 2, 3])
    var again = self.builder()
    for id in 8...12 as ClosedRange<UInt64> { again.event(BuiltEvent(kind: .mark, id: id)) }
    again.changeChunk(0) { $0.sequence = 9 }
    try file.write(again.bytes)
    #expect(try follower.read().map(\.id) == [8, 9, 10, 11, 12])
  }

  @Test("a chunk that was used again since the trace was opened is left out, and not torn")
  func reused() throws {
    let file = GrowingFile()
    var builder = builder()
    builder.event(BuiltEvent(kind: .mark, id: 1))
    builder.endChunk(1)
    builder.event(BuiltEvent(kind: .mark, id: 2))
    try file.write(builder.bytes)
    let trace = try Trace(path: file.path)
    builder.changeChunk(0) { $0.sequence = 7 }
    try file.write(builder.bytes)
    #expect(trace.events.map(\.id) == [2])
    try trace.refresh()
    #expect(trace.events.map(\.id).sorted() == [1, 2])
  }

  @Test("another program's trace in the same file is told from its first event on")
  func anotherProgram() throws {
    let file = GrowingFile()
    var first = builder()
    first.event(BuiltEvent(kind: .mark, id: 1))
    try file.write(first.bytes)
    let follower = try TraceFollower(path: file.path)
    #expect(try follower.read().map(\.id) == [1])
    var second = builder()
    second.startTime = 2_000_000
    second.event(BuiltEvent(kind: .mark, id: 1))
    try file.write(second.bytes)
    #expect(try follower.read().map(\.id) == [1])
    try file.write(Array("no trace at all".utf8))
    #expect(throws: TraceError.self) { try follower.read() }
  }

  @Test("whether a program is recording is told by the file's lock")
  func lock() throws {
    let file = GrowingFile()
    try file.write(builder().bytes)
    let trace = try Trace(path: file.path)
    #expect(!trace.isBeingRecorded)
    let recorder = open(file.path, O_RDWR)
    defer { close(recorder) }
    try #require(flock(recorder, LOCK_EX | LOCK_NB) == 0)
    #expect(trace.isBeingRecorded)
  }
}
