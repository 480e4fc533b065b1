// Index sets, between Swift arrays and the C core.
package import CIsa

/// Calls `body` with the indexes as a set.
package func withIndexSet(
  _ indexes: [Int], _ body: (UnsafePointer<kvc_index_set>) -> isa_status
) -> isa_status {
  var set = kvc_index_set()
  let status = kvc_index_set_make(indexes, indexes.count, &set)
  if status != ISA_OK { return status }
  defer { kvc_index_set_destroy(&set) }
  return body(&set)
}

/// The indexes of a set upwards; nil for none.
package func indexes(in set: UnsafePointer<kvc_index_set>?) -> [Int]? { Places(set)?.indexes }

/// The places of elements, upwards.
@frozen @usableFromInline
package enum Places: Sendable {
  case range(Range<Int>)
  case each([Int])

  /// The indexes of a set; nil for none.
  init?(_ set: UnsafePointer<kvc_index_set>?) {
    guard let set = set?.pointee else { return nil }
    let ranges = UnsafeBufferPointer(start: set.ranges, count: set.range_count)
    self =
      ranges.count == 1
      ? .range(ranges[0].places) : .each(ranges.flatMap { Array($0.places) })
  }

  var indexes: [Int] {
    switch self {
    case .range(let range): Array(range)
    case .each(let indexes): indexes
    }
  }

  @inlinable
  package var count: Int {
    switch self {
    case .range(let range): range.count
    case .each(let indexes): indexes.count
    }
  }

  /// The place behind the last.
  @inlinable
  package var end: Int {
    switch self {
    case .range(let range): range.isEmpty ? 0 : range.upperBound
    case .each(let indexes): indexes.last.map { $0 + 1 } ?? 0
    }
  }

  /// Calls `body` with the places as a set.
  package func withIndexSet(_ body: (UnsafePointer<kvc_index_set>) -> isa_status) -> isa_status {
    switch self {
    case .each(let indexes): return IsaKeyValue.withIndexSet(indexes, body)
    case .range(let range):
      var places = kvc_range(start: range.lowerBound, count: range.count)
      return withUnsafeMutablePointer(to: &places) { places in
        var set = kvc_index_set(ranges: places, range_count: 1, count: range.count)
        return body(&set)
      }
    }
  }
}

extension kvc_range {
  fileprivate var places: Range<Int> { start..<(start + count) }
}
