import Company
import IsaKVO
import IsaRuntime
import Store
import Testing

@Suite(.serialized)
struct FaultRules {
  let shop: Shop
  let context: Context

  init() throws {
    shop = try Shop()
    context = try shop.makeContext()
  }

  private func person() throws -> Person { try #require(context.fetch(Person.self).first) }

  /// How many statements `body` executes.
  private func statements(_ body: () throws -> Void) rethrows -> Int {
    let before = context.statementCount
    try body()
    return context.statementCount - before
  }

  @Test("1: an object that was fetched and not read is a fault")
  func fault() throws {
    let person = try person()
    #expect(person.isFault && type(of: person) == Person.self)
    #expect(try isaName(person).hasSuffix("Person_Fault"))
    #expect(try isaName(context.fetch(Team.self)[0]).hasSuffix("Team_Fault"))
  }

  @Test("2: reading an attribute reads all of them by one statement")
  func one() throws {
    let person = try person()
    #expect(statements { _ = person.name } == 1 && person.name == "P0")
    #expect(try !person.isFault && isaName(person).hasSuffix("Person"))
    #expect(statements { _ = (person.age, person.nickname, person.wage) } == 0 && person.age == 20)
  }

  @Test("3: identity, equality, hash and class read nothing")
  func identity() throws {
    let people = try context.fetch(Person.self)
    let count = statements {
      #expect(people[0] != people[1] && Set(people).count == 3)
      #expect(
        people[0].id?.row == 1 && people[0].isFault && !people[0].isDirty && !people[0].isGone)
      #expect(type(of: people[0]) == Person.self && people[0].isKind(of: Managed.self))
      _ = "\(people[0])"
      _ = Mirror(reflecting: people[0]).children.count
    }
    #expect(count == 0 && people.allSatisfy { $0.isFault })
  }

  @Test("4: setting reads first, and old is the row's")
  func setting() throws {
    let told = Told(), people = try context.fetch(Person.self)
    let tokens = [
      people[0].observe(\.name, options: [.old, .new]) {
        told.add("\($1.oldValue!)-\($1.newValue!)")
      },
      people[0].observe(\.age) { _, _ in told.add("age") },
    ]
    people[0].name = "new"
    people[1].name = "new"
    #expect(told.all == ["P0-new"] && people[0].age == 20 && people[1].age == 21)
    #expect(people[0].changedKeys == ["name"] && people[1].changedKeys == ["name"])
    #expect(context.originalValues(of: people[1])["name"] as? String == "P1")
    people[2].setPrimitiveValue("x", for: \.name)
    #expect(people[2].isFault)
    tokens.forEach { $0.invalidate() }
  }

  @Test("5: so do +=, inout, append and swap")
  func inPlace() throws {
    let people = try context.fetch(Person.self)
    people[0].age += 1
    people[1].name.append("!")
    swap(&people[1].age, &people[2].age)
    #expect(people[0].age == 21 && people[1].name == "P1!")
    #expect(people[1].age == 22 && people[2].age == 21 && people[2].name == "P2")
    let team = try context.fetch(Team.self)[0]
    team.members.append(people[1])
    #expect(team.members.map(\.name) == ["P0", "P2", "P1!"] && people[1].team === team)
  }

  @Test("6: values by key, key paths and operators read as an access does")
  func coding() throws {
    #expect(try person().value(forKey: "age") as? Int == 20)
    let other = try shop.makeContext().fetch(Person.self)
    #expect(try other[0].value(forKeyPath: "team.name") as? String == nil)
    let teams = try context.fetch(Team.self)
    #expect(try teams[0].value(forKeyPath: "members.@sum.age") as? Int == 42)
    #expect(try teams[1].value(forKeyPath: "members.name") as? [String] == ["P1"])
    #expect(try person(at: 1)[keyPath: \.title] == "P1 (21)")
    try person(at: 2).setValue(50, forKey: "age")
    #expect(try person(at: 2).changedKeys == ["age"])
  }

  private func person(at number: Int) throws -> Person { try context.fetch(Person.self)[number] }

  @Test("7: a reference gives the one object of its row as a fault, without a statement for it")
  func reference() throws {
    let people = try context.fetch(Person.self)
    let count = statements { _ = (people[0].team, people[2].team) }
    #expect(count == 2 && people[0].team === people[2].team && people[0].team?.isFault == true)
  }

  @Test("8, 9: an array reads identities only, and reading a row reads no array")
  func array() throws {
    let team = try context.fetch(Team.self)[0]
    #expect(team.name == "Blue")
    #expect(try isaName(team).hasSuffix("Team_Fault_of_members"))
    #expect(statements { _ = team.members } == 1 && team.members.count == 2)
    #expect(try team.members.allSatisfy { $0.isFault } && isaName(team).hasSuffix("Team"))
    let other = try context.fetch(Team.self)[1]
    #expect(other.members.count == 1 && other.isFault)
    #expect(try isaName(other).hasSuffix("Team_Fault_without_members"))
  }

  @Test(
    "10, 11: reading tells nobody, of the key, what depends on it, and paths; and changes nothing")
  func untold() throws {
    let told = Told(), person = try person(), team = try context.fetch(Team.self)[0]
    let tokens = [
      person.observe(\.name) { _, _ in told.add("name") },
      person.observe(\.team) { _, _ in told.add("team") },
      person.observe(\.isDirty) { _, _ in told.add("dirty") },
      person.observe(\.team!.name) { _, _ in told.add("team.name") },
      team.observe(\.members) { _, _ in told.add("members") },
      context.observe(\.hasChanges) { _, _ in told.add("changes") },
    ]
    _ = (person.name, team.members, team.name)
    #expect(told.all.isEmpty && !person.isDirty && !context.hasChanges && !person.isFault)
    tokens.forEach { $0.invalidate() }
  }

  @Test("12, 13: observing reads nothing, but with the initial value it does")
  func observing() throws {
    let told = Told(), people = try context.fetch(Person.self)
    let count = statements {
      let token = people[0].observe(\.name, options: [.old, .new]) { _, _ in }
      #expect(people[0].isFault)
      token.invalidate()
    }
    #expect(count == 0)
    let token = people[1].observe(\.name, options: [.initial, .new]) { told.add($1.newValue!) }
    #expect(told.all == ["P1"] && !people[1].isFault)
    token.invalidate()
  }

  @Test("14: an observation made before goes on after, with right values")
  func before() throws {
    let told = Told(), person = try person()
    let token = person.observe(\.age, options: [.old, .new]) {
      told.add("\($1.oldValue!)-\($1.newValue!)")
    }
    _ = person.name
    #expect(try isaName(person).hasSuffix("Person") && token.isValid)
    person.age = 30
    #expect(try !context.refault(person))
    context.rollback()
    #expect(try context.refault(person) && token.isValid)
    person.age += 1
    #expect(told.all == ["20-30", "30-20", "20-21"])
    token.invalidate()
  }

  @Test("15: a path through a fault is told of changes behind it")
  func path() throws {
    let told = Told(), person = try person(), team = try context.fetch(Team.self)[0]
    let tokens = [
      person.observe(\.team!.name, options: .new) { told.add($1.newValue!) },
      person.observe(\.title, options: .new) { told.add($1.newValue!) },
    ]
    team.name = "Green"
    #expect(told.take() == ["Green"])
    _ = person.name
    team.name = "Grey"
    person.age = 1
    #expect(told.take() == ["Grey", "P0 (1)"])
    tokens.forEach { $0.invalidate() }
  }

  @Test("15: a path goes on through an object that was made a fault again, and found elsewhere")
  func refound() throws {
    let told = Told(), person = try person(), teams = try context.fetch(Team.self)
    let token = person.observe(\.team!.name, options: .new) { told.add($1.newValue!) }
    #expect(try context.refault(person))
    teams[0].name = "still"
    #expect(told.take() == ["still"])
    try shop.execute("UPDATE person SET team_id = 2 WHERE id = 1")
    _ = person.name
    teams[0].name = "no more"
    teams[1].name = "now"
    #expect(told.take() == ["now"])
    token.invalidate()
  }

  @Test("16: a row that is gone gives the declared values, is told, and fails at the save")
  func gone() throws {
    let told = Told(), person = try person()
    let token = person.observe(\.isGone, options: .new) { told.add("\($1.newValue!)") }
    try shop.execute("DELETE FROM person WHERE id = 1")
    #expect(person.name == "" && person.age == 0 && person.isGone && told.all == ["true"])
    person.name = "ghost"
    #expect(
      throws: StoreError.conflicts([
        .init(object: person.id!, keys: ["name"], read: 0, found: nil)
      ])
    ) { try context.save() }
    #expect(person.isDirty)
    token.invalidate()
  }

  @Test("17: many faults are read in batches of 500")
  func batches() throws {
    let shop = try Shop(people: 1201), context = try shop.makeContext()
    let people = try context.fetch(Person.self), before = context.statementCount
    try context.load(people)
    #expect(context.statementCount - before == 3 && !people.contains { $0.isFault })
    #expect(people[1200].name == "P1200")
  }

  @Test("18: a clean object is made a fault again and frees its values; a dirty one is not")
  func refault() throws {
    let told = Told(), person = try person()
    weak var team: Team?
    let tokens = [
      person.observe(\.name) { _, _ in told.add("name") },
      person.observe(\.team) { _, _ in told.add("team") },
    ]
    team = person.team
    #expect(try team != nil && context.refault(person) && person.isFault)
    #expect(team == nil && person.primitiveValue(for: \.name) == "" && told.all.isEmpty)
    try shop.execute("UPDATE person SET name = 'elsewhere' WHERE id = 1")
    #expect(person.name == "elsewhere" && told.all.isEmpty)
    person.name = "mine"
    #expect(try !context.refault(person) && person.name == "mine")
    tokens.forEach { $0.invalidate() }
  }

  @Test("19: an object that has been read is of the Swift class, whose accesses ask nobody")
  func readAccess() throws {
    let team = try context.fetch(Team.self)[0], person = try person()
    _ = (person.name, team.name, team.members)
    let plain = try RuntimeObject(Person()).isa
    #expect(try RuntimeObject(person).isa.original == plain)
    #expect(try RuntimeObject(team).isa.original == RuntimeObject(Team()).isa)
    // The same instructions then, but for tracked sets, which go through the wrapper.
    #expect(try RuntimeObject(person).isa.isNotifying)
  }
}
