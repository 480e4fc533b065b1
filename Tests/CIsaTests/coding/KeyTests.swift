import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct KeyTests {
  @Test("equal texts intern the same key, of any length")
  func interning() {
    for length in [1, 15, 16, 300, 5000] {
      let text = String(repeating: "k", count: length)
      let key = isa__key_intern(text)
      #expect(key != nil && isa__key_intern(text) == key && isa__key_find(text) == key)
    }
    #expect(isa__key_intern("age") != isa__key_intern("Age"))
  }

  @Test("each of many keys is found as the one that it was interned as")
  func many() {
    let keys = (0..<20_000).map { isa__key_intern("manyKeys\($0)") }
    #expect(Set(keys).count == keys.count)
    #expect(keys.indices.allSatisfy { isa__key_find("manyKeys\($0)") == keys[$0] })
  }

  @Test("texts that differ in one letter anywhere, or in length, are different keys")
  func similar() {
    for length in [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 40] {
      let text = String(repeating: "s", count: length)
      let others = (0..<length).map { at in
        String(text.enumerated().map { $0.offset == at ? "t" : $0.element })
      }
      let keys = Set(([text, text + "s"] + others).map { isa__key_intern($0) })
      #expect(keys.count == length + 2)
    }
  }

  @Test("asking for a key does not intern it")
  func finding() {
    #expect(isa__key_find("neverInterned") == nil)
    #expect(isa__key_find("neverInterned") == nil)
  }

  @Test("without memory a key is not interned, and later it is")
  func allocationFailure() throws {
    try withEachAllocationFailing {
      guard isa__key_intern("keyWithoutMemory") != nil else {
        throw StatusError(status: ISA_ERR_NO_MEMORY, reason: "")
      }
    }
    #expect(isa__key_find("keyWithoutMemory") != nil)
  }

  @Test("threads that intern the same texts get the same keys")
  func threads() {
    let found = (0..<3).map { _ in Box<[OpaquePointer?]>([]) }
    onThreads(3) { index in
      found[index].value = (0..<100).map { isa__key_intern("threadKey\($0)") }
    }
    #expect(found[0].value == found[1].value && found[1].value == found[2].value)
    #expect(Set(found[0].value).count == 100)
  }
}
