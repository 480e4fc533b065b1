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
package func indexes(in set: UnsafePointer<kvc_index_set>?) -> [Int]? {
  guard let set else { return nil }
  let ranges = UnsafeBufferPointer(start: set.pointee.ranges, count: set.pointee.range_count)
  return ranges.flatMap { $0.start..<($0.start + $0.count) }
}
