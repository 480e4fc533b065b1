/// Follows a trace while it is recorded.
///
///     let follower = try TraceFollower(path: "run.kvotrace")
///     repeat {
///       for event in try follower.read() { … }
///       sleep(1)
///     } while follower.trace.isBeingRecorded
///     for event in try follower.read() { … }
///
/// Threads: one at a time.
package final class TraceFollower {
  /// The trace as of the last call of `read`.
  package let trace: Trace
  private var open: [UInt64: ChunkCursor] = [:]
  /// The sequences of chunks that were read to their end, by offset.
  private var done: [UInt64: UInt64] = [:]
  private var startTime: UInt64

  /// - Throws: ``TraceError``, as ``Trace``.
  package convenience init(path: String) throws(TraceError) {
    self.init(try Trace(path: path))
  }

  init(_ trace: Trace) {
    self.trace = trace
    startTime = trace.header.startTime
  }

  /// The events that the file has got since the last call, each once, by id. One that another
  /// thread was just writing may come in the next call, behind later ones.
  ///
  /// If another program has begun to record into the file, its events come from the first one on.
  ///
  /// - Throws: ``TraceError``: the file is no trace any more.
  package func read() throws(TraceError) -> [TraceEvent] {
    try trace.refresh()
    if trace.header.startTime != startTime {
      (startTime, open, done) = (trace.header.startTime, [:], [:])
    }
    let chunks = trace.structureChunks + trace.eventChunks
    var events: [TraceEvent] = []
    var latest: [UInt32: UInt64] = [:]
    for chunk in chunks {
      latest[chunk.stream] = max(latest[chunk.stream] ?? 0, chunk.sequence)
    }
    for chunk in chunks {
      read(chunk, into: &events)
      // A stream that goes on in another chunk writes to this one no more.
      if chunk.sequence != latest[chunk.stream] { close(chunk) }
    }
    return events.sorted { $0.id < $1.id }
  }

  private func read(_ chunk: Chunk, into events: inout [TraceEvent]) {
    guard done[chunk.offset] != chunk.sequence, let cursor = cursor(chunk) else { return }
    while true {
      switch cursor.step() {
      case .event: events.append(cursor.event)
      case .record: continue
      case .end: return
      case .broken(let what):
        trace.note(what, at: cursor.position)
        return close(chunk)
      }
    }
  }

  /// Nil: the recorder has used the chunk again meanwhile.
  private func cursor(_ chunk: Chunk) -> ChunkCursor? {
    if let known = open[chunk.offset], known.go(on: chunk, of: trace.source, trace.header) {
      return known
    }
    open[chunk.offset] = trace.cursor(chunk)
    return open[chunk.offset]
  }

  private func close(_ chunk: Chunk) {
    open[chunk.offset] = nil
    done[chunk.offset] = chunk.sequence
  }
}
