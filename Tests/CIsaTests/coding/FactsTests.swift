import CIsa
import CIsa.Testing
import CIsaTestSupport
import Foundation
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct FactsTests {
  @Test("what a hundred thousand pairs of a class and a key came to is all found without a lock")
  func many() throws {
    let base = try ClassPair("FactsBase")
    let keys = (0..<400).map { "fact\($0)" }
    for (number, key) in keys.enumerated() { try base.add(key, answering: number % 3) }
    let pairs = try (0..<250).map { try ClassPair("Facts\($0)", below: base) }
    for pair in pairs {
      let instance = try Instance(of: pair.cls, keeping: pair)
      for key in keys { _ = try value(instance.id, key, "q", as: Int64.self) }
    }
    let texts: [UnsafePointer<CChar>?] = keys.map { UnsafePointer(strdup($0)) }
    defer { for text in texts { free(UnsafeMutablePointer(mutating: text)) } }
    let classes: [isa_class?] = pairs.map(\.cls)
    #expect(
      isa_test_known_getters(classes, classes.count, texts, texts.count)
        == pairs.count * keys.count)
  }

  @Test("keys that nobody answers for take no memory, however they are asked for")
  func undefined() throws {
    let person = try Person()
    func ask(_ key: String) throws {
      #expect(try status { try value(person.id, at: key) } == KVC_ERR_UNDEFINED_KEY)
      #expect(try status { try set(person.id, at: key, nil) } == KVC_ERR_UNDEFINED_KEY)
      let proxy = try Boxed { kvc_proxy_make_array(person.id, key, $0) }
      #expect(try status { try proxy.add(proxy) } == KVC_ERR_UNDEFINED_KEY)
    }
    try ask("nobodysKey")
    let blocks = isa_testing_live_counts().blocks
    for number in 0..<1000 { try ask("nobodysKey\(number)") }
    #expect(isa_testing_live_counts().blocks == blocks)
    #expect(isa__key_find("nobodysKey7") == nil)
  }

  @Test("without memory a class is asked each time, and answers as ever")
  func memory() throws {
    let pair = try ClassPair("FactsMemory")
    let keys = ["rememberedOnce", "neverRemembered"]
    for (number, key) in keys.enumerated() { try pair.add(key, answering: number) }
    let instance = try Instance(of: pair.cls, keeping: pair)
    let texts: [UnsafePointer<CChar>?] = keys.map { UnsafePointer(strdup($0)) }
    defer { for text in texts { free(UnsafeMutablePointer(mutating: text)) } }
    let classes: [isa_class?] = [pair.cls], number = Cell(Int64(-1))
    var types: UnsafePointer<CChar>?
    #expect(kvc_read(instance.id, texts[0], number.address, 8, &types) == ISA_OK)
    for _ in 0..<2 {
      number.address.storeBytes(of: -1, as: Int64.self)
      _ = isa_testing_fail_allocation(0)
      let status = kvc_read(instance.id, texts[1], number.address, 8, &types)
      #expect(isa_testing_fail_allocation(-1))
      #expect(status == ISA_OK && number.address.load(as: Int64.self) == 1)
      #expect(isa_test_known_getters(classes, 1, texts, 2) == 1)
    }
    #expect(kvc_read(instance.id, texts[1], number.address, 8, &types) == ISA_OK)
    #expect(isa_test_known_getters(classes, 1, texts, 2) == 2)
  }

  @Test("a fact is found from when it was kept, whole, by threads that read while tables grow")
  func growing() {
    let found = isa_test_facts_growing(isa_test_litmus_rounds() / 1000)
    #expect(found.lost == 0 && found.torn == 0)
    #expect(found.reads > 0)
  }

  @Test("a fact that holds tells nothing that a method's change has made untrue")
  func changing() {
    let found = isa_test_facts_changing(isa_test_litmus_rounds() / 10)
    #expect(found.outdated == 0 && found.lost == 0 && found.torn == 0)
    #expect(found.reads > 0)
    #expect(isa_test_answers_changing(100).outdated == 0)
  }

  @Test("threads find the texts that another adds, and intern one key for each")
  func texts() {
    let found = isa_test_texts_growing(isa_test_litmus_rounds() / 1000)
    #expect(found.lost == 0 && found.torn == 0)
    #expect(found.reads > 0)
    let interned = isa_test_keys_interning(1000)
    #expect(interned.lost == 0 && interned.torn == 0)
  }
}
