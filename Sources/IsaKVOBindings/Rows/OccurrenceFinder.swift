/// Finds where objects are in a list: the first occurrence, then the next, each once.
///
/// Objects are told apart by identity. It is a hash table of its own, because Swift's dictionary takes
/// five times as long for 10 000 rows that are told.
///
/// - Complexity: O(*n*) to make, O(1) on average to take.
struct OccurrenceFinder {
  private let objects: [ObjectIdentifier]
  /// For each hash the position at which an object first is, or -1.
  private var slots: [Int]
  /// For each position the next one of the same object, or -1.
  private var next: [Int]
  /// For the first position of each object the position that is to be taken next, or -1.
  private var upcoming: [Int]
  private let shift: Int

  init(_ objects: [ObjectIdentifier]) {
    self.objects = objects
    let bits = max(3, Int.bitWidth - (objects.count * 2).leadingZeroBitCount)
    shift = UInt.bitWidth - bits
    slots = Array(repeating: -1, count: 1 << bits)
    next = Array(repeating: -1, count: objects.count)
    upcoming = Array(objects.indices)
    for position in objects.indices.reversed() {
      let slot = slot(of: objects[position])
      next[position] = slots[slot]
      slots[slot] = position
    }
  }

  /// The position of the next occurrence of an object; nil once there is none.
  mutating func take(_ object: ObjectIdentifier) -> Int? {
    let first = slots[slot(of: object)]
    guard first >= 0, upcoming[first] >= 0 else { return nil }
    let position = upcoming[first]
    upcoming[first] = next[position]
    return position
  }

  /// The slot that has the object, or is to have it.
  private func slot(of object: ObjectIdentifier) -> Int {
    let mask = slots.count - 1
    // Addresses are spread by a multiplication, of which the upper bits count.
    let spread = UInt(bitPattern: object) &* 0x9E37_79B9_7F4A_7C15
    var slot = Int(truncatingIfNeeded: spread &>> UInt(truncatingIfNeeded: shift))
    while slots[slot] >= 0, objects[slots[slot]] != object { slot = (slot + 1) & mask }
    return slot
  }
}

/// The identities of objects, in order.
func identities<Object: AnyObject>(of objects: [Object]) -> [ObjectIdentifier] {
  objects.map { ObjectIdentifier($0) }
}
