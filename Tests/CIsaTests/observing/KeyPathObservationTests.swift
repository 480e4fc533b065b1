import CIsa
import CIsa.Testing
import CIsaTestSupport
import IsaKVOTestSupport
import Testing

// A person's `name` is any object, here another person, so that paths such as `name.name.age` lead
// along a chain.
@Suite(.serialized, .balancedCounts)
struct KeyPathObservationTests {
  // MARK: price of a path

  @Test("a path has one registration on each object that it leads through")
  func registrations() throws {
    let people = try PersonClass(), chain = try people.chain(4)
    let before = isa_testing_live_counts().registrations
    let observation = try Observation(chain[0], "name.name.name.age")
    #expect(isa_testing_live_counts().registrations == before + 4)
    #expect(
      try chain.map { try $0.registeredKeys } == [
        ["name.name.name.age"], ["name.name.age"], ["name.age"], ["age"],
      ])
    observation.invalidate()
    #expect(chain.allSatisfy { !$0.isObserved && $0.isa == people.cls })
    // The token's.
    #expect(isa_testing_live_counts().registrations == before + 1)
  }

  @Test("neither the objects on the way nor the observer are retained")
  func notRetained() throws {
    let people = try PersonClass(), chain = try people.chain(3)
    let observer = try ObserverClass().make(), counts = chain.map(\.retainCount)
    try check(observer.observe(chain[0], "name.name.age"))
    #expect(chain.map(\.retainCount) == counts && observer.retainCount == 1)
    try check(observer.stop(chain[0], "name.name.age"))
  }

  // MARK: refused paths

  @Test(
    "empty keys are refused", arguments: ["", ".", "..", ".age", "age.", "name..age", "name.age."])
  func emptyKeys(keyPath: String) throws {
    let person = try Person(), observer = try ObserverClass().make()
    #expect(observeStatus(person, keyPath) == ISA_ERR_INVALID_ARGUMENT)
    #expect(observer.observe(person, keyPath) == ISA_ERR_INVALID_ARGUMENT)
    #expect(observer.stop(person, keyPath) == KVO_ERR_NOT_REGISTERED)
    expectUntouched([person])
  }

  @Test(
    "text that is not UTF-8 is refused",
    arguments: [[0xff], [0x6e, 0x2e, 0xc0, 0x80], [0xed, 0xa0, 0x80], [0x61, 0xe2, 0x82]]
      as [[UInt8]])
  func notUTF8(bytes: [UInt8]) throws {
    let person = try Person(), observer = try ObserverClass().make()
    let keyPath = (bytes + [0]).map { CChar(bitPattern: $0) }
    #expect(kvo_add_observer(person.id, observer.id, keyPath, 0, nil) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_remove_observer(person.id, observer.id, keyPath) == KVO_ERR_NOT_REGISTERED)
    expectUntouched([person])
  }

  @Test("operators without argument are accepted anywhere at the end, their values where there are")
  func operators() throws {
    let people = try PersonClass(), chain = try people.chain(2)
    for keyPath in ["@", "@count", "@nope", "name.@", "name.@count", "@count.age", "@.age"] {
      let observation = try Observation(chain[0], keyPath)
      #expect(try chain[0].registeredKeys == [keyPath])
      observation.invalidate()
      expectUntouched(chain)
    }
    for keyPath in ["@", "@nope", "name.@", "name.@nope"] {
      #expect(observeStatus(chain[0], keyPath, [.initial, .new]) != ISA_OK)
      expectUntouched(chain)
    }
  }

  @Test("a megabyte is a key, and a path through it ends at nil")
  func megabyte() throws {
    let long = String(repeating: "k", count: 1 << 20), person = try Person()
    for keyPath in [long, "name." + long] {
      let observation = try Observation(person, keyPath)
      person.set(name: nil)
      observation.invalidate()
    }
    #expect(observeStatus(person, long + ".age") == KVC_ERR_UNDEFINED_KEY)
    #expect(observeStatus(person, long, [.initial, .new]) == KVC_ERR_UNDEFINED_KEY)
    let deep = String(repeating: "name.", count: 1 << 18) + "age"
    #expect(observeStatus(person, deep) == KVO_ERR_TOO_DEEP)
    #expect(lastReason().contains("262145 keys, at most 1024 were expected"))
    expectUntouched([person])
  }

  @Test("1024 keys lead round and round an object that refers to itself, 1025 are too many")
  func selfReferring() throws {
    let person = try Person()
    person.set(name: person.id)
    let path = { (keys: Int) in String(repeating: "name.", count: keys - 1) + "age" }
    let observation = try Observation(person, path(1024), [.old, .new])
    #expect(try person.registrations.count == 1024)
    person.age = 1
    #expect(observation.notes.take() == ["old 0 new 1"])
    #expect(observeStatus(person, path(1025)) == KVO_ERR_TOO_DEEP)
    #expect(try person.registrations.count == 1024)
    person.set(name: person.id)
    #expect(try person.registrations.count == 1024)
    person.set(name: nil)
    #expect(try person.registeredKeys == [path(1024)])
    #expect(observation.notes.take().last?.hasSuffix("new nil") == true)
  }

  @Test("a path into a ring goes on round it, and comes off it again")
  func ring() throws {
    let people = try PersonClass(), ring = try people.chain(3)
    ring[2].set(name: ring[0].id)
    let observation = try Observation(ring[0], "name.name.name.name.age", [.old, .new])
    #expect(try ring.map { try $0.registrations.count } == [2, 2, 1])
    ring[1].age = 5
    #expect(observation.lines == ["old 0 new 5"])
    ring[2].set(name: nil)
    #expect(try ring.map { try $0.registrations.count } == [1, 1, 1])
    #expect(observation.lines.last == "old 5 new nil")
  }

  // MARK: failure half-way

  @Test("what cannot be followed leaves nothing behind on any object")
  func rollback() throws {
    let people = try PersonClass(), chain = try people.chain(4)
    let observer = try ObserverClass().make()
    let list = try Boxed { kvc_array_make(nil, 0, $0) }
    chain[3].set(name: list.id)
    let refused = [
      ("name.nope.age", KVC_ERR_UNDEFINED_KEY), ("name.name.nope.age", KVC_ERR_UNDEFINED_KEY),
      ("name.name.name.name.age", KVO_ERR_NOT_OBSERVABLE),
    ]
    // The record that an object has beside it stays with it.
    for person in chain { _ = observeStatus(person, "age") }
    try check(observer.observe(chain[0], "age"))
    try check(observer.stop(chain[0], "age"))
    for (keyPath, status) in refused {
      withBalancedCounts {
        #expect(observeStatus(chain[0], keyPath) == status)
        #expect(observer.observe(chain[0], keyPath) == status)
        #expect(observer.observe(chain[0], keyPath, .initial) == status)
        expectUntouched(chain)
      }
    }
  }

  @Test("no memory for a path registers nothing", arguments: ["name.age", "name.name.name.age"])
  func registeringWithoutMemory(keyPath: String) throws {
    let people = try PersonClass(), chain = try people.chain(4)
    let observer = try ObserverClass().make()
    // The facts that a class remembers of a path stay.
    try check(observer.observe(chain[0], keyPath))
    try check(observer.stop(chain[0], keyPath))
    let allocations = try withEachAllocationFailing {
      _ = try Observation(chain[0], keyPath, [.old, .new])
      expectUntouched(chain)
    }
    #expect(allocations > 3)
    try withEachAllocationFailing(undo: { try check(observer.stop(chain[0], keyPath)) }) {
      do { try check(observer.observe(chain[0], keyPath, .initial)) } catch {
        expectUntouched(chain)
        throw error
      }
    }
    try check(observer.stop(chain[0], keyPath))
    expectUntouched(chain)
  }

  @Test("no memory for a path that the class has never seen registers nothing")
  func firstWithoutMemory() throws {
    for allowed in 0... {
      let people = try PersonClass(), chain = try people.chain(3)
      // The record that an object has beside it stays with it, as do the facts that a class
      // remembers of a path.
      for person in chain { _ = observeStatus(person, "height") }
      let counts = LiveCounts()
      _ = isa_testing_fail_allocation(Int64(allowed))
      let status = observeStatus(chain[0], "name.name.age", [.initial, .new])
      let failed = isa_testing_fail_allocation(-1)
      if status == ISA_OK, !failed { return }
      #expect(status == ISA_ERR_NO_MEMORY || status == ISA_OK)
      #expect(LiveCounts() == counts, "allocation \(allowed)")
      expectUntouched(chain)
    }
  }

  @Test("a path refused for want of memory beside others is neither told of nor removed")
  func refusedBesideOthers() throws {
    let people = try PersonClass(), chain = try people.chain(2), observers = try ObserverClass()
    let others = try (0..<2).map { _ in try observers.make() }, refused = try observers.make()
    for other in others { try check(other.observe(chain[0], "height")) }
    for allowed in 0... {
      _ = isa_testing_fail_allocation(Int64(allowed))
      let status = refused.observe(chain[0], "name.age", .new)
      _ = isa_testing_fail_allocation(-1)
      if status == ISA_OK { break }
      chain[0].set(name: nil)
      chain[0].set(name: chain[1].id)
      #expect(refused.notes.take() == [], "allocation \(allowed)")
      #expect(refused.stop(chain[0], "name.age") == KVO_ERR_NOT_REGISTERED)
    }
    try check(refused.stop(chain[0], "name.age"))
    for other in others { try check(other.stop(chain[0], "height")) }
    expectUntouched(chain)
  }

  @Test("no memory while a value on the way is replaced is a misuse, which the next change mends")
  func changingWithoutMemory() throws {
    let people = try PersonClass(), chain = try people.chain(3)
    let spare = try people.chain(2), observation = try Observation(chain[0], "name.name.age")
    for allowed in 0... {
      var failed = false
      let misuses = collectMisuses {
        _ = isa_testing_fail_allocation(Int64(allowed))
        chain[0].set(name: spare[0].id)
        failed = isa_testing_fail_allocation(-1)
      }
      #expect(observation.notes.take() == ["change"], "allocation \(allowed)")
      #expect(misuses.allSatisfy { $0.status == ISA_ERR_NO_MEMORY })
      #expect(!chain[1].isObserved && !chain[2].isObserved, "allocation \(allowed)")
      let mended = collectMisuses { chain[0].set(name: chain[1].id) }
      #expect(mended == [] && observation.notes.take() == ["change"])
      #expect(!spare[0].isObserved && !spare[1].isObserved)
      chain[2].age += 1
      #expect(observation.notes.take() == ["change"], "allocation \(allowed)")
      if !failed { break }
    }
  }

  // MARK: unannounced changes

  @Test(
    "a value replaced unannounced on a path fails an observer's removal, and not a token's",
    arguments: [0, 1, 2])
  func unannounced(depth: Int) throws {
    let people = try PersonClass(), chain = try people.chain(4), other = try people.make()
    let observer = try ObserverClass().make(), path = "name.name.name.age"
    try check(observer.observe(chain[0], path))
    let observation = try Observation(chain[0], path)
    try poke(chain[depth], name: other.id)
    #expect(observer.stop(chain[0], path) == KVO_ERR_INCONSISTENT)
    let rest = path.split(separator: ".").dropFirst(depth).joined(separator: ".")
    let reason = lastReason()
    #expect(reason.hasPrefix("Cannot remove an observer <Observer 0x"))
    #expect(reason.contains("for the key path \"\(rest)\" from <Person "))
    #expect(reason.contains("\"name\" has changed without an appropriate KVO"))
    #expect(observer.stop(chain[0], path) == KVO_ERR_NOT_REGISTERED)
    #expect(observation.invalidate())
    expectUntouched(chain + [other])
    try poke(chain[depth], name: chain[depth + 1].id)
  }

  @Test("a value changes as announced while a change of a key that affects its own is")
  func announcedByAffecting() throws {
    let people = try PersonClass(), chain = try people.chain(2), other = try people.make()
    try addMethod(people.cls, "link", "@@:") { call in
      call.answer((try? send(call.receiver, "name", as: isa_id?.self)) ?? nil)
    }
    try declare(people.cls, "link", affectedBy: "name", "age")
    let name = try Observation(chain[0], "name")
    try check(kvo_will_change(chain[0].id, "name"))
    let link = try Observation(chain[0], "link.age")
    try poke(chain[0], name: other.id)
    #expect(collectMisuses { chain[0].age += 1 } == [])
    try check(kvo_did_change(chain[0].id, "name"))
    _ = link.notes.take()
    other.age = 5
    #expect(link.lines == ["change"] && name.lines == ["change"])
  }

  @Test("a weak value on the way may be replaced while it is being deallocated")
  func replacedWhileItDies() throws {
    let holders = try weakHolderClass(), pair = try ClassPair("Dying")
    let holder = try Instance(of: holders.cls, keeping: holders)
    let next = try Instance(of: holders.cls, keeping: holders)
    try addMethod(pair.cls, "dealloc", "v@:") { _ in
      try? send(holder.id, "setOther:", next.id as isa_id?)
    }
    var dying: Instance? = try Instance(of: pair.cls)
    try send(holder.id, "setOther:", dying!.id as isa_id?)
    let observation = try Observation(holder, "other.class")
    let misuses = collectMisuses { dying = nil }
    #expect(misuses == [] && observation.lines == ["change"])
    #expect(next.isObserved)
  }

  // MARK: user code while registering

  @Test("a getter on the way that observes the same path comes to an end")
  func observingGetter() throws {
    let pair = try ClassPair("Observing"), tokens = Box<[kvo_token]>([]), failed = Box(ISA_OK)
    try addMethod(pair.cls, "next", "@@:") { call in
      var token: kvo_token?
      let status = observe(call.receiver, "next.age", [], Notes(), nil, &token)
      if status == ISA_OK { tokens.value.append(token!) } else { failed.value = status }
      call.answer(nil as isa_id?)
    }
    let object = try Instance(of: pair.cls), observation = try Observation(object, "next.age")
    #expect(failed.value == KVO_ERR_TOO_DEEP)
    #expect(tokens.value.count > 100)
    for token in tokens.value { kvo_token_release(token) }
    observation.invalidate()
    #expect(!object.isObserved)
  }

  @Test("a getter on the way that ends the registration leaves no forwarder")
  func endingGetter() throws {
    let people = try PersonClass(), person = try people.make()
    let pair = try ClassPair("Ending"), early = EarlyPathEnd()
    try addMethod(pair.cls, "next", "@@:") { call in
      early.endSoon()
      call.answer(person.id as isa_id?)
    }
    let object = try Instance(of: pair.cls)
    try check(early.observe(object.id, "next.age"))
    #expect(early.releases == 1 && !object.isObserved && !person.isObserved)
    early.free()
  }

  @Test(
    "a token ended in its initial notification comes to its end, be the path such as it may",
    arguments: [false, true])
  func endsBeforeFailure(released: Bool) throws {
    let people = try PersonClass(), person = try people.make()
    let list = try CollectionType.array(1), early = EarlyPathEnd()
    person.set(name: list.id)
    early.onTold = { [unowned early] in released ? early.free() : early.endSoon() }
    try check(early.observe(person.id, "name.age", .initial))
    #expect(early.told == 1 && early.releases == 1)
    expectUntouched([person])
    if !released { early.free() }
    #expect(observeStatus(person, "name.age") == KVO_ERR_NOT_OBSERVABLE)
  }

  @Test("a token ended by a getter on the way comes to its end though nothing can be attached")
  func endsInGetterBeforeFailure() throws {
    let pair = try ClassPair("Ending"), list = try CollectionType.array(1), early = EarlyPathEnd()
    try addMethod(pair.cls, "next", "@@:") { call in
      early.endSoon()
      call.answer(list.id as isa_id?)
    }
    let object = try Instance(of: pair.cls)
    try check(early.observe(object.id, "next.age"))
    #expect(early.releases == 1)
    expectUntouched([object])
    early.free()
  }

  // MARK: user code while telling

  /// An object whose `next` is one of three persons. While `replaces` is set, the getter first goes
  /// on to the last of them, announced.
  private struct Replacing {
    let people: PersonClass, values: [Person], pair: ClassPair, object: Instance
    let at = Box(0), replaces = Box(false)

    init() throws {
      people = try PersonClass()
      let people = people
      values = try (0..<3).map { _ in try people.make() }
      pair = try ClassPair("Replacing")
      object = try Instance(of: pair.cls)
      let ids = values.map(\.id), at = at, replaces = replaces
      try addMethod(pair.cls, "next", "@@:") { call in
        if replaces.value {
          replaces.value = false
          #expect(kvo_will_change(call.receiver, "next") == ISA_OK)
          at.value = 2
          #expect(kvo_did_change(call.receiver, "next") == ISA_OK)
        }
        call.answer(ids[at.value] as isa_id?)
      }
    }
  }

  @Test("a getter on the way that replaces its value leaves the path with the later one")
  func replacingGetter() throws {
    let replacing = try Replacing(), object = replacing.object, values = replacing.values
    let observation = try Observation(object, "next.age")
    try check(kvo_will_change(object.id, "next"))
    (replacing.at.value, replacing.replaces.value) = (1, true)
    try check(kvo_did_change(object.id, "next"))
    _ = observation.notes.take()
    values[2].age = 5
    #expect(observation.lines == ["change"])
    #expect(values.map(\.isObserved) == [false, false, true])
  }

  @Test("a value on the way may be replaced, as announced, while an observer is removed")
  func replacedWhileRemoved() throws {
    let replacing = try Replacing(), observer = try ObserverClass().make()
    try check(observer.observe(replacing.object, "next.age"))
    replacing.replaces.value = true
    #expect(observer.stop(replacing.object, "next.age") == ISA_OK)
    #expect(replacing.at.value == 2)
    expectUntouched(replacing.values + [replacing.object])
  }

  @Test("a path may be ended, waited for and made anew while it is told")
  func endsWhileTold() throws {
    let people = try PersonClass(), chain = try people.chain(3)
    let made = Box<[Observation]>([])
    for replaced in [false, true] {
      let observation = Box<Observation?>(nil)
      observation.value = try Observation(chain[0], "name.name.age") { _ in
        observation.value?.invalidateAndWait()
        if let next = try? Observation(chain[0], "name.name.age") { made.value.append(next) }
      }
      if replaced { chain[0].set(name: chain[1].id) } else { chain[2].age += 1 }
      #expect(observation.value?.lines == ["change"])
      observation.value = nil
    }
    #expect(try chain[2].registrations.count == 2)
    chain[2].age += 1
    #expect(made.value.map(\.lines.count) == [2, 1])
    made.value = []
    expectUntouched(chain)
  }

  @Test("an observer on the way may replace what comes behind it")
  func replacesWhileTold() throws {
    let people = try PersonClass(), chain = try people.chain(3), other = try people.make()
    let path = try Observation(chain[0], "name.name.age", [.old, .new])
    let first = try Observation(chain[0], "name") { _ in chain[1].set(name: other.id) }
    chain[0].set(name: chain[1].id)
    other.age = 7
    #expect(path.lines.last == "old 0 new 7")
    #expect(!chain[2].isObserved && other.isObserved)
    first.invalidate()
    path.invalidate()
    expectUntouched(chain + [other])
  }

  // MARK: forwarding observers

  @Test("a forwarding observer that is kept beyond its registration tells nobody")
  func keptObserver() throws {
    let takers = try ClassPair("Taker"), kept = Box<[isa_id]>([]), removed = Box(0)
    try addMethod(takers.cls, "addObserver:forKeyPath:options:context:", "i@:@*Q^v") { call in
      kept.value.append(isa_object_retain(call.argument(2)))
      call.answer(ISA_OK)
    }
    try addMethod(takers.cls, "removeObserver:forKeyPath:context:", "i@:@*^v") { call in
      removed.value += 1
      call.answer(KVO_ERR_NOT_REGISTERED)
    }
    let person = try Person(), taker = try Instance(of: takers.cls)
    person.set(name: taker.id)
    let observation = try Observation(person, "name.anything")
    try #require(kept.value.count == 1)
    tell(kept.value[0], of: taker.id, "anything")
    #expect(observation.lines == ["change"])
    observation.invalidate()
    #expect(removed.value == 1 && observation.notes.releases == 1)
    tell(kept.value[0], of: taker.id, "anything")
    #expect(observation.lines == ["change"])
    isa_object_release(kept.value[0])
    person.set(name: nil)
  }

  @Test("a forwarding observer's status is that of the registration")
  func refusingObserver() throws {
    let takers = try ClassPair("Taker"), person = try Person()
    try addMethod(takers.cls, "addObserver:forKeyPath:options:context:", "i@:@*Q^v") {
      $0.answer(ISA_ERR_UNSUPPORTED)
    }
    let taker = try Instance(of: takers.cls)
    person.set(name: taker.id)
    #expect(observeStatus(person, "name.anything") == ISA_ERR_UNSUPPORTED)
    expectUntouched([person])
    person.set(name: nil)
  }

  // MARK: lifetimes

  @Test("objects on a path and its observer may die in any order", arguments: permutations(of: 4))
  func deaths(order: [Int]) throws {
    let holders = try weakHolderClass(), observers = try ObserverClass()
    var objects: [Instance?] = try (0..<3).map { _ in
      try Instance(of: holders.cls, keeping: holders)
    }
    for (holder, other) in zip(objects, objects.dropFirst()) {
      try send(holder!.id, "setOther:", other!.id as isa_id?)
    }
    let notes: Notes
    do {
      let observer = try observers.make()
      notes = observer.notes
      try check(observer.observe(objects[0]!, "other.other", [.old, .new]))
      objects.append(observer)
    }
    for dying in order {
      objects[dying] = nil
      for object in objects[..<3] {
        if let object { try send(object.id, "setOther:", nil as isa_id?) }
      }
    }
    #expect(notes.lines.allSatisfy { $0.hasSuffix("new nil") })
  }

  @Test("a token outlives every object on its path")
  func tokenOutlives() throws {
    let people = try PersonClass()
    let observation: Observation
    do {
      let chain = try people.chain(3)
      observation = try Observation(chain[0], "name.name.age")
    }
    #expect(!observation.isValid && observation.notes.releases == 1)
  }

  // MARK: threads

  @Test("threads replace, set leaves, register and end: each forwarder sits on the right object")
  func threads() throws {
    let people = try PersonClass(), root = try people.make()
    let middles = try Held(3) { try people.make() }
    let leaves = try Held(3) { try people.make() }
    for (middle, leaf) in zip(middles, leaves) { middle.set(name: leaf.id) }
    root.set(name: middles[0].id)
    let tally = Tally(), token = try #require(tally.observe(root.id, "name.name.age", .new))
    let brief = (0..<2).map { _ in Tally() }
    onThreads(6) { number in
      for round in 0..<300 {
        switch number {
        case 0, 1: root.set(name: middles[(round + number) % 3].id)
        case 2: middles[round % 3].set(name: leaves[(round / 3) % 3].id)
        case 3: leaves[round % 3].age = Int64(round)
        default:
          let tally = brief[number - 4]
          kvo_token_release(tally.observe(root.id, "name.name.age", [.old, .new]))
        }
      }
    }
    root.set(name: middles[1].id)
    middles[1].set(name: leaves[2].id)
    #expect(try middles.map { try $0.registrations.count } == [0, 1, 0])
    #expect(try leaves.map { try $0.registrations.count } == [0, 0, 1])
    let before = tally.value.changes
    leaves[2].age = -1
    #expect(tally.value.changes == before + 1)
    kvo_token_release(token)
    #expect(brief.map(\.value.releases) == [300, 300])
    expectUntouched([root] + middles + leaves)
    for person in [root] + middles { person.set(name: nil) }
  }

  @Test("threads end one path at once: it ends once, and nothing is told late")
  func endedOnThreads() throws {
    let people = try PersonClass(), chain = try people.chain(3)
    for _ in 0..<50 {
      let tally = Tally(), ends = Notes()
      nonisolated(unsafe) let token = try #require(
        tally.observe(chain[0].id, "name.name.age"))
      whileThreads(1, repeat: { chain[2].age = 1 }) {
        onThreads(2) { _ in
          if kvo_token_invalidate_and_wait(token) { ends.add("end") }
          tally.close()
        }
      }
      #expect(ends.lines == ["end"] && tally.value.late == 0)
      kvo_token_release(token)
    }
    expectUntouched(chain)
  }
}

// MARK: - Support

/// A function's registration that is ended from a getter, before the call that makes it returns.
private final class EarlyPathEnd: @unchecked Sendable {
  private let token = UnsafeMutablePointer<kvo_token?>.allocate(capacity: 1)
  private lazy var notes = Notes { [unowned self] _ in onTold() }
  var onTold: () -> Void = {}

  init() { token.initialize(to: nil) }
  deinit { token.deallocate() }

  var told: Int { notes.lines.count }
  var releases: Int { notes.releases }

  func endSoon() { kvo_token_invalidate(token.pointee) }

  func observe(
    _ object: isa_id, _ keyPath: String, _ options: ObservingOptions = []
  ) -> isa_status {
    CIsaTests.observe(object, keyPath, options, notes, nil, &token.pointee)
  }

  func free() { kvo_token_release(token.pointee) }
}

/// Tries to register; a registration ends at once.
private func observeStatus(
  _ object: Instance, _ keyPath: String, _ options: ObservingOptions = []
) -> isa_status {
  var token: kvo_token?
  let status = observe(object.id, keyPath, options, Notes(), nil, &token)
  kvo_token_release(token)
  return status
}

/// Expects persons that nobody observes, with no notifying class.
private func expectUntouched<Object: Instance>(
  _ objects: some Sequence<Object>, sourceLocation: SourceLocation = #_sourceLocation
) {
  for object in objects {
    #expect(!object.isObserved, sourceLocation: sourceLocation)
    #expect(!kvo_class_is_notifying(object.isa), sourceLocation: sourceLocation)
  }
}

/// Writes a person's ivar `_name`, past the setter.
private func poke(_ person: Person, name: isa_id?) throws {
  let ivar = try #require(isa_class_find_ivar(person.people.cls, "_name"))
  let slot = UnsafeMutableRawPointer(person.id).advanced(by: isa_ivar_offset(ivar))
  let before = slot.load(as: isa_id?.self)
  slot.storeBytes(of: isa_object_retain(name), as: isa_id?.self)
  isa_object_release(before)
}

/// Sends an observer the message of a change.
private func tell(_ observer: isa_id, of object: isa_id, _ keyPath: String) {
  typealias Observe =
    @convention(c) (
      isa_id, isa_sel, UnsafePointer<CChar>, isa_id, UnsafePointer<kvo_change>,
      UnsafeMutableRawPointer?
    ) -> Void
  let sel = selector("observeValueForKeyPath:ofObject:change:context:")
  keyPath.withCString { text in
    var change = kvo_change()
    (change.object, change.key_path, change.kind) = (object, text, KVO_CHANGE_SETTING)
    unsafeBitCast(isa_lookup(observer, sel), to: Observe.self)(
      observer, sel, text, object, &change, nil)
  }
}

/// All orders of the numbers below `count`.
private func permutations(of count: Int) -> [[Int]] {
  guard count > 0 else { return [[]] }
  return permutations(of: count - 1).flatMap { shorter in
    (0..<count).map { place in
      var longer = shorter
      longer.insert(count - 1, at: place)
      return longer
    }
  }
}
