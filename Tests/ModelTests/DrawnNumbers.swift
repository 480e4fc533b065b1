/// Numbers that a seed determines (SplitMix64), or bytes, one each, as long as there are some.
struct DrawnNumbers: RandomNumberGenerator {
  private var state: UInt64
  private var bytes: ArraySlice<UInt8> = []

  init(seed: UInt64) { state = seed }

  init(bytes: [UInt8]) { (state, self.bytes) = (0, bytes[...]) }

  mutating func next() -> UInt64 {
    if let byte = bytes.popFirst() { return UInt64(byte) }
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
