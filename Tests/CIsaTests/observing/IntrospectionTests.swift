import CIsa
import CIsa.Testing
import CIsaTestSupport
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct IntrospectionTests {
  // MARK: registrations

  @Test("a forwarder is shown with the object, path, context and observer that it serves")
  func forwarders() throws {
    let people = try PersonClass(), persons = try Held(3) { try people.make() }
    let observer = try ObserverClass().make(), context = UnsafeMutableRawPointer(bitPattern: 9)
    persons[0].set(name: persons[1].id)
    persons[1].set(name: persons[2].id)
    let options: ObservingOptions = [.new, .prior, .retainObserver]
    try check(observer.observe(persons[0], "name.name.age", options, context: context))
    for (person, keyPath) in zip(persons, ["name.name.age", "name.age", "age"]) {
      let info = try #require(try person.registrations.first)
      #expect(try person.registrations.count == 1 && info.keyPath == keyPath)
      #expect(info.rootKeyPath == "name.name.age" && info.root == UnsafeRawPointer(persons[0].id))
      #expect(
        info.observer == UnsafeRawPointer(observer.id) && info.context == context.map { .init($0) })
      #expect(!info.isFunction && !info.isShared && info.isForwarder == (person !== persons[0]))
      #expect(info.options == options && info.since == 0)
    }
    try check(observer.stop(persons[0], "name.name.age"))
  }

  @Test("a dependent key's forwarders ask for prior, and serve the key")
  func dependentForwarders() throws {
    let people = try PersonClass(), persons = try Held(2) { try people.make() }
    try declare(people.cls, "double", affectedBy: "name.age", "height")
    persons[0].set(name: persons[1].id)
    let observation = try Observation(persons[0], "double", .new)
    let info = try #require(try persons[1].registrations.first)
    #expect(info.keyPath == "age" && info.rootKeyPath == "double" && info.options == .prior)
    #expect(info.isForwarder && info.isFunction)
    observation.invalidate()
  }

  @Test("nothing is copied of an object that nobody observes, nor of none")
  func nothing() throws {
    let person = try Person()
    var list: UnsafeMutablePointer<kvo_registration_info>?, count = 7
    try check(kvo_copy_registrations(person.id, &list, &count))
    #expect(list == nil && count == 0)
    try check(kvo_copy_affected(person.id, "age", &list, &count))
    #expect(list == nil && count == 0)
    #expect(kvo_copy_affected(person.id, nil, &list, &count) == ISA_ERR_INVALID_ARGUMENT)
    #expect(kvo_copy_affected(nil, "age", &list, &count) == ISA_ERR_INVALID_ARGUMENT)
    #expect(!kvo_is_observed(nil) && kvo_observation_info(nil) == nil)
    #expect(kvo_set_observation_info(nil, nil) == ISA_ERR_INVALID_ARGUMENT)
  }

  // MARK: what a change tells

  @Test("what a change would tell is what it tells, in that order")
  func affected() throws {
    let people = try PersonClass(), persons = try Held(2) { try people.make() }
    try declare(people.cls, "double", affectedBy: "age")
    persons[0].set(name: persons[1].id)
    let order = Notes()
    let note = { (change: kvo_change) in
      order.add("\(change.object == persons[0].id ? 0 : 1) \(String(cString: change.key_path))")
    }
    let observations = try [(1, "age"), (1, "double"), (0, "name.age"), (1, "height"), (1, "age")]
      .map { number, key in try Observation(persons[number], key, [], note) }
    let foreseen = try persons[1].affected(by: "age").map { info in
      "\(info.root == UnsafeRawPointer(persons[0].id) ? 0 : 1) \(info.rootKeyPath)"
    }
    persons[1].age = 1
    #expect(foreseen == ["1 age", "0 name.age", "1 double", "1 age"])
    #expect(order.lines == foreseen)
    #expect(try persons[0].affected(by: "name").map(\.keyPath) == ["name.age"])
    #expect(try persons[0].affected(by: "age") == [])
    #expect(try persons[0].affected(by: "neverInternedHere") == [])
    for observation in observations { observation.invalidate() }
  }

  @Test("copying without memory leaks nothing")
  func withoutMemory() throws {
    let people = try PersonClass(), persons = try Held(2) { try people.make() }
    persons[0].set(name: persons[1].id)
    let observation = try Observation(persons[0], "name.age")
    try withEachAllocationFailing { _ = try persons[1].registrations }
    try withEachAllocationFailing { _ = try persons[1].affected(by: "age") }
    try check(kvo_will_change(persons[0].id, "name"))
    try withEachAllocationFailing { _ = try persons[0].pending }
    try check(kvo_did_change(persons[0].id, "name"))
    observation.invalidate()
  }

  @Test("a forwarder leaves without memory, and is not shown")
  func leavingForwarder() throws {
    let people = try PersonClass(), persons = try (0..<2).map { _ in try people.make() }
    persons[0].set(name: persons[1].id)
    let kept = try ["age", "height"].map { try Observation(persons[1], $0) }
    let path = try Observation(persons[0], "name.age"), before = isa_testing_live_counts()
    _ = isa_testing_fail_allocation(0)
    path.invalidate()
    #expect(!isa_testing_fail_allocation(-1))
    #expect(!persons[0].isObserved)
    // The token keeps the path's own.
    #expect(isa_testing_live_counts().registrations == before.registrations - 1)
    #expect(try persons[1].registrations.map(\.keyPath) == ["age", "height"])
    #expect(try persons[1].affected(by: "age").map(\.keyPath) == ["age"])
    persons[1].age = 1
    #expect(path.lines == [] && kept[0].lines == ["change"])
    for observation in kept { observation.invalidate() }
    #expect(!persons[1].isObserved && path.notes.releases == 1)
  }

  @Test("registrations are copied while other threads make and end them")
  func copyingOnThreads() throws {
    let people = try PersonClass(), persons = try Held(2) { try people.make() }
    persons[0].set(name: persons[1].id)
    let kept = try Observation(persons[0], "name.age")
    whileThreads(
      2, repeat: { kvo_token_release(Tally.shared.observe(persons[0].id, "name.age")) }
    ) {
      for _ in 0..<300 {
        let all = try? persons[1].registrations
        #expect(all.map { !$0.isEmpty && $0.allSatisfy(\.isForwarder) } == true)
        #expect((try? persons[1].affected(by: "age").isEmpty) == false)
      }
    }
    kept.invalidate()
    #expect(persons.allSatisfy { !$0.isObserved })
  }

  // MARK: pending changes

  @Test("pending changes are shown latest first, with kind and thread")
  func pending() throws {
    let person = try Person(), observation = try Observation(person, "name.@count")
    let second = try Observation(person, "age"), list = try Boxed { kvc_array_make(nil, 0, $0) }
    person.set(name: list.id)
    try check(kvo_will_change(person.id, "age"))
    try withIndexes([0]) {
      try check(kvo_will_change_indexes(person.id, KVO_CHANGE_INSERTION, $0, "name"))
    }
    onThreads(1) { _ in _ = kvo_will_change(person.id, "age") }
    let pending = try person.pending
    #expect(pending.map(\.key) == ["age", "name", "age"])
    #expect(pending.map(\.kind) == [KVO_CHANGE_SETTING, KVO_CHANGE_INSERTION, KVO_CHANGE_SETTING])
    #expect(pending[0].thread != pending[1].thread && pending[1].thread == pending[2].thread)
    try withIndexes([0]) { indexes in
      _ = collectMisuses {
        _ = kvo_did_change_indexes(person.id, KVO_CHANGE_INSERTION, indexes, "name")
      }
    }
    try check(kvo_did_change(person.id, "age"))
    #expect(try person.pending.map(\.key) == ["age"])
    observation.invalidate()
    second.invalidate()
    person.set(name: nil)
  }

  @Test("nothing is pending of a key that nobody observes, nor inside a setter's change")
  func notPending() throws {
    let person = try Person(), seen = Box<[Int]>([])
    let observation = try Observation(person, "age") { _ in
      seen.value.append((try? person.pending.count) ?? -1)
    }
    try check(kvo_will_change(person.id, "height"))
    #expect(try person.pending.isEmpty)
    person.age = 1
    #expect(seen.value == [0])
    observation.invalidate()
  }

  // MARK: times

  @Test("registrations note when they were made while that is asked for, forwarders too")
  func times() throws {
    let people = try PersonClass(), persons = try Held(2) { try people.make() }
    persons[0].set(name: persons[1].id)
    let untimed = try Observation(persons[0], "age")
    kvo_record_times(true)
    defer { kvo_record_times(false) }
    let first = try Observation(persons[0], "age"), path = try Observation(persons[0], "name.age")
    let observer = try ObserverClass().make()
    try check(observer.observe(persons[0], "age"))
    kvo_record_times(false)
    let last = try Observation(persons[0], "age")
    let times = try persons[0].registrations.map(\.since)
    #expect(times[0] == 0 && times[4] == 0)
    #expect(times[1] > 0 && times[1] <= times[2] && times[2] <= times[3])
    #expect(try persons[1].registrations.map { $0.since >= times[2] } == [true])
    try check(observer.stop(persons[0], "age"))
    for observation in [untimed, first, path, last] { observation.invalidate() }
  }

  // MARK: observationInfo

  @Test("the info changes with every registration and removal, and is NULL at the end")
  func info() throws {
    let people = try PersonClass(), person = try people.make()
    #expect(kvo_observation_info(person.id) == nil)
    let first = try Observation(person, "age"), one = kvo_observation_info(person.id)
    let second = try Observation(person, "name.age"), two = kvo_observation_info(person.id)
    #expect(one != nil && two != nil && one != two)
    first.invalidate()
    #expect(kvo_observation_info(person.id) != two && kvo_observation_info(person.id) != nil)
    second.invalidate()
    #expect(kvo_observation_info(person.id) == nil)
    // One after the other, and from the middle of many.
    var observations: [Observation] = [], info = kvo_observation_info(person.id)
    func expectAnother() {
      let now = kvo_observation_info(person.id)
      #expect(now != info)
      info = now
    }
    for count in 0..<30 {
      observations.append(try Observation(person, count % 2 == 0 ? "age" : "height"))
      expectAnother()
    }
    while !observations.isEmpty {
      observations.remove(at: observations.count / 2).invalidate()
      expectAnother()
    }
    #expect(info == nil)
    // One of two keys, behind which places that nobody looks at are given back.
    try declare(people.cls, "double", affectedBy: "age")
    let double = try Observation(person, "double"), kept = try Observation(person, "age")
    expectAnother()
    for _ in 0..<3 { try Observation(person, "age").invalidate() }
    info = kvo_observation_info(person.id)
    double.invalidate()
    expectAnother()
    kept.invalidate()
  }

  @Test("the pointer given back does nothing, another is refused, NULL ends all with forwarders")
  func setInfo() throws {
    let people = try PersonClass(), persons = try Held(2) { try people.make() }
    let observer = try ObserverClass().make()
    persons[0].set(name: persons[1].id)
    let observation = try Observation(persons[0], "name.age")
    try check(observer.observe(persons[0], "age"))
    try check(kvo_set_observation_info(persons[0].id, kvo_observation_info(persons[0].id)))
    let other = UnsafeMutableRawPointer(bitPattern: 16)
    #expect(kvo_set_observation_info(persons[0].id, other) == ISA_ERR_INVALID_ARGUMENT)
    #expect(try persons[0].registrations.count == 2)
    let clears = kvo_clear_count()
    try check(kvo_set_observation_info(persons[0].id, nil))
    #expect(kvo_clear_count() == clears + 1)
    #expect(persons.allSatisfy { !$0.isObserved && $0.isa == people.cls })
    #expect(!observation.isValid && observation.notes.releases == 1)
    #expect(observer.stop(persons[0], "age") == KVO_ERR_NOT_REGISTERED)
    persons[1].age = 1
    #expect(observation.lines == [] && observer.lines == [])
  }

  @Test("an info that answers NULL silences, and what it hides is there again afterwards")
  func hiddenInfo() throws {
    let people = try PersonClass(), person = try people.make(), isHidden = Box(false)
    let plain: @convention(c) (isa_id?, isa_sel?) -> UnsafeMutableRawPointer? = rootInfo
    try addMethod(people.cls, "observationInfo", "^v@:") { call in
      call.answer(isHidden.value ? nil : plain(call.receiver, selector("observationInfo")))
    }
    try declare(people.cls, "double", affectedBy: "age")
    let observation = try Observation(person, "age"), second = try Observation(person, "double")
    for hidden in [true, false] {
      isHidden.value = hidden
      person.age += 1
      try check(kvo_will_change(person.id, "age"))
      try check(kvo_did_change(person.id, "age"))
      let told = hidden ? [] : ["change", "change"]
      #expect(observation.notes.take() == told && second.notes.take() == told)
    }
    observation.invalidate()
    second.invalidate()
    #expect(!person.isObserved && person.isa == people.cls)
  }

  @Test("a class that keeps the info is told of every change of it")
  func keptInfo() throws {
    let people = try PersonClass(), person = try people.make()
    let kept = Box<[UnsafeMutableRawPointer?]>([])
    try addMethod(people.cls, "setObservationInfo:", "i@:^v") { call in
      kept.value.append(call.argument(2))
      call.answer(ISA_OK)
    }
    try addMethod(people.cls, "observationInfo", "^v@:") { call in
      call.answer(kept.value.last ?? nil)
    }
    let observer = try ObserverClass().make(), first = try Observation(person, "age")
    try check(observer.observe(person, "name.age"))
    person.age = 1
    #expect(first.lines == ["change"])
    try check(observer.stop(person, "name.age"))
    first.invalidate()
    #expect(kept.value.count == 4 && kept.value[0] != kept.value[1])
    #expect(kept.value[..<3].allSatisfy { $0 != nil } && kept.value[3] == nil)
    #expect(kvo_observation_info(person.id) == nil)
    // Tokens that leave a list which stays where it is.
    kept.value = []
    let several = try (0..<4).map { _ in try Observation(person, "age") }
    for observation in several { observation.invalidate() }
    #expect(kept.value.count == 8 && kept.value[7] == nil)
    #expect(zip(kept.value, kept.value.dropFirst()).allSatisfy { $0 != $1 })
  }
}

// MARK: - Support

private struct PendingInfo: Equatable {
  let key: String
  let kind: kvo_change_kind
  let thread: UInt64
}

extension Instance {
  fileprivate var pending: [PendingInfo] {
    get throws {
      var list: UnsafeMutablePointer<kvo_pending_info>?, count = 0
      try check(kvo_copy_pending(id, &list, &count))
      defer { isa_free(list) }
      return (0..<count).map {
        PendingInfo(
          key: String(cString: list![$0].key), kind: list![$0].kind, thread: list![$0].thread)
      }
    }
  }
}

extension Tally {
  fileprivate static let shared = Tally()
}

/// The root class's answer to `observationInfo`.
private let rootInfo: @convention(c) (isa_id?, isa_sel?) -> UnsafeMutableRawPointer? = {
  typealias Info = @convention(c) (isa_id?, isa_sel?) -> UnsafeMutableRawPointer?
  let imp = isa_class_find_imp(isa_root_class(), $1)
  return unsafeBitCast(imp, to: Info.self)($0, $1)
}
