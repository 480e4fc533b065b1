import CIsa
import CIsa.Testing
import CIsaTestSupport
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct SubclassTests {
  @Test("the first observation makes the notifying class, all instances share it, and it stays")
  func sharedClass() throws {
    let people = try PersonClass(), first = try people.make(), second = try people.make()
    #expect(people.notifying == nil)
    var observations = [try Observation(first, "age")]
    let notifying = try #require(people.notifying)
    observations.append(try Observation(second, "height"))
    #expect(first.isa == notifying && second.isa == notifying)
    #expect(kvo_class_is_notifying(notifying) && !kvo_class_is_notifying(people.cls))
    #expect(kvo_class_original(notifying) == people.cls)
    #expect(kvo_class_original(people.cls) == people.cls)
    #expect(isa_class_superclass(notifying) == people.cls)
    observations = []
    #expect(first.isa == people.cls && people.notifying == notifying)
  }

  @Test("an observed object claims to be what it was, and its true class says otherwise")
  func twoViews() throws {
    let people = try PersonClass(), person = try people.make()
    let observation = try Observation(person, "age")
    #expect(person.isa == people.notifying)
    #expect(person.claimedClass == people.cls)
    #expect(isa_object_is_kind_of(person.id, people.cls))
    #expect(try send(person.id, "_isKVOA", as: Bool.self))
    observation.invalidate()
    #expect(!isa_object_responds_to(person.id, selector("_isKVOA")))
  }

  @Test("the notifying class's methods are class, dealloc, _isKVOA and the setters observed so far")
  func methods() throws {
    let people = try PersonClass(), person = try people.make()
    var observations = [try Observation(person, "age")]
    let base = ["class", "dealloc", "_isKVOA"]
    #expect(try methodNames(of: people.notifying) == base + ["setAge:"])
    observations.append(try Observation(person, "frame"))
    observations.append(try Observation(person, "age"))
    observations.append(try Observation(person, "unknown"))
    #expect(try methodNames(of: people.notifying) == base + ["setAge:", "setFrame:"])
    #expect(isa_class_instance_size(people.notifying) == isa_class_instance_size(people.cls))
  }

  @Test("the isa goes back with the last registration, not before")
  func restored() throws {
    let people = try PersonClass(), person = try people.make()
    let first = try Observation(person, "age"), second = try Observation(person, "height")
    let observer = try ObserverClass().make()
    try check(observer.observe(person, "name"))
    first.invalidate()
    second.invalidate()
    #expect(person.isa == people.notifying)
    try check(observer.stop(person, "name"))
    #expect(person.isa == people.cls)
  }

  @Test("a key that is notified by hand leaves the isa alone")
  func manual() throws {
    let people = try PersonClass(), person = try people.make()
    try people.turnOffAutomaticNotification()
    let observation = try Observation(person, "age", [.old, .new])
    #expect(person.isa == people.cls && people.notifying == nil)
    person.age = 1
    #expect(observation.lines == [])
    try check(kvo_will_change(person.id, "age"))
    person.age = 2
    try check(kvo_did_change(person.id, "age"))
    #expect(observation.lines == ["old 1 new 2"])
  }

  @Test("a class may turn off one key by a method of the key's own")
  func manualKey() throws {
    let people = try PersonClass(), person = try people.make(), calls = Box(0)
    // Of another shape, it is not what is asked.
    try addMethod(people.metaclass, "automaticallyNotifiesObserversOfHeight", "v@:") { _ in
      calls.value += 1
    }
    try addMethod(people.metaclass, "automaticallyNotifiesObserversOfAge", "B@:") {
      $0.answer(false)
    }
    let age = try Observation(person, "age"), height = try Observation(person, "height")
    person.age = 1
    person.set(height: 2)
    #expect(age.lines == [] && height.lines == ["change"] && calls.value == 0)
  }

  // MARK: other code

  @Test(
    "a name that is taken is reported once; the object is observed without automatic notification")
  func nameTaken() throws {
    let people = try PersonClass(), taken = try ClassPair("NSKVONotifying_Person")
    let person = try people.make()
    let misuses = try collectMisuses {
      let age = try Observation(person, "age", .new), height = try Observation(person, "height")
      #expect(person.isa == people.cls)
      person.age = 1
      #expect(age.lines == [])
      try check(kvo_will_change(person.id, "age"))
      try check(kvo_did_change(person.id, "age"))
      #expect(age.lines == ["new 1"] && height.lines == [])
    }
    #expect(misuses.map(\.status) == [KVO_ERR_NAME_TAKEN])
    #expect(misuses.first?.reason.contains("NSKVONotifying_Person") == true)
    #expect(!kvo_class_is_notifying(taken.cls))
    #expect(!person.isObserved)
  }

  @Test("an observed object that is given its own class keeps its observers")
  func swappedBack() throws {
    let people = try PersonClass(), person = try people.make()
    let observation = try Observation(person, "age")
    try check(isa_object_set_class(person.id, people.cls, nil))
    person.age = 1
    #expect(observation.lines == ["change"] && person.isa == people.notifying)
    observation.invalidate()
    #expect(person.isa == people.cls)
  }

  @Test("an observed object that is given another class is notified for by that one")
  func exchanged() throws {
    let people = try PersonClass(), person = try people.make(), name = try people.make()
    person.set(name: name.id)
    try withForeign("Special", below: people.cls) { special in
      try addMethod(special, "getAge", "q@:") { $0.answer(Int64(77)) }
      let sharing = try Sharing(people.cls), shared = try sharing.observe("height")
      try sharing.assign(to: person.id)
      let age = try Observation(person, "age", [.old, .new])
      let path = try Observation(person, "name.age", .new)
      var old: isa_class?
      try check(isa_object_set_class(person.id, special, &old))
      #expect(old == people.notifying && person.claimedClass == special)
      #expect(String(cString: isa_class_name(person.isa)) == "NSKVONotifying_Special")
      person.age = 1
      name.age = 2
      person.set(height: 3)
      person.set(name: nil)
      #expect(age.lines == ["old 77 new 77"] && path.lines == ["new 2", "new nil"])
      #expect(shared.lines == ["change"])
      age.invalidate()
      path.invalidate()
      try check(kvo_set_shared_observers(person.id, nil))
      #expect(person.isa == special && !person.isObserved)
      try check(isa_object_set_class(person.id, people.cls, nil))
    }
  }

  @Test("a class whose keys cannot be worked out leaves the object and its observers as they were")
  func notExchanged() throws {
    let people = try PersonClass(), person = try people.make()
    try withForeign("Looping", below: people.cls) { looping in
      try declare(looping, "age", affectedBy: "age")
      let observation = try Observation(person, "age")
      #expect(isa_object_set_class(person.id, looping, nil) == KVO_ERR_SELF_DEPENDENT)
      person.age = 1
      #expect(observation.lines == ["change"] && person.isa == people.notifying)
      observation.invalidate()
    }
  }

  @Test("the class of an object is set while another thread observes it, and every change is told")
  func exchangedConcurrently() throws {
    let people = try PersonClass(), person = try people.make(), always = Tally()
    let token = always.observe(person.id, "age")
    try withForeign("Special", below: people.cls) { special in
      try whileThreads(1, repeat: { _ = try? Observation(person, "height") }) {
        for round in 0..<200 {
          try check(isa_object_set_class(person.id, round % 2 == 0 ? special : people.cls, nil))
          person.age = Int64(round)
        }
      }
      kvo_token_release(token)
      #expect(always.value.changes == 200)
      #expect(person.isa == people.cls)
    }
  }

  @Test("a method found through an observed object's isa cannot be exchanged, its class's can")
  func exchangingWrappers() throws {
    let people = try PersonClass(), person = try people.make(), other = try people.make()
    let observation = try Observation(person, "age"), sel = selector("setAge:")
    try addMethod(people.cls, "replacement:", "v@:q") {
      isa_test_poke_age($0.receiver, 2 * $0.argument(2, as: Int64.self))
    }
    let wrapped = isa_class_find_method(person.isa, sel)
    let own = isa_class_find_method(people.cls, sel)
    let replacement = isa_class_find_method(people.cls, selector("replacement:"))
    for (first, second) in [(wrapped, replacement), (replacement, wrapped), (wrapped, own)] {
      #expect(isa_method_exchange(first, second) == ISA_ERR_INVALID_ARGUMENT)
      #expect(lastReason().contains("belongs to NSKVONotifying_Person"))
    }
    other.age = 3
    #expect(other.age == 3)
    try check(isa_method_exchange(own, replacement))
    person.age = 4
    other.age = 4
    #expect(person.age == 8 && other.age == 8 && observation.lines == ["change"])
  }

  @Test("an observed object answers superclass, isKindOfClass: and isMemberOfClass: as before")
  func answersAsBefore() throws {
    let people = try PersonClass(), person = try people.make()
    typealias Class = @convention(c) (isa_id?, isa_sel?) -> isa_class?
    typealias Question = @convention(c) (isa_id?, isa_sel?, isa_class?) -> Bool
    func ask(_ name: String, _ cls: isa_class?) -> Bool {
      let sel = selector(name)
      return unsafeBitCast(isa_lookup(person.id, sel), to: Question.self)(person.id, sel, cls)
    }
    let observation = try Observation(person, "age"), sel = selector("superclass")
    let superclass = unsafeBitCast(isa_lookup(person.id, sel), to: Class.self)(person.id, sel)
    #expect(superclass == isa_root_class() && person.claimedClass == people.cls)
    for (cls, isKind, isMember) in [
      (people.cls, true, true), (isa_root_class()!, true, false), (person.isa, false, false),
    ] {
      #expect(ask("isKindOfClass:", cls) == isKind && ask("isMemberOfClass:", cls) == isMember)
    }
    observation.invalidate()
  }

  @Test("under GNUstep's profile a registration that fails leaves the isa as it was")
  func gnustepRefused() throws {
    let base = try ClassPair("Base", isRegistered: false)
    try check(isa_class_set_profile(base.cls, ISA_PROFILE_GNUSTEP))
    try check(isa_class_add_ivar(base.cls, "_age", "q", ISA_OWNERSHIP_NONE))
    try base.register()
    let object = try Instance(of: base.cls, keeping: base)
    var token: kvo_token?
    for (path, options) in [("nothing", ObservingOptions([.initial, .new])), ("nothing.age", [])] {
      #expect(observe(object.id, path, options, Notes(), nil, &token) == KVC_ERR_UNDEFINED_KEY)
      #expect(object.isa == base.cls && !object.isObserved)
    }
    try Observation(object, "age").invalidate()
    let notifying = object.isa
    #expect(notifying != base.cls)
    #expect(observe(object.id, "nothing.age", [], Notes(), nil, &token) == KVC_ERR_UNDEFINED_KEY)
    #expect(object.isa == notifying)
  }

  @Test("an ivar that is poked does not notify")
  func poked() throws {
    let person = try Person(), observation = try Observation(person, "age", [.old, .new])
    person.poke(age: 5)
    #expect(observation.lines == [])
    person.age = 6
    #expect(observation.lines == ["old 5 new 6"])
  }

  @Test(
    "a foreign subclass above ours passes through, and ours stays when the registrations go",
    arguments: Wrapping.allCases)
  func foreignAbove(wrapping: Wrapping) throws {
    try withPolicy(wrapping.policy) {
      let people = try PersonClass(), person = try people.make()
      let observation = try Observation(person, "age", .new)
      let notifying = try #require(people.notifying)
      try withForeign(below: notifying) { foreign in
        try check(isa_object_set_class(person.id, foreign, nil))
        person.age = 1
        let late = try Observation(person, "height", .new)
        #expect(person.isa == foreign)
        person.set(height: 2)
        #expect(late.lines == ["new 2.0"])
        observation.invalidate()
        late.invalidate()
        #expect(person.isa == foreign && !person.isObserved)
        person.age = 3
        #expect(person.age == 3 && observation.lines == ["new 1"])
        // The other code takes itself off: the method that it puts back counts as the original.
        try check(isa_object_set_class(person.id, notifying, nil))
        #expect(person.isa == people.cls)
      }
    }
  }

  @Test("an isa that an observer sets by hand decides how the next one's value is read")
  func isaSetMeanwhile() throws {
    let people = try PersonClass(), person = try people.make(), other = try people.make()
    try withForeign(below: people.cls) { foreign in
      try addMethod(foreign, "getAge", "q@:") { $0.answer(Int64(100)) }
      let last = try Observation(person, "age", .new), elsewhere = try Observation(other, "age")
      let acting = try Observation(person, "age", .new) { _ in
        _ = isa_object_set_class(person.id, foreign, nil)
        other.age = 7  // for which all is as before
        kvo_will_change(person.id, "height")
        kvo_did_change(person.id, "height")
      }
      person.age = 1
      #expect(acting.lines == ["new 1"] && elsewhere.lines == ["change"])
      #expect(last.lines == ["new 100"])
      try check(isa_object_set_class(person.id, people.cls, nil))
    }
  }

  @Test("a foreign subclass that goes first leaves ours, which goes with the last registration")
  func foreignGoesFirst() throws {
    let people = try PersonClass(), person = try people.make()
    let observation = try Observation(person, "age")
    let notifying = try #require(people.notifying)
    try withForeign(below: notifying) { foreign in
      try check(isa_object_set_class(person.id, foreign, nil))
      try check(isa_object_set_class(person.id, notifying, nil))
    }
    #expect(person.isa == notifying)
    person.age = 1
    observation.invalidate()
    #expect(person.isa == people.cls && observation.lines == ["change"])
  }

  @Test("a foreign subclass that came before is itself observed, in either order of leaving")
  func foreignBelow() throws {
    let people = try PersonClass(), person = try people.make()
    try withForeign(below: people.cls) { foreign in
      try check(isa_object_set_class(person.id, foreign, nil))
      let observation = try Observation(person, "age")
      #expect(String(cString: isa_class_name(person.isa)) == "NSKVONotifying_Foreign")
      person.age = 1
      observation.invalidate()
      #expect(person.isa == foreign && observation.lines == ["change"])
      let second = try Observation(person, "age")
      try check(isa_object_set_class(person.id, people.cls, nil))
      person.age = 2
      #expect(person.isa == people.notifying && second.lines == ["change"])
      second.invalidate()
      #expect(person.isa == people.cls)
    }
  }

  @Test("a getter of one object's foreign subclass is not used for other objects of the class")
  func foreignGetter() throws {
    let people = try PersonClass(), first = try people.make(), second = try people.make()
    let observations = try [first, second].map { try Observation($0, "age", [.old, .new]) }
    let notifying = try #require(people.notifying)
    try withForeign(below: notifying) { foreign in
      try addMethod(foreign, "getAge", "q@:") { $0.answer(Int64(77)) }
      try check(isa_object_set_class(first.id, foreign, nil))
      first.age = 1
      second.age = 2
      #expect(observations[0].lines == ["old 77 new 77"])
      #expect(observations[1].lines == ["old 0 new 2"])
      try check(isa_object_set_class(first.id, notifying, nil))
    }
  }

  @Test(
    "a getter overridden by a foreign subclass with another type is read by its own type",
    arguments: zip(["i", "{B=[20q]}"], [4, 160]))
  func foreignGetterOfAnotherType(types: String, size: Int) throws {
    let people = try PersonClass(), first = try people.make(), second = try people.make()
    let observations = try [first, second].map { try Observation($0, "age", [.old, .new]) }
    let notifying = try #require(people.notifying)
    try withForeign(below: notifying) { foreign in
      try addMethod(foreign, "age", types + "@:") {
        $0.result!.initializeMemory(as: UInt8.self, repeating: 7, count: size)
      }
      second.age = 1
      try check(isa_object_set_class(first.id, foreign, nil))
      first.age = 5
      second.age = 6
      #expect(observations[0].lines == ["old \(size) bytes new \(size) bytes"])
      #expect(observations[1].lines == ["old 0 new 1", "old 1 new 6"])
      try check(isa_object_set_class(first.id, notifying, nil))
    }
  }

  @Test("an object whose setter sets another class is read by that class, and others as before")
  func setInSetter() throws {
    let people = try PersonClass()
    try withForeign("Shifting", below: people.cls) { shifting in
      try withForeign(below: shifting) { foreign in
        let first = try Instance(of: shifting), second = try Instance(of: shifting), id = first.id
        try addMethod(foreign, "getAge", "q@:") { $0.answer(Int64(77)) }
        try addMethod(shifting, "setAge:", "v@:q") { call in
          isa_test_poke_age(call.receiver, call.argument(2))
          guard call.receiver == id else { return }
          #expect(isa_object_set_class(id, foreign, nil) == ISA_OK)
          // From here on every getter that was found before is searched anew.
          #expect(throws: Never.self) { try addMethod(foreign, "late", "q@:") { _ in } }
        }
        let observations = try [first, second].map { try Observation($0, "age", [.old, .new]) }
        isa_test_set_age(first.id, 1)
        isa_test_set_age(second.id, 2)
        #expect(observations.map(\.lines) == [["old 0 new 77"], ["old 0 new 2"]])
        for observation in observations { observation.invalidate() }
        #expect(first.isa == foreign && second.isa == shifting)
      }
    }
  }

  @Test("a class set by hand in the initial notification stays, and is the one that notifies")
  func setInInitial() throws {
    let people = try PersonClass(), person = try people.make()
    try withForeign(below: people.cls) { foreign in
      let observation = try Observation(person, "age", [.initial, .new]) { change in
        guard change.is_initial else { return }
        #expect(isa_object_set_class(change.object, foreign, nil) == ISA_OK)
      }
      #expect(kvo_class_original(person.isa) == foreign)
      person.age = 1
      #expect(observation.lines == ["initial new 0", "new 1"])
      observation.invalidate()
      #expect(person.isa == foreign)
      try check(isa_object_set_class(person.id, people.cls, nil))
    }
  }

  /// Runs `body` with a class of other code's, which is disposed of afterwards.
  private func withForeign(
    _ name: String = "Foreign", below superclass: isa_class, _ body: (isa_class) throws -> Void
  ) throws {
    var foreign: isa_class?
    try check(isa_class_pair_allocate(superclass, name, &foreign))
    try check(isa_class_pair_register(foreign))
    try body(foreign!)
    #expect(isa_class_pair_dispose(foreign) == ISA_OK)
  }

  // MARK: end

  @Test("a class that has been observed is disposed of with its notifying class")
  func disposal() throws {
    let before = isa_testing_live_counts().notifying_classes
    try withBalancedCounts {
      let people = try PersonClass("Passing"), person = try people.make()
      for wrapping in Wrapping.allCases {
        try withPolicy(wrapping.policy) { _ = try Observation(person, "age", [.old, .new]) }
      }
      #expect(isa_testing_live_counts().notifying_classes == before + 1)
      #expect(isa_class_pair_dispose(people.cls) == ISA_ERR_IN_USE)
    }
    #expect(isa_testing_live_counts().notifying_classes == before)
    #expect(isa_class_find("NSKVONotifying_Passing") == nil)
  }

  @Test("threads that observe a class for the first time at once agree on its notifying class")
  func race() throws {
    for _ in 0..<50 {
      let people = try PersonClass()
      let persons = try Held(3) { try people.make() }
      onThreads(3) { index in
        let observation = try? Observation(persons[index], ["age", "height", "age"][index])
        #expect(persons[index].isa == people.notifying)
        observation?.invalidate()
      }
      #expect(persons.allSatisfy { $0.isa == people.cls })
    }
  }

  private func methodNames(of cls: isa_class?) throws -> [String] {
    var list: UnsafeMutablePointer<isa_method?>?, count = 0
    try check(isa_class_copy_methods(cls, &list, &count))
    defer { isa_free(list) }
    return (0..<count).map { String(cString: isa_sel_name(isa_method_selector(list![$0]))) }
  }
}
