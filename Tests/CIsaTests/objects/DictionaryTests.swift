import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct DictionaryTests {
  private let key: Boxed, one: Boxed

  init() throws {
    key = try Boxed.string("a")
    one = try Boxed.number(1)
  }

  @Test("a value is found by an equal key", arguments: [false, true])
  func finding(isMutable: Bool) throws {
    let dictionary = try makeDictionary(["a": one, "b": .number(2)], isMutable: isMutable)
    #expect(dictionary.className == (isMutable ? "IsaMutableDictionary" : "IsaDictionary"))
    #expect(dictionary.count == 2 && dictionary.kind == KVC_KIND_DICTIONARY)
    #expect(try value(dictionary, "a") == one.id)
    #expect(try value(dictionary, "c") == nil)
    var found: isa_id? = one.id
    try check(kvc_dictionary_copy_value(dictionary.id, nil, &found))
    #expect(found == nil)
    #expect(try Boxed { kvc_dictionary_copy_keys(dictionary.id, $0) }.description == "(a, b)")
    #expect(try Boxed { kvc_collection_copy_objects(dictionary.id, $0) }.description == "(1, 2)")
    #expect(dictionary.contains(try Boxed.number(2)))
    #expect(!kvc_collection_contains(dictionary.id, key.id))
  }

  @Test("of equal keys the last counts, and the first key stays")
  func equalKeys() throws {
    let dictionary = try makeDictionary(["a": .number(2), "a": one])
    #expect(dictionary.count == 1)
    #expect(try value(dictionary, "a") == one.id)
  }

  @Test("values are set, replaced and removed")
  func changing() throws {
    let dictionary = try makeDictionary([:], isMutable: true)
    try check(kvc_dictionary_set(dictionary.id, key.id, one.id))
    let equalKey = try Boxed.string("a")
    try check(kvc_dictionary_set(dictionary.id, equalKey.id, kvc_null()))
    #expect(dictionary.description == "{a = <null>}" && one.retainCount == 1)
    try check(kvc_dictionary_set(dictionary.id, one.id, one.id))
    try check(kvc_dictionary_remove(dictionary.id, equalKey.id))
    try check(kvc_dictionary_remove(dictionary.id, key.id))
    #expect(dictionary.description == "{1 = 1}" && key.retainCount == 1)
    try check(kvc_collection_remove_all(dictionary.id))
    #expect(dictionary.count == 0 && one.retainCount == 1)
  }

  @Test("nil is neither key nor value, and a dictionary that cannot change does not")
  func refused() throws {
    let dictionary = try makeDictionary(["a": one], isMutable: true)
    #expect(kvc_dictionary_set(dictionary.id, nil, one.id) == ISA_ERR_INVALID_ARGUMENT)
    #expect(lastReason() == "*** -[IsaMutableDictionary setObject:forKey:]: key cannot be nil")
    #expect(kvc_dictionary_set(dictionary.id, key.id, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(lastReason() == "*** -[IsaMutableDictionary setObject:forKey:]: object cannot be nil")
    #expect(kvc_dictionary_remove(dictionary.id, nil) == ISA_ERR_INVALID_ARGUMENT)
    let copy = try Boxed { kvc_collection_copy(dictionary.id, $0) }
    #expect(kvc_dictionary_set(copy.id, key.id, one.id) == ISA_ERR_UNRECOGNIZED_SELECTOR)
    #expect(kvc_dictionary_remove(copy.id, key.id) == ISA_ERR_UNRECOGNIZED_SELECTOR)
    #expect(kvc_collection_add(dictionary.id, one.id) == ISA_ERR_UNRECOGNIZED_SELECTOR)
    var made: isa_id?
    #expect(kvc_dictionary_make([nil], [one.id], 1, &made) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_dictionary_make([key.id], [nil], 1, &made) == ISA_ERR_INVALID_ARGUMENT)
    #expect(made == nil && dictionary.count == 1)
  }

  @Test("keys are copied, and what cannot be copied is no key")
  func copiedKeys() throws {
    let keys = try CollectionType.mutableArray(1),
      dictionary = try makeDictionary([:], isMutable: true)
    try check(kvc_dictionary_set(dictionary.id, keys.id, one.id))
    try check(kvc_collection_add(keys.id, one.id))
    #expect(dictionary.description == "{(1) = 1}")
    let pair = try ClassPair("Uncopied")
    let object = try Boxed { isa_object_allocate(pair.cls, $0) }
    #expect(kvc_dictionary_set(dictionary.id, object.id, one.id) == ISA_ERR_UNRECOGNIZED_SELECTOR)
    #expect(lastReason().hasPrefix("-[Uncopied copy]: unrecognized selector"))
  }

  @Test("dictionaries of equal keys and values are equal")
  func equality() throws {
    let first = try makeDictionary(["a": one, "b": .string("x")])
    let second = try makeDictionary(["b": .string("x"), "a": .number(1.0)], isMutable: true)
    #expect(isEqual(first, second) && kvc_hash(first.id) == kvc_hash(second.id))
    #expect(!isEqual(first, try makeDictionary(["a": one, "b": one])))
    #expect(!isEqual(first, try makeDictionary(["a": one, "c": .string("x")])))
    #expect(!isEqual(first, try makeDictionary(["a": one])))
    #expect(!isEqual(first, try CollectionType.set(1)))
    let copy = try Boxed { kvc_collection_mutable_copy(first.id, $0) }
    #expect(isEqual(copy, first) && copy.className == "IsaMutableDictionary")
  }

  @Test("without memory a dictionary is as it was")
  func allocationFailure() throws {
    try withEachAllocationFailing { _ = try makeDictionary(["a": one, "b": one]) }
    let dictionary = try makeDictionary(["a": one, "b": one, "c": one, "d": one], isMutable: true)
    try withEachAllocationFailing {
      _ = try Boxed { kvc_collection_mutable_copy(dictionary.id, $0) }
    }
    try withEachAllocationFailing { _ = try Boxed { kvc_dictionary_copy_keys(dictionary.id, $0) } }
    try withEachAllocationFailing { _ = try Boxed { kvc_copy_description(dictionary.id, $0) } }
    let calls = try withEachAllocationFailing {
      try check(kvc_dictionary_set(dictionary.id, one.id, one.id))
    }
    #expect(calls > 0 && dictionary.count == 5)
  }

  /// The value for `key`, which the dictionary keeps alive.
  private func value(_ dictionary: Boxed, _ key: String) throws -> isa_id? {
    let key = try Boxed.string(key)
    var value: isa_id?
    try check(kvc_dictionary_copy_value(dictionary.id, key.id, &value))
    isa_object_release(value)
    return value
  }
}
