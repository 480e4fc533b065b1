import CIsa
import CIsa.Testing
import CIsaTestSupport
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct CollectionsTests {
  // MARK: refusing

  @Test("arrays, ordered sets and sets are not observed, by any key", arguments: CollectionType.all)
  func refusing(type: CollectionType) throws {
    let collection = try type(1, 2), observer = try ObserverClass().make(),
      cls = collection.className
    for key in ["count", "@count", "@sum.self", "name.length"] {
      let id = collection.id
      #expect(kvo_add_observer(id, observer.id, key, 0, nil) == KVO_ERR_NOT_OBSERVABLE)
      #expect(lastException() == "NSInvalidArgumentException")
      let tail = "addObserver:forKeyPath:options:context:] is not supported. Key path: \(key)"
      #expect(lastReason().hasSuffix(tail) && lastReason().hasPrefix("[<\(cls) "))
      #expect(kvo_remove_observer(id, observer.id, key) == KVO_ERR_NOT_OBSERVABLE)
      #expect(kvo_remove_observer_context(id, observer.id, key, nil) == KVO_ERR_NOT_OBSERVABLE)
      var token: kvo_token?
      #expect(observe(id, key, [], Notes(), nil, &token) == KVO_ERR_NOT_OBSERVABLE)
      #expect(lastException() == "NSInvalidArgumentException" && token == nil)
    }
    #expect(collection.className == cls && !kvo_is_observed(collection.id))
  }

  @Test("a proxy refuses as what it stands for does")
  func proxiesRefuse() throws {
    let shelf = try Shelf([.getter, .setter], CollectionType.array(1))
    for kind in [KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET, KVC_KIND_SET] {
      let proxy = try shelf.proxy(kind)
      var token: kvo_token?
      #expect(observe(proxy.id, "count", [], Notes(), nil, &token) == KVO_ERR_NOT_OBSERVABLE)
    }
  }

  @Test("what cannot change is registered on and keeps its isa")
  func fixedValues() throws {
    let values = try [Boxed.number(1), .string("x"), makeDictionary(["a": .number(1)])]
    for value in values {
      let before = value.className, notes = Notes()
      let observation = try Observation(value.id, "anything", notes: notes)
      #expect(value.className == before && kvo_is_observed(value.id))
      observation.invalidate()
    }
  }

  // MARK: the elements of an array

  @Test("the elements at the indexes are observed, the others are not, nor is the array")
  func elements() throws {
    let (persons, array) = try crowd(4), observer = try ObserverClass().make()
    try withIndexes([1, 3]) { try check(add(array, observer, $0, [.new, .initial])) }
    #expect(observer.notes.take() == ["initial new 0", "initial new 0"])
    #expect(!kvo_is_observed(array.id))
    for (age, person) in persons.enumerated() { person.age = Int64(age) }
    #expect(observer.notes.take() == ["new 1", "new 3"])
    try withIndexes([1]) {
      try check(kvo_elements_remove_observer(array.id, observer.id, $0, "age"))
    }
    for person in persons { person.age = 9 }
    #expect(observer.notes.take() == ["new 9"])
    try withIndexes([3]) {
      try check(kvo_elements_remove_observer(array.id, observer.id, $0, "age"))
    }
    #expect(persons.allSatisfy { !$0.isObserved })
  }

  @Test("a removal may name the context or not")
  func contexts() throws {
    let (persons, array) = try crowd(2), observer = try ObserverClass().make()
    let one = UnsafeMutableRawPointer(bitPattern: 1), two = UnsafeMutableRawPointer(bitPattern: 2)
    try withIndexes([0, 1]) { indexes in
      for context in [one, two] { try check(add(array, observer, indexes, [], context)) }
      #expect(
        kvo_elements_remove_observer_context(array.id, observer.id, indexes, "age", nil)
          == KVO_ERR_NOT_REGISTERED)
      try check(kvo_elements_remove_observer_context(array.id, observer.id, indexes, "age", one))
      persons[0].age = 1
      #expect(observer.lines.count == 1)
      try check(kvo_elements_remove_observer(array.id, observer.id, indexes, "age"))
      #expect(
        kvo_elements_remove_observer(array.id, observer.id, indexes, "age")
          == KVO_ERR_NOT_REGISTERED)
      #expect(lastException() == "NSRangeException")
    }
    #expect(persons.allSatisfy { !$0.isObserved })
  }

  @Test("an index beyond the end changes nothing")
  func ranges() throws {
    let (persons, array) = try crowd(2), observer = try ObserverClass().make()
    try withIndexes([0, 2]) { indexes in
      #expect(add(array, observer, indexes) == KVC_ERR_RANGE)
      #expect(lastException() == "NSRangeException")
      #expect(persons.allSatisfy { !$0.isObserved })
      try withIndexes([0, 1]) { try check(add(array, observer, $0)) }
      #expect(kvo_elements_remove_observer(array.id, observer.id, indexes, "age") == KVC_ERR_RANGE)
      #expect(
        kvo_elements_remove_observer_context(array.id, observer.id, indexes, "age", nil)
          == KVC_ERR_RANGE)
      #expect(persons.allSatisfy { $0.isObserved })
      try withIndexes([0, 1]) {
        try check(kvo_elements_remove_observer_context(array.id, observer.id, $0, "age", nil))
      }
    }
  }

  @Test("no indexes at all, and none in the set")
  func noIndexes() throws {
    let (persons, array) = try crowd(1), observer = try ObserverClass().make()
    #expect(
      kvo_elements_add_observer(array.id, observer.id, nil, "age", 0, nil)
        == ISA_ERR_INVALID_ARGUMENT)
    #expect(
      kvo_elements_remove_observer(array.id, observer.id, nil, "age") == ISA_ERR_INVALID_ARGUMENT)
    try withIndexes([]) {
      try check(add(array, observer, $0))
      try check(kvo_elements_remove_observer(array.id, observer.id, $0, "age"))
    }
    #expect(!persons[0].isObserved)
  }

  @Test("when one element refuses, those before it are as they were")
  func undo() throws {
    let persons = try Held(3) { [people = try PersonClass("Undone")] in try people.make() }
    let inner = try CollectionType.array(1), observer = try ObserverClass().make()
    let ids: [isa_id?] = [persons[0].id, persons[1].id, inner.id, persons[2].id]
    let array = try Boxed { kvc_array_make(ids, ids.count, $0) }
    #expect(observer.observe(persons[0], "age") == ISA_OK)
    try withIndexes([0, 1, 2, 3]) {
      #expect(add(array, observer, $0, [.initial]) == KVO_ERR_NOT_OBSERVABLE)
    }
    #expect(
      lastReason().contains("is not supported") && lastException() == "NSInvalidArgumentException")
    #expect(observer.notes.take() == ["initial", "initial"])
    #expect(try persons.map { try $0.registeredKeys.count } == [1, 0, 0])
    persons[0].age = 1
    #expect(observer.lines == ["change"])
    #expect(observer.stop(persons[0], "age") == ISA_OK)
  }

  @Test("what is taken back is where it was made, whatever has become of the array meanwhile")
  func undoAfterChange() throws {
    let people = try PersonClass("Changed"), inner = try CollectionType.array(1)
    let persons = try (0..<2).map { _ in try people.make() }
    let array = try CollectionType.mutableArray([
      Boxed(adopting: isa_object_retain(persons[0].id)), inner,
    ])
    let observer = try ObserverClass().make { change in
      guard change.is_initial else { return }
      try? array.replace(at: 0, with: Boxed(adopting: isa_object_retain(persons[1].id)))
    }
    #expect(observer.observe(persons[1], "age") == ISA_OK)
    try withIndexes([0, 1]) {
      #expect(add(array, observer, $0, [.initial]) == KVO_ERR_NOT_OBSERVABLE)
    }
    #expect(lastReason().contains("is not supported") && observer.notes.take() == ["initial"])
    #expect(persons.map(\.isObserved) == [false, true])
    #expect(observer.stop(persons[1], "age") == ISA_OK)
  }

  @Test("an unknown key path is refused by the first element that has to read it")
  func unknownKey() throws {
    let (persons, array) = try crowd(2), observer = try ObserverClass().make()
    try withIndexes([0, 1]) { indexes in
      #expect(
        kvo_elements_add_observer(array.id, observer.id, indexes, "nope", 5, nil)
          == KVC_ERR_UNDEFINED_KEY
      )
      #expect(
        kvo_elements_add_observer(array.id, observer.id, indexes, "age", 64, nil)
          == KVO_ERR_INVALID_OPTIONS)
      #expect(
        kvo_elements_add_observer(array.id, observer.id, indexes, "", 0, nil)
          == ISA_ERR_INVALID_ARGUMENT)
      #expect(
        kvo_elements_add_observer(array.id, nil, indexes, "age", 0, nil) == ISA_ERR_INVALID_ARGUMENT
      )
    }
    #expect(persons.allSatisfy { !$0.isObserved })
  }

  @Test("a removal that one element refuses is made from none")
  func removalOfAllOrNone() throws {
    let (persons, array) = try crowd(3), observer = try ObserverClass().make()
    for person in [persons[0], persons[2]] { #expect(observer.observe(person, "age") == ISA_OK) }
    try withIndexes([0, 1, 2]) {
      #expect(
        kvo_elements_remove_observer(array.id, observer.id, $0, "age") == KVO_ERR_NOT_REGISTERED)
      #expect(
        kvo_elements_remove_observer_context(array.id, observer.id, $0, "age", nil)
          == KVO_ERR_NOT_REGISTERED)
    }
    #expect(persons.map(\.isObserved) == [true, false, true])
    try withIndexes([0, 2]) {
      try check(kvo_elements_remove_observer(array.id, observer.id, $0, "age"))
    }
  }

  @Test("an object that is in the array twice is registered on twice")
  func sameTwice() throws {
    let person = try Person(), observer = try ObserverClass().make()
    let ids: [isa_id?] = [person.id, person.id], array = try Boxed { kvc_array_make(ids, 2, $0) }
    try withIndexes([0, 1]) { indexes in
      try check(add(array, observer, indexes))
      person.age = 1
      #expect(observer.lines == ["change", "change"])
      try check(kvo_elements_remove_observer(array.id, observer.id, indexes, "age"))
    }
    #expect(!person.isObserved)
  }

  @Test("what is no array has no elements to observe")
  func noArray() throws {
    let person = try Person(), observer = try ObserverClass().make()
    let others = try [
      CollectionType.set(1), CollectionType.orderedSet(1), CollectionType.mutableSet(1),
      makeDictionary([:]), Boxed.number(1),
      Boxed(adopting: isa_object_retain(person.id)),
    ]
    try withIndexes([0]) { indexes in
      for id in others.map(\.id) + [isa_id?.none] {
        #expect(
          kvo_elements_add_observer(id, observer.id, indexes, "age", 0, nil)
            == KVO_ERR_NOT_OBSERVABLE)
        #expect(
          kvo_elements_remove_observer(id, observer.id, indexes, "age") == KVO_ERR_NOT_OBSERVABLE)
        #expect(
          kvo_elements_remove_observer_context(id, observer.id, indexes, "age", nil)
            == KVO_ERR_NOT_OBSERVABLE)
      }
    }
    withExtendedLifetime(others) {}
  }

  @Test("the array that a proxy or an accessor stands for serves like any other")
  func elementsOfProxy() throws {
    let (persons, array) = try crowd(2), observer = try ObserverClass().make()
    let shelf = try Shelf(.readArray, array), read = try shelf.value(), changing = try shelf.array()
    try withIndexes([1]) { indexes in
      for proxy in [read, changing] {
        try check(add(proxy, observer, indexes))
        persons[1].age += 1
        try check(kvo_elements_remove_observer(proxy.id, observer.id, indexes, "age"))
      }
    }
    #expect(observer.lines == ["change", "change"])
  }

  @Test("without memory no element is registered on")
  func noMemory() throws {
    let (persons, array) = try crowd(3), observer = try ObserverClass().make()
    // Side records stay, and are not counted here.
    for person in persons {
      #expect(observer.observe(person, "age", [.old, .new]) == ISA_OK)
      #expect(observer.stop(person, "age") == ISA_OK)
    }
    try withIndexes([0, 1, 2]) { indexes in
      try withEachAllocationFailing { try check(add(array, observer, indexes, [.old, .new])) }
      #expect(persons.allSatisfy { $0.isObserved })
      try check(kvo_elements_remove_observer(array.id, observer.id, indexes, "age"))
    }
  }

  // MARK: dictionaries

  @Test("a dictionary tells of its keys, however they are changed", arguments: Wrapping.allCases)
  func dictionary(wrapping: Wrapping) throws {
    try withPolicy(wrapping.policy) {
      let dictionary = try makeDictionary([:], isMutable: true), notes = Notes()
      let observation = try Observation(
        dictionary.id, "a", [.old, .new, .prior, .initial], notes: notes)
      #expect(notes.take() == ["initial new nil"])
      let a = try Boxed.string("a"), one = try Boxed.number(1), two = try Boxed.number(2)
      try check(kvc_dictionary_set(dictionary.id, a.id, one.id))
      #expect(notes.take() == ["prior old nil", "old nil new 1"])
      try check(kvc_set_value(dictionary.id, "a", two.id))
      #expect(notes.take() == ["prior old 1", "old 1 new 2"])
      try check(kvc_dictionary_remove(dictionary.id, a.id))
      #expect(notes.take() == ["prior old 2", "old 2 new nil"])
      try check(kvc_set_value(dictionary.id, "a", one.id))
      try check(kvc_set_value(dictionary.id, "a", nil))
      #expect(notes.take().suffix(2) == ["prior old 1", "old 1 new nil"])
      try check(kvc_set_value_for_path(dictionary.id, "a", two.id))
      try check(kvc_collection_remove_all(dictionary.id))
      #expect(notes.take().suffix(2) == ["prior old 2", "old 2 new nil"])
      #expect(dictionary.count == 0)
      observation.invalidate()
      try check(kvc_dictionary_set(dictionary.id, a.id, one.id))
      #expect(notes.lines == [] && dictionary.className == "IsaMutableDictionary")
    }
  }

  @Test("other keys, and keys that are no strings, are told to nobody")
  func otherKeys() throws {
    let dictionary = try makeDictionary([:], isMutable: true), one = try Boxed.number(1)
    let observation = try Observation(dictionary.id, "a", notes: Notes())
    let b = try Boxed.string("b")
    try check(kvc_dictionary_set(dictionary.id, b.id, one.id))
    try check(kvc_dictionary_set(dictionary.id, one.id, one.id))
    try check(kvc_dictionary_remove(dictionary.id, one.id))
    try check(kvc_collection_remove_all(dictionary.id))
    #expect(observation.lines == [] && dictionary.count == 0)
  }

  @Test("when everything goes, each key is told of once all have gone")
  func removeAll() throws {
    let names = ["a", "b", "c"]
    let dictionary = try makeDictionary(
      ["a": .number(1), "b": .number(2), "x": .number(3)], isMutable: true)
    let all = Notes(), counts = Notes()
    let observations = try names.map { name in
      try Observation(
        dictionary.id, name, [.old, .new, .prior],
        notes: Notes { change in
          all.add("\(name) \(text(of: change))")
          if !change.is_prior { counts.add("\(dictionary.count)") }
        })
    }
    try check(kvc_collection_remove_all(dictionary.id))
    #expect(
      all.lines == ["a prior old 1", "b prior old 2", "b old 2 new nil", "a old 1 new nil"])
    #expect(counts.lines == ["0", "0"])
    withExtendedLifetime(observations) {}
  }

  @Test("a change that the dictionary refuses is the caller's to hear of")
  func refusedChange() throws {
    let dictionary = try makeDictionary([:], isMutable: true), a = try Boxed.string("a")
    let observation = try Observation(dictionary.id, "a", [.old, .new], notes: Notes())
    #expect(kvc_dictionary_set(dictionary.id, a.id, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvc_dictionary_set(dictionary.id, nil, a.id) == ISA_ERR_INVALID_ARGUMENT)
    #expect(dictionary.count == 0)
    observation.invalidate()
  }

  @Test("paths through dictionaries are followed at every level")
  func nested() throws {
    let leaf = try makeDictionary(["c": .number(1)], isMutable: true)
    let middle = try makeDictionary(["b": leaf], isMutable: true)
    let root = try makeDictionary(["a": middle], isMutable: true)
    let observation = try Observation(root.id, "a.b.c", [.old, .new], notes: Notes())
    let two = try Boxed.number(2), other = try makeDictionary(["c": .number(5)], isMutable: true)
    try check(kvc_set_value(leaf.id, "c", two.id))
    try check(kvc_set_value(middle.id, "b", other.id))
    try check(kvc_set_value(leaf.id, "c", two.id))
    try check(kvc_set_value_for_path(root.id, "a.b.c", two.id))
    try check(kvc_set_value(root.id, "a", nil))
    try check(kvc_set_value(other.id, "c", nil))
    try check(kvc_set_value(root.id, "a", middle.id))
    #expect(
      observation.lines == [
        "old 1 new 2", "old 2 new 5", "old 5 new 2", "old 2 new nil", "old nil new nil",
      ])
    observation.invalidate()
    for dictionary in [leaf, middle, root, other] { #expect(!kvo_is_observed(dictionary.id)) }
  }

  @Test("a to-many key of a dictionary is told through its proxy")
  func proxyOfDictionary() throws {
    let dictionary = try makeDictionary([:], isMutable: true)
    let observation = try Observation(dictionary.id, "list", [.old, .new, .prior], notes: Notes())
    let proxy = try Boxed { kvc_proxy_make_array(dictionary.id, "list", $0) }
    try proxy.add(Boxed.number(4))
    try proxy.replace(at: 0, with: Boxed.number(5))
    #expect(
      observation.lines == [
        "prior insertion {0}", "insertion {0} new (4)", "prior replacement {0} old (4)",
        "replacement {0} old (4) new (5)",
      ])
  }

  // MARK: fixtures

  /// Persons, and an array of them.
  private func crowd(_ count: Int) throws -> (Held<Person>, Boxed) {
    let people = try PersonClass(), persons = try Held(count) { try people.make() }
    let ids: [isa_id?] = persons.map(\.id)
    return (persons, try Boxed { kvc_array_make(ids, ids.count, $0) })
  }

  private func add(
    _ array: Boxed, _ observer: ObserverObject, _ indexes: UnsafePointer<kvc_index_set>,
    _ options: ObservingOptions = [], _ context: UnsafeMutableRawPointer? = nil
  ) -> isa_status {
    kvo_elements_add_observer(array.id, observer.id, indexes, "age", options.rawValue, context)
  }
}
