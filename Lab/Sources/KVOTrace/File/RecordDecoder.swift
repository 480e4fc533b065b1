/// Decodes records that lie one behind the other in memory, which its owner keeps.
struct RecordDecoder {
  enum Step: Equatable {
    /// `event` is the next event.
    case event
    /// `record` has the parts of a record that is none.
    case record(kind: UInt64)
    /// There are no more, as far as the memory goes.
    case end
    /// The rest cannot be read.
    case broken(TraceProblem.What)
  }

  private let isBigEndian: Bool
  private var addresses = Addresses()
  private var reader: RecordReader
  private var registration: UInt64 = 0
  /// The event that was read last, to which the next one is a difference.
  var event = TraceEvent()
  private(set) var record: RecordReader
  /// Where the record begins that was read last.
  private(set) var position: UnsafeRawPointer

  init(_ start: UnsafeRawPointer, _ isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
    reader = RecordReader(start, end: start)
    (record, position) = (reader, start)
  }

  func deallocate() { addresses.deallocate() }

  /// Has the memory go as far as `end`.
  mutating func extend(to end: UnsafeRawPointer) { reader = RecordReader(reader.at, end: end) }

  /// Reads the next record; those that say whose thread follows are read with it.
  mutating func step() -> Step {
    while reader.left > 0 {
      position = reader.at
      record = reader.part(reader.varint())
      let kind = record.varint()
      guard !reader.isBroken, !record.isBroken, kind != 0 else { return .broken(.brokenRecord) }
      if kind < 64 { return readEvent(TraceEventKind(rawValue: UInt8(kind))) }
      guard kind == RecordKind.thread else { return .record(kind: kind) }
      event.thread = record.varint()
      guard !record.isBroken else { return .broken(.brokenRecord) }
    }
    return .end
  }
}

/// The kinds of records that are no events.
enum RecordKind {
  static let text: UInt64 = 64
  static let thread: UInt64 = 65
  static let module: UInt64 = 66
  static let stack: UInt64 = 67
  static let object: UInt64 = 68
  static let registration: UInt64 = 69
  static let note: UInt64 = 70
}

/// The two tables of addresses by which a record names addresses of the records before it.
private struct Addresses {
  private let places = UnsafeMutablePointer<UInt64>.allocate(capacity: 256)
  private var lastObject: UInt64 = 0
  private var lastCode: UInt64 = 0

  init() { places.initialize(repeating: 0, count: 256) }

  func deallocate() { places.deallocate() }

  /// Nil: the record names a place that there is not.
  @inline(__always)
  mutating func object(_ reader: inout RecordReader) -> UInt64? {
    Self.read(&reader, places, &lastObject)
  }

  @inline(__always)
  mutating func code(_ reader: inout RecordReader) -> UInt64? {
    Self.read(&reader, places + 128, &lastCode)
  }

  @inline(__always)
  private static func read(
    _ reader: inout RecordReader, _ places: UnsafeMutablePointer<UInt64>, _ last: inout UInt64
  ) -> UInt64? {
    let place = reader.varint()
    if place > 0 { return place <= 128 ? places[Int(place - 1)] : nil }
    last &+= reader.signed()
    places[Int((last >> 4 ^ last >> 11) & 127)] = last
    return last
  }
}

/// The bits of an event's fields.
private struct Fields: OptionSet {
  let rawValue: UInt64

  static let object = Fields(rawValue: 1 << 0)
  static let name = Fields(rawValue: 1 << 1)
  static let registration = Fields(rawValue: 1 << 2)
  static let flags = Fields(rawValue: 1 << 3)
  static let value = Fields(rawValue: 1 << 4)
  static let oldValue = Fields(rawValue: 1 << 5)
  static let count = Fields(rawValue: 1 << 6)
  static let className = Fields(rawValue: 1 << 7)
  static let selector = Fields(rawValue: 1 << 8)
  static let otherClass = Fields(rawValue: 1 << 9)
  static let serves = Fields(rawValue: 1 << 10)
  static let observer = Fields(rawValue: 1 << 11)
  static let callback = Fields(rawValue: 1 << 12)
  static let implementation = Fields(rawValue: 1 << 13)
  static let key = Fields(rawValue: 1 << 14)
  static let status = Fields(rawValue: 1 << 15)
  static let reason = Fields(rawValue: 1 << 16)
  static let line = Fields(rawValue: 1 << 17)
  static let file = Fields(rawValue: 1 << 18)
  static let stack = Fields(rawValue: 1 << 19)

  /// What stands behind the values, and is not in most events.
  static let rare = Fields(rawValue: ~((1 << 6) - 1))
}

// ---- events -------------------------------------------------------------------------------------

extension RecordDecoder {
  /// A number of 32 bits; one that is larger is no text's, stack's or line's.
  private func small(_ number: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: min(number, 0xffff_ffff))
  }

  fileprivate mutating func readEvent(_ kind: TraceEventKind) -> Step {
    let fields = Fields(rawValue: record.varint())
    let (time, id, thread) = (event.time, event.id, event.thread)
    event = TraceEvent()
    event.kind = kind
    event.thread = thread
    event.time = time &+ record.signed()
    event.id = id &+ record.signed()
    let distance = record.varint()
    if distance != 0 { event.cause = event.id &- distance }
    if fields.contains(.object) {
      guard let address = addresses.object(&record) else { return .broken(.brokenRecord) }
      event.object = address
    }
    if fields.contains(.name) { event.name = small(record.varint()) }
    if fields.contains(.registration) {
      registration &+= record.signed()
      event.registration = registration
    }
    if fields.contains(.flags) { event.flags = TraceFlags(rawValue: record.varint()) }
    if let what = readValues(fields) { return .broken(what) }
    if !fields.isDisjoint(with: .rare), !readRare(fields) { return .broken(.brokenRecord) }
    return record.isBroken ? .broken(.brokenRecord) : .event
  }

  private mutating func readRare(_ fields: Fields) -> Bool {
    if fields.contains(.count) { event.count = record.varint() }
    if fields.contains(.className) { event.className = small(record.varint()) }
    if fields.contains(.selector) { event.selector = small(record.varint()) }
    if fields.contains(.otherClass) { event.otherClass = small(record.varint()) }
    if fields.contains(.serves) { event.serves = event.registration &+ record.signed() }
    guard readAddresses(fields) else { return false }
    if fields.contains(.key) { event.key = small(record.varint()) }
    if fields.contains(.status) { event.status = small(record.varint()) }
    if fields.contains(.reason) {
      event.reason = TraceRemovalReason(rawValue: UInt8(truncatingIfNeeded: record.varint()))
    }
    if fields.contains(.line) { event.line = small(record.varint()) }
    if fields.contains(.file) { event.file = small(record.varint()) }
    if fields.contains(.stack) { event.stack = small(record.varint()) }
    return true
  }

  private mutating func readAddresses(_ fields: Fields) -> Bool {
    if fields.contains(.observer) {
      guard let address = addresses.object(&record) else { return false }
      event.observer = address
    }
    if fields.contains(.callback) {
      guard let address = addresses.code(&record) else { return false }
      event.callback = address
    }
    if fields.contains(.implementation) {
      guard let address = addresses.code(&record) else { return false }
      event.implementation = address
    }
    return true
  }
}

// ---- values -------------------------------------------------------------------------------------

extension RecordDecoder {
  /// Returns why the rest of the chunk cannot be read, if so.
  private mutating func readValues(_ fields: Fields) -> TraceProblem.What? {
    if fields.contains(.value) {
      let letter = record.byte()
      event.value = value(letter)
      if event.value == nil { return unread(letter) }
    }
    if fields.contains(.oldValue) {
      let letter = record.byte()
      event.oldValue = value(letter)
      if event.oldValue == nil { return unread(letter) }
    }
    return nil
  }

  private func unread(_ letter: UInt8) -> TraceProblem.What {
    record.isBroken ? .brokenRecord : .unknownValue(type: letter)
  }

  /// Nil: a value of another type, or at a place that there is not.
  private mutating func value(_ letter: UInt8) -> TraceValue? {
    switch UnicodeScalar(letter) {
    case "c", "s", "i", "l", "q": .integer(Int64(bitPattern: record.signed()))
    case "B": .bool(record.varint() != 0)
    case "C", "S", "I", "L", "Q": .unsigned(record.varint())
    case "f": .float(Float(bitPattern: UInt32(truncatingIfNeeded: fixed(4))))
    case "d": .double(Double(bitPattern: fixed(8)))
    case "n": .null
    case "@": object()
    case "T": text()
    case "?": .unrecorded(small(record.varint()))
    case "N": number(record.byte())
    default: nil
    }
  }

  private mutating func number(_ letter: UInt8) -> TraceValue? {
    letter == UInt8(ascii: "N") ? nil : value(letter)
  }

  private mutating func object() -> TraceValue? {
    addresses.object(&record).map { .object($0) }
  }

  private mutating func text() -> TraceValue {
    let length = record.varint()
    var bytes = record.bytes(record.varint())[...]
    // A text that is cut may end within a character.
    if length > UInt64(bytes.count) { bytes = bytes.withoutPartOfCharacter }
    return .text(String(decoding: bytes, as: UTF8.self), length: length)
  }

  private mutating func fixed(_ count: Int) -> UInt64 {
    let bytes = record.bytes(UInt64(count))
    return (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// The bytes without those at the end that begin a character of UTF-8 and do not end it.
  fileprivate var withoutPartOfCharacter: Self {
    guard let start = suffix(3).lastIndex(where: { $0 >= 0xc0 }) else { return self }
    let length = self[start] >= 0xf0 ? 4 : self[start] >= 0xe0 ? 3 : 2
    return endIndex - start < length ? self[..<start] : self
  }
}
