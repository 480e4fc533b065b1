/// Why a file cannot be read as a trace at all.
package enum TraceError: Error, Hashable, Sendable {
  /// The system's sentence, such as "No such file or directory".
  case unreadable(reason: String)
  /// The file is shorter than a header; `size` is in bytes.
  case tooShort(size: UInt64, needed: UInt64)
  /// The first eight bytes are not `KVOTRACE`.
  case notATrace
  /// The byte order at offset 8 is none.
  case badByteOrder(UInt32)
  /// The format has another version, at offset 12.
  case otherVersion(UInt32, expected: UInt32)
  /// A field of the header cannot be: its offset in bytes, its value, and what it has to be.
  case badHeader(offset: UInt64, value: UInt64, expected: String)
}

extension TraceError: CustomStringConvertible {
  /// What is wrong, where, and what was expected.
  package var description: String {
    switch self {
    case .unreadable(let reason): reason
    case .tooShort(let size, let needed):
      "the file has \(size) bytes, and the header of a trace alone has \(needed)"
    case .notATrace: "at offset 0: the file is no trace, which begins with KVOTRACE"
    case .badByteOrder(let found):
      "at offset 8: the byte order is 0x\(String(found, radix: 16)); expected is 0x1020304"
    case .otherVersion(let found, let expected):
      "at offset 12: the trace has version \(found) of the format; this reader knows \(expected)"
    case .badHeader(let offset, let value, let expected):
      "at offset \(offset): \(value) stands in the header; expected is \(expected)"
    }
  }
}

/// A part of a trace that could not be read. All others were.
package struct TraceProblem: Hashable, Sendable {
  package enum What: Hashable, Sendable {
    /// The file ends before a chunk that the header counts, or within one.
    case cut(missing: UInt64)
    /// A chunk counts more bytes than it has room for.
    case overfull(used: UInt64, room: UInt64)
    case unknownChunk(type: UInt32)
    /// Another chunk has the same sequence.
    case repeatedSequence(UInt64)
    /// A record reaches beyond its chunk's end, or its fields beyond the record's.
    case brokenRecord
    /// A record of structure that cannot be: a number out of range.
    case badNumber(UInt64, kind: UInt64)
    /// Ids do not ascend, which they have to in a chunk of events.
    case descendingIDs(UInt64, after: UInt64)
    /// A value of a type that this reader does not know; a later recorder's, or damage.
    case unknownValue(type: UInt8)
    /// Records of a kind that this reader does not know: skipped. Stated once for each kind.
    case unknownRecord(kind: UInt64)
  }

  package let what: What
  /// Where in the file, in bytes.
  package let offset: UInt64
}

extension TraceProblem: CustomStringConvertible {
  /// What is wrong, where, and what was expected.
  package var description: String { "at offset \(offset): \(what.description)" }
}

extension TraceProblem.What: CustomStringConvertible {
  package var description: String {
    switch self {
    case .cut(let missing): "the file is cut: \(missing) bytes are missing"
    case .overfull(let used, let room): "a chunk counts \(used) bytes and has room for \(room)"
    case .unknownChunk(let type): "a chunk of the type \(type); known are 0, 1 and 2"
    case .repeatedSequence(let number): "a second chunk with the sequence \(number)"
    case .brokenRecord: "a record reaches beyond its end; the rest of its chunk is left out"
    case .badNumber(let number, let kind):
      "a record of the kind \(kind) has the number \(number), which is out of range"
    case .descendingIDs(let id, let before):
      "the id \(id) follows \(before), and ids ascend; the rest of the chunk is left out"
    case .unknownValue(let type): "a value of the unknown type \(type)"
    case .unknownRecord(let kind): "records of the unknown kind \(kind) are left out"
    }
  }
}
