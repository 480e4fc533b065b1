import CIsa

/// Index sets from and for the runtime.
enum Indexes {
  static func list(_ set: UnsafePointer<kvc_index_set>) -> [UInt] {
    var walk = kvc_index_walk()
    var index = 0
    var indexes: [UInt] = []
    while kvc_index_set_next(set, &walk, &index) { indexes.append(UInt(bitPattern: index)) }
    return indexes
  }

  /// Makes a set for as long as `body` runs.
  static func withSet(
    _ indexes: [UInt], _ body: (UnsafePointer<kvc_index_set>) -> isa_status
  ) throws(Refusal) {
    var set = kvc_index_set()
    let words = indexes.map { Int(bitPattern: $0) }
    try refusing(kvc_index_set_make(words, words.count, &set))
    defer { kvc_index_set_destroy(&set) }
    try refusing(body(&set))
  }
}
