/// Events of a trace by id, each read when it is asked for.
package struct TraceEvents: Sequence {
  enum Part {
    case all
    case structure
  }

  let trace: Trace
  /// Events before this id are left out.
  let first: UInt64
  let part: Part

  package func makeIterator() -> Iterator { Iterator(merge: EventMerge(trace, first, part)) }

  package struct Iterator: IteratorProtocol {
    let merge: EventMerge

    package mutating func next() -> TraceEvent? { merge.next() }
  }
}

/// Merges the streams of a trace by id.
///
/// Each stream is a lane, and so is each chunk of structure, within which ids need not ascend: its
/// events are sorted. A lane is opened when its first id is due, so those that are open at a time
/// are about as many as the threads were.
final class EventMerge {
  private let trace: Trace
  private let first: UInt64
  /// Those that are not open yet, the one that is due first at the end.
  private var waiting: [(id: UInt64, chunks: [Chunk])] = []
  /// A heap: the lane with the least id is the first.
  private var open: [Lane] = []

  init(_ trace: Trace, _ first: UInt64, _ part: TraceEvents.Part) {
    self.trace = trace
    self.first = first
    for chunk in trace.structureChunks where chunk.ids.upperBound >= max(first, 1) {
      waiting.append((chunk.ids.lowerBound, [chunk]))
    }
    if part == .all { waiting += Self.streams(trace, first) }
    waiting.sort { $0.id > $1.id }
  }

  private static func streams(_ trace: Trace, _ first: UInt64) -> [(id: UInt64, chunks: [Chunk])] {
    var streams: [UInt32: [Chunk]] = [:]
    for chunk in trace.eventChunks where chunk.ids.upperBound >= first {
      streams[chunk.stream, default: []].append(chunk)
    }
    return streams.values.map { ($0[0].ids.lowerBound, $0) }
  }

  func next() -> TraceEvent? {
    while let due = waiting.last, open.isEmpty || due.id <= open[0].id {
      waiting.removeLast()
      add(Lane(trace, due.chunks, from: first))
    }
    guard let lane = open.first else { return nil }
    let event = lane.event
    if !lane.advance() { replaceFirst() }
    sink()
    return event
  }

  private func add(_ lane: Lane) {
    guard lane.advance() else { return }
    open.append(lane)
    var place = open.count - 1
    while place > 0, open[place].id < open[(place - 1) / 2].id {
      open.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private func replaceFirst() {
    let last = open.removeLast()
    if !open.isEmpty { open[0] = last }
  }

  /// Brings the first lane to its place.
  private func sink() {
    var place = 0
    while true {
      var least = place
      for child in 2 * place + 1..<2 * place + 3 where child < open.count {
        if open[child].id < open[least].id { least = child }
      }
      if least == place { return }
      open.swapAt(place, least)
      place = least
    }
  }
}

/// The events of some chunks, one after the other.
private final class Lane {
  private let trace: Trace
  private let first: UInt64
  private var chunks: ArraySlice<Chunk>
  private var cursor: ChunkCursor?
  /// Of a chunk of structure, by descending id.
  private var sorted: [TraceEvent] = []
  private(set) var event = TraceEvent()
  private(set) var id: UInt64 = 0

  init(_ trace: Trace, _ chunks: [Chunk], from first: UInt64) {
    self.trace = trace
    self.first = first
    self.chunks = chunks[...]
  }

  /// Takes the next event. Returns false at the end.
  func advance() -> Bool {
    repeat {
      while let next = sorted.popLast() {
        if next.id >= first { return take(next) }
      }
      while stepCursor() {
        if let cursor, cursor.id >= first { return take(cursor.event) }
      }
    } while openNext()
    return false
  }

  private func take(_ next: TraceEvent) -> Bool {
    event = next
    id = next.id
    return true
  }

  private func openNext() -> Bool {
    guard let chunk = chunks.popFirst() else { return false }
    if chunk.isStructure {
      sorted = trace.sortedEvents(chunk).reversed()
    } else {
      cursor = trace.cursor(chunk)
    }
    return true
  }

  /// Has the cursor read the next event. Returns false if its chunk has no more.
  private func stepCursor() -> Bool {
    guard let cursor else { return false }
    let before = cursor.id
    while true {
      switch cursor.step() {
      case .event:
        if isInOrder(cursor, after: before) { return true }
        return close(cursor, .descendingIDs(cursor.id, after: before))
      case .record(let kind): trace.note(.unknownRecord(kind: kind), at: cursor.chunk.offset)
      case .end: return close(cursor, nil)
      case .broken(let what): return close(cursor, what)
      }
    }
  }

  private func isInOrder(_ cursor: ChunkCursor, after before: UInt64) -> Bool {
    cursor.chunk.ids.contains(cursor.id)
      && (cursor.id > before || before == cursor.chunk.id && cursor.id == before)
  }

  private func close(_ cursor: ChunkCursor, _ what: TraceProblem.What?) -> Bool {
    if let what { trace.note(what, at: cursor.position) }
    self.cursor = nil
    return false
  }
}
