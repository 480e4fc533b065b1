import Foundation
import KVOTrace
import Testing

@Suite("Reading a trace")
struct ReadingTests {
  /// An event with every field, whose values are not those of any other field.
  static let full = BuiltEvent(
    kind: .observerAdded, id: 7, cause: 3, time: 1_000_050, thread: 2, object: 0x7fff_0000_1000,
    name: "address.city", registration: 12, flags: [.newOption, .forwarder], value: .integer(-5),
    oldValue: .text("old", length: 9), count: 4, className: "Person", selector: "setAge:",
    otherClass: "Human", serves: 11, observer: 0x7fff_0000_2000, callback: 0x5555_0000,
    implementation: 0x5555_1000, key: "age", status: 33, reason: .observerDied, line: 42,
    file: "App/Main.swift", stack: 1)

  private func expectFull(_ trace: Trace, _ event: TraceEvent) {
    #expect(event.kind == .observerAdded)
    #expect((event.id, event.cause, event.time, event.thread) == (7, 3, 1_000_050, 2))
    #expect(event.object == 0x7fff_0000_1000)
    #expect(trace.text(event.name) == "address.city")
    #expect((event.registration, event.serves, event.count) == (12, 11, 4))
    #expect(event.flags == [.newOption, .forwarder])
    #expect(event.value == .integer(-5))
    #expect(event.oldValue == .text("old", length: 9))
    #expect(trace.text(event.className) == "Person")
    #expect(trace.text(event.selector) == "setAge:")
    #expect(trace.text(event.otherClass) == "Human")
    #expect(event.observer == 0x7fff_0000_2000)
    #expect((event.callback, event.implementation) == (0x5555_0000, 0x5555_1000))
    #expect(trace.text(event.key) == "age")
    #expect((event.status, event.line, event.stack) == (33, 42, 1))
    #expect(event.reason == .observerDied)
    #expect(trace.text(event.file) == "App/Main.swift")
  }

  @Test(
    "an event has all its fields, in either byte order and for either size of addresses",
    arguments: [false, true], [4, 8] as [UInt32])
  func allFields(isBigEndian: Bool, pointerSize: UInt32) throws {
    var builder = TraceBuilder(isBigEndian: isBigEndian, pointerSize: pointerSize)
    builder.event(Self.full)
    let trace = try builder.trace()
    let events = Array(trace.events)
    try #require(events.count == 1)
    expectFull(trace, events[0])
    #expect(trace.problems.isEmpty)
    #expect((trace.header.isBigEndian, trace.header.pointerSize) == (isBigEndian, pointerSize))
  }

  @Test("a value of each type is read as it was written", arguments: [false, true])
  func values(isBigEndian: Bool) throws {
    let values: [TraceValue] = [
      .integer(.min), .integer(0), .unsigned(.max), .bool(true), .float(-1.5), .double(.pi), .null,
      .object(0x1234_5670), .text("", length: 0), .text("grüß", length: 6), .unrecorded(1),
    ]
    var builder = TraceBuilder(isBigEndian: isBigEndian)
    for (index, value) in values.enumerated() {
      builder.event(
        BuiltEvent(kind: .notification, id: UInt64(index + 1), value: value, oldValue: value))
    }
    let trace = try builder.trace()
    #expect(trace.events.map(\.value) == values)
    #expect(trace.events.map(\.oldValue) == values)
  }

  @Test("a text that was cut within a character ends before it")
  func cutText() throws {
    let cut = BuiltEvent(
      kind: .mark, id: 1, laterFields: 1 << 4, laterBytes: [0x54, 9, 4, 65, 66, 0xe2, 0x82])
    var builder = TraceBuilder()
    builder.event(cut)
    #expect(try builder.trace().events.map(\.value) == [.text("AB", length: 9)])
  }

  @Test("the header says how the trace was recorded and how recording ended")
  func header() throws {
    var builder = TraceBuilder()
    (builder.keep, builder.stacks, builder.values) = (1, 2, 2)
    (builder.lostEvents, builder.endReason, builder.endError) = (17, 3, 28)
    builder.kinds = 1 << 12
    let header = try builder.trace().header
    #expect((header.keep, header.stacks, header.values) == (.latest, .all, .all))
    #expect((header.lostEvents, header.end) == (17, .noRoom(error: 28)))
    #expect((header.process, header.startTime) == (4711, 1_000_000))
    #expect(header.endTime == 9_000_000)
    #expect(header.records(.didChange) && !header.records(.notification))
  }

  @Test("streams and structure are merged by id, whatever the order of structure")
  func merge() throws {
    var builder = TraceBuilder(chunkSize: 512)
    for id in UInt64(1)...500 {
      let stream = UInt32(1 + id * 7 % 3)
      builder.event(BuiltEvent(kind: .mark, id: id * 2, time: id), stream: stream)
    }
    for id in (UInt64(1)...500).reversed() {
      builder.event(BuiltEvent(kind: .isaSwapped, id: id * 2 - 1, time: id), stream: 0)
    }
    let trace = try builder.trace()
    #expect(trace.events.map(\.id) == Array(1...1000))
    #expect(trace.events(from: 700).map(\.id) == Array(700...1000))
    #expect(trace.structureEvents?.map(\.id) == Array(stride(from: 1, to: 1000, by: 2)))
    for id in [1, 2, 499, 500, 1000] as [UInt64] { #expect(trace.event(id)?.id == id) }
    #expect(trace.event(1001) == nil)
    #expect(trace.event(0) == nil)
    #expect(trace.problems.isEmpty)
  }

  @Test("an address names the object that was seen there last, up to the event")
  func objects() throws {
    var builder = TraceBuilder()
    builder.object(0x1000, "Order", first: 5)
    builder.object(0x2000, "Order", first: 6)
    builder.object(0x1000, "Item", first: 20)
    let trace = try builder.trace()
    let first = try #require(trace.object(0x1000, at: 5))
    #expect((trace.text(first.className), first.ordinal) == ("Order", 1))
    #expect(trace.object(0x1000, at: 19) == first)
    #expect(trace.object(0x1000, at: 1) == first)
    let second = try #require(trace.object(0x1000, at: 20))
    #expect((trace.text(second.className), second.ordinal) == ("Item", 1))
    #expect(trace.object(0x2000, at: 99)?.ordinal == 2)
    #expect(trace.object(0x3000, at: 99) == nil)
    #expect(trace.objects.count == 3)
  }

  @Test("texts, stacks, modules, notes and earlier registrations are those of structure")
  func structure() throws {
    var builder = TraceBuilder()
    _ = builder.text("a long text that was cut", length: 100)
    _ = builder.stack([0x5000, 0x4000, 0x6000])
    builder.module("/usr/lib/libx.so", 0x4000..<0x9000, bias: 0x4000, build: [0xab, 0x01])
    builder.registration(
      object: 0x1000, number: 3, keyPath: "total", options: 3, observer: 0x77, isFunction: true)
    builder.note("library", "1.2.3")
    let trace = try builder.trace()
    #expect(trace.text(1) == "a long text that was cut…")
    #expect((trace.text(0), trace.text(99), trace.knownText(99)) == ("", "?", nil))
    #expect(trace.calls(ofStack: 1) == [0x5000, 0x4000, 0x6000])
    #expect(trace.calls(ofStack: 7) == [])
    #expect(trace.modules.map(\.name) == ["libx.so"])
    #expect(trace.modules[0].buildID == "ab01")
    #expect(trace.notes == ["library": "1.2.3"])
    let registration = try #require(trace.registration(3))
    #expect(trace.text(registration.keyPath) == "total")
    #expect((registration.observer, registration.isFunction) == (0x77, true))
  }

  @Test("a registration within a span of the library has the span's place")
  func placeOfSpan() throws {
    var builder = TraceBuilder()
    builder.event(
      BuiltEvent(kind: .spanBegan, id: 1, name: "observe \\Order.total", line: 9, file: "A.swift"),
      stream: 0)
    builder.event(BuiltEvent(kind: .observerAdded, id: 2, cause: 1, registration: 5), stream: 0)
    let trace = try builder.trace()
    let registration = try #require(trace.registration(5))
    #expect(trace.text(registration.origin.file) == "A.swift")
    #expect(registration.origin.line == 9)
  }

  @Test("kinds, fields and records of a later recorder are kept or skipped")
  func later() throws {
    var builder = TraceBuilder()
    builder.event(BuiltEvent(kind: TraceEventKind(rawValue: 60), id: 1, name: "new"))
    builder.event(
      BuiltEvent(kind: .mark, id: 2, name: "known", laterFields: 1 << 30, laterBytes: [1, 2, 3]))
    builder.record(99, [1, 2, 3], stream: 1)
    builder.record(98, [])
    builder.event(BuiltEvent(kind: .mark, id: 3, name: "behind"))
    let trace = try builder.trace()
    #expect(trace.events.map { trace.text($0.name) } == ["new", "known", "behind"])
    #expect(trace.events.map(\.kind.description) == ["kind-60", "mark", "mark"])
    let kinds = trace.problems.map(\.what)
    #expect(Set(kinds) == [.unknownRecord(kind: 99), .unknownRecord(kind: 98)])
  }

  @Test("a file that is no trace of this version is refused with what was expected")
  func refused() {
    func error(_ bytes: [UInt8]) -> TraceError? {
      do {
        _ = try Trace(bytes: bytes)
        return nil
      } catch { return error }
    }
    #expect(error([]) == .tooShort(size: 0, needed: 128))
    #expect(error(Array("#!/bin/sh".utf8)) == .tooShort(size: 9, needed: 128))
    #expect(error([UInt8](repeating: 65, count: 500)) == .notATrace)
    #expect(error(TraceBuilder(version: 2).bytes) == .otherVersion(2, expected: 1))
    var bytes = TraceBuilder().bytes
    bytes[8] = 9
    #expect(error(bytes) == .badByteOrder(0x0102_0309))
    bytes = TraceBuilder().bytes
    bytes[22] = 0
    #expect(error(bytes)?.description.hasPrefix("at offset 20: 0 stands in the header") == true)
    #expect(throws: TraceError.self) { try Trace(path: "/does/not/exist") }
    #expect(throws: TraceError.self) { try Trace(path: "/tmp") }
  }
}
