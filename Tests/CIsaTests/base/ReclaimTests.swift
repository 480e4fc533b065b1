import CIsa
import CIsa.Testing
import CIsaTestSupport
import Foundation
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct ReclaimTests {
  @Test(
    "no reader uses a thing after its removal has returned, with and without the system's barrier",
    arguments: [false, true])
  func checks(fences: Bool) {
    let result = isa_test_litmus_checks(isa_test_litmus_rounds(), fences)
    #expect(result.violations == 0)
    #expect(result.reads > 0)
  }

  @Test(
    "no reader uses a thing that has been freed, and none is left behind", arguments: [false, true])
  func sections(fences: Bool) {
    let result = isa_test_litmus_readers(isa_test_litmus_rounds(), fences)
    #expect(result.violations == 0)
    #expect(result.freed == isa_test_litmus_rounds())
  }

  @Test(
    "nobody is inside a function whose replacement has returned, with and without the barrier",
    arguments: [false, true])
  func callouts(fences: Bool) {
    let result = isa_test_litmus_callouts(isa_test_litmus_rounds(), fences)
    #expect(result.violations == 0)
    #expect(result.reads > 0)
  }

  @Test("no reader uses a thing that has been freed in a section that is the only one")
  func firstMarks() {
    let result = isa_test_litmus_first_readers(isa_test_litmus_rounds())
    #expect(result.violations == 0)
    #expect(result.freed == isa_test_litmus_rounds())
  }
}

/// Removal from a record that counts who is inside, or is one thread's: base/reclaim.h.
@Suite(.serialized, .balancedCounts)
struct CensusTests {
  private func expectNone(_ result: isa_test_litmus) {
    #expect(result.violations == 0 && result.left == 0)
  }

  @Test(
    "no reader uses what has been removed from a record that another owns, or nobody",
    arguments: [false, true], [false, true])
  func readers(isOwned: Bool, fences: Bool) {
    expectNone(isa_test_litmus_census(isa_test_litmus_rounds(), isOwned, fences))
  }

  @Test(
    "nor one that comes in for the first time while the owner removes", arguments: [false, true])
  func newRecords(fences: Bool) {
    expectNone(isa_test_litmus_new_records(isa_test_litmus_rounds() / 10, fences))
  }

  @Test("no thread is in a guard while another forks", arguments: [false, true])
  func forks(fences: Bool) {
    expectNone(isa_test_litmus_forks(isa_test_litmus_rounds() / 100, fences))
  }

  @Test("nor one that comes in while a thread becomes the owner", arguments: [false, true])
  func newOwners(fences: Bool) {
    expectNone(isa_test_litmus_new_owners(isa_test_litmus_rounds() / 100, fences))
  }

  @Test(
    "a reader that is inside keeps what two removals took out, whatever way it has come in",
    arguments: [false, true])
  func lastingReads(fences: Bool) {
    expectNone(isa_test_litmus_lasting_reads(isa_test_litmus_rounds() / 100, fences))
  }

  @Test("nor one that is stopped on its way in while another thread becomes the owner")
  func stoppedReaders() {
    expectNone(isa_test_litmus_stopped_readers(isa_test_litmus_rounds() / 200))
  }

  @Test(
    "a reader from before an addition is not taken for gone by another removal's barrier",
    arguments: [false, true])
  func pending(isInside: Bool) {
    let result = isa_test_litmus_pending(20, isInside)
    expectNone(result)
    #expect(result.freed == 20)
  }

  @Test(
    "one removal's barrier serves all records that are pending, however long they have been",
    arguments: [0, 1, 16_383, 16_384, 20_000, 32_767, 32_768, 1 << 40])
  func sharedBarrier(age: UInt64) {
    #expect(isa_test_litmus_shared_barrier(100, age) == 100)
  }

  @Test("of two removals under way, the one that was overtaken makes no reader count itself")
  func removers() {
    expectNone(isa_test_litmus_removers(20))
  }

  @Test("what is freed as a thread leaves a record finds nobody inside, and may come in again")
  func leaving() {
    let result = isa_test_litmus_leaving()
    #expect(result.violations == 0 && result.freed == 2)
  }
}

/// The protocol at work: threads that are stopped at chosen places.
@Suite(.serialized, .balancedCounts)
struct RemovalTests {
  @Test("removal does not wait for a running callback, but frees nothing before it has ended")
  func parkedInCallback() throws {
    let person = try Person(), parking = Parking()
    let other = try Observation(person, "height")
    let observation = try Observation(person, "age") { _ in parking.park() }
    let before = isa_testing_live_counts()
    let setter = RunningThread { person.age = 1 }
    parking.awaitArrival()
    #expect(observation.invalidate())
    #expect(observation.notes.releases == 0)
    #expect(isa_testing_live_counts().registrations == before.registrations)
    #expect(isa_testing_live_counts().lists == before.lists)
    parking.release()
    setter.join()
    #expect(observation.notes.releases == 1)
    #expect(isa_testing_live_counts().lists == before.lists - 1)
    withExtendedLifetime(other) {}
  }

  @Test("a change that was announced frees nothing that it is about to call, either")
  func parkedInAnnounced() throws {
    let person = try Person(), announcing = Parking(), parking = Parking()
    let observation = try Observation(person, "age") { _ in parking.park() }
    let setter = RunningThread {
      #expect(kvo_will_change(person.id, "age") == ISA_OK)
      announcing.park()
      #expect(kvo_did_change(person.id, "age") == ISA_OK)
    }
    announcing.awaitArrival()
    // Nobody is inside: from here on those who are count themselves.
    try Observation(person, "height").invalidate()
    announcing.release()
    parking.awaitArrival()
    #expect(observation.invalidate())
    #expect(observation.notes.releases == 0)
    parking.release()
    setter.join()
    #expect(observation.notes.releases == 1)
  }

  @Test(
    "what no other thread looks at is let go of at once, whatever other threads do",
    arguments: ["age", "name.age", "name.name.age"])
  func letGoAtOnce(keyPath: String) throws {
    let people = try PersonClass(), chain = try people.chain(3), other = try people.make()
    let parking = Parking(), blocker = try Observation(other, "age") { _ in parking.park() }
    let setter = RunningThread { other.age = 1 }
    parking.awaitArrival()
    let before = isa_testing_live_counts()
    let observation = try Observation(chain[0], keyPath)
    chain[2].age = 1
    #expect(observation.invalidate())
    #expect(observation.notes.releases == 1)
    // The token's.
    #expect(isa_testing_live_counts().registrations == before.registrations + 1)
    #expect(isa_testing_live_counts().lists == before.lists)
    parking.release()
    setter.join()
    withExtendedLifetime(blocker) {}
  }

  @Test("a path that has ended lives on while a thread changes the object at its end")
  func pathParkedInCallback() throws {
    let chain = try PersonClass().chain(3), parking = Parking()
    let observation = try Observation(chain[0], "name.name.age") { _ in parking.park() }
    let setter = RunningThread { chain[2].age = 1 }
    parking.awaitArrival()
    #expect(observation.invalidate())
    #expect(observation.notes.releases == 0)
    parking.release()
    setter.join()
    #expect(observation.notes.releases == 1 && observation.lines == ["change"])
  }

  @Test("a thread that stands in a getter holds back what it may still read")
  func parkedInGetter() throws {
    let people = try PersonClass(), person = try people.make(), parking = Parking()
    let isParking = Flag()
    try addMethod(people.cls, "getAge", "q@:") { call in
      if isParking.isSet { parking.park() }
      call.answer(Int64(0))
    }
    let observation = try Observation(person, "age", .old)
    isParking.set()
    let setter = RunningThread { person.age = 1 }
    parking.awaitArrival()
    #expect(observation.invalidate())
    #expect(observation.notes.releases == 0)
    parking.release()
    setter.join()
    #expect(observation.notes.releases == 1 && observation.lines == [])
  }

  @Test(
    "an observer that is removed while another's callback runs is not told, and that is certain on return"
  )
  func notToldAfterwards() throws {
    let person = try Person(), parking = Parking()
    let victim = try Observation(person, "age")
    let blocker = try Observation(person, "age") { _ in parking.park() }
    let setter = RunningThread { person.age = 1 }
    parking.awaitArrival()
    victim.invalidate()
    parking.release()
    setter.join()
    #expect(victim.lines == [] && blocker.lines == ["change"])
  }

  @Test("the waiting variant returns when the running callback has ended")
  func waits() throws {
    let person = try Person(), parking = Parking(), hasReturned = Flag()
    let observation = try Observation(person, "age") { _ in parking.park() }
    let setter = RunningThread { person.age = 1 }
    parking.awaitArrival()
    let remover = RunningThread {
      observation.invalidateAndWait()
      hasReturned.set()
    }
    while observation.isValid { usleep(100) }
    usleep(20_000)
    #expect(!hasReturned.isSet)
    parking.release()
    remover.join()
    #expect(hasReturned.isSet)
    setter.join()
    #expect(observation.notes.releases == 1)
  }

  @Test("the waiting variant waits for its own callback only")
  func waitsForItsOwn() throws {
    let person = try Person(), parking = Parking()
    let idle = try Observation(person, "age", .prior)
    let blocker = try Observation(person, "age", .prior) {
      if $0.is_prior { parking.park() }
    }
    let setter = RunningThread { person.age = 1 }
    parking.awaitArrival()
    #expect(idle.invalidateAndWait())
    #expect(idle.lines == ["prior"])
    parking.release()
    setter.join()
    withExtendedLifetime(blocker) {}
  }

  @Test("the waiting variant waits beyond the depth of calls that a thread records")
  func waitsWhenDeep() throws {
    let person = try Person(), parking = Parking(), hasReturned = Flag()
    let filler = try Observation(person, "age") { _ in
      if person.age < 70 { person.age += 1 } else { person.set(height: 1) }
    }
    let observation = try Observation(person, "height") { _ in parking.park() }
    let setter = RunningThread { person.age = 1 }
    parking.awaitArrival()
    let remover = RunningThread {
      observation.invalidateAndWait()
      hasReturned.set()
    }
    while observation.isValid { usleep(100) }
    usleep(20_000)
    #expect(!hasReturned.isSet)
    parking.release()
    setter.join()
    remover.join()
    #expect(filler.lines.count == 70 && observation.lines == ["change"])
  }

  /// Ends an observation, and waits for its calls, while another thread is parked in what it does.
  private func expectNoWait(
    for observation: Observation, _ parking: Parking, _ change: @escaping @Sendable () -> Void
  ) {
    let hasReturned = Flag()
    let setter = RunningThread(change)
    parking.awaitArrival()
    let remover = RunningThread {
      observation.invalidateAndWait()
      hasReturned.set()
    }
    for _ in 0..<1000 where !hasReturned.isSet { usleep(5000) }
    #expect(hasReturned.isSet)
    parking.release()
    setter.join()
    remover.join()
  }

  @Test("a callback deep inside others holds up no removal that waits for another's")
  func waitsForItsOwnWhenDeep() throws {
    let person = try Person(), parking = Parking()
    let deep = try Observation(person, "age") { _ in
      if person.age < 12 { person.age += 1 } else { parking.park() }
    }
    let unrelated = try Observation(person, "height")
    expectNoWait(for: unrelated, parking) { person.age = 1 }
    #expect(deep.lines.count == 12)
  }

  @Test("the waiting variant waits for no getter that runs once the callback has returned")
  func waitsForNoGetter() throws {
    let people = try PersonClass(), parking = Parking()
    let isArmed = Flag(), hasBeenTold = Flag(), hasParked = Flag()
    try addMethod(people.cls, "setScore:", "v@:q") { _ in }
    try addMethod(people.cls, "score", "q@:") { call in
      call.answer(Int64(7))
      guard hasBeenTold.isSet, !hasParked.isSet else { return }
      hasParked.set()
      parking.park()
    }
    try addMethod(people.cls, "rank", "q@:") { $0.answer(Int64(1)) }
    try declare(people.cls, "rank", affectedBy: "score")
    let person = try people.make(), score = try Observation(person, "score", .new)
    let rank = try Observation(person, "rank") { _ in if isArmed.isSet { hasBeenTold.set() } }
    try send(person.id, "setScore:", Int64(1))
    isArmed.set()
    expectNoWait(for: rank, parking) { try? send(person.id, "setScore:", Int64(2)) }
    #expect(rank.lines.count == 2 && score.lines == ["new 7", "new 7"])
  }

  @Test("a second invalidate waits as the first does", arguments: [false, true])
  func secondInvalidate(isWaiting: Bool) throws {
    let person = try Person(), parking = Parking(), hasReturned = Flag()
    let observation = try Observation(person, "age")
    let reader = RunningThread {
      isa_test_check_begin()
      parking.park()
      isa_test_check_end()
    }
    parking.awaitArrival()
    let first = RunningThread { observation.invalidate() }
    while observation.isValid { usleep(100) }
    let second = RunningThread {
      #expect(!(isWaiting ? observation.invalidateAndWait() : observation.invalidate()))
      hasReturned.set()
    }
    usleep(20_000)
    #expect(!hasReturned.isSet)
    parking.release()
    for thread in [reader, first, second] { thread.join() }
    #expect(hasReturned.isSet)
  }

  @Test("to end again what has been waited for does not wait", arguments: ["age", "name.age"])
  func endedAgain(keyPath: String) throws {
    let chain = try PersonClass().chain(2), last = chain[keyPath == "age" ? 0 : 1]
    let calling = Parking(), checking = Parking()
    let observation = try Observation(chain[0], keyPath) { _ in calling.park() }
    let setter = RunningThread { last.age = 1 }
    calling.awaitArrival()
    #expect(observation.invalidate())
    let reader = RunningThread {
      isa_test_check_begin()
      checking.park()
      isa_test_check_end()
    }
    checking.awaitArrival()
    #expect(!observation.invalidate())
    checking.release()
    calling.release()
    for thread in [reader, setter] { thread.join() }
    #expect(observation.notes.releases == 1)
  }

  @Test(
    "a token ended inside its own callback, waiting or not, releases its info once that has left",
    arguments: [false, true])
  func endedInside(isWaiting: Bool) throws {
    let person = try Person(), observation = Box<Observation?>(nil)
    observation.value = try Observation(person, "age") { _ in
      let own = observation.value!
      #expect(isWaiting ? own.invalidateAndWait() : own.invalidate())
      #expect(own.notes.releases == 0 && !own.isValid)
    }
    person.age = 1
    #expect(observation.value?.notes.releases == 1)
    #expect(observation.value?.lines == ["change"])
    observation.value = nil
  }

  @Test(
    "an observer object that is removed while its callback runs on another thread lives on for it")
  func observerObject() throws {
    let person = try Person(), observers = try ObserverClass(), parking = Parking()
    var observer: ObserverObject? = try observers.make { _ in parking.park() }
    let notes = observer!.notes, id = observer!.id
    try check(observer!.observe(person, "age"))
    let setter = RunningThread { person.age = 1 }
    parking.awaitArrival()
    try check(observer!.stop(person, "age"))
    observer = nil
    #expect(isa_object_retain_count(id) >= 1)
    parking.release()
    setter.join()
    #expect(notes.lines == ["change"])
  }

  @Test("a release function may use the engine: it runs with no lock held")
  func releaseUsesEngine() throws {
    let people = try PersonClass(), person = try people.make()
    let state = Unmanaged.passRetained(Box(person))
    var function = kvo_function(
      callback: { _, _ in }, info: state.toOpaque(),
      release: { info in
        let person = Unmanaged<Box<Person>>.fromOpaque(info!).takeRetainedValue().value
        person.age += 1
        _ = try? Observation(person, "age")
      })
    var token: kvo_token?
    try check(kvo_observe(person.id, "age", 0, &function, nil, &token))
    kvo_token_release(token)
    #expect(person.age == 1 && !person.isObserved)
  }

  // MARK: many threads

  @Test("four threads that set 250 times each make exactly 1000 notifications")
  func exactCount() throws {
    let person = try Person(), tallies = (0..<3).map { _ in Tally() }
    let tokens = tallies.map { $0.observe(person.id, "age", [.new, .old, .prior]) }
    onThreads(4) { index in
      for round in 0..<250 { person.age = Int64(index * 250 + round) }
    }
    for token in tokens { kvo_token_release(token) }
    for tally in tallies {
      #expect(tally.value.changes == 1000 && tally.value.priors == 1000)
      #expect(tally.value.releases == 1)
    }
  }

  @Test(
    "once removal has returned on any thread, no callback starts",
    arguments: Wrapping.allCases, [false, true])
  func neverLate(wrapping: Wrapping, fences: Bool) throws {
    let needed = isa_test_fences_begin(fences)
    defer { isa_test_fences_end(needed) }
    try withPolicy(wrapping.policy) {
      let person = try Person(), keeper = try Observation(person, "height")
      let announcing = NSLock()
      let change: @Sendable () -> Void = {
        person.age = 1
        announcing.withLock {
          #expect(kvo_will_change(person.id, "age") == ISA_OK)
          #expect(kvo_did_change(person.id, "age") == ISA_OK)
        }
      }
      whileThreads(
        2, repeat: change,
        {
          for round in 0..<400 {
            let tally = Tally()
            let token = tally.observe(person.id, "age", round % 2 == 0 ? [] : [.old, .new])
            while round % 16 == 0, tally.value.changes == 0 { usleep(10) }
            // The waiting variant: afterwards not even a callback that had started is running.
            _ = kvo_token_invalidate_and_wait(token)
            tally.close()
            kvo_token_release(token)
            // Memory that the setting threads reclaim is reclaimed soon; the tally must last so
            // long.
            while tally.value.releases == 0 { usleep(10) }
            #expect(tally.value.late == 0)
          }
        })
      withExtendedLifetime(keeper) {}
    }
  }

  @Test(
    "threads that set, observe and stop on shared objects lose no notification and no memory",
    arguments: [false, true])
  func stress(fences: Bool) throws {
    let needed = isa_test_fences_begin(fences)
    defer { isa_test_fences_end(needed) }
    let people = try PersonClass(), persons = try Held(2) { try people.make() }
    let steady = persons.map { _ in Tally() }
    let tokens = zip(persons, steady).map { $1.observe($0.id, "age", .new) }
    let sets = (0..<3).map { _ in Box(0) }
    let deadline = ContinuousClock.now + .milliseconds(500)
    onThreads(3) { index in
      var round = 0
      while ContinuousClock.now < deadline {
        round += 1
        let person = persons[(round + index) % 2]
        guard let observation = try? Observation(person, ["age", "height"][round % 2], .old) else {
          Issue.record("not observed")
          return
        }
        person.age = Int64(round)
        person.set(height: Double(round))
        sets[index].value += 1
        let isOwnToldOnce = !observation.lines.isEmpty
        #expect(isOwnToldOnce)
        if round % 3 == 0 { observation.invalidateAndWait() } else { observation.invalidate() }
      }
    }
    for token in tokens { kvo_token_release(token) }
    let told = steady.reduce(0) { $0 + $1.value.changes }
    #expect(told == sets.reduce(0) { $0 + $1.value })
    #expect(persons.allSatisfy { $0.isa == people.cls })
  }

  @Test("observers that die on one thread while another sets are told or not, never dangling")
  func dyingObservers() throws {
    let person = try Person(), observers = try ObserverClass()
    try whileThreads(
      2, repeat: { person.age = 1 },
      {
        for _ in 0..<300 {
          let observer = try observers.make()
          try check(observer.observe(person, "age"))
          withExtendedLifetime(observer) {}
        }
      })
    #expect(isa_test_observer_mismatches() == 0)
    _ = try Observation(person, "age")
  }

  @Test("setters that are replaced and a sink that comes and goes disturb no observer")
  func patchedStress() throws {
    let people = try PersonClass(), person = try people.make(), observers = try ObserverClass()
    let tally = Tally(), token = tally.observe(person.id, "age", [.prior, .old, .new])
    let patch: @convention(c) (isa_id?, isa_sel?, Int64) -> Void = { isa_test_poke_age($0, $2 + 1) }
    let setAge = selector("setAge:"), original = isa_class_find_imp(people.cls, setAge)
    let setters = [original, unsafeBitCast(patch, to: isa_imp?.self)]
    nonisolated(unsafe) var listener: isa_event_listener = 0
    try whileThreads(
      2,
      repeat: {
        person.age = 1
        #expect(kvo_will_change(person.id, "age") == ISA_OK)
        #expect(kvo_did_change(person.id, "age") == ISA_OK)
      },
      {
        for round in 0..<300 {
          try check(isa_class_replace_method(people.cls, setAge, setters[round % 2], "v@:q", nil))
          if round % 2 == 0 {
            listener = listen { _, _ in }
          } else {
            isa_event_remove_listener(listener)
          }
          let observer = try observers.make(), passing = try Observation(person, "age", .prior)
          try check(observer.observe(person, "age"))
          #expect(passing.invalidateAndWait())
        }
      })
    isa_event_remove_listener(listener)
    kvo_token_release(token)
    #expect(tally.value.releases == 1 && tally.value.changes == tally.value.priors)
    #expect(isa_test_observer_mismatches() == 0)
    _ = try Observation(person, "age")
  }

  @Test("objects that die while their tokens are ended on other threads end once")
  func dyingObjects() throws {
    let people = try PersonClass()
    for _ in 0..<200 {
      let person = Box<Person?>(try people.make())
      let observations = try (0..<2).map { _ in try Observation(person.value!, "age") }
      onThreads(3) { index in
        if index == 2 { person.value = nil } else { observations[index].invalidate() }
      }
      #expect(observations.allSatisfy { $0.notes.releases == 1 && !$0.isValid })
    }
  }
}
