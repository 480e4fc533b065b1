import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct ObjectTests {
  @Test("a new object has zero ivars, one reference, and its class as isa")
  func allocation() throws {
    let people = try PersonClass(), person = try people.make()
    #expect(person.age == 0 && isa_test_name(person.id) == nil)
    #expect(person.retainCount == 1)
    #expect(person.isa == people.cls && person.claimedClass == people.cls)
  }

  @Test("only registered classes without memory hooks have instances allocated")
  func allocationRefused() throws {
    var object: isa_id?
    let unfinished = try ClassPair("Unfinished", isRegistered: false)
    let hooked = try ClassPair("Hooked", isRegistered: false)
    try check(isa_class_set_memory_hooks(hooked.cls, isa_test_foreign_hooks()))
    try hooked.register()
    #expect(isa_object_allocate(nil, &object) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_object_allocate(hooked.metaclass, &object) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_object_allocate(unfinished.cls, &object) == ISA_ERR_NOT_REGISTERED)
    #expect(isa_object_allocate(hooked.cls, &object) == ISA_ERR_INVALID_ARGUMENT)
    #expect(object == nil)
  }

  @Test("without memory no object is allocated")
  func allocationFailure() throws {
    let people = try PersonClass()
    try withEachAllocationFailing { _ = try people.make() }
  }

  // MARK: deallocation

  @Test(
    "dealloc runs once for each class that declares it, the most derived first, none calling super")
  func deallocationChain() throws {
    let notes = Notes()
    let animal = try ClassPair("Animal"), dog = try ClassPair("Dog", below: animal)
    let puppy = try ClassPair("Puppy", below: dog)
    try addMethod(animal.cls, "dealloc", "v@:") { _ in notes.add("animal") }
    try addMethod(puppy.cls, "dealloc", "v@:") { _ in notes.add("puppy") }
    var object: Instance? = try Instance(of: puppy.cls)
    _ = object?.id
    object = nil
    #expect(notes.lines == ["puppy", "animal"])
  }

  @Test("what a dealloc sees of its object is whole: ivars, associations, and its class")
  func wholeInDealloc() throws {
    let holders = try ClassPair("Holder", isRegistered: false)
    try check(isa_class_add_ivar(holders.cls, "held", "@", ISA_OWNERSHIP_RETAIN))
    try holders.register()
    let held = try Instance(of: isa_root_class()), notes = Notes()
    let cls = holders.cls, ivar = isa_class_find_ivar(cls, "held")!
    try addMethod(cls, "dealloc", "v@:") { call in
      let storage = isa_object_ivar_address(call.receiver, ivar)!
      #expect(storage.load(as: isa_id?.self) == held.id)
      let associated = isa_object_copy_associated(call.receiver, selector("dealloc").key)
      #expect(associated == held.id)
      isa_object_release(associated)
      #expect(isa_object_get_class(call.receiver) == cls)
      notes.add("done")
    }
    var holder: Instance? = try Instance(of: holders.cls)
    let storage = isa_object_ivar_address(holder!.id, ivar)!
    storage.storeBytes(of: isa_object_retain(held.id), as: isa_id?.self)
    try check(
      isa_object_set_associated(
        holder!.id, selector("dealloc").key, held.id, ISA_ASSOCIATION_RETAIN))
    #expect(held.retainCount == 3)
    holder = nil
    #expect(notes.lines == ["done"])
    #expect(held.retainCount == 1)
  }

  @Test("owned ivars of every class on the chain are let go, unowned ones are not")
  func ownedIvars() throws {
    let parents = try ClassPair("Parent", isRegistered: false)
    try check(isa_class_add_ivar(parents.cls, "kept", "@", ISA_OWNERSHIP_RETAIN))
    try check(isa_class_add_ivar(parents.cls, "lent", "@", ISA_OWNERSHIP_NONE))
    try parents.register()
    let children = try ClassPair("Child", below: parents, isRegistered: false)
    try check(isa_class_add_ivar(children.cls, "copied", "@", ISA_OWNERSHIP_COPY))
    try check(isa_class_add_ivar(children.cls, "seen", "@", ISA_OWNERSHIP_WEAK))
    try children.register()
    let value = try Instance(of: isa_root_class())
    var child: Instance? = try Instance(of: children.cls)
    for name in ["kept", "copied", "lent"] {
      let storage = isa_object_ivar_address(
        child!.id, isa_class_find_ivar(children.cls, name))!
      let owned = name == "lent" ? value.id : isa_object_retain(value.id)
      storage.storeBytes(of: owned, as: isa_id?.self)
    }
    let seen = isa_object_ivar_address(child!.id, isa_class_find_ivar(children.cls, "seen"))!
    try check(isa_weak_init(seen.assumingMemoryBound(to: isa_weak.self), value.id))
    #expect(value.retainCount == 3)
    child = nil
    #expect(value.retainCount == 1)
  }

  @Test("a reference taken and given back during dealloc does no harm")
  func borrowedInDealloc() throws {
    let pair = try ClassPair("Borrowed"), notes = Notes()
    try addMethod(pair.cls, "dealloc", "v@:") { call in
      #expect(!isa_object_try_retain(call.receiver))
      isa_object_release(isa_object_retain(call.receiver))
      notes.add("dealloc")
    }
    var object: Instance? = try Instance(of: pair.cls)
    _ = object?.id
    object = nil
    #expect(notes.lines == ["dealloc"])
  }

  @Test("keeping a reference that was taken during dealloc stops the process")
  func resurrection() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let pair = try ClassPair("Undead")
      try addMethod(pair.cls, "dealloc", "v@:") { _ = isa_object_retain($0.receiver) }
      _ = try Instance(of: pair.cls)
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    let words = "(Undead): references taken during its deallocation outlive it: 1"
    #expect(text?.contains(words) == true)
  }

  @Test("an object decorated by its ivar's own dealloc leaks nothing")
  func decoratedLate() throws {
    let holders = try ClassPair("LateHolder", isRegistered: false)
    try check(isa_class_add_ivar(holders.cls, "held", "@", ISA_OWNERSHIP_RETAIN))
    try holders.register()
    let owner = Box<isa_id?>(nil), pair = try ClassPair("Late")
    let value = try Instance(of: isa_root_class())
    try addMethod(pair.cls, "dealloc", "v@:") { _ in
      let key = selector("dealloc").key
      _ = isa_object_set_associated(owner.value, key, value.id, ISA_ASSOCIATION_RETAIN)
    }
    var held: isa_id?
    try check(isa_object_allocate(pair.cls, &held))
    var holder: Instance? = try Instance(of: holders.cls)
    owner.value = holder!.id
    isa_object_ivar_address(holder!.id, isa_class_find_ivar(holders.cls, "held"))!
      .storeBytes(of: held, as: isa_id?.self)
    holder = nil
    #expect(value.retainCount == 1)
  }

  // MARK: objects that someone else counts

  @Test("a foreign object is counted by its owner, also once it has a side record")
  func adoption() throws {
    try withForeign { cls, foreign in
      let object = isa_test_foreign_object(foreign)
      #expect(isa_object_get_class(object) == cls)
      #expect(isa_object_retain(object) == object)
      #expect(isa_test_foreign_strong(foreign) == 2)
      var slot = isa_weak()
      try check(isa_weak_init(&slot, object))
      #expect(isa_test_foreign_unowned(foreign) == 2)
      #expect(isa_object_retain(object) == object)
      #expect(isa_object_retain_count(object) == 3)
      isa_object_release(object)
      isa_object_release(object)
      #expect(isa_object_try_retain(object))
      isa_object_release(object)
      #expect(isa_test_foreign_strong(foreign) == 1)
      isa_weak_destroy(&slot)
    }
  }

  @Test(
    "abandoning a foreign object ends what others hold of it; its memory stays while a slot leads to it"
  )
  func abandonment() throws {
    var slot = isa_weak()
    let value = try Instance(of: isa_root_class())
    try withForeign { _, foreign in
      let object = isa_test_foreign_object(foreign)
      try check(isa_weak_init(&slot, object))
      try check(
        isa_object_set_associated(
          object, selector("dealloc").key, value.id, ISA_ASSOCIATION_RETAIN))
    }
    #expect(isa_test_foreign_live() == 1)
    #expect(value.retainCount == 1)
    #expect(isa_weak_copy(&slot) == nil)
    isa_weak_destroy(&slot)
    #expect(isa_test_foreign_live() == 0)
  }

  @Test("only classes with memory hooks adopt")
  func adoptionRefused() throws {
    let people = try PersonClass()
    var header = isa_header(), object: isa_id?
    #expect(isa_object_adopt(people.cls, &header, &object) == ISA_ERR_INVALID_ARGUMENT)
    #expect(object == nil && header.isa == 0)
  }

  // MARK: isa swap

  @Test("swapping the isa changes what an object answers, and says what it was")
  func swap() throws {
    let cats = try ClassPair("Cat"), dogs = try ClassPair("Dog")
    try cats.add("legs", answering: 1)
    try dogs.add("legs", answering: 2)
    let animal = try Instance(of: cats.cls)
    #expect(try send(animal.id, "legs", as: Int.self) == 1)
    var old: isa_class?
    try check(isa_object_set_class(animal.id, dogs.cls, &old))
    #expect(old == cats.cls && animal.isa == dogs.cls)
    #expect(try send(animal.id, "legs", as: Int.self) == 2)
    #expect(isa_class_pair_dispose(dogs.cls) == ISA_ERR_IN_USE)
    try check(isa_object_set_class(animal.id, cats.cls, nil))
  }

  @Test("a class of another size, of other owned ivars or other memory hooks is refused")
  func layoutRefused() throws {
    let small = try ClassPair("Small"), owning = try ClassPair("Owning", isRegistered: false)
    try check(isa_class_add_ivar(owning.cls, "a", "@", ISA_OWNERSHIP_RETAIN))
    try owning.register()
    let plain = try ClassPair("Plain", isRegistered: false)
    try check(isa_class_add_ivar(plain.cls, "a", "@", ISA_OWNERSHIP_NONE))
    try plain.register()
    let hooked = try ClassPair("Hooked", isRegistered: false)
    try check(isa_class_set_memory_hooks(hooked.cls, isa_test_foreign_hooks()))
    try hooked.register()
    let object = try Instance(of: owning.cls)
    for cls in [small.cls, plain.cls, hooked.cls] {
      #expect(isa_object_set_class(object.id, cls, nil) == ISA_ERR_LAYOUT)
    }
    #expect(object.isa == owning.cls)
  }

  @Test("no class, a metaclass, an unregistered class, and a class object are refused")
  func swapRefused() throws {
    let people = try PersonClass(), person = try people.make()
    let unfinished = try ClassPair("Unfinished", isRegistered: false)
    #expect(isa_object_set_class(person.id, nil, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_object_set_class(person.id, people.metaclass, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(isa_object_set_class(person.id, unfinished.cls, nil) == ISA_ERR_NOT_REGISTERED)
    let cls = isa_class_as_object(people.cls)
    #expect(isa_object_set_class(cls, people.cls, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(person.isa == people.cls)
  }

  @Test("a notifying class set by hand on an object that nobody observes counts as its original")
  func notifyingByHand() throws {
    let people = try PersonClass(), observed = try people.make(), other = try people.make()
    let observation = try Observation(observed, "age")
    let notifying = try #require(people.notifying)
    try check(isa_object_set_class(other.id, notifying, nil))
    #expect(other.isa == people.cls)
    var allocated: isa_id?
    try check(isa_object_allocate(notifying, &allocated))
    #expect(isa_object_get_class(allocated) == people.cls)
    isa_object_release(allocated)
    observation.invalidate()
  }

  @Test("swapping and observing on two threads leaves the isa of whoever came last")
  func swapRace() throws {
    let people = try PersonClass(), person = try people.make()
    onThreads(2) { index in
      for _ in 0..<500 {
        if index == 0 {
          _ = isa_object_set_class(person.id, people.cls, nil)
        } else {
          _ = try? Observation(person, "age")
        }
      }
    }
    #expect(person.isa == people.cls)
  }

  // MARK: questions

  @Test("objects answer what they are")
  func questions() throws {
    let animals = try ClassPair("Animal"), dogs = try ClassPair("Dog", below: animals)
    let dog = try Instance(of: dogs.cls)
    #expect(isa_object_is_kind_of(dog.id, animals.cls))
    #expect(isa_object_is_kind_of(dog.id, isa_root_class()))
    let animal = try Instance(of: animals.cls)
    #expect(!isa_object_is_kind_of(animal.id, dogs.cls))
    #expect(isa_object_responds_to(dog.id, selector("isKindOfClass:")))
    #expect(!isa_object_responds_to(dog.id, selector("bark")))
    #expect(try send(dog.id, "superclass", as: isa_class.self) == animals.cls)
    #expect(try ask(dog.id, "isKindOfClass:", animals.cls))
    #expect(try ask(dog.id, "isMemberOfClass:", dogs.cls))
    #expect(try !ask(dog.id, "isMemberOfClass:", animals.cls))
    #expect(try ask(dog.id, "respondsToSelector:", selector("class")))
    #expect(try !ask(dog.id, "respondsToSelector:", selector("bark")))
  }

  private func ask(_ object: isa_id, _ name: String, _ argument: OpaquePointer) throws -> Bool {
    var argument = argument, answer = false
    try withUnsafeMutablePointer(to: &argument) { address in
      var arguments: UnsafeMutableRawPointer? = UnsafeMutableRawPointer(address)
      try check(isa_invoke_message(object, selector(name), &arguments, &answer))
    }
    return answer
  }

  // MARK: events

  @Test("the log tells an object's birth, isa swap and death with its weak references")
  func events() throws {
    let first = try ClassPair("First"), second = try ClassPair("Second")
    let events = try recordEvents {
      let object = try Instance(of: first.cls)
      var slot = isa_weak()
      try check(isa_weak_init(&slot, object.id))
      try check(isa_object_set_class(object.id, second.cls, nil))
      try check(isa_object_set_class(object.id, second.cls, nil))
      defer { isa_weak_destroy(&slot) }
      withExtendedLifetime(consume object) {}
    }
    #expect(
      events.map(\.kind) == ["object-allocated", "isa-swapped", "deallocated", "weak-cleared"])
    #expect(events.last?.count == 1)
  }

  /// Runs `body` with a foreign object, whose one strong reference goes afterwards.
  private func withForeign(_ body: (isa_class, OpaquePointer) throws -> Void) throws {
    let pair = try ClassPair("Foreign", isRegistered: false)
    try check(isa_class_set_memory_hooks(pair.cls, isa_test_foreign_hooks()))
    try pair.register()
    let foreign = try #require(isa_test_foreign_make(pair.cls))
    defer { isa_object_release(isa_test_foreign_object(foreign)) }
    try body(pair.cls, foreign)
  }
}

/// A variable that a closure shares.
final class Box<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}

extension isa_sel {
  /// The selector's address as an association key.
  var key: UnsafeRawPointer { UnsafeRawPointer(self) }
}
