import Company
import Foundation
import IsaKVO
import IsaRuntime
import Store
import Testing

@Suite(.serialized)
struct ContextRules {
  let shop: Shop
  let context: Context

  init() throws {
    shop = try Shop()
    context = try shop.makeContext()
  }

  // MARK: Uniquing

  @Test("20: one row is one object, by whichever way")
  func unique() throws {
    let person = try context.fetch(Person.self)[0], team = try context.fetch(Team.self)[0]
    #expect(team.members[0] === person && person.team === team)
    #expect(try context.object(person.id!) === person)
    #expect(try context.fetch(Person.self, where: "name = ?", ["P0"])[0] === person)
    #expect(try context.fetch(Person.self, isLoaded: true)[0] === person)
    #expect(try shop.makeContext().fetch(Person.self)[0] !== person)
  }

  @Test("21: a clean object that nobody holds goes, a dirty one stays until it is saved")
  func holding() throws {
    weak var clean: Person?, dirty: Person?
    do {
      let people = try context.fetch(Person.self)
      (clean, dirty) = (people[0], people[1])
      _ = people[0].name
      people[1].age = 50
    }
    #expect(clean == nil && dirty?.age == 50)
    try context.save()
    #expect(dirty == nil)
    try context.fetch(Person.self)[1].age = 51
    context.rollback()
    #expect(try context.fetch(Person.self)[1].age == 50)
  }

  @Test("22: an identity is Sendable, and a temporary one becomes permanent when it is saved")
  func identities() async throws {
    let person = Person("New", 1)
    #expect(person.id == nil)
    try context.insert(person)
    let temporary = try #require(person.id)
    #expect(try temporary.isTemporary && context.object(temporary) === person)
    try context.save()
    let id = try #require(person.id)
    #expect(!id.isTemporary && id.row == 4)
    #expect(await Task.detached { id }.value == id)
    let other = try shop.makeContext()
    #expect(try other.object(id)?.value(forKey: "name") as? String == "New")
  }

  @Test("23: an object that outlives its context has its last values")
  func outliving() throws {
    var other: Context? = try shop.makeContext()
    let people = try other!.fetch(Person.self)
    #expect(people[0].name == "P0")
    let team = people[0].team!
    other = nil
    #expect(people[0].name == "P0" && people[1].name == "" && team.members.isEmpty)
    people[1].name = "x"
    #expect(people[1].name == "x" && !people[1].isDirty && people[1].context == nil)
  }

  // MARK: Tracking

  @Test("24: each form of writing counts once")
  func forms() throws {
    let person = try context.fetch(Person.self)[0], team = try context.fetch(Team.self)[0]
    _ = (person.name, team.name, team.members)
    let other = Person("Other", 3)
    func count(_ name: String, _ expected: Int = 1, _ body: () throws -> Void) rethrows {
      let before = context.changeCount
      try body()
      #expect(context.changeCount - before == expected, "\(name)")
    }
    count("=") { person.name = "a" }
    count("+=") { person.age += 1 }
    count("inout") { raise(&person.age) }
    count("swap") { swap(&person.name, &other.name) }
    count("append to a text") { person.name.append("!") }
    count("key path") { person[keyPath: \.age] = 70 }
    try count("setValue") { try person.setValue(71, forKey: "age") }
    try count("setValuesForKeys", 2) { try person.setValuesForKeys(["age": 1, "name": "b"]) }
    try count("message") { _ = try RuntimeObject(person).send("setName:", "c") }
    try count("message of a number") { _ = try RuntimeObject(person).send("setAge:", 6) }
    count("optional") { person.nickname = "n" }
    count("Double") { person.wage = 1.5 }
    count("Bool") { person.isAway.toggle() }
    // Both ends.
    try count("append", 2) { team.members.append(try context.fetch(Person.self)[1]) }
    count("proxy", 2) { team.mutableArrayValue(for: \.members).removeLast() }
    try count("proxy by key", 2) {
      try team.mutableArrayValue(forKey: "members").append(
        RuntimeValue(RuntimeObject(context.fetch(Person.self)[1])))
    }
    count("whole array", 2) { team.members = Array(team.members.dropLast()) }
    count("reference", 2) { person.team = nil }
    count("by hand") {
      person.willChangeValue(for: \.age)
      person.setPrimitiveValue(99, for: \.age)
      person.didChangeValue(for: \.age)
    }
    #expect(person.changedKeys.contains("age"))
  }

  private func raise(_ age: inout Int) { age *= 2 }

  @Test("25: a primitive write does not")
  func primitive() throws {
    let person = try context.fetch(Person.self)[0]
    _ = person.name
    person.setPrimitiveValue("x", for: \.name)
    try person.setPrimitiveValues(["age": 1, "team": nil])
    #expect(!person.isDirty && context.changeCount == 0 && person.name == "x")
  }

  @Test("26: isDirty and hasChanges are told when they change")
  func edges() throws {
    let told = Told(), people = try context.fetch(Person.self)
    let tokens = [
      people[0].observe(\.isDirty, options: .new) { told.add("0 \($1.newValue!)") },
      people[1].observe(\.isDirty, options: .new) { told.add("1 \($1.newValue!)") },
      context.observe(\.hasChanges, options: .new) { told.add("all \($1.newValue!)") },
    ]
    people[0].age = 1
    people[0].age = 2
    people[1].age = 3
    #expect(told.take() == ["0 true", "all true", "1 true"])
    try context.save()
    #expect(told.take().sorted() == ["0 false", "1 false", "all false"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("27, 28: an equal value makes nothing dirty, and setting back cleans")
  func back() throws {
    let person = try context.fetch(Person.self)[0]
    person.name = "P0"
    person.age += 0
    #expect(!person.isDirty && !context.hasChanges)
    person.name = "x"
    person.age = 3
    person.name = "P0"
    #expect(person.changedKeys == ["age"])
    let team = person.team
    person.team = nil
    person.team = team
    person.age = 20
    #expect(!person.isDirty && person.changedKeys.isEmpty && !context.hasChanges)
  }

  @Test("29: changed keys and original values read no other faults")
  func originals() throws {
    let person = try context.fetch(Person.self)[0]
    person.team = nil
    person.name = "x"
    let before = context.statementCount
    #expect(person.changedKeys == ["name", "team"])
    let team = context.originalValues(of: person)["team"] as? Team
    #expect(team?.isFault == true && context.statementCount == before)
  }

  #if os(Linux)
    @Test("30: to be tracked takes an object at most 48 bytes")
    func bytes() throws {
      let people = (0..<200_000).map { _ in Person() }
      let tracker = KeyValueSharedObservers<Managed>()
      tracker.observe(\.isDirty) { _, _ in }
      (people[0] as Managed).setSharedObservers(tracker)
      let before = try residentBytes()
      for person in people { (person as Managed).setSharedObservers(tracker) }
      // To a byte: pages are not filled to the last.
      let taken = (Double(try residentBytes() - before) / Double(people.count)).rounded()
      #expect((1...48).contains(taken), "\(taken) bytes")
    }

    /// The memory that the process has, to a page.
    private func residentBytes() throws -> Int {
      let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
        separator: " ")
      return try #require(Int(fields[1])) * Int(getpagesize())
    }
  #endif

  // MARK: Both ends

  @Test(
    "31: setting a reference leaves the old array and enters the new one, each told with its index")
  func reference() throws {
    let told = Told(), people = try context.fetch(Person.self), teams = try context.fetch(Team.self)
    _ = teams.map(\.members)
    let tokens = teams.map { team in
      team.observe(\.members, options: [.old, .new]) { team, change in
        let names = (change.newValue ?? change.oldValue ?? []).map(\.name)
        told.add("\(team.name) \(change.kind) \(change.indexes!) \(names)")
      }
    }
    people[2].team = teams[1]
    #expect(told.all == ["Blue removal [1] [\"P2\"]", "Red insertion [1] [\"P2\"]"])
    #expect(teams[0].members == [people[0]] && teams[1].members == [people[1], people[2]])
    tokens.forEach { $0.invalidate() }
  }

  @Test("32: an array that is not read is neither read nor told, and has the change when it is")
  func unread() throws {
    let told = Told(), people = try context.fetch(Person.self), teams = try context.fetch(Team.self)
    let tokens = teams.map { $0.observe(\.members) { _, _ in told.add("told") } }
    people[2].team = teams[1]
    let new = Person("New", 5, in: teams[1])
    try context.insert(new)
    #expect(told.all.isEmpty && teams.allSatisfy { $0.isFault })
    #expect(teams[0].members == [people[0]])
    #expect(teams[1].members == [people[1], people[2], new])
    tokens.forEach { $0.invalidate() }
  }

  @Test("33, 34: adding to an array sets the reference and leaves the former owner; all in place")
  func array() throws {
    let people = try context.fetch(Person.self), teams = try context.fetch(Team.self)
    teams[1].members.append(people[0])
    #expect(people[0].team === teams[1] && teams[0].members == [people[2]])
    teams[1].members.removeAll { $0 === people[1] }
    #expect(people[1].team == nil && teams[1].members == [people[0]])
    teams[1].members[0] = people[2]
    #expect(people[0].team == nil && people[2].team === teams[1] && teams[0].members.isEmpty)
    #expect(people.allSatisfy { $0.isDirty } && teams[1].changedKeys == ["members"])
    try context.save()
    #expect(try shop.count("SELECT count(*) FROM person WHERE team_id IS NULL") == 2)
    #expect(try shop.count("SELECT team_id FROM person WHERE id = 3") == 2)
  }

  @Test("35: observers are told at the end of a unit, when all ends agree")
  func agreeing() throws {
    let told = Told(), people = try context.fetch(Person.self), teams = try context.fetch(Team.self)
    _ = teams.map(\.members)
    func check() -> Bool {
      teams.allSatisfy { team in team.members.allSatisfy { $0.team === team } }
    }
    nonisolated(unsafe) let checked = check
    let tokens =
      people.map { $0.observe(\.team) { _, _ in told.add("\(checked())") } }
      + teams.map { $0.observe(\.members) { _, _ in told.add("\(checked())") } }
    context.performChanges {
      people[0].team = teams[1]
      teams[0].members.append(people[1])
      people[2].team = nil
      #expect(told.all.isEmpty && people[1].team === teams[0] && teams[1].members == [people[0]])
    }
    #expect(Set(told.all) == ["true"] && told.all.count >= 5)
    tokens.forEach { $0.invalidate() }
  }

  // MARK: Rollback and undo

  @Test("39: a rollback tells each changed key once, restores both ends, and reads nothing")
  func rollback() throws {
    let told = Told(), people = try context.fetch(Person.self), teams = try context.fetch(Team.self)
    _ = (teams.map(\.members), people.map(\.name))
    people[0].name = "x"
    people[0].name = "y"
    people[0].team = teams[1]
    let new = Person("New", 1, in: teams[0])
    try context.insert(new)
    try context.delete(people[1])
    let before = context.statementCount
    let tokens = [
      people[0].observe(\.name, options: .new) { told.add($1.newValue!) },
      people[0].observe(\.team) { _, _ in told.add("team") },
      people[0].observe(\.age) { _, _ in told.add("age") },
      teams[0].observe(\.members) { _, _ in told.add("members") },
    ]
    context.rollback()
    #expect(told.all.sorted() == ["P0", "members", "team"] && context.statementCount == before)
    #expect(people[0].team === teams[0] && teams[0].members == [people[0], people[2]])
    #expect(teams[1].members == [people[1]] && !people[1].isGone && people[1].team === teams[1])
    #expect(!context.hasChanges && new.context == nil && new.id == nil)
    try context.save()
    #expect(try shop.count("SELECT count(*) FROM person") == 3)
    tokens.forEach { $0.invalidate() }
  }

  @Test("40: undo restores the first values of a unit and both ends; redo makes it again")
  func undo() throws {
    let people = try context.fetch(Person.self), teams = try context.fetch(Team.self)
    _ = teams.map(\.members)
    context.performChanges {
      people[0].name = "x"
      people[0].name = "y"
      people[0].team = teams[1]
    }
    people[1].age = 60
    #expect(context.undo() && people[1].age == 21 && people[0].name == "y")
    #expect(context.undo() && people[0].name == "P0" && people[0].team === teams[0])
    #expect(teams[0].members == [people[0], people[2]] && teams[1].members == [people[1]])
    #expect(!context.hasChanges && !context.undo())
    #expect(context.redo() && people[0].name == "y" && teams[1].members == [people[1], people[0]])
    #expect(context.redo() && people[1].age == 60 && !context.redo())
    #expect(context.undo() && context.undo() && !context.hasChanges)
    let new = Person("New", 1, in: teams[0])
    try context.insert(new)
    try context.delete(people[1])
    #expect(context.undo() && !people[1].isGone && teams[1].members == [people[1]])
    #expect(context.undo() && teams[0].members == [people[0], people[2]] && !context.hasChanges)
  }

  // MARK: Observers that act

  @Test("what an observer sets while the context sets is a change like any other")
  func acting() throws {
    let person = try context.fetch(Person.self)[0], other = try shop.makeContext()
    _ = person.name
    let token = person.observe(\.name) { person, _ in person.nickname = person.name.lowercased() }
    try other.fetch(Person.self)[0].name = "Ann"
    try other.save()
    try context.refresh()
    #expect(person.name == "Ann" && person.nickname == "ann" && person.changedKeys == ["nickname"])
    try context.save()
    person.name = "Bea"
    #expect(person.changedKeys == ["name", "nickname"])
    context.rollback()
    #expect(person.name == "Ann" && person.nickname == "ann" && !context.hasChanges)
    token.invalidate()
  }

  @Test("a change that an observer corrects is one change, from the value before both")
  func corrected() throws {
    let people = try context.fetch(Person.self), teams = try context.fetch(Team.self)
    _ = (teams.map(\.members), people.map(\.name))
    let tokens = [
      people[0].observe(\.age) { person, _ in if person.age < 0 { person.age = 0 } },
      people[1].observe(\.team) { person, _ in if person.team == nil { person.team = teams[0] } },
    ]
    people[0].age = -5
    #expect(people[0].age == 0 && context.originalValues(of: people[0])["age"] as? Int64 == 20)
    #expect(context.undo())
    #expect(people[0].age == 20 && !context.hasChanges, "\(people[0].age) \(people[0].changedKeys)")
    people[1].team = nil
    #expect(teams[0].members == [people[0], people[2], people[1]] && teams[1].members.isEmpty)
    context.rollback()
    #expect(people[1].team === teams[1] && teams[0].members == [people[0], people[2]])
    tokens.forEach { $0.invalidate() }
  }

  @Test(
    "an object that was made a fault again, and is set, is counted once and is in its array once")
  func refaulted() throws {
    let person = try context.fetch(Person.self)[0], red = try context.fetch(Team.self)[1]
    _ = (person.name, red.members)
    #expect(try context.refault(person))
    let before = context.changeCount
    person.team = red
    #expect(context.changeCount - before == 2)
    #expect(red.members.map(\.name) == ["P1", "P0"] && person.changedKeys == ["team"])
  }

  @Test(
    "new objects in an array leave the owner that they had; what refers to a deleted one refers to none"
  )
  func ends() throws {
    let people = try context.fetch(Person.self), teams = try context.fetch(Team.self)
    _ = teams.map(\.members)
    let new = Team("New")
    new.members = [people[0]]
    try context.insert(new)
    #expect(people[0].team === new && teams[0].members == [people[2]])
    try context.delete(teams[0])
    #expect(people[2].team == nil && people[0].team === new)
    try context.save()
    #expect(try shop.count("SELECT count(*) FROM person WHERE team_id = 1") == 0)
  }

  @Test("an object that was deleted, or whose insertion was undone, can be inserted again")
  func again() throws {
    let new = Person("New", 1), person = try context.fetch(Person.self)[0]
    try context.insert(new)
    try context.delete(new)
    try context.insert(new)
    #expect(context.undo() && new.isGone && !context.hasChanges)
    try context.insert(new)
    try context.delete(person)
    try context.save()
    #expect(person.context == nil && new.id?.row == 4)
    try context.insert(person)
    try context.save()
    #expect(try shop.count("SELECT count(*) FROM person WHERE name = 'P0'") == 1)
    #expect(person.id?.row == 5 && !person.isGone)
  }

  @Test("a save or a rollback within a unit leaves nothing to undo")
  func within() throws {
    let people = try context.fetch(Person.self)
    try context.performChanges {
      try context.delete(people[0])
      try context.save()
    }
    #expect(!context.undo() && !context.hasChanges)
    context.performChanges {
      people[1].age = 50
      context.rollback()
    }
    #expect(!context.undo() && people[1].age == 21 && !context.hasChanges)
  }
}
