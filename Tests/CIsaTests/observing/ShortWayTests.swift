import CIsa
import CIsa.Testing
import CIsaTestSupport
import Foundation
import IsaKVOTestSupport
import Testing

// A change by means of its own has to do as the class's means do, and without their cost.
@Suite(.serialized, .balancedCounts)
struct ShortWayTests {
  /// A root whose name is one of two persons, each before a leaf of its own.
  private struct Tree {
    let people: PersonClass, root: Person, middles: [Person], leaves: [Person]

    init() throws {
      people = try PersonClass()
      let people = people
      root = try people.make()
      middles = try (0..<2).map { _ in try people.make() }
      leaves = try (0..<2).map { _ in try people.make() }
      for (middle, leaf) in zip(middles, leaves) { middle.set(name: leaf.id) }
      leaves[1].age = 1
      root.set(name: middles[0].id)
    }

    func takeTurns() { for middle in [middles[1], middles[0]] { root.set(name: middle.id) } }

    func expectObserved(_ index: Int, sourceLocation: SourceLocation = #_sourceLocation) {
      for objects in [middles, leaves] {
        for (at, object) in objects.enumerated() {
          #expect(object.isObserved == (at == index), sourceLocation: sourceLocation)
          #expect((object.isa != people.cls) == (at == index), sourceLocation: sourceLocation)
        }
      }
    }
  }

  // MARK: moving forwarders

  @Test("two objects that take turns on a path do so without memory once they have", .shortWays)
  func movesWithoutMemory() throws {
    let tree = try Tree(), observation = try Observation(tree.root, "name.name.age", .new)
    tree.takeTurns()
    // Memory that was put aside is used again once no thread of an earlier test may read it any
    // more.
    var isFree = false, tries = 0
    while !isFree && tries < 5_000 {
      tries += 1
      if tries > 20 { usleep(1_000) }
      tree.root.set(name: tree.middles[0].id)
      _ = observation.notes.take()
      let before = LiveCounts()
      _ = isa_testing_fail_allocation(0)
      tree.root.set(name: tree.middles[1].id)
      isFree = !isa_testing_fail_allocation(-1) && LiveCounts() == before
    }
    #expect(isFree)
    tree.expectObserved(1)
    tree.leaves[0].age = 5
    tree.leaves[1].age = 7
    #expect(observation.notes.take() == ["new 1", "new 7"])
    tree.root.set(name: nil)
    #expect((tree.middles + tree.leaves).allSatisfy { !$0.isObserved })
  }

  @Test("what is observed otherwise too, or announced, is told as ever when it is replaced")
  func movesNothingShared() throws {
    let tree = try Tree(), observation = try Observation(tree.root, "name.name.age")
    let leaf = try Observation(tree.leaves[0], "age"), middle = tree.middles[0]
    tree.takeTurns()
    try check(kvo_will_change(middle.id, "name"))
    tree.root.set(name: tree.middles[1].id)
    _ = observation.notes.take()
    try check(kvo_did_change(middle.id, "name"))
    tree.leaves[0].age = 2
    #expect(observation.lines == [] && leaf.lines == ["change"])
    tree.leaves[1].age = 3
    #expect(observation.lines == ["change"])
    leaf.invalidate()
    tree.expectObserved(1)
  }

  /// The notifications of labels that look through one hub at the leaf behind it, while that is
  /// replaced and set and some labels end.
  private func labelsThroughHub(_ count: Int) throws -> [String] {
    let tree = try Tree(), hub = tree.middles[0], told = Notes()
    let labels = try (0..<count).map { _ in try tree.people.make() }
    let beside = try Observation(tree.leaves[1], "age") { _ in told.add("beside") }
    var observations = try labels.enumerated().map { index, label in
      label.set(name: hub.id)
      return try Observation(label, "name.name.age", .new) { change in
        told.add("\(index) \(text(of: change))")
      }
    }
    for round in 0..<6 {
      hub.set(name: tree.leaves[(round + 1) % 2].id)
      for (index, leaf) in tree.leaves.enumerated() { leaf.age = Int64(10 * round + index) }
      told.add("round")
      if round >= 3 { observations.remove(at: observations.count / 2).invalidate() }
      if observations.isEmpty { break }
    }
    for observation in observations { observation.invalidate() }
    beside.invalidate()
    #expect((tree.leaves + [hub]).allSatisfy { !$0.isObserved && $0.isa == tree.people.cls })
    withExtendedLifetime(labels) {}
    return told.take()
  }

  @Test(
    "labels that look through one hub are told the same however their forwarders get to its leaf",
    arguments: [1, 2, 3, 5, 8, 9, 20, 70])
  func movesBesideOthers(count: Int) throws {
    let moved = try labelsThroughHub(count)
    // While somebody listens to the event log forwarders are not moved.
    var anew: [String] = []
    _ = try recordEvents { anew = try labelsThroughHub(count) }
    #expect(moved == anew && moved.count > 6 * count)
  }

  @Test(
    "a forwarder that comes to an object while a change is announced by hand follows that change",
    arguments: 1..<10)
  func movesIntoAnAnnouncedChange(others: Int) throws {
    typealias Setter = @convention(c) (isa_id?, isa_sel?, isa_id?) -> Void
    let tree = try Tree(), observation = try Observation(tree.root, "name.name.age", .new)
    let middle = tree.middles[1], sel = selector("setName:")
    let beside = try (0..<others).map { _ in try Observation(middle, "name") }
    let original = unsafeBitCast(isa_class_find_imp(tree.people.cls, sel), to: Setter.self)
    tree.takeTurns()
    try check(kvo_will_change(middle.id, "name"))
    tree.root.set(name: middle.id)
    original(middle.id, sel, tree.leaves[0].id)
    try check(kvo_did_change(middle.id, "name"))
    _ = observation.notes.take()
    tree.leaves[1].age = 8
    tree.leaves[0].age = 9
    #expect(observation.notes.take() == ["new 9"])
    tree.root.set(name: nil)
    for observation in beside { observation.invalidate() }
    #expect((tree.middles + tree.leaves).allSatisfy { !$0.isObserved })
  }

  @Test("a forwarder moves to an object of another class that has the key too")
  func movesToAnotherClass() throws {
    let tree = try Tree(), observation = try Observation(tree.root, "name.age", .new)
    let other = try PersonClass("Other").make(), before = other.isa
    try Observation(other, "age").invalidate()
    for _ in 0..<2 {
      tree.root.set(name: other.id)
      tree.middles[0].age = 3
      other.age += 1
      tree.root.set(name: tree.middles[0].id)
      other.age += 1
      tree.middles[0].age = 4
    }
    let lines = observation.notes.take()
    #expect(lines == ["new 0", "new 1", "new 3", "new 4", "new 2", "new 3", "new 3", "new 4"])
    #expect(!other.isObserved && other.isa == before)
  }

  @Test("objects take turns on a path while others set, replace and observe them")
  func movesBesideThreads() throws {
    let tree = try Tree(), observation = try Observation(tree.root, "name.name.age")
    whileThreads(1, repeat: { for leaf in tree.leaves { leaf.age = 1 } }) {
      for _ in 0..<500 {
        tree.takeTurns()
        let beside = try? Observation(tree.leaves[1], "age")
        tree.takeTurns()
        beside?.invalidate()
      }
    }
    tree.expectObserved(0)
    _ = observation.notes.take()
    for leaf in tree.leaves { leaf.age = 2 }
    #expect(observation.lines == ["change"])
  }

  // MARK: prior notifications

  @Test("an observer may exchange the setter, or end itself, when it is told beforehand")
  func changesBeforehand() throws {
    let person = try Person()
    let gone = try Observation(person, "age", [.old, .prior])
    let notes = Notes { _ in gone.invalidate() }
    let told = try Observation(person.id, "age", [.old, .new, .prior], notes: notes)
    person.age = 4
    #expect(gone.lines == ["prior old 0"])
    #expect(told.lines == ["prior old 0", "old 0 new 4"] && person.age == 4)
  }

  // MARK: announcing by hand

  @Test("a thread's changes announced at once each have a place, and another thread may end one")
  func announcesWithoutMemory() throws {
    let person = try Person(), observation = try Observation(person, "age", [.old, .new])
    try check(kvo_will_change(person.id, "age"))
    try check(kvo_did_change(person.id, "age"))
    _ = observation.notes.take()
    _ = isa_testing_fail_allocation(0)
    let statuses = [kvo_will_change(person.id, "age"), kvo_did_change(person.id, "age")]
    let refused = isa_testing_fail_allocation(-1)
    #expect(statuses == [ISA_OK, ISA_OK] && !refused)
    try check(kvo_will_change(person.id, "age"))
    try check(kvo_will_change(person.id, "age"))
    try check(kvo_did_change(person.id, "age"))
    onThreads(1) { _ in
      #expect(kvo_claim_change(person.id, "age"))
      #expect(kvo_did_change(person.id, "age") == ISA_OK)
    }
    #expect(observation.lines == Array(repeating: "old 0 new 0", count: 3))
  }
}
