/// Reads the records of one chunk, in order. It has the chunk's bytes in memory of its own.
final class ChunkCursor {
  private(set) var chunk: Chunk
  private let memory: UnsafeMutableRawBufferPointer
  private var decoder: RecordDecoder

  /// Nil: the recorder has used the chunk again meanwhile.
  init?(_ chunk: Chunk, of source: TraceSource, _ header: TraceHeader) {
    self.chunk = chunk
    let room = max(chunk.used, header.chunkSize - Chunk.headerSize)
    memory = .allocate(byteCount: Int(room), alignment: 8)
    decoder = RecordDecoder(UnsafeRawPointer(memory.baseAddress!), header.isBigEndian)
    (decoder.event.time, decoder.event.id) = (chunk.time, chunk.id)
    decoder.event.thread = chunk.thread
    guard read(from: 0, source, header) else { return nil }
  }

  deinit {
    memory.deallocate()
    decoder.deallocate()
  }

  /// Goes on with what the chunk has got since, which is now `chunk`. Returns false if the recorder
  /// has used the chunk again.
  func go(on chunk: Chunk, of source: TraceSource, _ header: TraceHeader) -> Bool {
    let before = self.chunk
    guard chunk.sequence == before.sequence else { return false }
    guard chunk.used > before.used, chunk.used <= UInt64(memory.count) else { return true }
    self.chunk = chunk
    return read(from: before.used, source, header)
  }

  /// Copies the bytes from `start` on. They are the chunk's if it is still the same one afterwards.
  private func read(from start: UInt64, _ source: TraceSource, _ header: TraceHeader) -> Bool {
    let target = UnsafeMutableRawBufferPointer(rebasing: memory[Int(start)..<Int(chunk.used)])
    let count = source.read(chunk.offset + Chunk.headerSize + start, into: target)
    decoder.extend(to: UnsafeRawPointer(memory.baseAddress! + Int(start) + count))
    return isStill(source, header)
  }

  private func isStill(_ source: TraceSource, _ header: TraceHeader) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: Int(Chunk.headerSize), alignment: 8) { bytes in
      guard source.read(chunk.offset, into: bytes) == bytes.count else { return true }
      let now = Chunk(
        UnsafeRawBufferPointer(bytes), isBigEndian: header.isBigEndian, offset: chunk.offset)
      return now.sequence == chunk.sequence && now.type == chunk.type
    }
  }

  /// Reads the next record.
  func step() -> RecordDecoder.Step { decoder.step() }

  /// The event that was read last.
  var event: TraceEvent { decoder.event }

  /// Its id.
  var id: UInt64 { decoder.event.id }

  /// The parts of the record that was read last and is no event.
  var record: RecordReader { decoder.record }

  /// Where the record begins that was read last, in the file's bytes.
  var position: UInt64 {
    chunk.offset + Chunk.headerSize
      + UInt64(decoder.position - UnsafeRawPointer(memory.baseAddress!))
  }
}
