import KVOTrace
import Testing

/// Numbers that are the same in each run.
struct Randomness: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}

@Suite("Damaged traces")
struct DamageTests {
  /// A small trace with records of each kind, in chunks of 512 bytes.
  private static let small: [UInt8] = {
    var story = Story()
    story.builder = TraceBuilder(chunkSize: 512)
    story.builder.headerSize = 128
    _ = story.builder.stack([0x5000, 0x4000])
    story.builder.module("/bin/true", 0x4000..<0x9000, bias: 0x4000, build: [1, 2])
    story.builder.registration(
      object: 0x1000, number: 0, keyPath: "count", options: 3, observer: 0x88)
    story.object(0x1000, "Order")
    story.observe(0x1000, "total", 1, line: 7)
    for value in 1...6 as ClosedRange<Int64> {
      let change = story.change(0x1000, "total")
      let told = story.notify(0x1000, "total", 1, cause: change, takes: 9, value, old: value - 1)
      story.thread = 3 - story.thread
      story.about(.handlerSent, 0x1000, "total", 1, cause: told)
    }
    story.end(0x1000, "total", 1)
    return story.builder.bytes
  }()

  /// Reads all events, asks all questions if `all` says so, and returns how many events there are.
  @discardableResult
  private func ask(_ bytes: [UInt8], all: Bool) -> Int? {
    guard let trace = try? Trace(bytes: bytes) else { return nil }
    let summary = trace.summary()
    guard all else { return summary.eventCount }
    for id in [1, 2, 5, UInt64.max] { _ = trace.why(id) }
    _ = trace.sets(of: TraceProperty("Order.total")!)
    _ = trace.observers()
    _ = trace.moment(at: 9)
    _ = trace.whyNot(file: "Cart.swift", line: 7)
    _ = trace.select(.all, limit: 10)
    trace.writePerfetto { _ in }
    return summary.eventCount
  }

  @Test("a trace that is cut at any byte is read as far as it goes")
  func cut() throws {
    let whole = try Trace(bytes: Self.small)
    let all = Array(whole.events)
    #expect(all.count == 26)
    var most = 0
    for length in Self.small.indices {
      let bytes = Array(Self.small[..<length])
      guard let trace = try? Trace(bytes: bytes) else {
        #expect(length < 128)
        continue
      }
      let events = Array(trace.events)
      #expect(Set(events).isSubset(of: all))
      #expect(events.count >= most)
      most = events.count
      #expect(!trace.problems.isEmpty || length >= Self.small.count - 512)
      if length % 16 == 0 { ask(bytes, all: true) }
    }
    #expect(most == all.count)
  }

  @Test("flipped bits never stop the reader, nor keep it for ever")
  func flips() throws {
    var random = Randomness(state: 1)
    var readable = 0
    for round in 0..<10_000 {
      var bytes = Self.small
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      if ask(bytes, all: round % 20 == 0) != nil { readable += 1 }
    }
    #expect(readable > 1000)
  }

  @Test("random bytes behind a header never stop the reader")
  func noise() {
    var random = Randomness(state: 2)
    for _ in 0..<300 {
      var bytes = Self.small
      let start = Int.random(in: 128..<bytes.count, using: &random)
      for place in start..<bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
      #expect(ask(bytes, all: true) != nil)
    }
  }

  @Test("each damage is told with its place, and the rest is read")
  func problems() throws {
    func problems(_ change: (inout TraceBuilder) -> Void) throws -> [TraceProblem.What] {
      var builder = TraceBuilder(chunkSize: 1024)
      builder.event(BuiltEvent(kind: .mark, id: 1))
      builder.event(BuiltEvent(kind: .mark, id: 2), stream: 2)
      change(&builder)
      let trace = try builder.trace()
      #expect(trace.events.contains { $0.id == 2 })
      return trace.problems.map(\.what)
    }
    #expect(
      try problems { $0.changeChunk(0) { $0.used = 5000 } }.first
        == .overfull(used: 5000, room: 960))
    #expect(try problems { $0.changeChunk(0) { $0.type = 7 } } == [.unknownChunk(type: 7)])
    #expect(try problems { $0.changeChunk(0) { $0.type = 0 } } == [])
    #expect(try problems { $0.changeChunk(0) { $0.sequence = 2 } } == [.repeatedSequence(2)])
    #expect(try problems { $0.changeChunk(0) { $0.bytes = [200] } } == [.brokenRecord])
    #expect(
      try problems {
        $0.event(BuiltEvent(kind: .mark, id: 1)); $0.event(BuiltEvent(kind: .mark, id: 0))
      }
        == [.descendingIDs(0, after: 1)])
    #expect(
      try problems { $0.record(64, varint(1 << 40) + [1, 65]) } == [.badNumber(1 << 40, kind: 64)])
    #expect(
      try problems {
        $0.event(BuiltEvent(kind: .mark, id: 3, laterFields: 1 << 4, laterBytes: [90]))
      }
        == [.unknownValue(type: 90)])
  }
}

@Suite("Random traces")
struct RandomTraceTests {
  @Test("what is read is what was written, whatever the streams and chunks", arguments: 0..<40)
  func oracle(seed: UInt64) throws {
    var random = Randomness(state: seed)
    var builder = TraceBuilder(isBigEndian: seed % 2 == 1, chunkSize: seed % 3 == 0 ? 700 : 4096)
    var written: [BuiltEvent] = []
    var id: UInt64 = 0
    for _ in 0..<600 {
      id += UInt64.random(in: 1...3, using: &random)
      let event = randomEvent(id, &random)
      written.append(event)
    }
    // Structure may come in any order; the others ascend in their stream.
    var late: [BuiltEvent] = []
    for event in written {
      let isStructure = event.kind == .observerAdded || event.kind == .deallocated
      if isStructure { late.append(event) }
      if !isStructure { builder.event(event, stream: UInt32(1 + event.thread % 4)) }
      if late.count > 20 { write(&late, &builder, &random) }
    }
    write(&late, &builder, &random)
    try expect(builder.trace(), has: written)
  }

  private func write(
    _ late: inout [BuiltEvent], _ builder: inout TraceBuilder, _ random: inout Randomness
  ) {
    for event in late.shuffled(using: &random) { builder.event(event, stream: 0) }
    late = []
  }

  private func randomEvent(_ id: UInt64, _ random: inout Randomness) -> BuiltEvent {
    let kinds: [TraceEventKind] = [.didChange, .notification, .observerAdded, .deallocated, .mark]
    var event = BuiltEvent(kind: kinds.randomElement(using: &random)!, id: id)
    event.time = 1_000_000 + id * 7
    event.thread = UInt64.random(in: 1...9, using: &random)
    if Bool.random(using: &random) { event.cause = UInt64.random(in: 0..<id, using: &random) }
    if Bool.random(using: &random) { event.object = .random(in: 0...UInt64.max, using: &random) }
    if Bool.random(using: &random) { event.registration = .random(in: 0...1 << 40, using: &random) }
    if Bool.random(using: &random) { event.observer = 0x1000 * .random(in: 1...50, using: &random) }
    if Bool.random(using: &random) { event.callback = 0x10 * .random(in: 1...5, using: &random) }
    if Bool.random(using: &random) {
      event.value = .object(0x1000 * .random(in: 1...50, using: &random))
    }
    if Bool.random(using: &random) {
      event.oldValue = .integer(.random(in: .min ... .max, using: &random))
    }
    event.name = ["", "total", "count", "address.city"].randomElement(using: &random)!
    event.className = ["", "Order"].randomElement(using: &random)!
    return event
  }

  private func expect(_ trace: Trace, has written: [BuiltEvent]) throws {
    let events = Array(trace.events)
    try #require(events.map(\.id) == written.map(\.id))
    for (event, told) in zip(events, written) {
      #expect((event.kind, event.time, event.thread) == (told.kind, told.time, told.thread))
      #expect((event.cause, event.object) == (told.cause, told.object ?? 0))
      #expect(event.registration == told.registration ?? 0)
      #expect((event.observer, event.callback) == (told.observer ?? 0, told.callback ?? 0))
      #expect((event.value, event.oldValue) == (told.value, told.oldValue))
      #expect(trace.text(event.name) == told.name)
      #expect(trace.text(event.className) == told.className)
    }
    for told in written.shuffled().prefix(20) { #expect(trace.event(told.id)?.time == told.time) }
    #expect(trace.problems.isEmpty)
  }
}
