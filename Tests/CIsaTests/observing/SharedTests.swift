import CIsa
import CIsa.Testing
import CIsaTestSupport
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct SharedTests {
  // MARK: telling

  @Test(
    "every object that the observers are assigned to is told of, with any options",
    arguments: ObservingOptions.combinations.filter { !$0.contains(.initial) })
  func telling(options: ObservingOptions) throws {
    let people = try PersonClass(), sharing = try Sharing(people.cls)
    var objects: [isa_id?] = []
    let notes = try sharing.observe("age", options) { objects.append($0.object) }
    let persons = try Held(3) { try people.make() }
    for person in persons { try sharing.assign(to: person.id) }
    #expect(notes.lines == [])
    persons[1].age = 5
    let old = options.contains(.old) ? " old 0" : "", new = options.contains(.new) ? " new 5" : ""
    let did = "\(old)\(new)".dropFirst()
    let lines =
      (options.contains(.prior) ? ["prior\(old)"] : []) + [did.isEmpty ? "change" : "\(did)"]
    #expect(notes.lines == lines)
    #expect(objects == lines.map { _ in persons[1].id })
    for person in persons { person.age = 6 }
    #expect(notes.lines.count == 4 * lines.count)
  }

  @Test("a change names key, object and context, and a registration that is shared")
  func record() throws {
    let people = try PersonClass(), person = try people.make(), sharing = try Sharing(people.cls)
    let context = UnsafeMutableRawPointer(bitPattern: 7), id = person.id
    let notes = Notes { change in
      #expect(change.object == id && String(cString: change.key_path) == "age")
      #expect(change.context == context && change.kind == KVO_CHANGE_SETTING)
    }
    try check(sharing.add("age", .prior, notes, context: context))
    try sharing.assign(to: person.id)
    person.age = 1
    #expect(notes.lines.count == 2)
    var list: UnsafeMutablePointer<kvo_registration_info>?, count = 0
    try check(kvo_copy_registrations(person.id, &list, &count))
    defer { isa_free(list) }
    #expect(count == 1 && list![0].is_shared && list![0].is_function && !list![0].is_forwarder)
    #expect(list![0].context == context && String(cString: list![0].key_path) == "age")
  }

  @Test("shared observers come before the object's own in the order of registration")
  func order() throws {
    let people = try PersonClass(), person = try people.make(), sharing = try Sharing(people.cls)
    let notes = Notes()
    func note(_ name: String) -> Notes.Reaction {
      { notes.add($0.is_prior ? "prior \(name)" : name) }
    }
    let own = try Observation(person, "age", .prior, note("own"))
    let shared = try (1...2).map { try sharing.observe("age", .prior, note("shared \($0)")) }
    try sharing.assign(to: person.id)
    let later = try Observation(person, "age", .prior, note("later"))
    person.age = 1
    let priors = ["shared 1", "shared 2", "own", "later"]
    #expect(notes.lines == priors.map { "prior \($0)" } + priors.reversed())
    own.invalidate()
    later.invalidate()
    person.age = 2
    #expect(notes.lines.suffix(2) == ["shared 2", "shared 1"])
    withExtendedLifetime(shared) {}
  }

  @Test("an observer that was added twice is told twice, and removed twice")
  func twice() throws {
    let people = try PersonClass(), person = try people.make(), sharing = try Sharing(people.cls)
    let observer = try ObserverClass().make()
    for _ in 0..<2 {
      try check(kvo_shared_observers_add(sharing.shared, observer.id, "age", 0, nil))
    }
    try sharing.assign(to: person.id)
    person.age = 1
    #expect(observer.lines == ["change", "change"])
    try check(kvo_shared_observers_remove(sharing.shared, observer.id, "age", nil))
    try sharing.assign(to: person.id)
    person.age = 2
    #expect(observer.lines.count == 3)
    try check(kvo_shared_observers_remove(sharing.shared, observer.id, "age", nil))
    #expect(
      kvo_shared_observers_remove(sharing.shared, observer.id, "age", nil)
        == KVO_ERR_NOT_REGISTERED)
    try sharing.assign(to: person.id)
    person.age = 3
    #expect(observer.lines.count == 3 && !person.isObserved)
  }

  @Test("to-many keys are shared like others", arguments: AccessorCall.all)
  func toMany(accessor: AccessorCall) throws {
    let shelf = try accessor.makeShelf(), sharing = try Sharing(shelf.cls)
    let notes = try sharing.observe("items", [.old, .new, .prior])
    try sharing.assign(to: shelf.id)
    try accessor.call(shelf)
    #expect(notes.take() == accessor.lines([.old, .new, .prior]))
    try shelf.proxy(accessor.isOrdered ? KVC_KIND_ARRAY : KVC_KIND_SET).add(Boxed.number(17))
    #expect(notes.lines.count == 2)
  }

  // MARK: the collection afterwards

  @Test("what is added or removed after an assignment concerns later assignments only")
  func changesOfTheCollection() throws {
    let people = try PersonClass(), sharing = try Sharing(people.cls)
    let early = try people.make(), late = try people.make(), last = try people.make()
    let observers = try ObserverClass(), observer = try observers.make()
    try check(kvo_shared_observers_add(sharing.shared, observer.id, "age", 0, nil))
    try sharing.assign(to: early.id)
    let notes = try sharing.observe("age")
    try sharing.assign(to: late.id)
    try check(kvo_shared_observers_remove(sharing.shared, observer.id, "age", nil))
    try sharing.assign(to: last.id)
    early.age = 1
    #expect(observer.lines.count == 1 && notes.lines.count == 0)
    late.age = 1
    #expect(observer.lines.count == 2 && notes.lines.count == 1)
    last.age = 1
    #expect(observer.lines.count == 2 && notes.lines.count == 2)
  }

  @Test("another collection takes the place of the first, and nothing takes it away")
  func replacing() throws {
    let people = try PersonClass(), person = try people.make()
    let first = try Sharing(people.cls), second = try Sharing(people.cls)
    let one = try first.observe("age"), two = try second.observe("height")
    try first.assign(to: person.id)
    try first.assign(to: person.id)
    person.age = 1
    try second.assign(to: person.id)
    person.age = 2
    person.set(height: 2)
    #expect(one.lines.count == 1 && two.lines.count == 1)
    try check(kvo_set_shared_observers(person.id, nil))
    try check(kvo_set_shared_observers(person.id, nil))
    person.age = 3
    person.set(height: 3)
    #expect(one.lines.count == 1 && two.lines.count == 1)
    #expect(!person.isObserved && person.isa == people.cls)
  }

  @Test("the isa stays for the object's own observers, and goes back with the last of either")
  func isa() throws {
    let people = try PersonClass(), person = try people.make(), sharing = try Sharing(people.cls)
    let notes = try sharing.observe("age")
    try sharing.assign(to: person.id)
    #expect(person.isa == people.notifying && person.claimedClass == people.cls)
    let own = try Observation(person, "height")
    try check(kvo_set_shared_observers(person.id, nil))
    #expect(person.isa == people.notifying)
    own.invalidate()
    #expect(person.isa == people.cls)
    try sharing.assign(to: person.id)
    let another = try Observation(person, "age")
    another.invalidate()
    #expect(person.isa == people.notifying)
    person.age = 1
    #expect(notes.lines == ["change"])
  }

  @Test("an empty collection is as none")
  func empty() throws {
    let people = try PersonClass(), person = try people.make(), sharing = try Sharing(people.cls)
    try sharing.assign(to: person.id)
    #expect(!person.isObserved && person.isa == people.cls)
  }

  @Test("an observer may take the shared observers away while they are being told")
  func takenAwayInside() throws {
    let people = try PersonClass(), person = try people.make(), sharing = try Sharing(people.cls)
    let first = try sharing.observe("age", .prior)
    let last = try sharing.observe("age") { kvo_set_shared_observers($0.object, nil) }
    try sharing.assign(to: person.id)
    person.age = 1
    #expect(last.lines == ["change"] && first.lines.first == "prior")
    person.age = 2
    #expect(last.lines.count == 1 && first.lines.count <= 2 && person.isa == people.cls)
  }

  @Test(
    "those that are taken away between the halves of a change by hand are not told",
    arguments: 1...2)
  func takenAwayBetween(count: Int) throws {
    let people = try PersonClass(), person = try people.make(), sharing = try Sharing(people.cls)
    let notes = try (0..<count).map { _ in try sharing.observe("age") }
    let stays = try people.make()
    for object in [person, stays] { try sharing.assign(to: object.id) }
    try check(kvo_will_change(person.id, "age"))
    try check(kvo_set_shared_observers(person.id, nil))
    try check(kvo_did_change(person.id, "age"))
    #expect(notes.allSatisfy { $0.lines.isEmpty })
    try check(kvo_will_change(stays.id, "age"))
    try check(kvo_did_change(stays.id, "age"))
    #expect(notes.allSatisfy { $0.lines == ["change"] })
  }

  /// A class whose setter of `score` runs code of the test's.
  private func makeScoring(_ reaction: @escaping (isa_id) -> Void) throws -> PersonClass {
    let people = try PersonClass()
    try addMethod(people.cls, "setScore:", "v@:q") { reaction($0.receiver) }
    try addMethod(people.cls, "score", "q@:") { $0.answer(Int64(7)) }
    return people
  }

  private func setScore(_ object: Instance) {
    typealias Setter = @convention(c) (isa_id?, isa_sel?, Int64) -> Void
    let sel = selector("setScore:")
    unsafeBitCast(isa_lookup(object.id, sel), to: Setter.self)(object.id, sel, 7)
  }

  @Test(
    "those that the setter takes away are not told; an own observer that it adds keeps them",
    arguments: [1, 2, 10])
  func changedBySetter(count: Int) throws {
    var own: Observation?, takes = true
    let people = try makeScoring { id in
      if takes {
        #expect(kvo_set_shared_observers(id, nil) == ISA_OK)
      } else {
        own = try? Observation(id, "score", notes: Notes())
      }
    }
    let person = try people.make(), sharing = try Sharing(people.cls)
    let notes = try (0..<count).map { _ in try sharing.observe("score", [.old, .new]) }
    try sharing.assign(to: person.id)
    setScore(person)
    #expect(notes.allSatisfy { $0.lines.isEmpty } && !person.isObserved)
    takes = false
    try sharing.assign(to: person.id)
    setScore(person)
    #expect(notes.allSatisfy { $0.lines == ["old 7 new 7"] })
    #expect(own?.lines == [])
    own = nil
  }

  @Test(
    "an observer that gives the object others leaves those after it untold", arguments: [2, 10])
  func exchangedInside(count: Int) throws {
    let people = try PersonClass(), person = try people.make()
    let first = try Sharing(people.cls), second = try Sharing(people.cls)
    let untold = try (1..<count).map { _ in try first.observe("age") }
    let last = try first.observe("age") { change in
      #expect(kvo_set_shared_observers(change.object, second.shared) == ISA_OK)
    }
    let others = try second.observe("age")
    try first.assign(to: person.id)
    person.age = 1
    #expect(last.lines == ["change"] && others.lines.isEmpty)
    #expect(untold.allSatisfy { $0.lines.isEmpty })
    person.age = 2
    #expect(last.lines.count == 1 && others.lines == ["change"])
  }

  @Test("ending all registrations of one object leaves the others theirs")
  func endingAll() throws {
    let people = try PersonClass(), sharing = try Sharing(people.cls)
    let one = try people.make(), two = try people.make(), notes = try sharing.observe("age")
    for person in [one, two] { try sharing.assign(to: person.id) }
    try check(kvo_set_observation_info(one.id, nil))
    one.age = 1
    #expect(notes.lines.count == 0 && !one.isObserved)
    two.age = 1
    #expect(notes.lines.count == 1)
  }

  // MARK: cost and lives

  @Test("assigned objects have no registration and no list of their own")
  func cost() throws {
    let people = try PersonClass(), sharing = try Sharing(people.cls)
    let notes = try (0..<3).map { _ in try sharing.observe("age") }
    let persons = try Held(50) { try people.make() }
    try sharing.assign(to: persons[0].id)
    let before = isa_testing_live_counts()
    for person in persons.dropFirst() { try sharing.assign(to: person.id) }
    let after = isa_testing_live_counts()
    #expect(after.registrations == before.registrations && after.lists == before.lists)
    #expect(after.side_records - before.side_records == 49)
    #expect(after.blocks - before.blocks == 49)
    let own = try persons.map { try Observation($0, "age") }
    #expect(isa_testing_live_counts().registrations == after.registrations + 50)
    for observation in own { observation.invalidate() }
    for person in persons { person.age = 1 }
    #expect(notes.allSatisfy { $0.lines.count == 50 })
  }

  @Test("a scalar that is set takes no memory to tell them", arguments: [1, 2, 10])
  func setWithoutMemory(count: Int) throws {
    let people = try PersonClass(), person = try people.make(), sharing = try Sharing(people.cls)
    let tally = Tally()
    try withExtendedLifetime(tally) {
      var function = kvo_function(callback: isa_test_tally_change, info: tally.info, release: nil)
      let options = ObservingOptions([.old, .new]).rawValue
      for _ in 0..<count {
        try check(
          kvo_shared_observers_add_function(sharing.shared, &function, "age", options, nil))
      }
      try sharing.assign(to: person.id)
      person.age = 1
      _ = isa_testing_fail_allocation(0)
      person.age = 2
      #expect(!isa_testing_fail_allocation(-1))
      #expect(tally.value.changes == 2 * count)
      try check(kvo_set_shared_observers(person.id, nil))
    }
  }

  @Test("objects keep what they need when the collection goes, and all of it goes with the last")
  func lives() throws {
    let notes = Notes()
    try withBalancedCounts {
      let people = try PersonClass()
      var persons = try (0..<3).map { _ in try people.make() }
      do {
        let sharing = try Sharing(people.cls)
        try check(sharing.add("age", [], notes))
        for person in persons { try sharing.assign(to: person.id) }
      }
      for person in persons { person.age = 1 }
      #expect(notes.lines.count == 3 && notes.releases == 0)
      persons.removeLast(2)
      #expect(notes.releases == 0)
      persons[0].age = 2
      #expect(notes.lines.count == 4)
      persons.removeLast()
      #expect(notes.releases == 1)
    }
    #expect(notes.releases == 1)
  }

  @Test("a function is released once, however often its collection was assigned and changed")
  func released() throws {
    let notes = Notes(), other = Notes()
    try withBalancedCounts {
      let people = try PersonClass(), persons = try Held(2) { try people.make() }
      let sharing = try Sharing(people.cls)
      try check(sharing.add("age", [], notes))
      for person in persons { try sharing.assign(to: person.id) }
      try check(sharing.add("height", [], other))
      try sharing.assign(to: persons[0].id)
      for person in persons { try check(kvo_set_shared_observers(person.id, nil)) }
      #expect(notes.releases == 0 && other.releases == 0)
    }
    #expect(notes.releases == 1 && other.releases == 1)
  }

  @Test("a function that was never assigned is released with the collection")
  func neverAssigned() throws {
    let people = try PersonClass(), notes = Notes()
    do {
      let sharing = try Sharing(people.cls)
      try check(sharing.add("age", [], notes))
    }
    #expect(notes.releases == 1)
  }

  @Test("an observer object is held weakly: it may die before an assignment and after it")
  func observerDies() throws {
    let people = try PersonClass(), sharing = try Sharing(people.cls),
      observers = try ObserverClass()
    let early = try people.make(), late = try people.make()
    let stays = try observers.make()
    do {
      let dies = try observers.make()
      for observer in [dies, stays] {
        try check(
          kvo_shared_observers_add(
            sharing.shared, observer.id, "age", ObservingOptions.new.rawValue, nil))
      }
      try sharing.assign(to: early.id)
      early.age = 1
      #expect(dies.lines == ["new 1"])
    }
    early.age = 2
    try sharing.assign(to: late.id)
    late.age = 3
    #expect(stays.lines == ["new 1", "new 2", "new 3"])
  }

  @Test("an object whose shared observers have all died is told to nobody")
  func allDied() throws {
    let people = try PersonClass(), sharing = try Sharing(people.cls)
    let person = try people.make(), observers = try ObserverClass()
    let own = try Observation(person, "age")
    do {
      let dies = try observers.make()
      try check(kvo_shared_observers_add(sharing.shared, dies.id, "age", 0, nil))
    }
    try sharing.assign(to: person.id)
    person.age = 1
    own.invalidate()
    person.age = 2
    try check(kvo_will_change(person.id, "age"))
    try check(kvo_did_change(person.id, "age"))
    #expect(own.lines == ["change"])
  }

  // MARK: classes

  @Test("instances of a subclass may have them, with the subclass's own setters")
  func subclass() throws {
    let people = try PersonClass(), sharing = try Sharing(people.cls)
    let notes = try sharing.observe("age", .new)
    var cls: isa_class?
    try check(isa_class_pair_allocate(people.cls, "Employee", &cls))
    try check(isa_class_pair_register(cls))
    do {
      let person = try people.make(), employee = try Instance(of: cls!)
      try sharing.assign(to: person.id)
      try sharing.assign(to: employee.id)
      isa_test_set_age(employee.id, 4)
      person.age = 5
      #expect(notes.lines == ["new 4", "new 5"])
    }
    #expect(isa_class_pair_dispose(cls) == ISA_OK)
  }

  @Test("an object of another class, and what cannot be observed, are refused")
  func otherObjects() throws {
    let people = try PersonClass(), other = try ClassPair("Other")
    let sharing = try Sharing(people.cls), notes = try sharing.observe("age")
    let stranger = try Instance(of: other.cls)
    #expect(kvo_set_shared_observers(stranger.id, sharing.shared) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_set_shared_observers(nil, sharing.shared) == ISA_ERR_INVALID_ARGUMENT)
    for type in CollectionType.all {
      let collection = try type(1),
        ofCollections = try Sharing(kvc_class_of_kind(type.kind, false)!)
      _ = try ofCollections.observe("first")
      #expect(
        kvo_set_shared_observers(collection.id, ofCollections.shared) == KVO_ERR_NOT_OBSERVABLE)
    }
    #expect(notes.lines == [] && !stranger.isObserved)
  }

  @Test("a collection takes single keys that nothing affects, and the options new, old and prior")
  func refusals() throws {
    let people = try PersonClass(), sharing = try Sharing(people.cls), notes = Notes()
    let keys = try CollectionType.array([Boxed.string("age")])
    try check(kvo_class_set_keys(people.cls, keys.id, "label"))
    for key in ["name.length", "@count", "name.@count", "label"] {
      #expect(sharing.add(key, [], notes) == KVO_ERR_NOT_OBSERVABLE, "\(key)")
    }
    #expect(sharing.add("", [], notes) == ISA_ERR_INVALID_ARGUMENT)
    for options in [ObservingOptions.initial, .retainObserver, .init(rawValue: 64)] {
      #expect(sharing.add("age", options, notes) == KVO_ERR_INVALID_OPTIONS)
    }
    #expect(
      kvo_shared_observers_add(sharing.shared, nil, "age", 0, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(
      kvo_shared_observers_add_function(sharing.shared, nil, "age", 0, nil)
        == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_shared_observers_add(nil, nil, "age", 0, nil) == ISA_ERR_INVALID_ARGUMENT)
    var made: kvo_shared_observers?
    #expect(kvo_shared_observers_make(nil, &made) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_shared_observers_make(people.metaclass, &made) == ISA_ERR_INVALID_ARGUMENT)
    #expect(made == nil)
    kvo_shared_observers_release(nil)
    let person = try people.make()
    try sharing.assign(to: person.id)
    #expect(!person.isObserved)
  }

  @Test("a removal matches observer, key and context")
  func removals() throws {
    let people = try PersonClass(), sharing = try Sharing(people.cls),
      observers = try ObserverClass()
    let observer = try observers.make(), other = try observers.make()
    let context = UnsafeMutableRawPointer(bitPattern: 7)
    try check(kvo_shared_observers_add(sharing.shared, observer.id, "age", 0, context))
    for (who, key, what) in [
      (observer, "age", nil), (observer, "name", context), (other, "age", context),
    ] {
      #expect(
        kvo_shared_observers_remove(sharing.shared, who.id, key, what) == KVO_ERR_NOT_REGISTERED)
    }
    try check(kvo_shared_observers_remove(sharing.shared, observer.id, "age", context))
  }

  // MARK: memory and threads

  @Test("without memory nothing is made, added or assigned")
  func noMemory() throws {
    let people = try PersonClass(), person = try people.make(), observers = try ObserverClass()
    try warmUp(people)
    try withEachAllocationFailing {
      var made: kvo_shared_observers?
      defer { kvo_shared_observers_release(made) }
      try check(kvo_shared_observers_make(people.cls, &made))
    }
    let sharing = try Sharing(people.cls), notes = Notes(), observer = try observers.make()
    try withEachAllocationFailing { try check(sharing.add("age", .prior, notes)) }
    #expect(notes.releases == 0)
    try withEachAllocationFailing {
      try check(kvo_shared_observers_add(sharing.shared, observer.id, "age", 0, nil))
    }
    // The side record, once it is there, stays with the object.
    try check(kvo_set_shared_observers(person.id, nil))
    try withEachAllocationFailing { try sharing.assign(to: person.id) }
    person.age = 1
    #expect(notes.lines == ["prior", "change"] && observer.lines == ["change"])
  }

  /// Makes what is permanent: the notifying class and its setter.
  private func warmUp(_ people: PersonClass) throws {
    let sharing = try Sharing(people.cls), person = try people.make()
    let notes = try sharing.observe("age")
    try sharing.assign(to: person.id)
    person.age = 1
    #expect(notes.lines.count == 1)
  }

  @Test("several threads may assign a collection that none has assigned before")
  func assignedAtOnce() throws {
    let people = try PersonClass(), persons = try Held(4) { try people.make() }
    for _ in 0..<50 {
      let sharing = try Sharing(people.cls), notes = try sharing.observe("age")
      onThreads(4) { number in
        try? sharing.assign(to: persons[number].id)
        persons[number].age = 1
      }
      #expect(notes.lines.count == 4)
      for person in persons { try check(kvo_set_shared_observers(person.id, nil)) }
    }
  }

  @Test("those that are taken away while they are told elsewhere are not told afterwards")
  func takenAwayMeanwhile() throws {
    let people = try PersonClass(), person = try people.make(), sharing = try Sharing(people.cls)
    let notes = try sharing.observe("age", .new)
    whileThreads(1, repeat: { person.age += 1 }) {
      for _ in 0..<200 {
        try? sharing.assign(to: person.id)
        #expect(kvo_set_shared_observers(person.id, nil) == ISA_OK)
        // A call that had begun before may still be running: the next one must not begin.
        let count = notes.lines.count
        let later = (0..<20).map { _ in notes.lines.count }
        #expect(later.allSatisfy { $0 <= count + 1 })
      }
    }
    withExtendedLifetime(notes) {}
  }

  @Test("objects may be set on many threads while others are assigned and let go")
  func threads() throws {
    let people = try PersonClass(), sharing = try Sharing(people.cls), tally = Tally()
    var function = kvo_function(
      callback: isa_test_tally_change, info: nil, release: nil)
    try withExtendedLifetime(tally) {
      function.info = tally.info
      try check(
        kvo_shared_observers_add_function(
          sharing.shared, &function, "age", ObservingOptions.new.rawValue, nil))
      let persons = try Held(4) { try people.make() }
      for person in persons { try sharing.assign(to: person.id) }
      onThreads(4) { number in
        for age in 1...200 {
          persons[number].age = Int64(age)
          if age % 50 == 0, let passing = try? people.make() {
            try? sharing.assign(to: passing.id)
            passing.age = 1
          }
        }
      }
      #expect(tally.value.changes == 4 * 204)
    }
  }
}
