import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct MapTests {
  @Test("what was set is found, what was not is not")
  func setAndFind() throws {
    var map = isa__map()
    defer { isa__map_clear(&map) }
    #expect(isa__map_find(&map, address(1)) == nil)
    for key in 1...500 { try check(isa__map_set(&map, address(key), address(key * 2))) }
    #expect(map.count == 500)
    #expect((1...500).allSatisfy { isa__map_find(&map, address($0)) == address($0 * 2) })
    #expect(isa__map_find(&map, address(501)) == nil)
  }

  @Test("setting a key again replaces its value")
  func replacing() throws {
    var map = isa__map()
    defer { isa__map_clear(&map) }
    try check(isa__map_set(&map, address(1), address(2)))
    try check(isa__map_set(&map, address(1), address(3)))
    #expect(map.count == 1)
    #expect(isa__map_find(&map, address(1)) == address(3))
  }

  @Test(
    "texts are compared by their characters, addresses by themselves", arguments: [true, false])
  func textKeys(byText: Bool) throws {
    var map = isa__map()
    map.by_text = byText
    defer { isa__map_clear(&map) }
    let key = Text("age"), equal = Text("age"), other = Text("name")
    try check(isa__map_set(&map, key.start, address(1)))
    #expect((isa__map_find(&map, equal.start) != nil) == byText)
    #expect(isa__map_find(&map, key.start) == address(1))
    #expect(isa__map_find(&map, other.start) == nil)
  }

  @Test("adding and removing for a long time agrees with a dictionary and does not grow the table")
  func churn() throws {
    var map = isa__map(), model: [Int: Int] = [:], random = SplitMix(state: 1)
    defer { isa__map_clear(&map) }
    for _ in 0..<20_000 {
      let key = Int.random(in: 1...40, using: &random),
        value = Int.random(in: 1...9, using: &random)
      if Bool.random(using: &random) {
        try check(isa__map_set(&map, address(key), address(value)))
        model[key] = value
      } else {
        let removed = isa__map_remove(&map, address(key))
        #expect(removed.map { Int(bitPattern: $0) } == model.removeValue(forKey: key))
      }
    }
    #expect(entries(of: &map) == model)
    #expect(map.capacity <= 256)
  }

  @Test("walking meets each entry once, graves never")
  func walking() throws {
    var map = isa__map()
    defer { isa__map_clear(&map) }
    for key in 1...20 { try check(isa__map_set(&map, address(key), address(key))) }
    for key in 1...10 { #expect(isa__map_remove(&map, address(key)) == address(key)) }
    #expect(isa__map_remove(&map, address(1)) == nil)
    #expect(entries(of: &map) == Dictionary(uniqueKeysWithValues: (11...20).map { ($0, $0) }))
  }

  @Test("a map that has become empty holds no memory")
  func emptied() throws {
    let blocks = isa_testing_live_counts().blocks
    var map = isa__map()
    try check(isa__map_set(&map, address(1), address(1)))
    #expect(isa_testing_live_counts().blocks == blocks + 1)
    #expect(isa__map_remove(&map, address(1)) == address(1))
    #expect(isa_testing_live_counts().blocks == blocks)
  }

  @Test("without memory a map stays as it was")
  func allocationFailure() throws {
    var map = isa__map()
    defer { isa__map_clear(&map) }
    for key in 1...6 { try check(isa__map_set(&map, address(key), address(key))) }
    let points = try withEachAllocationFailing {
      do {
        try check(isa__map_set(&map, address(7), address(7)))
      } catch {
        #expect(entries(of: &map).count == 6)
        throw error
      }
    }
    #expect(points == 1)
    #expect(entries(of: &map).count == 7)
  }

  private func entries(of map: inout isa__map) -> [Int: Int] {
    var at = 0, entries: [Int: Int] = [:]
    while let entry = isa__map_next(&map, &at) {
      entries[Int(bitPattern: entry.pointee.key)] = Int(bitPattern: entry.pointee.value)
    }
    return entries
  }
}

private func address(_ number: Int) -> UnsafeMutableRawPointer {
  UnsafeMutableRawPointer(bitPattern: number)!
}

/// A text at an address of its own.
private final class Text {
  let start: UnsafeMutablePointer<CChar>

  init(_ text: String) {
    let characters = text.utf8CString
    start = .allocate(capacity: characters.count)
    for (index, character) in characters.enumerated() { start[index] = character }
  }

  deinit { start.deallocate() }
}
