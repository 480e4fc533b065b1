import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct IndexSetTests {
  @Test(
    "indexes become ascending ranges that do not touch",
    arguments: [
      ([], []), ([3], [3..<4]), ([5, 1, 2, 4, 2, 5], [1..<3, 4..<6]), ([0, 1, 2], [0..<3]),
      ([0, 2, 4], [0..<1, 2..<3, 4..<5]),
    ] as [([Int], [Range<Int>])])
  func ranges(indexes: [Int], expected: [Range<Int>]) throws {
    try withIndexes(indexes) { set in
      let ranges = UnsafeBufferPointer(start: set.pointee.ranges, count: set.pointee.range_count)
      #expect(ranges.map { $0.start..<$0.start + $0.count } == expected)
      #expect(set.pointee.count == Set(indexes).count)
      #expect(walk(set) == Set(indexes).sorted())
      #expect(kvc_index_set_last(set) == indexes.max() ?? notFound)
      for index in 0..<8 {
        #expect(kvc_index_set_contains(set, index) == indexes.contains(index), "\(index)")
      }
    }
  }

  @Test("a range makes the same set as its indexes; an empty range the empty set")
  func oneRange() throws {
    var range = kvc_index_set(), empty = kvc_index_set()
    try check(kvc_index_set_make_range(2, 3, &range))
    try check(kvc_index_set_make_range(7, 0, &empty))
    try withIndexes([4, 3, 2]) { #expect(kvc_index_set_equal(&range, $0)) }
    try withIndexes([2, 3]) { #expect(!kvc_index_set_equal(&range, $0)) }
    try withIndexes([]) { #expect(kvc_index_set_equal(&empty, $0)) }
    kvc_index_set_destroy(&range)
    kvc_index_set_destroy(&empty)
    #expect(range.count == 0 && range.ranges == nil)
  }

  @Test("a copy is equal and independent")
  func copy() throws {
    var copy = kvc_index_set()
    try withIndexes([1, 5]) { set in
      try check(kvc_index_set_copy(set, &copy))
      #expect(kvc_index_set_equal(set, &copy) && set.pointee.ranges != copy.ranges)
    }
    #expect(walk(&copy) == [1, 5])
    kvc_index_set_destroy(&copy)
  }

  @Test("an index as large as not-found is refused, and the set stays as it was")
  func tooLarge() {
    var set = kvc_index_set()
    #expect(kvc_index_set_make([0, notFound], 2, &set) == KVC_ERR_RANGE)
    #expect(lastException() == "NSRangeException")
    #expect(kvc_index_set_make_range(notFound, 0, &set) == KVC_ERR_RANGE)
    #expect(kvc_index_set_make_range(notFound - 1, 2, &set) == KVC_ERR_RANGE)
    #expect(kvc_index_set_make_range(1, .max, &set) == KVC_ERR_RANGE)
    #expect(kvc_index_set_make(nil, 2, &set) == ISA_ERR_INVALID_ARGUMENT)
    #expect(set.count == 0 && set.ranges == nil)
  }

  @Test("any set of indexes agrees with Swift's")
  func random() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let indexes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        Int.random(in: 0..<30, using: &random)
      }
      try withIndexes(indexes) { set in
        #expect(walk(set) == Set(indexes).sorted())
        let contained = (0..<32).filter { kvc_index_set_contains(set, $0) }
        #expect(contained == Set(indexes).sorted())
      }
    }
  }

  @Test("without memory no set is made", arguments: [[1, 2], [2, 1]])
  func allocationFailure(indexes: [Int]) throws {
    try withEachAllocationFailing { try withIndexes(indexes) { _ in } }
    try withEachAllocationFailing {
      var set = kvc_index_set()
      try check(kvc_index_set_make_range(0, 1, &set))
      kvc_index_set_destroy(&set)
    }
  }

  private let notFound = Int.max

  private func walk(_ set: UnsafePointer<kvc_index_set>) -> [Int] {
    var walk = kvc_index_walk(), index = 0, indexes: [Int] = []
    while kvc_index_set_next(set, &walk, &index) { indexes.append(index) }
    return indexes
  }
}
