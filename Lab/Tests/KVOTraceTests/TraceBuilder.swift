import KVOTrace

/// Writes a trace as docs/tracing.md describes it, into memory.
///
/// It stands on that page alone, and knows nothing of the recorder or the reader.
struct TraceBuilder {
  var isBigEndian = false
  var pointerSize: UInt32 = 8
  var chunkSize = 65536
  var headerSize = 4096
  var version: UInt32 = 1
  var magic = "KVOTRACE"
  var keep: UInt32 = 0
  var kinds: UInt64 = ~0
  var stacks: UInt32 = 1
  var values: UInt32 = 1
  var process: UInt64 = 4711
  var startTime: UInt64 = 1_000_000
  var startWall: UInt64 = 1_800_000_000_000_000_000
  var lostEvents: UInt64 = 0
  var structureEnd: UInt64 = 0
  var endTime: UInt64 = 9_000_000
  var endReason: UInt32 = 1
  var endError: UInt32 = 0
  private(set) var chunks: [BuiltChunk] = []
  private var current: [UInt32: Int] = [:]
  private var numbers: [String: UInt64] = [:]
  private var stackCount: UInt64 = 0

  init(
    isBigEndian: Bool = false, pointerSize: UInt32 = 8, chunkSize: Int = 65536, version: UInt32 = 1
  ) {
    (self.isBigEndian, self.pointerSize) = (isBigEndian, pointerSize)
    (self.chunkSize, self.version) = (chunkSize, version)
  }

  /// The stream of structure; others count from 1.
  static let structure: UInt32 = 0

  // ---- structure ----

  mutating func text(_ text: String, length: UInt64? = nil) -> UInt64 {
    if text.isEmpty { return 0 }
    if let known = numbers[text] { return known }
    let number = UInt64(numbers.count + 1)
    numbers[text] = number
    let bytes = Array(text.utf8)
    record(64, varint(number) + varint(length ?? UInt64(bytes.count)) + bytes)
    return number
  }

  mutating func stack(_ calls: [UInt64]) -> UInt64 {
    stackCount += 1
    var parts = varint(stackCount) + varint(UInt64(calls.count)) + varint(calls[0])
    for (call, before) in zip(calls.dropFirst(), calls) { parts += signed(call &- before) }
    record(67, parts)
    return stackCount
  }

  mutating func module(_ path: String, _ addresses: Range<UInt64>, bias: UInt64, build: [UInt8]) {
    record(
      66,
      varint(addresses.lowerBound) + varint(addresses.upperBound) + varint(bias)
        + varint(UInt64(build.count)) + build + Array(path.utf8))
  }

  mutating func object(_ address: UInt64, _ className: String, first: UInt64) {
    let name = text(className)
    record(68, varint(address) + varint(name) + varint(first))
  }

  mutating func registration(
    object: UInt64, number: UInt64, keyPath: String, options: UInt64, observer: UInt64,
    root: UInt64 = 0, rootKeyPath: String = "", isFunction: Bool = false
  ) {
    let (path, rootPath) = (text(keyPath), text(rootKeyPath))
    record(
      69,
      varint(object) + varint(number) + varint(path) + varint(options) + varint(observer)
        + varint(root) + varint(rootPath) + varint(isFunction ? 1 : 0))
  }

  mutating func note(_ name: String, _ text: String) {
    record(70, varint(UInt64(name.utf8.count)) + Array(name.utf8) + Array(text.utf8))
  }

  // ---- records ----

  /// Appends a record that is no event, by default to structure.
  mutating func record(_ kind: UInt64, _ parts: [UInt8], stream: UInt32 = structure) {
    let body = varint(kind) + parts
    append(varint(UInt64(body.count)) + body, stream, time: startTime, id: 0, thread: 0)
  }

  /// Appends an event, behind the records of its stream.
  mutating func event(_ event: BuiltEvent, stream: UInt32 = 1) {
    let names = event.texts.map { text($0) }
    prepare(stream, room: 400, time: event.time, id: event.id, thread: event.thread)
    let index = current[stream]!
    if chunks[index].thread != event.thread {
      let body = varint(65) + varint(event.thread)
      chunks[index].bytes += varint(UInt64(body.count)) + body
      chunks[index].thread = event.thread
    }
    let body = chunks[index].encode(event, names, isBigEndian: isBigEndian)
    chunks[index].bytes += varint(UInt64(body.count)) + body
  }

  private mutating func append(
    _ bytes: [UInt8], _ stream: UInt32, time: UInt64, id: UInt64, thread: UInt64
  ) {
    prepare(stream, room: bytes.count, time: time, id: id, thread: thread)
    chunks[current[stream]!].bytes += bytes
  }

  private mutating func prepare(
    _ stream: UInt32, room: Int, time: UInt64, id: UInt64, thread: UInt64
  ) {
    if let index = current[stream], chunks[index].bytes.count + room <= chunkSize - 64 { return }
    current[stream] = chunks.count
    chunks.append(
      BuiltChunk(
        type: stream == Self.structure ? 2 : 1, stream: stream, sequence: UInt64(chunks.count + 1),
        time: time, id: id, thread: thread))
  }

  mutating func changeChunk(_ index: Int, _ change: (inout BuiltChunk) -> Void) {
    change(&chunks[index])
  }

  /// Has the next record of the stream begin another chunk.
  mutating func endChunk(_ stream: UInt32) { current[stream] = nil }

  // ---- the file ----

  func header(chunkCount: UInt64? = nil) -> [UInt8] {
    var bytes = Array(magic.utf8)
    for number in [0x0102_0304, version, UInt32(headerSize), UInt32(chunkSize), pointerSize, keep] {
      bytes += u32(number)
    }
    for number in [process, startTime, startWall, 1 << 28, kinds] { bytes += u64(number) }
    bytes += u32(stacks) + u32(values) + u64(chunkCount ?? UInt64(chunks.count))
    for number in [lostEvents, 0, structureEnd, endTime] { bytes += u64(number) }
    bytes += u32(endReason) + u32(endError)
    return bytes + [UInt8](repeating: 0, count: headerSize - bytes.count)
  }

  var bytes: [UInt8] {
    chunks.reduce(into: header()) { file, chunk in
      file += u32(chunk.type) + u32(chunk.stream) + u64(chunk.sequence)
      file += u64(chunk.used ?? UInt64(chunk.bytes.count)) + u64(chunk.firstTime)
      file += u64(chunk.firstID) + u64(chunk.firstThread) + u64(0) + u64(0)
      file += chunk.bytes
      file += [UInt8](repeating: 0, count: chunkSize - 64 - chunk.bytes.count)
    }
  }

  func trace() throws -> Trace { try Trace(bytes: bytes) }

  private func u32(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: isBigEndian ? number.bigEndian : number.littleEndian, Array.init)
  }

  private func u64(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: isBigEndian ? number.bigEndian : number.littleEndian, Array.init)
  }
}

func varint(_ number: UInt64) -> [UInt8] {
  var (left, bytes) = (number, [UInt8]())
  while left > 0x7f {
    bytes.append(UInt8(left & 0x7f) | 0x80)
    left >>= 7
  }
  return bytes + [UInt8(left)]
}

func signed(_ difference: UInt64) -> [UInt8] {
  let number = Int64(bitPattern: difference)
  return varint(UInt64(bitPattern: number << 1 ^ number >> 63))
}

/// An event as a test says it; fields that it does not say are left out of the record.
struct BuiltEvent {
  var kind: TraceEventKind
  var id: UInt64 = 0
  var cause: UInt64 = 0
  var time: UInt64 = 0
  var thread: UInt64 = 1
  var object: UInt64?
  var name = ""
  var registration: UInt64?
  var flags: TraceFlags = []
  var value: TraceValue?
  var oldValue: TraceValue?
  var count: UInt64?
  var className = ""
  var selector = ""
  var otherClass = ""
  var serves: UInt64?
  var observer: UInt64?
  var callback: UInt64?
  var implementation: UInt64?
  var key = ""
  var status: UInt64?
  var reason: TraceRemovalReason?
  var line: UInt64?
  var file = ""
  var stack: UInt64?
  /// Bits and bytes of fields that the page does not have.
  var laterFields: UInt64 = 0
  var laterBytes: [UInt8] = []

  /// In the order of their fields.
  var texts: [String] { [name, className, selector, otherClass, key, file] }
}

/// A chunk that is being built, with what its next record is a difference to.
struct BuiltChunk {
  var type: UInt32
  var stream: UInt32
  var sequence: UInt64
  var used: UInt64?
  var bytes: [UInt8] = []
  var firstTime: UInt64
  var firstID: UInt64
  var firstThread: UInt64
  var thread: UInt64
  private var time: UInt64
  private var id: UInt64
  private var registration: UInt64 = 0
  private var objects = BuiltAddresses()
  private var code = BuiltAddresses()

  init(type: UInt32, stream: UInt32, sequence: UInt64, time: UInt64, id: UInt64, thread: UInt64) {
    (self.type, self.stream, self.sequence) = (type, stream, sequence)
    (firstTime, firstID, firstThread) = (time, id, thread)
    (self.time, self.id, self.thread) = (time, id, thread)
  }

  mutating func encode(_ event: BuiltEvent, _ names: [UInt64], isBigEndian: Bool) -> [UInt8] {
    var fields = event.laterFields
    var parts: [UInt8] = []
    func isThere(_ bit: UInt64, _ condition: Bool) -> Bool {
      if condition { fields |= 1 << bit }
      return condition
    }
    if isThere(0, event.object != nil) { parts += objects.encode(event.object!) }
    if isThere(1, names[0] != 0) { parts += varint(names[0]) }
    if isThere(2, event.registration != nil) {
      parts += signed(event.registration! &- registration)
      registration = event.registration!
    }
    if isThere(3, event.flags != []) { parts += varint(event.flags.rawValue) }
    if isThere(4, event.value != nil) { parts += encode(event.value!, isBigEndian) }
    if isThere(5, event.oldValue != nil) { parts += encode(event.oldValue!, isBigEndian) }
    if isThere(6, event.count != nil) { parts += varint(event.count!) }
    if isThere(7, names[1] != 0) { parts += varint(names[1]) }
    if isThere(8, names[2] != 0) { parts += varint(names[2]) }
    if isThere(9, names[3] != 0) { parts += varint(names[3]) }
    if isThere(10, event.serves != nil) {
      parts += signed(event.serves! &- (event.registration ?? 0))
    }
    if isThere(11, event.observer != nil) { parts += objects.encode(event.observer!) }
    if isThere(12, event.callback != nil) { parts += code.encode(event.callback!) }
    if isThere(13, event.implementation != nil) { parts += code.encode(event.implementation!) }
    if isThere(14, names[4] != 0) { parts += varint(names[4]) }
    if isThere(15, event.status != nil) { parts += varint(event.status!) }
    if isThere(16, event.reason != nil) { parts += varint(UInt64(event.reason!.rawValue)) }
    if isThere(17, event.line != nil) { parts += varint(event.line!) }
    if isThere(18, names[5] != 0) { parts += varint(names[5]) }
    if isThere(19, event.stack != nil) { parts += varint(event.stack!) }
    let start = varint(UInt64(event.kind.rawValue)) + varint(fields) + signed(event.time &- time)
    let ids = signed(event.id &- id) + varint(event.cause == 0 ? 0 : event.id &- event.cause)
    (time, id) = (event.time, event.id)
    return start + ids + parts + event.laterBytes
  }

  private mutating func encode(_ value: TraceValue, _ isBigEndian: Bool) -> [UInt8] {
    func letter(_ letter: Character) -> [UInt8] { [letter.asciiValue!] }
    func fixed(_ bytes: [UInt8]) -> [UInt8] { isBigEndian ? bytes : bytes.reversed() }
    switch value {
    case .integer(let number): return letter("N") + letter("q") + signed(UInt64(bitPattern: number))
    case .unsigned(let number): return letter("I") + varint(number)
    case .bool(let bool): return letter("B") + varint(bool ? 1 : 0)
    case .float(let number):
      return letter("f") + fixed(withUnsafeBytes(of: number.bitPattern.bigEndian, Array.init))
    case .double(let number):
      return letter("d") + fixed(withUnsafeBytes(of: number.bitPattern.bigEndian, Array.init))
    case .null: return letter("n")
    case .object(let address): return letter("@") + objects.encode(address)
    case .text(let text, let length):
      return letter("T") + varint(length) + varint(UInt64(text.utf8.count)) + Array(text.utf8)
    case .unrecorded(let number): return letter("?") + varint(UInt64(number))
    }
  }
}

private struct BuiltAddresses {
  private var places: [Int: UInt64] = [:]
  private var last: UInt64 = 0

  mutating func encode(_ address: UInt64) -> [UInt8] {
    let place = Int((address >> 4 ^ address >> 11) & 127)
    if places[place] == address { return varint(UInt64(place + 1)) }
    defer { (places[place], last) = (address, address) }
    return [0] + signed(address &- last)
  }
}
