import CIsa
import CIsa.Testing
import CIsaTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct ChangeTests {
  @Test(
    "a change announced and ended by hand tells the values before and after",
    arguments: ObservingOptions.combinations)
  func pair(options: ObservingOptions) throws {
    let person = try Person(), observation = try Observation(person, "age", options)
    _ = observation.notes.take()
    try check(kvo_will_change(person.id, "age"))
    person.poke(age: 5)
    try check(kvo_did_change(person.id, "age"))
    var change = "old 0 new 5", prior = "prior old 0"
    if !options.contains(.old) { (change, prior) = ("new 5", "prior") }
    if !options.contains(.new) { change = options.contains(.old) ? "old 0" : "change" }
    #expect(observation.lines == (options.contains(.prior) ? [prior, change] : [change]))
  }

  @Test("pairs of one key nest: the latest will is ended first, and each tells")
  func nesting() throws {
    let person = try Person(), observation = try Observation(person, "age", [.old, .new])
    for age in 1...3 {
      try check(kvo_will_change(person.id, "age"))
      person.poke(age: Int64(age))
    }
    for _ in 1...3 { try check(kvo_did_change(person.id, "age")) }
    #expect(observation.lines == ["old 2 new 3", "old 1 new 3", "old 0 new 3"])
  }

  @Test("pairs of different keys may interleave")
  func interleaving() throws {
    let person = try Person()
    let age = try Observation(person, "age", [.old, .new])
    let height = try Observation(person, "height", [.old, .new])
    try check(kvo_will_change(person.id, "age"))
    try check(kvo_will_change(person.id, "height"))
    person.poke(age: 4)
    try check(kvo_did_change(person.id, "age"))
    try check(kvo_did_change(person.id, "height"))
    #expect(age.lines == ["old 0 new 4"])
    #expect(height.lines == ["old 0.0 new 0.0"])
  }

  @Test("a setter inside a pair tells as well")
  func setterInside() throws {
    let person = try Person(), observation = try Observation(person, "age", [.old, .new])
    try check(kvo_will_change(person.id, "age"))
    person.age = 7
    try check(kvo_did_change(person.id, "age"))
    #expect(observation.lines == ["old 0 new 7", "old 0 new 7"])
  }

  @Test("a did without a will says nothing")
  func didAlone() throws {
    let person = try Person(), observation = try Observation(person, "age")
    try check(kvo_did_change(person.id, "age"))
    #expect(observation.lines == [])
    try check(kvo_will_change(person.id, "age"))
    try check(kvo_did_change(person.id, "age"))
    try check(kvo_did_change(person.id, "age"))
    #expect(observation.lines == ["change"])
  }

  @Test("a will without a did is kept until the object dies, and then let go")
  func willAlone() throws {
    let pending = isa_testing_live_counts().pending
    let people = try PersonClass(), name = try people.make()
    var person: Person? = try people.make()
    person!.set(name: name.id)
    let observation = try Observation(person!, "name", [.old, .prior])
    try check(kvo_will_change(person!.id, "name"))
    try check(kvo_will_change(person!.id, "name"))
    #expect(isa_testing_live_counts().pending == pending + 2)
    observation.invalidate()
    person = nil
    #expect(isa_testing_live_counts().pending == pending)
    #expect(name.retainCount == 1)
    #expect(observation.lines == ["prior old object", "prior old object"])
  }

  @Test("a will and did without an observer of the key keep nothing")
  func unobserved() throws {
    let people = try PersonClass(), person = try people.make()
    try check(kvo_will_change(person.id, "age"))
    let observation = try Observation(person, "height")
    try check(kvo_will_change(person.id, "age"))
    #expect(isa_testing_live_counts().pending == 0)
    try check(kvo_did_change(person.id, "age"))
    #expect(observation.lines == [])
  }

  @Test("a did on another thread than its will is reported; the change stays pending for its own")
  func wrongThread() throws {
    let person = try Person(), observation = try Observation(person, "age", [.old, .new])
    try check(kvo_will_change(person.id, "age"))
    let misuses = collectMisuses {
      onThreads(1) { _ in
        #expect(kvo_did_change(person.id, "age") == KVO_ERR_WRONG_THREAD)
      }
    }
    #expect(misuses.map(\.status) == [KVO_ERR_WRONG_THREAD])
    #expect(misuses.first?.reason.contains("didChangeValueForKey:age of <Person") == true)
    #expect(observation.lines == [])
    try check(kvo_did_change(person.id, "age"))
    #expect(observation.lines == ["old 0 new 0"])
  }

  @Test("a class's guard refuses announcements, which is reported, and nobody is told")
  func guarded() throws {
    let nodes = try NodeClass()
    let below = try ClassPair("Guarded", below: nodes.pair, isRegistered: false)
    try check(
      isa_class_set_guard(below.cls) { _, key in
        String(cString: key!) == "name"
          ? ISA_OK : isa_fail(KVO_ERR_WRONG_THREAD, nil, "elsewhere")
      })
    try below.register()
    let node = try Boxed { isa_object_allocate(below.cls, $0) }
    let notes = Notes()
    let number = try Observation(node.id, "number", .prior, notes: notes)
    let misuses = collectMisuses {
      #expect(kvo_will_change(node.id, "number") == KVO_ERR_WRONG_THREAD)
      #expect(kvo_did_change(node.id, "number") == KVO_ERR_WRONG_THREAD)
    }
    #expect(misuses.map { $0.reason } == ["elsewhere", "elsewhere"])
    #expect(notes.lines == [] && isa_testing_live_counts().pending == 0)
    let name = try Observation(node.id, "name", notes: notes)
    try check(kvo_will_change(node.id, "name"))
    try check(kvo_did_change(node.id, "name"))
    #expect(notes.lines == ["change"])
    withExtendedLifetime((number, name)) {}
  }

  @Test("two threads with a pair each do not mistake the other's")
  func twoThreads() throws {
    let person = try Person(), observation = try Observation(person, "age")
    onThreads(2) { _ in
      for _ in 0..<100 {
        #expect(kvo_will_change(person.id, "age") == ISA_OK)
        #expect(kvo_did_change(person.id, "age") == ISA_OK)
      }
    }
    #expect(observation.lines.count == 200)
  }

  @Test("who was removed between will and did is not told, who came between is not either")
  func changedBetween() throws {
    let person = try Person()
    let leaving = try Observation(person, "age", .prior), staying = try Observation(person, "age")
    try check(kvo_will_change(person.id, "age"))
    leaving.invalidate()
    let coming = try Observation(person, "age")
    try check(kvo_did_change(person.id, "age"))
    #expect(leaving.lines == ["prior"] && staying.lines == ["change"] && coming.lines == [])
  }

  @Test("a registration that ended between will and did lets go of its observer before the did")
  func releasedBetween() throws {
    let person = try Person(), observation = try Observation(person, "age", .old)
    try check(kvo_will_change(person.id, "age"))
    observation.invalidate()
    #expect(observation.notes.releases == 1)
    try check(kvo_did_change(person.id, "age"))
    #expect(observation.lines == [])
  }

  @Test("an old object is kept alive until its change is told")
  func oldObjectIsKept() throws {
    let people = try PersonClass(), person = try people.make()
    var name: Person? = try people.make()
    person.set(name: name!.id)
    name = nil
    let counts = Box<[Int]>([])
    let observation = try Observation(person, "name", [.old, .new]) { change in
      let old = change.old_value.address.load(as: isa_id?.self)
      counts.value.append(Int(isa_object_retain_count(old)))
    }
    try check(kvo_will_change(person.id, "name"))
    person.set(name: nil)
    try check(kvo_did_change(person.id, "name"))
    #expect(observation.lines == ["old object new nil", "old object new nil"])
    #expect(counts.value == [2, 1])
    #expect(isa_testing_live_counts().objects == 1)
  }

  @Test("an object's old value that an overridden valueForKey: gave lasts until the did")
  func oldObjectByMessage() throws {
    let people = try PersonClass(), person = try people.make(), value = try people.make()
    let answer = Box<isa_id?>(value.id)
    try addMethod(people.cls, "valueForKey:", "i@:*^@") { call in
      let out = call.argument(3, as: UnsafeMutablePointer<isa_id?>.self)
      out.pointee = isa_object_retain(answer.value)
      call.answer(ISA_OK)
    }
    let observation = try Observation(person, "name", [.old, .new, .prior]) { change in
      if let old = change.old_value.address { #expect(old.load(as: isa_id?.self) == value.id) }
    }
    try check(kvo_will_change(person.id, "name"))
    answer.value = nil
    try check(kvo_did_change(person.id, "name"))
    #expect(observation.lines == ["prior old object", "old object new nil"])
    #expect(value.retainCount == 1)
  }

  @Test("a value too large to be held in place is held until the did")
  func largeValue() throws {
    let type = try #require(TestType.all.first { $0.encoding == "{?=[64q]}" })
    let pair = try ClassPair("Large", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "key", type.encoding, ISA_OWNERSHIP_NONE))
    try pair.register()
    let object = try Instance(of: pair.cls), value = type.value(seed: 2)
    let storage = isa_object_ivar_address(object.id, isa_class_find_ivar(pair.cls, "key"))!
    let observation = try Observation(object, "key", [.old, .new]) { change in
      #expect(type.c.equal(change.new_value.address, value.address))
      #expect(!type.c.equal(change.old_value.address, value.address))
    }
    try check(kvo_will_change(object.id, "key"))
    storage.copyMemory(from: value.address, byteCount: type.c.size)
    try check(kvo_did_change(object.id, "key"))
    #expect(observation.lines == ["old 512 bytes new 512 bytes"])
  }

  @Test("no key, no object and no root class are refused")
  func refused() throws {
    let person = try Person()
    #expect(kvo_will_change(person.id, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_did_change(person.id, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_will_change(nil, "age") == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_will_change(person.id, "neverHeardOf") == ISA_OK)
    #expect(kvo_did_change(person.id, "neverHeardOf") == ISA_OK)
  }

  @Test("without memory a change is not announced, its did says nothing, and nothing leaks")
  func allocationFailure() throws {
    let person = try Person(), observation = try Observation(person, "frame", [.old, .prior])
    // The room for pending changes stays with the object once it was needed.
    try check(kvo_will_change(person.id, "frame"))
    try check(kvo_did_change(person.id, "frame"))
    _ = observation.notes.take()
    try withEachAllocationFailing {
      do {
        try check(kvo_will_change(person.id, "frame"))
      } catch {
        #expect(kvo_did_change(person.id, "frame") == ISA_OK)
        #expect(observation.lines == [])
        throw error
      }
      try check(kvo_did_change(person.id, "frame"))
    }
    #expect(observation.lines == ["prior old 32 bytes", "old 32 bytes"])
  }
}
