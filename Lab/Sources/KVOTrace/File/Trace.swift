/// A trace: the events of a program, from a file that the recorder has written, or is writing.
///
///     let trace = try Trace(path: "run.kvotrace")
///     for event in trace.events where event.kind == .misuse { print(trace.text(event.name)) }
///
/// What is read is as it was when the trace was opened, or refreshed last. A file that is damaged
/// or cut is read as far as it can be; `problems` says what is left out.
///
/// Memory: that of the structure, which is texts, stacks, modules and objects. Events are read anew
/// each time, at some millions a second.
/// Threads: one at a time.
package final class Trace {
  let source: TraceSource
  package private(set) var header: TraceHeader
  private(set) var structure = Structure()
  /// In the order of their sequence.
  fileprivate(set) var eventChunks: [Chunk] = []
  fileprivate(set) var structureChunks: [Chunk] = []
  private var found: [TraceProblem] = []
  private var foundLater: Set<TraceProblem> = []
  private var registrations: [UInt64: TraceRegistration] = [:]
  private let decoded = DecodedChunks()

  /// - Throws: ``TraceError``: the file cannot be read, or is no trace that this reader knows.
  package convenience init(path: String) throws(TraceError) {
    try self.init(source: TraceSource(path: path))
  }

  /// A trace whose file's bytes are here.
  package convenience init(bytes: [UInt8]) throws(TraceError) {
    try self.init(source: TraceSource(bytes: bytes))
  }

  init(source: TraceSource) throws(TraceError) {
    self.source = source
    header = try Self.readHeader(source)
    load()
  }

  private static func readHeader(_ source: TraceSource) throws(TraceError) -> TraceHeader {
    var bytes = [UInt8](repeating: 0, count: TraceHeader.size)
    let count = bytes.withUnsafeMutableBytes { source.read(0, into: $0) }
    do {
      return try bytes.withUnsafeBytes {
        try TraceHeader(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
    } catch let error as TraceError {
      throw error
    } catch {
      throw .notATrace
    }
  }

  /// Reads what the file has got since, if the program is still recording. What was read before
  /// stays, unless a ring has taken it back.
  package func refresh() throws(TraceError) {
    header = try Self.readHeader(source)
    load()
  }

  /// What could not be read, as far as it was found: events are looked at when they are read.
  package var problems: [TraceProblem] {
    found + foundLater.sorted { $0.offset < $1.offset }
  }

  func note(_ what: TraceProblem.What, at offset: UInt64) {
    if foundLater.count < 1000 { foundLater.insert(TraceProblem(what: what, offset: offset)) }
  }

  /// Whether the program is recording at this moment.
  package var isBeingRecorded: Bool { header.end == .open && source.isBeingWritten }
}

// ---- chunks -------------------------------------------------------------------------------------

extension Trace {
  private func load() {
    (found, foundLater, registrations) = ([], [], [:])
    decoded.forget()
    var chunks = readChunks().sorted { $0.sequence < $1.sequence }
    eventChunks = chunks.filter { !$0.isStructure }
    // What those name stands in structure before them: so structure is looked at behind them.
    if header.end == .open, let later = try? Self.readHeader(source) {
      (header, found) = (later, [])
      chunks = readChunks().sorted { $0.sequence < $1.sequence }
    }
    for (chunk, next) in zip(chunks, chunks.dropFirst()) where chunk.sequence == next.sequence {
      found.append(TraceProblem(what: .repeatedSequence(chunk.sequence), offset: next.offset))
    }
    readStructure(chunks.filter(\.isStructure))
    boundIDs()
  }

  private func readChunks() -> [Chunk] {
    let size = source.size
    let start = header.headerSize
    let there = size > start ? (size - start + header.chunkSize - 1) / header.chunkSize : 0
    noteMissing(there, size: size)
    var chunks: [Chunk] = []
    for index in 0..<min(header.chunkCount, there) {
      if let chunk = readChunk(at: start + index * header.chunkSize, size: size) {
        chunks.append(chunk)
      }
    }
    return chunks
  }

  private func noteMissing(_ there: UInt64, size: UInt64) {
    let (counted, overflow) = header.chunkCount.multipliedReportingOverflow(by: header.chunkSize)
    guard header.chunkCount > there else { return }
    let missing =
      overflow ? UInt64.max : counted - min(counted, size - min(size, header.headerSize))
    found.append(TraceProblem(what: .cut(missing: missing), offset: size))
  }

  /// Nil: the chunk has nothing to read, and if it should have, that is noted.
  private func readChunk(at offset: UInt64, size: UInt64) -> Chunk? {
    var bytes = [UInt8](repeating: 0, count: Int(Chunk.headerSize))
    guard bytes.withUnsafeMutableBytes({ source.read(offset, into: $0) }) == bytes.count else {
      return nil
    }
    var chunk = bytes.withUnsafeBytes {
      Chunk($0, isBigEndian: header.isBigEndian, offset: offset)
    }
    guard chunk.type == Chunk.events || chunk.isStructure else {
      if chunk.type != 0 {
        found.append(TraceProblem(what: .unknownChunk(type: chunk.type), offset: offset))
      }
      return nil
    }
    limitUse(of: &chunk, size: size)
    return chunk
  }

  private func limitUse(of chunk: inout Chunk, size: UInt64) {
    let room = header.chunkSize - Chunk.headerSize
    if chunk.used > room {
      found.append(
        TraceProblem(what: .overfull(used: chunk.used, room: room), offset: chunk.offset))
      chunk.used = room
    }
    let there = size - min(size, chunk.offset + Chunk.headerSize)
    if chunk.used > there {
      found.append(TraceProblem(what: .cut(missing: chunk.used - there), offset: size))
      chunk.used = there
    }
  }

  /// Opens a chunk; nil if the recorder has used it again meanwhile.
  func cursor(_ chunk: Chunk) -> ChunkCursor? {
    ChunkCursor(chunk, of: source, header)
  }
}

// ---- structure ----------------------------------------------------------------------------------

extension Trace {
  private func readStructure(_ chunks: [Chunk]) {
    structureChunks = chunks
    var reader = StructureReader(bytes: structureChunks.reduce(0) { $0 + $1.used })
    for index in structureChunks.indices {
      if let cursor = cursor(structureChunks[index]) { read(cursor, index, &reader) }
    }
    structure = reader.structure
    structure.objects.finish()
    found += reader.problems
  }

  private func read(_ cursor: ChunkCursor, _ index: Int, _ reader: inout StructureReader) {
    var ids = Bounds()
    var numbers = Bounds()
    loop: while true {
      switch cursor.step() {
      case .event:
        ids.add(cursor.id)
        if cursor.event.kind == .observerAdded { numbers.add(cursor.event.registration) }
      case .record(let kind):
        if reader.read(kind, cursor.record, at: cursor.position) { continue }
        found.append(TraceProblem(what: .brokenRecord, offset: cursor.position))
      case .broken(let what):
        found.append(TraceProblem(what: what, offset: cursor.position))
        break loop
      case .end: break loop
      }
    }
    // A chunk without events has none of any id.
    structureChunks[index].ids = ids.range ?? 0...0
    structureChunks[index].registrations = numbers.range
  }

  /// Notes between which ids the events of each chunk lie: from its first one on, up to the next
  /// chunk of the stream.
  private func boundIDs() {
    var next: [UInt32: UInt64] = [:]
    for index in eventChunks.indices.reversed() {
      let chunk = eventChunks[index]
      let first = chunk.id
      let last = next[chunk.stream] ?? UInt64.max
      eventChunks[index].ids = first...max(first, last)
      next[chunk.stream] = first
    }
  }
}

/// The least and the greatest of some numbers.
private struct Bounds {
  private(set) var range: ClosedRange<UInt64>?

  mutating func add(_ number: UInt64) {
    range = range.map { min($0.lowerBound, number)...max($0.upperBound, number) } ?? number...number
  }
}

// ---- what is named by number or address ---------------------------------------------------------

extension Trace {
  /// The text of that number; one that was cut ends with `…`. Nil: the trace does not have it.
  package func knownText(_ number: TextNumber) -> String? {
    Int(number) < structure.texts.count ? structure.texts[Int(number)] : nil
  }

  /// The text of that number; `?` if the trace does not have it.
  package func text(_ number: TextNumber) -> String { knownText(number) ?? "?" }

  /// The addresses to which the calls of a stack return, innermost first, those of the library
  /// among them. Empty if the trace does not have it.
  package func calls(ofStack number: UInt32) -> [UInt64] {
    Int(number) < structure.stacks.count ? structure.stacks[Int(number)] : []
  }

  package var modules: [TraceModule] { structure.modules }

  /// Facts about the whole trace: `program`, `library` (its version), `classes` (the setting).
  package var notes: [String: String] { structure.notes }

  /// The objects that were seen, in no order that means anything.
  package var objects: some RandomAccessCollection<TraceObject> {
    (0..<structure.objects.count).lazy.map { [structure] in structure.objects[$0] }
  }

  /// The object that had the address when the event of that id happened. Nil: none was seen there.
  package func object(_ address: UInt64, at event: UInt64) -> TraceObject? {
    structure.objects.index(of: address, at: event).map { structure.objects[$0] }
  }

  /// Registrations that were there before their objects were first seen.
  package var earlierRegistrations: [TraceRegistration] { structure.earlier }
}

// ---- events -------------------------------------------------------------------------------------

extension Trace {
  /// All events, by id.
  package var events: TraceEvents { TraceEvents(trace: self, first: 0, part: .all) }

  /// The events from that id on, by id.
  package func events(from id: UInt64) -> TraceEvents {
    TraceEvents(trace: self, first: id, part: .all)
  }

  /// The events by which registrations, classes of objects and objects come and go, by id, without
  /// reading the others. Nil: the recorder had no room for all of these apart.
  package var structureEvents: TraceEvents? {
    header.structureEnd == 0 ? TraceEvents(trace: self, first: 0, part: .structure) : nil
  }

  /// The event of that id; nil if the trace does not have it. Takes about a millisecond, or less
  /// where events nearby were asked for before.
  package func event(_ id: UInt64) -> TraceEvent? {
    guard id != 0 else { return nil }
    return event(id, in: structureChunks) ?? event(id, in: eventChunks)
  }

  private func event(_ id: UInt64, in chunks: [Chunk]) -> TraceEvent? {
    for chunk in chunks where chunk.ids.contains(id) {
      if let event = decoded.event(id, in: chunk, of: self) { return event }
    }
    return nil
  }

  /// The registration of that number, as it began. Shared observers have one number on many
  /// objects: `object` says the address of the one that is meant, or any. Nil: the trace does not
  /// tell how it began.
  package func registration(_ number: UInt64, on object: UInt64? = nil) -> TraceRegistration? {
    guard number != 0 else { return nil }
    if let known = registrations[number], !known.flags.contains(.shared) { return known }
    guard let found = findRegistration(number, object) else { return nil }
    if registrations.count > 100_000 { registrations = [:] }
    registrations[number] = found
    return found
  }

  /// The registration that the event is about, as it began.
  package func registration(_ event: TraceEvent) -> TraceRegistration? {
    registration(event.registration, on: event.flags.contains(.shared) ? event.object : nil)
  }

  private func findRegistration(_ number: UInt64, _ object: UInt64?) -> TraceRegistration? {
    if let event = beginning(of: number, object) { return placed(TraceRegistration(event)) }
    return structure.earlier.first {
      $0.number == number && (object == nil || $0.object == object)
    }
  }

  /// The event by which the registration of that number began.
  private func beginning(of number: UInt64, _ object: UInt64?) -> TraceEvent? {
    for chunk in structureChunks where chunk.registrations?.contains(number) == true {
      if let event = decoded.beginning(of: number, object, in: chunk, of: self) { return event }
    }
    guard header.structureEnd != 0 else { return nil }
    return events(from: header.structureEnd).first {
      $0.kind == .observerAdded && $0.registration == number
        && (object == nil || $0.object == object)
    }
  }

  /// The registration with its observation, and with its place if its own event has no line: those
  /// of the span of the library that it was made in, or of the registration in whose handler the
  /// library has made it anew.
  func placed(_ registration: TraceRegistration) -> TraceRegistration {
    var registration = registration
    var cause = registration.cause
    for _ in 0..<1000 where cause != 0 {
      guard let event = event(cause), event.cause < cause else { break }
      cause = event.cause
      if event.kind == .spanBegan && event.file != 0 {
        registration.belong(to: event)
        break
      }
      guard event.kind == .notification else { continue }
      guard let outer = beginning(of: event.registration, nil), outer.remakes(registration) else {
        break
      }
      if outer.file != 0 { registration.takeLine(of: outer) }
      cause = outer.cause
    }
    return registration
  }
}

extension TraceRegistration {
  /// Has it be part of the observation whose span the event has begun.
  fileprivate mutating func belong(to span: TraceEvent) {
    observation = span.id
    takeLine(of: span)
  }

  fileprivate mutating func takeLine(of event: TraceEvent) {
    if !origin.hasLine { origin.take(lineOf: event) }
  }
}

extension TraceEvent {
  /// Whether the registration that this event has begun made the other one in its handler: both
  /// have the same code, which is the library's.
  fileprivate func remakes(_ registration: TraceRegistration) -> Bool {
    callback != 0 && callback == registration.callback && id < registration.began
  }
}

/// The events of the chunks that were asked for last.
private final class DecodedChunks {
  private static let most = 24
  private var chunks: [(offset: UInt64, events: [TraceEvent])] = []

  func forget() { chunks = [] }

  func event(_ id: UInt64, in chunk: Chunk, of trace: Trace) -> TraceEvent? {
    let events = events(chunk, of: trace)
    let place = events.partitionPoint { $0.id >= id }
    return place < events.count && events[place].id == id ? events[place] : nil
  }

  func beginning(
    of number: UInt64, _ object: UInt64?, in chunk: Chunk, of trace: Trace
  ) -> TraceEvent? {
    events(chunk, of: trace).first {
      $0.registration == number && $0.kind == .observerAdded
        && (object == nil || $0.object == object)
    }
  }

  private func events(_ chunk: Chunk, of trace: Trace) -> [TraceEvent] {
    if let place = chunks.lastIndex(where: { $0.offset == chunk.offset }) {
      let known = chunks.remove(at: place)
      chunks.append(known)
      return known.events
    }
    let events = trace.sortedEvents(chunk)
    if chunks.count == Self.most { chunks.removeFirst() }
    chunks.append((chunk.offset, events))
    return events
  }
}

extension Trace {
  /// The events of a chunk, by id.
  func sortedEvents(_ chunk: Chunk) -> [TraceEvent] {
    guard let cursor = cursor(chunk) else { return [] }
    var events: [TraceEvent] = []
    while true {
      switch cursor.step() {
      case .event: events.append(cursor.event)
      case .record: continue
      case .end, .broken: return events.sorted { $0.id < $1.id }
      }
    }
  }
}

extension Array {
  /// The first place from which on `isBehind` is true; it has to be false for all before.
  func partitionPoint(_ isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
