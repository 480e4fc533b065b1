import CIsa
import CIsa.Testing
import CIsaTestSupport
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct DependencyTests {
  // MARK: what is declared

  @Test("what affects a key is a set, empty where nothing is declared")
  func declared() throws {
    let people = try PersonClass()
    try declare(people.cls, "double", affectedBy: "age", "name.age")
    #expect(try affecting(people.cls, "double") == ["age", "name.age"])
    #expect(try affecting(people.cls, "age") == [])
    #expect(try affecting(people.cls, "") == [])
    #expect(try affecting(people.cls, String(repeating: "k", count: 1 << 20)) == [])
  }

  @Test("a notifying class and a bare root class answer too")
  func classesAsked() throws {
    let people = try PersonClass(), person = try people.make()
    try declare(people.cls, "double", affectedBy: "age")
    let observation = try Observation(person, "age")
    #expect(try affecting(person.isa, "double") == ["age"])
    #expect(try closure(person.isa, "double") == ["age"])
    observation.invalidate()
    let bare = try BareClass()
    #expect(try affecting(bare.cls, "double") == [])
    #expect(try closure(bare.cls, "double") == [])
    let none = try CollectionType.array()
    #expect(kvo_class_set_keys(bare.cls, none.id, "double") == ISA_ERR_INVALID_ARGUMENT)
  }

  @Test("no class, a metaclass, no key and nowhere to put it are refused")
  func nothingGiven() throws {
    let people = try PersonClass()
    var out: isa_id?
    for ask in [kvo_class_copy_affecting, kvo_class_copy_all_affecting] {
      #expect(ask(nil, "age", &out) == ISA_ERR_INVALID_ARGUMENT)
      #expect(ask(people.metaclass, "age", &out) == ISA_ERR_INVALID_ARGUMENT)
      #expect(ask(people.cls, nil, &out) == ISA_ERR_INVALID_ARGUMENT)
      #expect(ask(people.cls, "age", nil) == ISA_ERR_INVALID_ARGUMENT)
    }
    let keys = try CollectionType.array()
    #expect(kvo_class_set_keys(nil, keys.id, "age") == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_class_set_keys(people.cls, nil, "age") == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_class_set_keys(people.cls, keys.id, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_class_set_keys(people.cls, kvc_null(), "age") == ISA_ERR_INVALID_ARGUMENT)
    let numbers = try CollectionType.array(1)
    #expect(kvo_class_set_keys(people.cls, numbers.id, "age") == ISA_ERR_INVALID_ARGUMENT)
  }

  @Test("an answer of nil is an empty set, of something else is refused")
  func answers() throws {
    let people = try PersonClass(), person = try people.make()
    try answerAffecting(people.cls, "none") { nil }
    try answerAffecting(people.cls, "number") { try? .number(1) }
    try answerAffecting(people.cls, "numbers") { try? CollectionType.set(1, 2) }
    try answerAffecting(people.cls, "list") { try? CollectionType.array([.string("age")]) }
    #expect(try affecting(people.cls, "none") == [])
    #expect(try affecting(people.cls, "list") == ["age"])
    for key in ["number", "numbers"] {
      #expect(try status(of: { try affecting(people.cls, key) }) == ISA_ERR_INVALID_ARGUMENT)
      #expect(lastReason().contains("something else than a set of strings"))
      #expect(try status(of: { try Observation(person, key) }) == ISA_ERR_INVALID_ARGUMENT)
      #expect(!person.isObserved && person.isa == people.cls)
    }
  }

  @Test(
    "a path that cannot be one is refused when the key is observed",
    arguments: ["", ".", "a..b", "a.", ".a"])
  func badPaths(path: String) throws {
    let people = try PersonClass(), person = try people.make()
    try declare(people.cls, "double", affectedBy: path)
    #expect(try status(of: { try closure(people.cls, "double") }) == ISA_ERR_INVALID_ARGUMENT)
    #expect(try status(of: { try Observation(person, "double") }) == ISA_ERR_INVALID_ARGUMENT)
    #expect(!person.isObserved)
  }

  @Test("a class method's failure is the registration's")
  func failingMethod() throws {
    let people = try PersonClass(), person = try people.make()
    try addMethod(people.metaclass, "keyPathsForValuesAffectingDouble", "i@:^@") {
      $0.answer(ISA_ERR_UNSUPPORTED)
    }
    #expect(try status(of: { try affecting(people.cls, "double") }) == ISA_ERR_UNSUPPORTED)
    #expect(try status(of: { try Observation(person, "double") }) == ISA_ERR_UNSUPPORTED)
    #expect(!person.isObserved && person.isa == people.cls)
  }

  @Test("a class method may lend the set, as Foundation's do, and is not called in another shape")
  func shapes() throws {
    let people = try PersonClass(), person = try people.make(), calls = Box(0)
    let lent = try CollectionType.set([.string("age")])
    try addMethod(people.metaclass, "keyPathsForValuesAffectingDouble", "@@:") {
      $0.answer(lent.id as isa_id?)
    }
    for (number, types) in ["v@:", "q@:", "d@:", "@@:q", "i@:", "i@:^@q"].enumerated() {
      let key = "wrong\(number)", method = "keyPathsForValuesAffectingWrong\(number)"
      try addMethod(people.metaclass, method, types) { _ in calls.value += 1 }
      #expect(try status { try affecting(people.cls, key) } == ISA_ERR_INVALID_ARGUMENT)
      #expect(lastReason().contains("has encoding \"\(types)\""))
      #expect(try status { try Observation(person, key) } == ISA_ERR_INVALID_ARGUMENT)
    }
    #expect(try affecting(people.cls, "double") == ["age"])
    #expect(lent.retainCount == 1 && calls.value == 0)
    let observation = try Observation(person, "double")
    person.age = 1
    #expect(observation.lines == ["change"])
  }

  // MARK: closure

  @Test("a chain of a thousand keys is followed to its end, and a change at its end told once")
  func longChain() throws {
    let people = try PersonClass(), person = try people.make()
    try answerAffectingAny(people.cls) { key in
      guard let number = Int(key.dropFirst()) else { return [] }
      return number < 1000 ? ["k\(number + 1)"] : ["age"]
    }
    #expect(try closure(people.cls, "k0").count == 1001)
    let observation = try Observation(person, "k0")
    person.age = 1
    #expect(observation.lines == ["change"])
  }

  @Test("a cycle of keys and paths ends, each key once and the key itself left out")
  func cycles() throws {
    let people = try PersonClass()
    try declare(people.cls, "a", affectedBy: "b")
    try declare(people.cls, "b", affectedBy: "c.age", "a")
    try declare(people.cls, "c", affectedBy: "a", "b")
    #expect(try closure(people.cls, "a") == ["b", "c.age"])
    #expect(try closure(people.cls, "b") == ["a", "c.age"])
    #expect(try closure(people.cls, "c") == ["a", "b", "c.age"])
  }

  @Test("a key on a cycle with paths through itself registers, tells once and goes")
  func cycleThroughPaths() throws {
    let people = try PersonClass(), persons = try Held(2) { try people.make() }
    try addDouble(people)
    try declare(people.cls, "name", affectedBy: "partner")
    try declare(people.cls, "partner", affectedBy: "name.age")
    persons[0].set(name: persons[1].id)
    let observation = try Observation(persons[0], "name")
    persons[0].set(name: persons[1].id)
    #expect(observation.notes.take() == ["change"])
    persons[1].age = 1
    #expect(observation.notes.take() == ["change"])
    observation.invalidate()
    #expect(persons.allSatisfy { !$0.isObserved })
  }

  @Test("self-dependency is told by the path that does it", arguments: ["double", "double.x"])
  func selfDependency(path: String) throws {
    let people = try PersonClass(), person = try people.make()
    try declare(people.cls, "double", affectedBy: "age", path)
    #expect(try status(of: { try Observation(person, "double") }) == KVO_ERR_SELF_DEPENDENT)
    #expect(lastReason().contains("\"\(path)\" cannot affect key \"double\""))
    #expect(lastException() == "NSInternalInconsistencyException")
    #expect(try status(of: { try closure(people.cls, "double") }) == KVO_ERR_SELF_DEPENDENT)
    #expect(!person.isObserved && person.isa == people.cls)
  }

  // MARK: telling

  @Test("a registration made and ended in the course of a change is not blamed for the change")
  func madeAndEnded() throws {
    let people = try PersonClass(), root = try people.make(), leaf = try people.make()
    let observer = try ObserverClass().make()
    try declare(people.cls, "partner", affectedBy: "name")
    try addMethod(people.cls, "partner", "@@:") { call in
      call.answer((try? value(call.receiver, "name", "@", as: isa_id?.self)) ?? nil)
    }
    root.set(name: leaf.id)
    var statuses: [isa_status] = []
    let observation = try Observation(root, "name", .prior) { change in
      statuses.append(
        change.is_prior ? observer.observe(root, "partner.age") : observer.stop(root, "partner.age")
      )
    }
    root.set(name: nil)
    #expect(statuses == [ISA_OK, ISA_OK])
    observation.invalidate()
    #expect(!root.isObserved && !leaf.isObserved)
  }

  @Test("a change that comes by two routes is announced once, also if the first is cut meanwhile")
  func cutRoute() throws {
    let nodes = try NodeClass(), both = try Boxed.number(1), root = try nodes.make()
    let leaf = try nodes.make()
    try declare(nodes.cls, "both", affectedBy: "next.number", "name.number")
    for key in ["next", "name"] { try set(root.id, at: key, leaf) }
    var cuts = true
    let id = root.id,
      notes = Notes { change in
        guard cuts else { return }
        cuts = false
        #expect(kvc_set_value(id, "next", nil) == ISA_OK)
      }
    try addMethod(nodes.cls, "both", "@@:") { $0.answer(both.id as isa_id?) }
    let observation = try Observation(id, "both", [.old, .prior], notes: notes)
    try set(leaf.id, at: "number", both)
    #expect(notes.take() == ["prior old 1", "prior old 1", "old 1", "old 1"])
    try set(leaf.id, at: "number", both)
    #expect(notes.take() == ["prior old 1", "old 1"])
    observation.invalidate()
  }

  @Test("a key that depends on more paths than there are route bits is told once for each change")
  func manyPaths() throws {
    let people = try PersonClass(), persons = try Held(2) { try people.make() }
    let paths = (0..<100).map { "name.k\($0)" } + ["name.age"]
    try answerAffectingAny(people.cls) { key in
      key == "double" ? Set(paths) : key.hasPrefix("k") ? ["age"] : []
    }
    try addDouble(people)
    persons[0].set(name: persons[1].id)
    let observation = try Observation(persons[0], "double", [.old, .new, .prior])
    #expect(try persons[1].registrations.count == paths.count)
    persons[1].age = 1
    #expect(observation.notes.take() == ["prior old 0", "old 0 new 0"])
    persons[0].set(name: nil)
    #expect(observation.notes.take().count == 2)
    #expect(!persons[1].isObserved)
  }

  @Test("a dependent value that cannot be read is a misuse, and the observer told without")
  func unreadable() throws {
    let people = try PersonClass(), person = try people.make()
    try declare(people.cls, "unknown", affectedBy: "age")
    let observation = try Observation(person, "unknown", [.old, .new])
    let misuses = collectMisuses { person.age = 1 }
    #expect(misuses.map(\.status) == [KVC_ERR_UNDEFINED_KEY, KVC_ERR_UNDEFINED_KEY])
    #expect(observation.lines == ["change"])
  }

  @Test("the source's own setter is wrapped in a notifying class, the dependent's getter is not")
  func wrapped() throws {
    let people = try PersonClass(), person = try people.make()
    try addDouble(people)
    try declare(people.cls, "double", affectedBy: "age")
    let observation = try Observation(person, "double")
    var setters: UnsafeMutablePointer<kvo_setter_info>?, count = 0
    try check(kvo_class_copy_setters(person.isa, &setters, &count))
    defer { isa_free(setters) }
    #expect((0..<count).map { String(cString: setters![$0].key) } == ["age"])
    observation.invalidate()
  }

  // MARK: class methods that do more

  @Test("a class method that asks for what it is asked for comes to an end")
  func asksForItself() throws {
    let people = try PersonClass(), person = try people.make(), asked = Box<[isa_status]>([])
    let cls = people.cls
    try answerAffecting(cls, "double") {
      var out: isa_id?
      asked.value.append(kvo_class_copy_affecting(cls, "double", &out))
      asked.value.append(kvo_class_copy_all_affecting(cls, "double", &out))
      asked.value.append(kvo_class_copy_affecting(cls, "age", &out))
      isa_object_release(out)
      return try? CollectionType.set([.string("age")])
    }
    #expect(try affecting(cls, "double") == ["age"])
    #expect(asked.value == [KVO_ERR_TOO_DEEP, KVO_ERR_TOO_DEEP, ISA_OK])
    let observation = try Observation(person, "double")
    person.age = 1
    #expect(observation.lines == ["change"])
  }

  @Test("a class method may set, and may observe another key")
  func setsAndObserves() throws {
    let people = try PersonClass(), person = try people.make(), id = person.id
    let tokens = Box<[kvo_token]>([]), notes = Notes()
    try answerAffecting(people.cls, "double") {
      isa_test_set_age(id, isa_test_age(id) + 1)
      var token: kvo_token?
      _ = observe(id, "age", .new, notes, nil, &token)
      if let token { tokens.value.append(token) }
      return try? CollectionType.set([.string("age")])
    }
    let observation = try Observation(person, "double")
    let asked = tokens.value.count
    #expect(asked > 0 && person.age == asked)
    let known = notes.take().count
    person.age = 50
    #expect(notes.lines.count == asked && known == asked * (asked - 1) / 2)
    #expect(observation.lines == ["change"])
    for token in tokens.value { kvo_token_release(token) }
  }

  @Test("a class method that observes the key that it is asked for gets an error, and no more")
  func observesItself() throws {
    let people = try PersonClass(), person = try people.make(), id = person.id
    let seen = Box<[isa_status]>([])
    try answerAffecting(people.cls, "double") {
      var token: kvo_token?
      seen.value.append(observe(id, "double", [], Notes(), nil, &token))
      kvo_token_release(token)
      return try? CollectionType.set([.string("age")])
    }
    let observation = try Observation(person, "double")
    #expect(!seen.value.isEmpty && seen.value.allSatisfy { $0 == KVO_ERR_TOO_DEEP })
    person.age = 1
    #expect(observation.lines == ["change"])
  }

  @Test("a class method that names ever more paths gets an error, and nothing is registered")
  func namesMoreAndMore() throws {
    let people = try PersonClass(), person = try people.make(), asked = Box(0)
    try answerAffectingAny(people.cls) { _ in
      asked.value += 1
      return ["more\(asked.value)"]
    }
    for key in ["double", "name.double", "@sum.double"] {
      #expect(try status { _ = try Observation(person, key) } == KVO_ERR_TOO_DEEP)
      #expect(lastReason().contains("names more and more key paths: more than 4096"))
      #expect(asked.value <= 4098)
      asked.value = 0
    }
    #expect(try status { try closure(people.cls, "double") } == KVO_ERR_TOO_DEEP)
    #expect(!person.isObserved && person.isa == people.cls)
  }

  @Test("a class method that answers otherwise each time is asked once for a registration's whole")
  func changesItsMind() throws {
    let people = try PersonClass(), persons = try Held(2) { try people.make() }
    let key = Box("age")
    try answerAffecting(people.cls, "double") { try? CollectionType.set([.string(key.value)]) }
    let first = try Observation(persons[0], "double")
    key.value = "height"
    // A method that is added anywhere makes classes be asked anew.
    try addMethod(people.cls, "other", "v@:") { _ in }
    let second = try Observation(persons[1], "double")
    for person in persons {
      person.age = 1
      person.set(height: 1)
    }
    #expect([first, second].map(\.lines) == [["change"], ["change"]])
    first.invalidate()
    second.invalidate()
    #expect(persons.allSatisfy { !$0.isObserved })
  }

  // MARK: memory

  @Test("asking without memory leaks nothing")
  func askingWithoutMemory() throws {
    let people = try PersonClass()
    try setKeys(people.cls, "double", "age", "height")
    try setKeys(people.cls, "age", "position")
    for _ in 0..<2 { _ = try closure(people.cls, "double") }
    try withEachAllocationFailing {
      _ = try Boxed { kvo_class_copy_affecting(people.cls, "double", $0) }
    }
    try withEachAllocationFailing {
      _ = try Boxed { kvo_class_copy_all_affecting(people.cls, "double", $0) }
    }
  }

  @Test("declaring the old way without memory declares nothing")
  func declaringWithoutMemory() throws {
    let people = try PersonClass(), keys = try CollectionType.array([.string("height")])
    try setKeys(people.cls, "double", "age")
    try withEachAllocationFailing {
      do { try check(kvo_class_set_keys(people.cls, keys.id, "double")) } catch {
        _ = isa_testing_fail_allocation(-1)
        #expect(try affecting(people.cls, "double") == ["age"])
        throw error
      }
    }
    #expect(try affecting(people.cls, "double") == ["height"])
  }

  @Test("no memory for a dependent key that depends on paths registers nothing")
  func registeringWithoutMemory() throws {
    let people = try PersonClass(), persons = try Held(2) { try people.make() }
    try setKeys(people.cls, "double", "age", "mate")
    try declare(people.cls, "mate", affectedBy: "name.age", "name.height")
    persons[0].set(name: persons[1].id)
    do { _ = try Observation(persons[0], "double") }
    try withEachAllocationFailing {
      do { _ = try Observation(persons[0], "double") } catch {
        #expect(persons.allSatisfy { !$0.isObserved && $0.isa == people.cls })
        throw error
      }
    }
    #expect(persons.allSatisfy { !$0.isObserved && $0.isa == people.cls })
  }

  @Test("no memory while a dependent key is told is a misuse, and nothing stays pending")
  func tellingWithoutMemory() throws {
    let people = try PersonClass(), persons = try Held(2) { try people.make() }
    try addDouble(people)
    try declare(people.cls, "double", affectedBy: "age", "name.age")
    persons[0].set(name: persons[1].id)
    let observation = try Observation(persons[0], "double", [.old, .new, .prior])
    for allowed in 0... {
      var failed = false
      let counts = LiveCounts()
      _ = collectMisuses {
        _ = isa_testing_fail_allocation(Int64(allowed))
        persons[0].age = 1
        persons[1].age = 1
        failed = isa_testing_fail_allocation(-1)
      }
      #expect(LiveCounts() == counts, "allocation \(allowed)")
      _ = observation.notes.take()
      persons[0].age = 2
      persons[1].age = 2
      #expect(
        observation.notes.take() == ["prior old 2", "old 2 new 4", "prior old 4", "old 4 new 4"])
      if !failed { break }
    }
  }

  // MARK: threads

  @Test("threads observe one dependent key of one class at once, and set what affects it")
  func threads() throws {
    let people = try PersonClass(), persons = try Held(4) { try people.make() }
    try addDouble(people)
    try declare(people.cls, "double", affectedBy: "age", "name.age")
    for (person, next) in zip(persons, persons.dropFirst()) { person.set(name: next.id) }
    let tallies = persons.map { _ in Tally() }
    onThreads(4) { number in
      for round in 1...200 {
        let token = tallies[number].observe(persons[number].id, "double", [.old, .new])
        persons[number].age = Int64(round)
        kvo_token_release(token)
      }
    }
    #expect(tallies.allSatisfy { $0.value.changes >= 200 && $0.value.releases == 200 })
    #expect(persons.allSatisfy { !$0.isObserved && $0.isa == people.cls })
  }

  @Test("what is declared the old way may be declared while others register")
  func legacyOnThreads() throws {
    let people = try PersonClass(), person = try people.make()
    let keys = try ["age", "height"].map { try CollectionType.array([.string($0)]) }
    nonisolated(unsafe) let ids = keys.map(\.id)
    let turn = Notes()
    whileThreads(
      2,
      repeat: {
        turn.add("")
        _ = kvo_class_set_keys(people.cls, ids[turn.take().count % 2], "double")
      }
    ) {
      for _ in 0..<300 {
        let tally = Tally(), token = tally.observe(person.id, "double")
        person.age = 1
        person.set(height: 1)
        #expect((0...1).contains(tally.value.changes))
        kvo_token_release(token)
      }
    }
    withExtendedLifetime(keys) {}
    #expect(!person.isObserved)
  }
}

// MARK: - Support

/// A root class below nothing.
private final class BareClass {
  let cls: isa_class

  init() throws {
    var cls: isa_class?
    try check(isa_class_pair_allocate(nil, "Bare", &cls))
    self.cls = cls!
    try check(isa_class_pair_register(cls))
  }

  deinit { disposeOfClass(cls) }
}

/// Adds the getter `double`, twice the age.
private func addDouble(_ people: PersonClass) throws {
  let double: @convention(c) (isa_id?, isa_sel?) -> Int64 = { person, _ in
    2 * isa_test_age(person)
  }
  let imp = unsafeBitCast(double, to: isa_imp.self)
  try check(isa_class_add_method(people.cls, selector("double"), imp, "q@:"))
}

/// Declares the old way that `keys` affect `key`.
private func setKeys(_ cls: isa_class, _ key: String, _ keys: String...) throws {
  let array = try CollectionType.array(keys.map { try .string($0) })
  try check(kvo_class_set_keys(cls, array.id, key))
}

/// Makes the class answer for every key with what `answer` says.
private func answerAffectingAny(
  _ cls: isa_class, _ answer: @escaping (String) -> Set<String>
) throws {
  let name = "keyPathsForValuesAffectingValueForKey:"
  try addMethod(isa_class_metaclass(cls), name, "i@:*^@") { call in
    let key = String(cString: call.argument(2, as: UnsafePointer<CChar>.self))
    let slot = call.argument(3, as: UnsafeMutablePointer<isa_id?>.self)
    let set = try? CollectionType.set(answer(key).map { try .string($0) })
    slot.pointee = isa_object_retain(set?.id)
    call.answer(ISA_OK)
  }
}
