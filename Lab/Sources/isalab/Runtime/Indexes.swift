// The core's index sets, which messages about several elements carry by address.
import CIsa
import IsaRuntime

enum Indexes {
  /// The indexes of the set that an accessor was given.
  static func list(at address: UInt?) -> [Int] {
    guard let set = address.flatMap({ UnsafePointer<kvc_index_set>(bitPattern: $0) }) else {
      return []
    }
    var walk = kvc_index_walk()
    var index = 0
    var indexes: [Int] = []
    while kvc_index_set_next(set, &walk, &index) { indexes.append(index) }
    return indexes
  }

  /// Makes a set for as long as `body` runs, which is given its address as an argument.
  static func withSet(
    _ indexes: [Int], _ body: (RuntimeValue) throws(KeyValueError) -> Void
  ) throws(KeyValueError) {
    var set = kvc_index_set()
    try refusing(kvc_index_set_make(indexes, indexes.count, &set))
    defer { kvc_index_set_destroy(&set) }
    try withUnsafePointer(to: &set) { set throws(KeyValueError) in
      try body(.pointer(address: UInt(bitPattern: set)))
    }
  }
}
