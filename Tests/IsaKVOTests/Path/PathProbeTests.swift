import IsaKVO
import IsaKVOTestSupport
import Testing

private final class Stone: KVObject {
  nonisolated(unsafe) static var uses = 0
  @Dynamic var weight = 1

  /// Asked when the first object of the class is used.
  override class var keys: [KeyDeclaration] {
    uses += 1
    return []
  }
}

private final class Pile: KVObject {
  @Dynamic var stones: [Stone] = [Stone(), Stone()]
  @Dynamic var below: Pile?
}

@Suite(.serialized, .leavesNoObjects)
struct PathProbeTests {
  @Test("asking for an array, and observing it, looks at none of its elements")
  func elementsAreLeftAlone() {
    let pile = Pile()
    pile.below = Pile()
    let stones = pile.mutableArrayValue(for: \.stones)
    let lower = pile.mutableArrayValue(for: \.below!.stones)
    let token = pile.observe(\.below!.stones) { _, _ in }
    token.invalidate()
    #expect(stones.count == 2 && lower.count == 2)
    #expect(Stone.uses == 0)
  }
}
