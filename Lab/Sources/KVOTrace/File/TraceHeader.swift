/// The header of a trace: how it was recorded, and how recording ended.
package struct TraceHeader: Hashable, Sendable {
  /// What is kept when the limit is reached.
  package enum Keep: UInt32, Hashable, Sendable {
    case first = 0
    case latest = 1
  }

  /// Of which events the calls are recorded that have led to them.
  package enum Stacks: UInt32, Hashable, Sendable {
    case none = 0
    case registrations = 1
    case all = 2
  }

  package enum Values: UInt32, Hashable, Sendable {
    case none = 0
    case numbers = 1
    case all = 2
  }

  /// How recording ended.
  package enum End: Hashable, Sendable {
    /// It goes on, or the program was killed or has crashed.
    case open
    case stopped
    case limitReached
    /// No room on the device, or the process's limit for files; the system's number of the error.
    case noRoom(error: UInt32)
    case failed(error: UInt32)
  }

  package let version: UInt32
  /// The number of bytes of an address.
  package let pointerSize: UInt32
  package let isBigEndian: Bool
  package let process: UInt64
  /// Of the clock of the events, in nanoseconds.
  package let startTime: UInt64
  /// The same moment, in nanoseconds since 1970 UTC.
  package let startWall: UInt64
  /// The most that the file may take, in bytes.
  package let limit: UInt64
  /// Bit *n*: kind *n* is recorded.
  package let kinds: UInt64
  package let keep: Keep
  package let stacks: Stacks
  package let values: Values
  /// Events that made room for later ones, or for which there was no room.
  package let lostEvents: UInt64
  /// The id from which on structure is among the other events, and may be lost with them; 0: none.
  package let structureEnd: UInt64
  /// When recording ended; nil: `end` is `open`.
  package let endTime: UInt64?
  package let end: End

  let headerSize: UInt64
  let chunkSize: UInt64
  let chunkCount: UInt64

  /// Whether events of the kind are recorded.
  package func records(_ kind: TraceEventKind) -> Bool {
    kind.rawValue < 64 && kinds >> UInt64(kind.rawValue) & 1 == 1
  }
}

extension TraceHeader {
  static let size = 128
  package static let magic = Array("KVOTRACE".utf8)
  private static let order: UInt32 = 0x0102_0304
  private static let version: UInt32 = 1

  init(_ bytes: UnsafeRawBufferPointer) throws(TraceError) {
    guard bytes.count >= Self.size else {
      throw .tooShort(size: UInt64(bytes.count), needed: UInt64(Self.size))
    }
    guard bytes.prefix(8).elementsEqual(Self.magic) else { throw .notATrace }
    let numbers = FixedNumbers(bytes, isBigEndian: try Self.isBigEndian(bytes))
    version = numbers.u32(12)
    guard version == Self.version else { throw .otherVersion(version, expected: Self.version) }
    isBigEndian = numbers.isBigEndian
    headerSize = try Self.checked(numbers, 16, 128...1 << 24, "128 to 16 M")
    chunkSize = try Self.checked(numbers, 20, 128...1 << 26, "128 to 64 M")
    pointerSize = numbers.u32(24)
    keep = Keep(rawValue: numbers.u32(28)) ?? .first
    (process, startTime) = (numbers.u64(32), numbers.u64(40))
    (startWall, limit, kinds) = (numbers.u64(48), numbers.u64(56), numbers.u64(64))
    stacks = Stacks(rawValue: numbers.u32(72)) ?? .none
    values = Values(rawValue: numbers.u32(76)) ?? .none
    (chunkCount, lostEvents, structureEnd) = (numbers.u64(80), numbers.u64(88), numbers.u64(104))
    end = Self.end(reason: numbers.u32(120), error: numbers.u32(124))
    endTime = end == .open ? nil : numbers.u64(112)
  }

  private static func isBigEndian(_ bytes: UnsafeRawBufferPointer) throws(TraceError) -> Bool {
    let little = FixedNumbers(bytes, isBigEndian: false).u32(8)
    guard little == order || little == order.byteSwapped else { throw .badByteOrder(little) }
    return little != order
  }

  private static func checked(
    _ numbers: FixedNumbers, _ offset: Int, _ range: ClosedRange<UInt32>, _ expected: String
  ) throws(TraceError) -> UInt64 {
    let value = numbers.u32(offset)
    guard range.contains(value) else {
      throw .badHeader(offset: UInt64(offset), value: UInt64(value), expected: expected)
    }
    return UInt64(value)
  }

  private static func end(reason: UInt32, error: UInt32) -> End {
    switch reason {
    case 0: .open
    case 1: .stopped
    case 2: .limitReached
    case 3: .noRoom(error: error)
    default: .failed(error: error)
    }
  }
}

/// Numbers at fixed places, in the byte order of the machine that wrote them.
struct FixedNumbers {
  let bytes: UnsafeRawBufferPointer
  let isBigEndian: Bool

  init(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) {
    self.bytes = bytes
    self.isBigEndian = isBigEndian
  }

  func u32(_ offset: Int) -> UInt32 {
    let raw = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return isBigEndian ? UInt32(bigEndian: raw) : UInt32(littleEndian: raw)
  }

  func u64(_ offset: Int) -> UInt64 {
    let raw = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    return isBigEndian ? UInt64(bigEndian: raw) : UInt64(littleEndian: raw)
  }
}
