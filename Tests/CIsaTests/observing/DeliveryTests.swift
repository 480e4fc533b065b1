import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct DeliveryTests {
  @Test(
    "each combination of options tells what it asks for", arguments: ObservingOptions.combinations)
  func options(options: ObservingOptions) throws {
    let person = try Person()
    person.age = 1
    let observation = try Observation(person, "age", options)
    person.age = 2
    let old = options.contains(.old) ? ["old 1"] : [], new = options.contains(.new) ? ["2"] : []
    var expected: [String] = []
    if options.contains(.initial) { expected.append(new.isEmpty ? "initial" : "initial new 1") }
    if options.contains(.prior) { expected.append((["prior"] + old).joined(separator: " ")) }
    let words = (old + new.map { "new \($0)" }).joined(separator: " ")
    expected.append(words.isEmpty ? "change" : words)
    #expect(observation.lines == expected)
  }

  @Test("a change record names object, key, context and kind")
  func record() throws {
    let person = try Person(), context = UnsafeMutableRawPointer(bitPattern: 7)
    let notes = Notes { change in
      #expect(change.object == person.id && String(cString: change.key_path) == "age")
      #expect(change.context == context && change.kind == KVO_CHANGE_SETTING)
    }
    let observation = try Observation(person.id, "age", .prior, notes: notes, context: context)
    person.age = 1
    #expect(observation.lines.count == 2)
  }

  @Test("priors come in the order of registration, changes in the reverse order")
  func order() throws {
    let person = try Person(), notes = Notes()
    let observations = try (1...3).map { number in
      try Observation(person, "age", .prior) {
        notes.add($0.is_prior ? "prior \(number)" : "\(number)")
      }
    }
    person.age = 1
    #expect(notes.lines == ["prior 1", "prior 2", "prior 3", "3", "2", "1"])
    withExtendedLifetime(observations) {}
  }

  @Test("observers of many keys are told of theirs only, in their order")
  func manyKeys() throws {
    let person = try Person(), notes = Notes()
    let observations = try ["age", "height", "age", "name", "height", "age"].enumerated().map {
      (index, key) in try Observation(person, key) { _ in notes.add("\(index)") }
    }
    person.age = 1
    #expect(notes.take() == ["5", "2", "0"])
    person.set(height: 1)
    #expect(notes.take() == ["4", "1"])
    person.set(name: nil)
    #expect(notes.take() == ["3"])
    withExtendedLifetime(observations) {}
  }

  @Test("only the observer that asked for a value is given it")
  func ownOptions() throws {
    let person = try Person()
    let plain = try Observation(person, "age"), new = try Observation(person, "age", .new)
    let old = try Observation(person, "age", .old)
    person.age = 4
    #expect(plain.lines == ["change"] && new.lines == ["new 4"] && old.lines == ["old 0"])
  }

  // MARK: objects as values

  @Test("an old object is kept for the change, and nil is told as nil")
  func objects() throws {
    let people = try PersonClass(), person = try people.make()
    let observation = try Observation(person, "name", [.old, .new])
    var name: Person? = try people.make()
    person.set(name: name!.id)
    name = nil
    person.set(name: nil)
    #expect(observation.lines == ["old nil new object", "old object new nil"])
    #expect(isa_testing_live_counts().objects == 1)
  }

  @Test("a weak property's old object is kept for the change, whoever gives it up meanwhile")
  func weakProperty() throws {
    let holders = try weakHolderClass(), foreigners = try foreignClass()
    var holder: Instance? = try Instance(of: holders.cls)
    let object = try #require(Foreign(of: foreigners))
    try check(kvc_set_value(holder!.id, "other", object.id))
    let observation = try Observation(holder!, "other", [.old, .new])
    object.giveUpWhenRead()
    let events = try recordEvents { try send(holder!.id, "setOther:", isa_id?.none) }
    #expect(observation.lines == ["old object new nil"])
    let kinds = events.map(\.kind).filter { ["notification", "deallocated"].contains($0) }
    #expect(kinds == ["notification", "deallocated"])
    observation.invalidate()
    holder = nil
    #expect(isa_test_foreign_live() == 0)
  }

  @Test("a nil that valueForKey: answers is told as nil")
  func nilByMessage() throws {
    let people = try PersonClass(), person = try people.make()
    try addMethod(people.cls, "valueForKey:", "i@:*^@") { $0.answer(ISA_OK) }
    let observation = try Observation(person, "age", [.old, .new, .prior])
    person.age = 1
    #expect(observation.lines == ["prior old nil", "old nil new nil"])
  }

  @Test("a class that overrides valueForKey: is asked through it")
  func byMessage() throws {
    let people = try PersonClass(), person = try people.make()
    try addMethod(people.cls, "valueForKey:", "i@:*^@") { call in
      let out = call.argument(3, as: UnsafeMutablePointer<isa_id?>.self)
      out.pointee = try? box(isa_test_age(call.receiver) * 10, "q")
      call.answer(ISA_OK)
    }
    let observation = try Observation(person, "age", [.old, .new, .initial])
    person.age = 4
    #expect(observation.lines == ["initial new 0", "old 0 new 40"])
  }

  @Test("a getter that is added later is read from then on")
  func getterAddedLater() throws {
    let people = try PersonClass(), person = try people.make()
    let observation = try Observation(person, "age", .new)
    person.age = 1
    try people.cls.addGetter("getAge") { 50 }
    person.age = 2
    #expect(observation.lines == ["new 1", "new 50"])
  }

  // MARK: changes inside a callback

  @Test("an observer that sets the key again is told inside, and others then see the latest value")
  func changeInside() throws {
    let person = try Person(), notes = Notes()
    let last = try Observation(person, "age", .new) { notes.add("last \(text(of: $0))") }
    let first = try Observation(person, "age", .new) { change in
      notes.add("first \(text(of: change))")
      if text(of: change) == "new 1" { person.age = 2 }
    }
    person.age = 1
    #expect(notes.lines == ["first new 1", "first new 2", "last new 2", "last new 2"])
    withExtendedLifetime((first, last)) {}
  }

  @Test("an observer that is removed inside a callback before its turn is not told")
  func removedInside() throws {
    let person = try Person()
    let victim = try Observation(person, "age")
    let remover = try Observation(person, "age") { _ in victim.invalidate() }
    person.age = 1
    #expect(victim.lines == [] && remover.lines == ["change"])
  }

  @Test("an observer that removes itself is not told again; others are")
  func removesItself() throws {
    let person = try Person(), token = Box<Observation?>(nil)
    let other = try Observation(person, "age")
    token.value = try Observation(person, "age", .prior) { _ in token.value?.invalidate() }
    person.age = 1
    person.age = 2
    #expect(token.value?.lines == ["prior"])
    #expect(other.lines == ["change", "change"])
    #expect(token.value?.notes.releases == 1)
    token.value = nil
  }

  @Test("an observer that is added inside a callback is told from the next change on")
  func addedInside() throws {
    let person = try Person(), newcomer = Box<Observation?>(nil)
    let adder = try Observation(person, "age", .prior) { _ in
      if newcomer.value == nil { newcomer.value = try? Observation(person, "age", .new) }
    }
    person.age = 1
    #expect(newcomer.value?.lines == [])
    person.age = 2
    #expect(newcomer.value?.lines == ["new 2"])
    adder.invalidate()
    newcomer.value = nil
  }

  @Test("the last observer to remove itself in the prior leaves the setter to do its work")
  func removedInPrior() throws {
    let people = try PersonClass(), person = try people.make(), token = Box<Observation?>(nil)
    token.value = try Observation(person, "age", [.prior, .old, .new]) { _ in
      token.value?.invalidate()
      #expect(person.isa == people.cls)
    }
    person.age = 1
    #expect(person.age == 1)
    #expect(token.value?.lines == ["prior old 0"])
    token.value = nil
  }

  @Test("changes nest ever deeper without losing a notification, beyond what a thread records")
  func deepNesting() throws {
    let person = try Person()
    let observation = try Observation(person, "age", .new) { _ in
      if person.age < 70 { person.age += 1 }
    }
    person.age = 1
    #expect(observation.lines.count == 70)
  }

  // MARK: values that cannot be read

  @Test(
    "a value that cannot be read goes to the misuse handler, and all observers are told without it")
  func unreadable() throws {
    let people = try PersonClass(), person = try people.make()
    let plain = try Observation(person, "age"), new = try Observation(person, "age", .new)
    let isFailing = Box(true)
    try addMethod(people.cls, "valueForKey:", "i@:*^@") {
      $0.answer(isFailing.value ? KVC_ERR_TYPE : ISA_OK)
    }
    let misuses = collectMisuses { person.age = 5 }
    #expect(misuses.map(\.status) == [KVC_ERR_TYPE])
    #expect(misuses.first?.reason.contains("key age of <Person") == true)
    #expect(person.age == 5)
    #expect(plain.lines == ["change"] && new.lines == ["change"])
  }

  @Test("a large value for which there is no memory is told to the misuse handler")
  func noMemoryForValue() throws {
    let type = try #require(TestType.all.first { $0.encoding == "{?=[64q]}" })
    let pair = try ClassPair("Large", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "_key", type.encoding, ISA_OWNERSHIP_NONE))
    try check(isa_class_add_method(pair.cls, selector("setKey:"), type.c.set, type.setterTypes))
    try pair.register()
    let object = try Instance(of: pair.cls), value = type.value(seed: 1), sel = selector("setKey:")
    let observation = try Observation(object, "key", [.old, .new])
    let setter = isa_lookup(object.id, sel)!
    type.c.call_set(setter, object.id, sel, value.address)
    var failed = false
    let misuses = collectMisuses {
      _ = isa_testing_fail_allocation(0)
      type.c.call_set(setter, object.id, sel, value.address)
      failed = isa_testing_fail_allocation(-1)
    }
    #expect(failed)
    #expect(misuses.map(\.status) == [ISA_ERR_NO_MEMORY, ISA_ERR_NO_MEMORY])
    #expect(observation.lines == ["old 512 bytes new 512 bytes", "change"])
  }

  // MARK: observers that are objects

  @Test("an observer object is told by message, with what its change record says")
  func observerObject() throws {
    let person = try Person(), observers = try ObserverClass()
    let context = UnsafeMutableRawPointer(bitPattern: 9)
    let observer = try observers.make { #expect($0.context == context) }
    try check(observer.observe(person, "age", [.old, .new, .prior, .initial], context: context))
    person.age = 3
    #expect(observer.lines == ["initial new 0", "prior old 0", "old 0 new 3"])
    #expect(isa_test_observer_mismatches() == 0)
    try check(observer.stop(person, "age"))
  }

  @Test("an observer that does not handle the message is reported, and the others are told")
  func unhandled() throws {
    let people = try PersonClass(), person = try people.make(), observer = try people.make()
    let other = try Observation(person, "age")
    try check(kvo_add_observer(person.id, observer.id, "age", 0, nil))
    let misuses = collectMisuses { person.age = 1 }
    #expect(misuses.map(\.status) == [KVO_ERR_UNHANDLED])
    #expect(misuses.first?.reason.contains("message was received but not handled") == true)
    #expect(other.lines == ["change"])
    try check(kvo_remove_observer(person.id, observer.id, "age"))
  }

  @Test("an observer of a bare root class, which has no such method, is reported as well")
  func bareObserver() throws {
    let person = try Person()
    var bare: isa_class?, observer: isa_id?
    try check(isa_class_pair_allocate(nil, "Bare", &bare))
    try check(isa_class_pair_register(bare))
    try check(isa_object_allocate(bare, &observer))
    try check(kvo_add_observer(person.id, observer, "age", 0, nil))
    #expect(collectMisuses { person.age = 1 }.map(\.status) == [KVO_ERR_UNHANDLED])
    try check(kvo_remove_observer(person.id, observer, "age"))
    isa_object_release(observer)
    #expect(isa_class_pair_dispose(bare) == ISA_OK)
  }

  @Test("an observer that dies in another's callback is not told")
  func diesInCallback() throws {
    let person = try Person(), observers = try ObserverClass()
    let victim = Box<ObserverObject?>(try observers.make())
    let notes = victim.value!.notes
    try check(victim.value!.observe(person, "age"))
    let killer = try Observation(person, "age") { _ in victim.value = nil }
    person.age = 1
    person.age = 2
    #expect(notes.lines == [] && killer.lines.count == 2)
  }

  @Test("an observer that gives up its last reference in its callback lives to the callback's end")
  func diesInOwnCallback() throws {
    let person = try Person(), observers = try ObserverClass()
    let observer = Box<ObserverObject?>(nil)
    observer.value = try observers.make { _ in
      let id = observer.value!.id
      observer.value = nil
      #expect(isa_object_retain_count(id) == 1)
    }
    let notes = observer.value!.notes
    try check(observer.value!.observe(person, "age"))
    person.age = 1
    person.age = 2
    #expect(notes.lines == ["change"])
  }

  // MARK: events

  @Test(
    "the log tells an observed set: wrapper, will, prior, original, did, notification, and causes"
  )
  func events() throws {
    let person = try Person(), observation = try Observation(person, "age", .prior)
    let events = recordEvents { person.age = 1 }
    #expect(
      events.story == [
        "wrapper-entered", "will-change < wrapper-entered",
        "notification < will-change", "notification-ended < notification",
        "original-called < wrapper-entered", "ivar-written < original-called",
        "original-returned < original-called", "did-change < wrapper-entered",
        "notification < did-change", "notification-ended < notification",
        "wrapper-left < wrapper-entered",
      ])
    let prior = UInt32(ISA_EVENT_PRIOR)
    #expect(events.map(\.flags) == [0, 0, prior, prior, 0, 0, 0, 0, 0, 0, 0])
    #expect([1, 2, 3, 7, 8, 9].allSatisfy { events[$0].name == "age" })
    withExtendedLifetime(observation) {}
  }

  @Test("a set inside a callback is caused by the notification")
  func nestedEvents() throws {
    let person = try Person()
    let observation = try Observation(person, "age") { _ in if person.age == 1 { person.age = 2 } }
    let events = recordEvents { person.age = 1 }
    #expect(
      events.story.filter { $0.hasPrefix("wrapper-entered") } == [
        "wrapper-entered", "wrapper-entered < notification",
      ])
    withExtendedLifetime(observation) {}
  }
}

extension isa_class {
  /// Adds a method `q@:`.
  fileprivate func addGetter(_ name: String, _ answer: @escaping () -> Int64) throws {
    try addMethod(self, name, "q@:") { $0.answer(answer()) }
  }
}
