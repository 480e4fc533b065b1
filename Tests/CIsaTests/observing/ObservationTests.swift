import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct ObservationTests {
  // MARK: adding and removing

  @Test("one registration takes no list, more take one of them all")
  func lists() throws {
    let person = try Person()
    let before = isa_testing_live_counts()
    var observations = [try Observation(person, "age")]
    #expect(isa_testing_live_counts().lists == before.lists)
    for count in 2...5 {
      observations.append(try Observation(person, count % 2 == 0 ? "age" : "height"))
      #expect(isa_testing_live_counts().lists == before.lists + 1)
      #expect(isa_testing_live_counts().registrations == before.registrations + Int64(count))
    }
    #expect(try person.registeredKeys == ["age", "age", "height", "age", "height"])
    while observations.count > 1 { observations.removeFirst() }
    #expect(isa_testing_live_counts().lists == before.lists)
    observations = []
    #expect(isa_testing_live_counts().registrations == before.registrations)
  }

  @Test("the same registration may be made again: it is told twice and removed twice")
  func duplicates() throws {
    let person = try Person(), observer = try ObserverClass().make()
    for _ in 0..<3 { try check(observer.observe(person, "age", .new)) }
    person.age = 1
    #expect(observer.notes.take() == ["new 1", "new 1", "new 1"])
    try check(observer.stop(person, "age"))
    person.age = 2
    #expect(observer.notes.take() == ["new 2", "new 2"])
    try check(observer.stop(person, "age"))
    try check(observer.stop(person, "age"))
    #expect(observer.stop(person, "age") == KVO_ERR_NOT_REGISTERED)
    #expect(!person.isObserved)
  }

  @Test("being of foreign names belongs to the registration, which no other stands for")
  func foreignNames() throws {
    let person = try Person(), observer = try ObserverClass().make()
    try check(observer.observe(person, "age", [.new, .foreign, .prior]))
    try check(observer.observe(person, "age", .new))
    person.age = 1
    #expect(observer.notes.take() == ["prior foreign", "new 1", "foreign new 1"])
    try check(observer.stop(person, "age"))
    person.age = 2
    #expect(observer.notes.take() == ["prior foreign", "foreign new 2"])
    try check(observer.stop(person, "age"))
  }

  @Test(
    "removal without a context takes the latest registration, with one the latest of that context")
  func contexts() throws {
    let person = try Person(), observer = try ObserverClass().make()
    let contexts = [1, 2, 1, 0].map { UnsafeMutableRawPointer(bitPattern: $0) }
    for context in contexts { try check(observer.observe(person, "age", context: context)) }
    #expect(observer.stop(person, "age", context: .init(bitPattern: 3)) == KVO_ERR_NOT_REGISTERED)
    try check(observer.stop(person, "age", context: contexts[0]))
    #expect(try contextsLeft(person) == [1, 2, 0])
    try check(observer.stop(person, "age"))
    #expect(try contextsLeft(person) == [1, 2])
    #expect(observer.stop(person, "age", context: nil) == KVO_ERR_NOT_REGISTERED)
    try check(observer.stop(person, "age"))
    #expect(try contextsLeft(person) == [1])
    try check(observer.stop(person, "age", context: contexts[0]))
  }

  @Test("removing what is not registered says so and leaves all as it is")
  func notRegistered() throws {
    let people = try PersonClass(), person = try people.make(), other = try people.make()
    let observers = try ObserverClass(), observer = try observers.make()
    let stranger = try observers.make()
    #expect(observer.stop(person, "age") == KVO_ERR_NOT_REGISTERED)
    try check(observer.observe(person, "age", .new))
    #expect(stranger.stop(person, "age") == KVO_ERR_NOT_REGISTERED)
    #expect(observer.stop(other, "age") == KVO_ERR_NOT_REGISTERED)
    #expect(observer.stop(person, "height") == KVO_ERR_NOT_REGISTERED)
    #expect(observer.stop(person, "neverInternedAtAll") == KVO_ERR_NOT_REGISTERED)
    #expect(lastReason().contains("Cannot remove an observer <Observer"))
    #expect(String(cString: isa_last_error().pointee.exception) == "NSRangeException")
    person.age = 1
    #expect(observer.lines == ["new 1"])
    try check(observer.stop(person, "age"))
  }

  @Test("a function's registration is not taken by removing an observer")
  func functionsStay() throws {
    let person = try Person(), observer = try ObserverClass().make()
    let observation = try Observation(person, "age")
    #expect(observer.stop(person, "age") == KVO_ERR_NOT_REGISTERED)
    #expect(observation.isValid)
  }

  @Test("each of many keys on one object is found, and goes alone", arguments: [8, 9, 2000])
  func manyKeys(count: Int) throws {
    let person = try Person(), keys = (0..<count).map { "key\($0)" }
    let observations = try keys.map { try Observation(person, $0) }
    #expect(try person.registeredKeys == keys)
    for key in keys {
      try check(kvo_will_change(person.id, key))
      try check(kvo_did_change(person.id, key))
    }
    #expect(observations.allSatisfy { $0.notes.take() == ["change"] })
    for observation in observations[..<(count / 2)] { observation.invalidate() }
    for key in keys {
      try check(kvo_will_change(person.id, key))
      try check(kvo_did_change(person.id, key))
    }
    #expect(observations.map(\.lines.count) == (0..<count).map { $0 < count / 2 ? 0 : 1 })
  }

  // MARK: tokens

  @Test("a token ends its registration once, and the info is released once")
  func token() throws {
    let person = try Person(), observation = try Observation(person, "age")
    #expect(observation.isValid && observation.notes.releases == 0)
    #expect(observation.invalidate())
    #expect(!observation.isValid && observation.notes.releases == 1)
    #expect(!observation.invalidate() && !observation.invalidateAndWait())
    #expect(observation.notes.releases == 1)
  }

  @Test("freeing a token ends what still stands")
  func tokenRelease() throws {
    let person = try Person(), notes = Notes()
    do { _ = try Observation(person.id, "age", notes: notes) }
    #expect(notes.releases == 1 && !person.isObserved)
    kvo_token_release(nil)
  }

  @Test("a token may outlive its object, which ends the registration")
  func tokenOutlives() throws {
    let people = try PersonClass()
    var person: Person? = try people.make()
    let observation = try Observation(person!, "age")
    person = nil
    #expect(!observation.isValid && observation.notes.releases == 1)
    #expect(!observation.invalidate())
  }

  @Test("a token that is ended inside the initial notification registers nothing")
  func endedInInitial() throws {
    let people = try PersonClass(), person = try people.make()
    let early = EarlyEnd {
      #expect(kvo_token_invalidate($0.pointee))
      #expect(!kvo_token_is_valid($0.pointee))
    }
    try check(early.observe(person.id, [.initial, .new]))
    #expect(early.told == 1 && early.releases == 1)
    #expect(!person.isObserved && person.isa == people.cls)
    kvo_token_release(early.token.pointee)
  }

  @Test("a token released inside its initial notification is not taken for one made since")
  func freedInInitial() throws {
    let person = try Person(), later = Box<Observation?>(nil)
    let early = EarlyEnd {
      kvo_token_release($0.pointee)
      // Would be given the memory of the first, had that been freed already.
      later.value = try? Observation(person, "height")
    }
    let events = try recordEvents { try check(early.observe(person.id, .initial)) }
    #expect(early.told == 1 && early.releases == 1)
    #expect(events.filter { $0.kind == "observer-added" }.map(\.name) == ["age", "height"])
    #expect(events.filter { $0.kind == "observer-removed" }.map(\.name) == ["age"])
    #expect(try person.registeredKeys == ["height"])
    #expect(later.value?.isValid == true)
    later.value = nil
    #expect(!person.isObserved)
  }

  @Test("a token released inside its initial notification is freed once if registering then fails")
  func freedBeforeFailure() throws {
    let owners = try ClassPair("Owner"), special = try ClassPair("Special", below: owners)
    do { _ = try Observation(Instance(of: special.cls), "other") }
    let object = try Instance(of: owners.cls, keeping: special), id = object.id
    let registrations = isa_testing_live_counts().registrations
    let early = EarlyEnd {
      kvo_token_release($0.pointee)
      // The class set by hand has to be prepared for the key, for which there is no memory.
      #expect(isa_object_set_class(id, special.cls, nil) == ISA_OK)
      _ = isa_testing_fail_allocation(0)
    }
    let status = early.observe(id, .initial)
    #expect(isa_testing_fail_allocation(-1))
    #expect(status == ISA_ERR_NO_MEMORY && early.token.pointee == nil && early.told == 1)
    #expect(isa_testing_live_counts().registrations == registrations)
    #expect(!object.isObserved)
  }

  @Test("an initial notification is not sent once its token was ended in the getter")
  func endedInGetter() throws {
    let people = try PersonClass(), person = try people.make()
    let early = EarlyEnd { _ in }, token = early.token
    try addMethod(people.cls, "getAge", "q@:") { call in
      kvo_token_invalidate(token.pointee)
      call.answer(Int64(3))
    }
    try check(early.observe(person.id, [.initial, .new]))
    #expect(early.told == 0 && early.releases == 1 && !person.isObserved)
    kvo_token_release(token.pointee)
  }

  // MARK: lifetimes

  @Test("an observer that died is skipped, and collected at the object's next add or remove")
  func observerDies() throws {
    let person = try Person(), observers = try ObserverClass()
    var observer: ObserverObject? = try observers.make()
    let notes = observer!.notes, registrations = isa_testing_live_counts().registrations
    try check(observer!.observe(person, "age"))
    observer = nil
    person.age = 1
    #expect(notes.lines == [])
    #expect(isa_testing_live_counts().registrations == registrations + 1)
    let events = try recordEvents {
      let second = try Observation(person, "age")
      #expect(isa_testing_live_counts().registrations == registrations + 1)
      second.invalidate()
    }
    let removals = events.filter { $0.kind == "observer-removed" }.map(\.reason)
    #expect(removals == [ISA_REMOVED_OBSERVER_DIED, ISA_REMOVED_BY_CALL])
  }

  @Test("an observer may take itself off in its own dealloc")
  func removedInDealloc() throws {
    let person = try Person(), observers = try ObserverClass(), id = person.id
    try addMethod(observers.cls, "dealloc", "v@:") { call in
      #expect(kvo_remove_observer(id, call.receiver, "age") == ISA_OK)
    }
    var observer: ObserverObject? = try observers.make()
    try check(observer!.observe(person, "age"))
    observer = nil
    #expect(!person.isObserved && person.isa == person.people.cls)
  }

  @Test("an observer at the address of a dead one has no registration")
  func addressReused() throws {
    let person = try Person(), observers = try ObserverClass()
    for _ in 0..<20 {
      var dead: ObserverObject? = try observers.make()
      try check(dead!.observe(person, "age"))
      dead = nil
      let next = try observers.make()
      #expect(next.stop(person, "age") == KVO_ERR_NOT_REGISTERED)
      person.age += 1
      #expect(next.lines == [])
    }
  }

  @Test("a retained observer lives as long as its registration")
  func retained() throws {
    let person = try Person(), observers = try ObserverClass()
    var observer: ObserverObject? = try observers.make()
    let notes = observer!.notes, id = observer!.id
    try check(observer!.observe(person, "age", .retainObserver))
    observer = nil
    person.age = 1
    #expect(notes.lines == ["change"])
    #expect(isa_object_retain_count(id) == 1)
    try check(kvo_remove_observer(person.id, id, "age"))
    #expect(isa_testing_live_counts().objects == 1)
  }

  @Test("an observed object that dies takes its registrations along and says why")
  func objectDies() throws {
    let observer = try ObserverClass().make(), people = try PersonClass()
    var person: Person? = try people.make()
    try check(observer.observe(person!, "age"))
    let observation = try Observation(person!, "height")
    let events = recordEvents { person = nil }
    let removals = events.filter { $0.kind == "observer-removed" }
    #expect(removals.map(\.reason) == [ISA_REMOVED_OBJECT_DIED, ISA_REMOVED_OBJECT_DIED])
    #expect(Set(removals.map(\.name)) == ["age", "height"])
    #expect(!observation.isValid && observer.retainCount == 1)
  }

  @Test("a change in the object's own dealloc is still heard")
  func heardInDealloc() throws {
    let people = try PersonClass()
    try addMethod(people.cls, "dealloc", "v@:") { isa_test_set_age($0.receiver, 9) }
    var person: Person? = try people.make()
    let observation = try Observation(person!, "age", .new)
    person = nil
    #expect(observation.lines == ["new 9"])
  }

  @Test("an object that is being deallocated can be no observer")
  func deallocatingObserver() throws {
    let person = try Person(), observers = try ObserverClass(), notes = Notes(), id = person.id
    try addMethod(observers.cls, "dealloc", "v@:") { call in
      #expect(kvo_add_observer(id, call.receiver, "age", 0, nil) == ISA_ERR_DEALLOCATING)
      notes.add("dealloc")
    }
    do { _ = try observers.make() }
    #expect(notes.lines == ["dealloc"] && !person.isObserved)
  }

  @Test("a registration along a path that an observer cannot have leaves no side record")
  func deallocatingPathObserver() throws {
    let observers = try ObserverClass(), notes = Notes()
    let before = isa_testing_live_counts().side_records
    do {
      let person = try Person(), id = person.id
      try addMethod(observers.cls, "dealloc", "v@:") { call in
        let status = kvo_add_observer(id, call.receiver, "name.age", 0, nil)
        notes.add("\(status == ISA_ERR_DEALLOCATING)")
      }
      do { _ = try observers.make() }
      #expect(notes.lines == ["true"] && !person.isObserved)
    }
    #expect(isa_testing_live_counts().side_records == before)
  }

  @Test("a dying object refuses observers, abandoned or deallocated", arguments: [false, true])
  func dyingObject(isForeign: Bool) throws {
    let observer = try ObserverClass().make(), values = try ClassPair("Value"), notes = Notes()
    let owners = isForeign ? try foreignClass() : try ClassPair("Owner")
    var object: isa_id?
    if !isForeign { try check(isa_object_allocate(owners.cls, &object)) }
    let owner = try #require(isForeign ? Foreign(of: owners)?.id : object)
    try addMethod(values.cls, "dealloc", "v@:") { _ in
      var token: kvo_token?
      #expect(observe(owner, "age", [], notes, nil, &token) == ISA_ERR_DEALLOCATING)
      #expect(kvo_add_observer(owner, observer.id, "age", 0, nil) == ISA_ERR_DEALLOCATING)
      notes.add("refused")
    }
    let value = try Instance(of: values.cls), key = selector("value").key
    try check(isa_object_set_associated(owner, key, value.id, ISA_ASSOCIATION_RETAIN))
    withExtendedLifetime(consume value) {}
    isa_object_release(owner)
    #expect(notes.lines == ["refused"] && notes.releases == 0)
    #expect(isa_test_foreign_live() == 0)
  }

  @Test("a foreign object is observed as any other, and what it leaves behind ends with it")
  func foreignObject() throws {
    let pair = try foreignClass(), notes = Notes()
    let storage = Box<Int64>(0)
    try addMethod(pair.cls, "age", "q@:") { $0.answer(storage.value) }
    try addMethod(pair.cls, "setAge:", "v@:q") { storage.value = $0.argument(2) }
    let foreign = try #require(isa_test_foreign_make(pair.cls))
    let object = isa_test_foreign_object(foreign)!
    let observation = try Observation(object, "age", [.old, .new], notes: notes)
    isa_test_set_age(object, 3)
    #expect(notes.lines == ["old 0 new 3"])
    isa_object_release(object)
    #expect(!observation.isValid && notes.releases == 1)
    #expect(isa_test_foreign_live() == 0)
    #expect(!observation.invalidate())
  }

  @Test("a foreign observer is told while its owner keeps it, and skipped afterwards")
  func foreignObserver() throws {
    let person = try Person(), pair = try foreignClass(), notes = Notes()
    try addMethod(pair.cls, "observeValueForKeyPath:ofObject:change:context:", "v@:*@^v^v") { _ in
      notes.add("told")
    }
    let foreign = try #require(isa_test_foreign_make(pair.cls))
    let observer = isa_test_foreign_object(foreign)
    try check(kvo_add_observer(person.id, observer, "age", 0, nil))
    person.age = 1
    #expect(isa_test_foreign_strong(foreign) == 1)
    isa_object_release(observer)
    person.age = 2
    #expect(notes.lines == ["told"])
    _ = try Observation(person, "height")
    #expect(isa_test_foreign_live() == 0)
  }

  // MARK: memory

  @Test(
    "without memory nothing is registered, the isa and the other registrations are as before",
    arguments: [0, 1, 2])
  func allocationFailure(others: Int) throws {
    let people = try PersonClass(), person = try people.make()
    do { _ = try Observation(person, "age", .old) }
    let observations = try (0..<others).map { _ in try Observation(person, "age") }
    let isa = person.isa
    try withEachAllocationFailing {
      let notes = Notes()
      do {
        let observation = try Observation(person.id, "age", [.old, .initial], notes: notes)
        _ = isa_testing_fail_allocation(-1)
        observation.invalidate()
        #expect(notes.releases == 1)
      } catch {
        #expect(person.isa == isa && notes.releases == 0)
        #expect(try person.registeredKeys.count == others)
        throw error
      }
    }
    let observer = try ObserverClass().make()
    try addSideRecord(observer.id)
    try withEachAllocationFailing {
      for options in [ObservingOptions.new, .retainObserver] {
        try check(observer.observe(person, "age", options))
        while observer.stop(person, "age") == ISA_ERR_NO_MEMORY {
          _ = isa_testing_fail_allocation(-1)
        }
      }
    }
    #expect(person.isa == isa)
    person.age = 3
    #expect(observations.allSatisfy { $0.lines == ["change"] })
  }

  @Test(
    "a first observation that runs out of memory anywhere leaves an object that can be observed")
  func firstObservation() throws {
    for policy in Wrapping.allCases.map(\.policy) {
      var isDone = false, allowed: Int64 = 0
      while !isDone {
        try withBalancedCounts {
          let people = try PersonClass(), person = try people.make()
          let status = withPolicy(policy) { () -> isa_status in
            var token: kvo_token?
            let notes = Notes()
            _ = isa_testing_fail_allocation(allowed)
            let status = observe(person.id, "age", .new, notes, nil, &token)
            isDone = !isa_testing_fail_allocation(-1)
            #expect((token == nil) == (status != ISA_OK))
            kvo_token_release(token)
            return status
          }
          #expect(status == ISA_OK || status == ISA_ERR_NO_MEMORY)
          #expect(person.isa == people.cls && !person.isObserved)
          let observation = try Observation(person, "age", .new)
          person.age = 1
          #expect(observation.lines == ["new 1"])
        }
        allowed += 1
      }
      #expect(allowed > 5)
    }
  }

  @Test("a removal without memory is done, or changes nothing")
  func removalWithoutMemory() throws {
    let person = try Person(), observer = try ObserverClass().make()
    for _ in 0..<3 { try check(observer.observe(person, "age")) }
    try withEachAllocationFailing {
      do {
        try check(observer.stop(person, "age"))
        _ = isa_testing_fail_allocation(-1)
        try check(observer.observe(person, "age"))
      } catch {
        #expect(try person.registeredKeys.count == 3)
        throw error
      }
    }
    for _ in 0..<3 { try check(observer.stop(person, "age")) }
  }

  @Test("a token ends without memory")
  func endedWithoutMemory() throws {
    let person = try Person(), staying = try Observation(person, "age")
    let ending = try Observation(person, "age"), third = try Observation(person, "age")
    _ = isa_testing_fail_allocation(0)
    let ended = ending.invalidate()
    #expect(!isa_testing_fail_allocation(-1))
    #expect(ended && !ending.isValid && ending.notes.releases == 1)
    person.age = 1
    #expect(ending.lines == [] && staying.lines == ["change"])
    third.invalidate()
    #expect(try person.registeredKeys.count == 1)
  }

  private func contextsLeft(_ person: Person) throws -> [Int] {
    var list: UnsafeMutablePointer<kvo_registration_info>?, count = 0
    try check(kvo_copy_registrations(person.id, &list, &count))
    defer { isa_free(list) }
    return (0..<count).map { Int(bitPattern: list![$0].context) }
  }
}

/// A function observer of the key `age` whose callback may end its own registration.
private final class EarlyEnd {
  let token = UnsafeMutablePointer<kvo_token?>.allocate(capacity: 1)
  private(set) var told = 0
  private(set) var releases = 0
  private let reaction: (UnsafeMutablePointer<kvo_token?>) -> Void

  init(_ reaction: @escaping (UnsafeMutablePointer<kvo_token?>) -> Void) {
    token.initialize(to: nil)
    self.reaction = reaction
  }

  deinit { token.deallocate() }

  func observe(_ object: isa_id, _ options: ObservingOptions) -> isa_status {
    var function = kvo_function(
      callback: { EarlyEnd.from($1).receive() }, info: Unmanaged.passUnretained(self).toOpaque(),
      release: { EarlyEnd.from($0).releases += 1 })
    return kvo_observe(object, "age", options.rawValue, &function, nil, token)
  }

  private func receive() {
    told += 1
    reaction(token)
  }

  private static func from(_ info: UnsafeMutableRawPointer?) -> EarlyEnd {
    Unmanaged<EarlyEnd>.fromOpaque(info!).takeUnretainedValue()
  }
}
