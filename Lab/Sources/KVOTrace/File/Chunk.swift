/// The header of a chunk, and what is known of its records.
struct Chunk {
  static let headerSize: UInt64 = 64
  static let events: UInt32 = 1
  static let structure: UInt32 = 2

  /// Where the chunk begins in the file, in bytes.
  let offset: UInt64
  let type: UInt32
  let stream: UInt32
  let sequence: UInt64
  /// Bytes of records, as many as the file has.
  var used: UInt64
  /// Before the first record.
  let time: UInt64
  let id: UInt64
  let thread: UInt64
  /// Between which ids those of the chunk's events lie.
  var ids: ClosedRange<UInt64>
  /// Of structure: between which numbers those of the registrations lie that begin in the chunk.
  var registrations: ClosedRange<UInt64>?

  init(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool, offset: UInt64) {
    let numbers = FixedNumbers(bytes, isBigEndian: isBigEndian)
    self.offset = offset
    (type, stream) = (numbers.u32(0), numbers.u32(4))
    (sequence, used) = (numbers.u64(8), numbers.u64(16))
    (time, id, thread) = (numbers.u64(24), numbers.u64(32), numbers.u64(40))
    ids = 0...UInt64.max
  }

  var isStructure: Bool { type == Chunk.structure }
}
