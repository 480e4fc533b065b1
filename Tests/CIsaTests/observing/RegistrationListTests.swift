import CIsa
import CIsa.Testing
import CIsaTestSupport
import IsaKVOTestSupport
import Testing

/// Many registrations on one object.
@Suite(.serialized, .balancedCounts)
struct RegistrationListTests {
  /// One of many, as a test keeps account of it.
  private struct Standing {
    let name: String, key: String
    let token: Observation?, object: ObserverObject?

    /// Whether a change of the key is told to it.
    func hears(_ changed: String) -> Bool {
      key == changed || (key == "label" && (changed == "age" || changed == "name"))
    }

    func end(on person: Person) {
      if let token { #expect(token.invalidate() && token.notes.releases == 1) }
      if let object { #expect(object.stop(person, key) == ISA_OK) }
    }
  }

  private func change(_ person: Person, _ key: String, _ round: Int) {
    switch key {
    case "age": person.age = Int64(round)
    case "height": person.set(height: Double(round))
    default: person.set(name: nil)
    }
  }

  @Test(
    "functions and objects come and go for keys and what depends on them, each told in its order",
    arguments: [3, 20, 200])
  func comeAndGoForKeys(most: Int) throws {
    let person = try Person(), log = Notes(), observers = try ObserverClass()
    try declare(person.people.cls, "label", affectedBy: "age", "name")
    let objects = try (0..<4).map { n in try observers.make { _ in log.add("object \(n)") } }
    let keys = ["age", "height", "name", "label"]
    var random = Steps(state: UInt64(most)), standing: [Standing] = []
    for round in 0..<(most * 12) {
      let key = keys.randomElement(using: &random)!
      let grows = standing.count < (round / (3 * most) % 2 == 0 ? most : max(1, most / 4))
      if !grows {
        // The latest of the same name and key is the one that ends.
        let gone = standing.randomElement(using: &random)!
        gone.end(on: person)
        standing.remove(at: standing.lastIndex { $0.name == gone.name && $0.key == gone.key }!)
      } else if Bool.random(using: &random) {
        let notes = Notes { _ in log.add("\(round)") }
        let token = try Observation(person.id, key, notes: notes)
        standing.append(Standing(name: "\(round)", key: key, token: token, object: nil))
      } else {
        let number = Int.random(in: 0..<4, using: &random)
        #expect(objects[number].observe(person, key) == ISA_OK)
        standing.append(
          Standing(name: "object \(number)", key: key, token: nil, object: objects[number]))
      }
      let changed = keys[round % 3]
      change(person, changed, round)
      let told = standing.reversed().filter { $0.hears(changed) }.map(\.name)
      #expect(log.take() == told, "round \(round)")
      if round % 10 == 0 { #expect(try person.registeredKeys == standing.map(\.key)) }
    }
    for one in standing { one.end(on: person) }
    #expect(!person.isObserved)
  }

  @Test("of many objects one is removed by its context, the latest or exactly that one")
  func removedByContext() throws {
    let person = try Person(), observers = try ObserverClass(), log = Notes()
    let objects = try (0..<30).map { n in try observers.make { _ in log.add("\(n)") } }
    let contexts = (1...3).map { UnsafeMutableRawPointer(bitPattern: 16 * $0) }
    for context in contexts {
      for object in objects { #expect(object.observe(person, "age", context: context) == ISA_OK) }
    }
    #expect(objects[7].stop(person, "age", context: contexts[0]) == ISA_OK)
    #expect(objects[7].stop(person, "age", context: contexts[0]) == KVO_ERR_NOT_REGISTERED)
    #expect(objects[7].stop(person, "height") == KVO_ERR_NOT_REGISTERED)
    #expect(objects[8].stop(person, "age") == ISA_OK)
    #expect(objects[8].stop(person, "age", context: contexts[2]) == KVO_ERR_NOT_REGISTERED)
    person.age = 1
    #expect(log.lines.filter { $0 == "7" }.count == 2 && log.lines.filter { $0 == "8" }.count == 2)
    #expect(log.lines.count == 88)
    withExtendedLifetime(objects) {}
  }

  @Test("an object that ends one of its equal registrations as it is told is told for the others")
  func equalOnesServe() throws {
    for count in [2, 40] {
      let person = try Person(), observers = try ObserverClass()
      var told = 0, object: ObserverObject?
      object = try observers.make { _ in
        told += 1
        if told == 1 { #expect(object?.stop(person, "age") == ISA_OK) }
      }
      for _ in 0..<count { #expect(object?.observe(person, "age") == ISA_OK) }
      person.age = 1
      #expect(told == count)
      person.age = 2
      #expect(told == 2 * count - 1)
      for _ in 1..<count { #expect(object?.stop(person, "age") == ISA_OK) }
      object = nil
    }
  }

  @Test("a dependent key's observer that ends inside a change of many is passed over")
  func dependentGoesInside() throws {
    let person = try Person(), many = try (0..<20).map { _ in try Observation(person, "height") }
    try declare(person.people.cls, "label", affectedBy: "age")
    var labels: [Observation] = []
    labels = try (0..<6).map { number in
      try Observation(person, "label", .prior) { change in
        if change.is_prior && number == 0 { labels[3].invalidate() }
        if !change.is_prior && number == 5 { labels[1].invalidate() }
      }
    }
    person.age = 1
    #expect(labels.map(\.lines.count) == [2, 1, 2, 0, 2, 2])
    #expect(many.allSatisfy { $0.lines.isEmpty })
    labels = []
  }

  @Test("registrations of objects that have died make room for others")
  func deadMakeRoom() throws {
    let person = try Person(), observers = try ObserverClass(), notes = Notes()
    let many = try (0..<20).map { _ in try Observation(person, "age") }
    let before = LiveCounts().registrations
    for _ in 0..<500 {
      let object = try observers.make { _ in notes.add("told") }
      #expect(object.observe(person, "age") == ISA_OK)
    }
    #expect(LiveCounts().registrations - before < 100)
    person.age = 1
    #expect(notes.lines.isEmpty && many.allSatisfy { $0.lines.count == 1 })
  }

  /// Calls with ever more allocations granted, until none is refused. A call that fails leaves the
  /// registrations as they were; one that succeeds is undone.
  private func withFailures(
    _ person: Person, _ call: () -> isa_status, undo: () -> isa_status
  ) throws {
    for allowed in 0... {
      let before = try person.registeredKeys
      _ = isa_testing_fail_allocation(Int64(allowed))
      let status = call(), isRefused = isa_testing_fail_allocation(-1)
      if status == ISA_OK && !isRefused { return }
      if status == ISA_OK {
        #expect(undo() == ISA_OK)
      } else {
        #expect(status == ISA_ERR_NO_MEMORY)
      }
      #expect(try person.registeredKeys.sorted() == before.sorted())
    }
  }

  @Test("without memory nothing is lost of many objects for many keys")
  func objectsWithoutMemory() throws {
    let person = try Person(), observers = try ObserverClass()
    try declare(person.people.cls, "label", affectedBy: "age", "name")
    let keys = ["age", "height", "name", "label", "title"]
    let objects = try (0..<40).map { number in (try observers.make(), keys[number % 5]) }
    for (object, key) in objects {
      try withFailures(person) {
        object.observe(person, key)
      } undo: {
        object.stop(person, key)
      }
    }
    for (object, key) in objects {
      try withFailures(person) {
        object.stop(person, key)
      } undo: {
        object.observe(person, key)
      }
    }
    #expect(!person.isObserved)
  }

  @Test("each of many hears the changes between its beginning and its end, latest first")
  func comeAndGo() throws {
    let person = try Person(), log = Notes()
    var random = Steps(state: 11), standing: [(number: Int, token: Observation)] = []
    for round in 0..<600 {
      let grows = standing.count < (round / 150 % 2 == 0 ? 60 : 6)
      if grows {
        let notes = Notes { _ in log.add("\(round)") }
        standing.append((round, try Observation(person.id, "age", [.new], notes: notes)))
      } else {
        let gone = standing.remove(at: Int.random(in: 0..<standing.count, using: &random))
        #expect(gone.token.invalidate() && gone.token.notes.releases == 1)
      }
      person.age = Int64(round)
      #expect(log.take() == standing.reversed().map { "\($0.number)" }, "round \(round)")
      #expect(LiveCounts().registrations >= standing.count)
    }
  }

  @Test("adding and ending one beside many takes the same memory however many they are")
  func constantMemory() throws {
    let person = try Person()
    let others = try (0..<1000).map { _ in try Observation(person, "age") }
    var sizes: [Int64] = []
    for _ in 0..<3 {
      let before = isa_testing_live_counts().bytes
      let added = try Observation(person, "age")
      sizes.append(isa_testing_live_counts().bytes - before)
      added.invalidate()
    }
    #expect(sizes.allSatisfy { $0 < 400 }, "\(sizes)")
    #expect(others.allSatisfy { $0.isValid })
  }

  @Test("one that comes inside a change is not told of it, one that goes is no longer")
  func duringAChange() throws {
    let person = try Person()
    var late: [Observation] = []
    let first = try (0..<10).map { _ in try Observation(person, "age") }
    let acting = try Observation(person, "age", []) { _ in
      guard late.isEmpty else { return }
      first[9].invalidate()
      first[0].invalidate()
      late = (0..<30).compactMap { _ in try? Observation(person, "age") }
    }
    person.age = 1
    #expect(first.map(\.lines.count) == [0] + Array(repeating: 1, count: 8) + [0])
    #expect(late.count == 30 && late.allSatisfy { $0.lines.isEmpty })
    person.age = 2
    #expect(late.allSatisfy { $0.lines.count == 1 } && acting.lines.count == 2)
    #expect(first[1].lines.count == 2 && first[0].lines.isEmpty)
    late = []
  }

  @Test("one that goes inside a change that the event log hears of is passed over")
  func goesWhileHeardOf() throws {
    let person = try Person(), many = try (0..<12).map { _ in try Observation(person, "age") }
    let acting = try Observation(person, "age") { _ in many[5].invalidate() }
    _ = recordEvents { person.age = 1 }
    #expect(many.map(\.lines.count) == (0..<12).map { $0 == 5 ? 0 : 1 })
    withExtendedLifetime(acting) {}
  }

  @Test("once the only one that asks for a value is gone, the value is not read")
  func valuesNotAskedFor() throws {
    let person = try Person(), others = try (0..<20).map { _ in try Observation(person, "age") }
    var reads = 0
    try addMethod(person.people.cls, "getAge", "q@:") { call in
      reads += 1
      call.answer(isa_test_age(call.receiver))
    }
    let asking = try Observation(person, "age", [.old, .new])
    person.age = 1
    #expect(reads == 2 && asking.lines == ["old 0 new 1"])
    asking.invalidate()
    person.age = 2
    #expect(reads == 2 && others.allSatisfy { $0.lines.count == 2 })
  }

  @Test("other keys, objects and shared observers may join many, and leave them")
  func mixed() throws {
    let person = try Person(), many = try (0..<20).map { _ in try Observation(person, "age") }
    many[3].invalidate()
    let height = try Observation(person, "height")
    many[4].invalidate()
    person.age = 1
    person.set(height: 2)
    #expect(height.lines == ["change"])
    #expect(many.map(\.lines.count) == (0..<20).map { $0 == 3 || $0 == 4 ? 0 : 1 })
    height.invalidate()
    for one in many { one.invalidate() }
    #expect(isa_object_get_class(person.id) == person.people.cls && !kvo_is_observed(person.id))
  }

  @Test("what is listed of many leaves out those that have gone")
  func listed() throws {
    let person = try Person(), many = try (0..<20).map { _ in try Observation(person, "age") }
    defer { withExtendedLifetime(many) {} }
    for number in [0, 7, 19] { many[number].invalidate() }
    var list: UnsafeMutablePointer<kvo_registration_info>?, count = 0
    try check(kvo_copy_registrations(person.id, &list, &count))
    isa_free(list)
    #expect(count == 17)
    try check(kvo_copy_affected(person.id, "age", &list, &count))
    isa_free(list)
    #expect(count == 17)
  }

  @Test("without memory one is added or refused, and one ends, whatever the list has room for")
  func withoutMemory() throws {
    let person = try Person(), many = try (0..<17).map { _ in try Observation(person, "age") }
    let notes = Notes()
    var added: kvo_token?
    try withEachAllocationFailing(undo: { kvo_token_release(added) }) {
      try check(observe(person.id, "age", [], notes, nil, &added))
    }
    kvo_token_release(added)
    _ = isa_testing_fail_allocation(0)
    for one in many { one.invalidate() }
    _ = isa_testing_fail_allocation(-1)
    person.age = 1
    #expect(many.allSatisfy { $0.lines.isEmpty } && notes.lines.isEmpty)
    // Registrations that could not be taken out go with the next change.
    let next = try Observation(person, "age")
    #expect(many.allSatisfy { $0.notes.releases == 1 })
    next.invalidate()
    #expect(!kvo_is_observed(person.id))
  }

  @Test("manual changes hold those that they were announced to")
  func manual() throws {
    let person = try Person(), many = try (0..<20).map { _ in try Observation(person, "age") }
    many[5].invalidate()
    try check(kvo_will_change(person.id, "age"))
    many[6].invalidate()
    let late = try Observation(person, "age")
    try check(kvo_did_change(person.id, "age"))
    #expect(many.map(\.lines.count) == (0..<20).map { $0 == 5 || $0 == 6 ? 0 : 1 })
    #expect(late.lines.isEmpty)
  }

  @Test("while other threads set, each that has ended and was waited for stays silent")
  func threads() throws {
    let person = try Person(), id = UInt(bitPattern: person.id), stop = Flag()
    let threads = (0..<2).map { _ in
      RunningThread {
        var age: Int64 = 0
        while !stop.isSet {
          isa_test_set_age(isa_id(bitPattern: id)!, age)
          age += 1
        }
      }
    }
    var random = Steps(state: 5), standing: [Observation] = []
    for round in 0..<1500 {
      if standing.count < (round / 300 % 2 == 0 ? 50 : 8) {
        standing.append(try Observation(person.id, "age", [.new], notes: Notes()))
      } else {
        let gone = standing.remove(at: Int.random(in: 0..<standing.count, using: &random))
        gone.invalidateAndWait()
        let heard = gone.lines.count
        for _ in 0..<10 { #expect(gone.lines.count == heard) }
      }
    }
    stop.set()
    for thread in threads { thread.join() }
  }
}

private struct Steps: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
