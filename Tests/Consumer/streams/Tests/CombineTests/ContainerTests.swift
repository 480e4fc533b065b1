import IsaKVO
import IsaKVOCombine
import Testing

@Suite("Publishers of what containers hold")
struct ContainerTests {
  @Test(
    "a publisher of a computed property hears an object, whatever holds it", arguments: containers)
  func publisher(kind: any AnyContainer) {
    func test<Kind: AnyContainer>(_ kind: Kind) {
      let leaf = Leaf(), other = Leaf(), holder = Holder(kind.container, [leaf])
      let probe = Probe<Int>()
      holder.publisher(for: \.total).subscribe(probe)
      var expected = [holder.total]
      leaf.size = 5
      expected.append(holder.total)
      holder.content = kind.container.make([other])
      expected.append(holder.total)
      other.size = 7
      expected.append(holder.total)
      #expect(probe.values == expected)
      probe.cancel()
    }
    test(kind)
  }
}
