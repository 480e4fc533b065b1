import CIsa
import CIsa.Testing
import CIsaTestSupport
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .balancedCounts)
struct RecursionTests {
  private func withLimit(_ limit: UInt32, _ body: () throws -> Void) rethrows {
    let before = kvo_get_depth_limit()
    kvo_set_depth_limit(limit)
    defer { kvo_set_depth_limit(before) }
    try body()
  }

  @Test("an observer that sets what it observes without end is stopped, and the change is named")
  func endless() throws {
    try withLimit(10) {
      let person = try Person()
      var told = 0
      let observation = try Observation(person, "age") { _ in
        told += 1
        person.age += 1
      }
      let misuses = collectMisuses { person.age = 1 }
      #expect(told == 10)
      #expect(person.age == 11)
      #expect(misuses.map(\.status) == [KVO_ERR_TOO_DEEP])
      #expect(misuses.first?.reason.contains("age of <Person") == true)
      withExtendedLifetime(observation) {}
    }
  }

  @Test(
    "on a small stack it is stopped before the stack ends, and the next change is told",
    arguments: [128, 192, 256, 512])
  func smallStacks(kilobytes: Int) throws {
    let person = try Person(), told = Notes()
    let observation = try Observation(person, "age") { _ in
      told.add("age")
      person.age += 1
    }
    let misuses = collectMisuses {
      onStack(of: kilobytes << 10) { for _ in 0..<2 { person.age = 1 } }
    }
    #expect(misuses.map(\.status) == [KVO_ERR_TOO_DEEP, KVO_ERR_TOO_DEEP])
    #expect(misuses.allSatisfy { $0.reason.contains("used up the thread's stack of") })
    #expect(told.lines.count > 2 * 8)
    #expect(told.lines.count < 2 * 500)
    withExtendedLifetime(observation) {}
  }

  @Test("two that set one another twice stop after one report, and the next change is told")
  func branching() throws {
    try withLimit(40) {
      let people = try PersonClass(), first = try people.make(), second = try people.make()
      var told = 0
      let one = try Observation(first, "age") { _ in
        told += 1
        second.age += 1
        second.age += 1
      }
      let two = try Observation(second, "age") { _ in
        told += 1
        first.age += 1
        first.age += 1
      }
      #expect(collectMisuses { first.age = 1 }.count == 1)
      #expect(told == 40)
      #expect(collectMisuses { first.age = 1 }.count == 1)
      #expect(told == 80)
      withExtendedLifetime((one, two)) {}
    }
  }

  @Test("those that were to be told of the changes before it are told when one is stopped")
  func others() throws {
    try withLimit(3) {
      let person = try Person()
      let plain = try Observation(person, "age")
      let setting = try Observation(person, "age") { _ in person.age += 1 }
      _ = collectMisuses { person.age = 1 }
      #expect(plain.lines.count == 4)
      withExtendedLifetime(setting) {}
    }
  }

  @Test(
    "what a later observer of the same change sets is told of, with a listener or without",
    arguments: [false, true])
  func afterEndless(isHeardOf: Bool) throws {
    let people = try PersonClass(), persons = try Held(3) { try people.make() }
    let plain = try Observation(persons[2], "age")
    let setting = try Observation(persons[0], "age") { _ in persons[2].age += 1 }
    let starting = try Observation(persons[0], "age") { _ in persons[1].age = 1 }
    let endless = try Observation(persons[1], "age") { _ in persons[1].age += 1 }
    let misuses = collectMisuses {
      if isHeardOf { _ = recordEvents { persons[0].age = 1 } } else { persons[0].age = 1 }
    }
    #expect(misuses.map(\.status) == [KVO_ERR_TOO_DEEP])
    #expect(plain.lines == ["change"])
    withExtendedLifetime((setting, starting, endless)) {}
  }

  @Test(
    "the deepest change that a limit allows is told to observers of dependents, value and all",
    arguments: [63, 64, 65])
  func dependentsAtTheLimit(limit: Int) throws {
    try withLimit(UInt32(limit)) {
      let people = try PersonClass()
      try addMethod(people.cls, "years", "q@:") { $0.answer(isa_test_age($0.receiver)) }
      try declare(people.cls, "years", affectedBy: "age")
      let persons = try Held(limit) { try people.make() }
      let chain = try (1..<limit).map { number in
        try Observation(persons[number - 1], "age") { _ in persons[number].age += 1 }
      }
      let last = try Observation(persons[limit - 1], "years", .new)
      #expect(collectMisuses { persons[0].age = 1 }.isEmpty)
      #expect(last.lines == ["new 1"])
      withExtendedLifetime(chain) {}
    }
  }

  @Test("a chain of dependents within the limit is told whole")
  func withinLimit() throws {
    let people = try PersonClass()
    let persons = try (0..<100).map { _ in try people.make() }
    let observations = try zip(persons, persons.dropFirst()).map { person, next in
      try Observation(person, "age") { _ in next.age += 1 }
    }
    #expect(collectMisuses { persons[0].age = 1 }.isEmpty)
    #expect(persons[99].age == 1)
    withExtendedLifetime(observations) {}
  }

  @Test("a change names the key that caused it")
  func cause() throws {
    let person = try Person()
    var causes: [String] = []
    let observation = try Observation(person, "age", .initial) { change in
      causes.append(change.cause.map { String(cString: $0) } ?? "none")
    }
    person.age = 2
    #expect(causes == ["none", "age"])
    withExtendedLifetime(observation) {}
  }

  @Test("what events go to is replaced at once, also while a thread is deep in changes")
  func replacedMeanwhile() throws {
    let person = try Person(), told = Notes()
    let observation = try Observation(person, "age", .new) { _ in
      told.add("age")
      if told.lines.count < 80 {
        person.age += 1
      } else if told.lines.count == 80 {
        onThreads(1) { _ in isa_event_remove_listener(listen { _, _ in }) }
      }
    }
    person.age = 1
    #expect(told.lines.count == 80)
    observation.invalidate()
  }
}
