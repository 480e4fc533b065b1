import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct ArrayTests {
  @Test("items keep their order while the array grows")
  func order() throws {
    var array = isa__array()
    defer { isa__array_clear(&array) }
    for item in 1...100 { try check(isa__array_add(&array, address(item))) }
    #expect(items(of: array) == Array(1...100))
  }

  @Test("removing closes the gap", arguments: [0, 3, 6])
  func removing(index: Int) throws {
    var array = isa__array(), expected = Array(10..<17)
    defer { isa__array_clear(&array) }
    for item in expected { try check(isa__array_add(&array, address(item))) }
    isa__array_remove_at(&array, index)
    expected.remove(at: index)
    #expect(items(of: array) == expected)
  }

  @Test("removing an item takes its first occurrence and says whether there was one")
  func removingItem() throws {
    var array = isa__array()
    defer { isa__array_clear(&array) }
    for item in [1, 2, 1] { try check(isa__array_add(&array, address(item))) }
    #expect(isa__array_remove(&array, address(1)))
    #expect(items(of: array) == [2, 1])
    #expect(!isa__array_remove(&array, address(3)))
  }

  @Test("an array that has become empty holds no memory")
  func emptied() throws {
    let blocks = isa_testing_live_counts().blocks
    var array = isa__array()
    try check(isa__array_add(&array, address(1)))
    #expect(isa_testing_live_counts().blocks == blocks + 1)
    #expect(isa__array_remove(&array, address(1)))
    #expect(isa_testing_live_counts().blocks == blocks)
  }

  @Test("within the reserved capacity adding needs no memory")
  func reserving() throws {
    var array = isa__array()
    defer { isa__array_clear(&array) }
    try check(isa__array_reserve(&array, 10))
    _ = isa_testing_fail_allocation(0)
    for item in 1...10 { try check(isa__array_add(&array, address(item))) }
    #expect(!isa_testing_fail_allocation(-1))
  }

  @Test("without memory an array stays as it was")
  func allocationFailure() throws {
    var array = isa__array()
    defer { isa__array_clear(&array) }
    try check(isa__array_reserve(&array, 1))
    try check(isa__array_add(&array, address(1)))
    try withEachAllocationFailing {
      do {
        try check(isa__array_add(&array, address(2)))
      } catch {
        #expect(items(of: array) == [1])
        throw error
      }
    }
    #expect(items(of: array) == [1, 2])
  }

  @Test("clearing gives the storage back and leaves an empty array")
  func clearing() throws {
    let blocks = isa_testing_live_counts().blocks
    var array = isa__array()
    try check(isa__array_add(&array, address(1)))
    isa__array_clear(&array)
    #expect(array.count == 0)
    #expect(isa_testing_live_counts().blocks == blocks)
  }

  private func items(of array: isa__array) -> [Int] {
    (0..<array.count).map { Int(bitPattern: array.items[$0]) }
  }
}

private func address(_ number: Int) -> UnsafeMutableRawPointer {
  UnsafeMutableRawPointer(bitPattern: number)!
}
