/// What the records of structure tell that are no events: what other records name by number, and
/// what had been there before.
struct Structure {
  var texts: [String] = [""]
  /// The calls of each stack, innermost first, as addresses to which they return.
  var stacks: [[UInt64]] = [[]]
  var modules: [TraceModule] = []
  var objects = ObjectTable()
  /// Registrations that were there before their objects were first seen.
  var earlier: [TraceRegistration] = []
  var notes: [String: String] = [:]
}

/// A program or library that was loaded in the traced process.
package struct TraceModule: Hashable, Sendable {
  package let path: String
  /// Its addresses in the process.
  package let addresses: Range<UInt64>
  /// What to take from an address to have it as the module's file has it.
  package let bias: UInt64
  /// In hexadecimal digits; empty if it has none.
  package let buildID: String

  /// The part of the path behind the last slash.
  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// Reads structure.
struct StructureReader {
  private(set) var structure = Structure()
  private(set) var problems: [TraceProblem] = []
  private var unknown: Set<UInt64> = []
  /// No number of a text or stack is as large: each has a record of at least three bytes.
  private let mostNumber: UInt64

  init(bytes: UInt64) { mostNumber = min(bytes / 3 + 1, 0xffff_ffff) }

  /// Reads a record that is no event. Returns false if it is broken.
  mutating func read(_ kind: UInt64, _ record: RecordReader, at offset: UInt64) -> Bool {
    var record = record
    switch kind {
    case RecordKind.text: readText(&record, offset)
    case RecordKind.module: readModule(&record)
    case RecordKind.stack: readStack(&record, offset)
    case RecordKind.object: readObject(&record)
    case RecordKind.registration: readRegistration(&record)
    case RecordKind.note: readNote(&record)
    default:
      if unknown.insert(kind).inserted {
        problems.append(TraceProblem(what: .unknownRecord(kind: kind), offset: offset))
      }
    }
    return !record.isBroken
  }

  private mutating func number(
    _ record: inout RecordReader, _ kind: UInt64, _ offset: UInt64
  ) -> Int? {
    let number = record.varint()
    if number > 0 && number <= mostNumber { return Int(number) }
    problems.append(TraceProblem(what: .badNumber(number, kind: kind), offset: offset))
    return nil
  }

  private mutating func readText(_ record: inout RecordReader, _ offset: UInt64) {
    guard let number = number(&record, RecordKind.text, offset) else { return }
    let length = record.varint()
    guard !record.isBroken else { return }
    let isCut = length > UInt64(record.left)
    while structure.texts.count <= number { structure.texts.append("") }
    structure.texts[number] = record.rest() + (isCut ? "…" : "")
  }

  private mutating func readModule(_ record: inout RecordReader) {
    let (low, high, bias) = (record.varint(), record.varint(), record.varint())
    let build = record.bytes(record.varint()).map(Self.hexadecimal).joined()
    let path = record.rest()
    guard !record.isBroken, low <= high else { return }
    structure.modules.append(
      TraceModule(path: path, addresses: low..<high, bias: bias, buildID: build))
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  private mutating func readStack(_ record: inout RecordReader, _ offset: UInt64) {
    guard let number = number(&record, RecordKind.stack, offset) else { return }
    let count = record.varint()
    guard count <= UInt64(record.left), count > 0 else {
      problems.append(TraceProblem(what: .badNumber(count, kind: RecordKind.stack), offset: offset))
      return
    }
    var calls = [record.varint()]
    for _ in 1..<Int(count) { calls.append(calls[calls.count - 1] &+ record.signed()) }
    while structure.stacks.count <= number { structure.stacks.append([]) }
    structure.stacks[number] = calls
  }

  private mutating func readObject(_ record: inout RecordReader) {
    let (address, name, first) = (record.varint(), record.varint(), record.varint())
    guard !record.isBroken else { return }
    structure.objects.append(address: address, className: TextNumber(clamping: name), first: first)
  }

  private mutating func readRegistration(_ record: inout RecordReader) {
    var registration = TraceRegistration()
    registration.object = record.varint()
    registration.number = record.varint()
    registration.keyPath = TextNumber(clamping: record.varint())
    registration.flags = TraceFlags(rawValue: record.varint())
    let observer = record.varint()
    registration.root = record.varint()
    registration.rootKeyPath = TextNumber(clamping: record.varint())
    registration.isFunction = record.varint() != 0
    registration.observer = observer
    registration.seen = structure.objects.lastSeen(at: registration.object)
    if !record.isBroken { structure.earlier.append(registration) }
  }

  private mutating func readNote(_ record: inout RecordReader) {
    let name = record.text(record.varint())
    if !record.isBroken { structure.notes[name] = record.rest() }
  }
}
