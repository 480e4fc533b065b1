/// Reads the parts of a record, in order, from memory that its owner keeps.
///
/// Behind the end everything reads as 0 and `isBroken` is true from then on: who reads a record asks
/// once, at its end.
struct RecordReader {
  private(set) var at: UnsafeRawPointer
  let end: UnsafeRawPointer
  private(set) var isBroken = false

  init(_ at: UnsafeRawPointer, end: UnsafeRawPointer) {
    self.at = at
    self.end = end
  }

  var left: Int { end - at }

  @inline(__always)
  mutating func byte() -> UInt8 {
    guard at < end else {
      isBroken = true
      return 0
    }
    defer { at += 1 }
    return at.load(as: UInt8.self)
  }

  @inline(__always)
  mutating func varint() -> UInt64 {
    guard at < end else {
      isBroken = true
      return 0
    }
    let first = at.load(as: UInt8.self)
    if first < 0x80 {
      at += 1
      return UInt64(first)
    }
    return longVarint()
  }

  private mutating func longVarint() -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: 0 as UInt64, to: 70, by: 7) {
      let next = byte()
      number |= UInt64(next & 0x7f) << shift
      if next < 0x80 { return number }
    }
    isBroken = true
    return 0
  }

  /// A difference, of 64 bits that wrap around.
  @inline(__always)
  mutating func signed() -> UInt64 {
    let zigzag = varint()
    return zigzag >> 1 ^ (0 &- (zigzag & 1))
  }

  mutating func bytes(_ count: UInt64) -> UnsafeRawBufferPointer {
    guard count <= UInt64(left) else {
      isBroken = true
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    defer { at += Int(count) }
    return UnsafeRawBufferPointer(start: at, count: Int(count))
  }

  mutating func text(_ count: UInt64) -> String { String(decoding: bytes(count), as: UTF8.self) }

  mutating func rest() -> String { text(UInt64(left)) }

  /// A part of the record that has its own length.
  mutating func part(_ length: UInt64) -> RecordReader {
    let inner = bytes(length)
    guard let start = inner.baseAddress else { return RecordReader(end, end: end) }
    return RecordReader(start, end: start + inner.count)
  }
}
