import Company
import Foundation
import GRDB
import IsaKVO
import Store
import Testing

@Suite(.serialized)
struct SaveRules {
  let shop: Shop
  let context: Context

  init() throws {
    shop = try Shop()
    context = try shop.makeContext()
  }

  /// The error that `body` throws.
  private func error(_ body: () throws -> Void) -> StoreError? {
    do {
      try body()
      Issue.record("an error was expected")
      return nil
    } catch { return error as? StoreError }
  }

  @Test("36: a save is one transaction; after an error database and objects are as before")
  func transaction() throws {
    try shop.execute("CREATE UNIQUE INDEX names ON person (name)")
    let people = try context.fetch(Person.self)
    let new = Person("New", 9, in: try context.fetch(Team.self)[0])
    people[0].age = 77
    people[1].name = "P2"
    try context.insert(new)
    let failure = error { try context.save() }
    guard case .database(2067, _, people[1].id, let statement?) = failure else {
      return _ = Issue.record("\(String(describing: failure))")
    }
    #expect(statement.hasPrefix("UPDATE \"person\" SET \"name\" = ?"))
    #expect(try shop.count("SELECT count(*) FROM person") == 3)
    #expect(try shop.count("SELECT age FROM person WHERE id = 1") == 20)
    #expect(people[0].isDirty && people[1].isDirty && new.id?.isTemporary == true)
    people[1].name = "other"
    try context.save()
    #expect(!context.hasChanges && new.id?.row == 4)
    #expect(try shop.count("SELECT age FROM person WHERE id = 1") == 77)
    #expect(try shop.count("SELECT team_id FROM person WHERE id = 4") == 1)
    #expect(try shop.count("SELECT version FROM person WHERE id = 1") == 2)
  }

  @Test("36: objects that refer to one another are inserted by one save, and deleted by another")
  func graph() throws {
    let team = Team("Green"), people = (0..<3).map { Person("G\($0)", $0, in: team) }
    for person in people { try context.insert(person) }
    try context.insert(team)
    #expect(team.members == people)
    try context.save()
    #expect(try shop.count("SELECT count(*) FROM person WHERE team_id = \(team.id!.row)") == 3)
    try context.delete(team)
    #expect(team.isGone && people.allSatisfy { $0.team == nil && $0.isDirty })
    try context.save()
    #expect(try shop.count("SELECT count(*) FROM team") == 2)
    #expect(try shop.count("SELECT count(*) FROM person WHERE team_id IS NULL") == 3)
    let temporary = Person("T", 1)
    try context.insert(temporary)
    try context.delete(temporary)
    #expect(!context.hasChanges)
  }

  @Test("37: killed at any moment, each save is there whole or not at all")
  func killed() throws {
    let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "store-demo")
    let path = shop.folder.appending(path: "kill.sqlite").path
    var rounds: Set<Int> = []
    for round in 0..<25 {
      let process = Process(), output = Pipe()
      process.executableURL = tool
      process.arguments = ["--write", path]
      process.standardOutput = output
      try process.run()
      // The first save is done.
      _ = output.fileHandleForReading.readData(ofLength: 1)
      usleep(UInt32(500 + round * 1700 % 23_000))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let database = try DatabaseQueue(path: path)
      let ages = try database.read { try Int.fetchSet($0, sql: "SELECT age FROM person") }
      #expect(ages.count == 1, "half a save: \(ages)")
      #expect(try database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
      rounds.formUnion(ages)
    }
    #expect(rounds.count > 5)
  }

  @Test("38: what others have written since is a conflict; all are gathered, nothing is written")
  func conflicts() throws {
    let other = try shop.makeContext()
    let people = try context.fetch(Person.self), others = try other.fetch(Person.self)
    for person in people { person.age += 10 }
    others[0].name = "theirs"
    try other.delete(others[1])
    try other.save()
    #expect(
      error { try context.save() }
        == .conflicts([
          .init(object: people[0].id!, keys: ["age"], read: 1, found: 2),
          .init(object: people[1].id!, keys: ["age"], read: 1, found: nil),
        ]))
    #expect(try shop.count("SELECT age FROM person WHERE id = 3") == 22)
    #expect(people.allSatisfy { $0.isDirty } && people[0].name == "P0")
    context.rollback()
    try context.refresh()
    #expect(people[0].name == "theirs" && people[1].isGone)
    people[0].age = 1
    try context.save()
    #expect(try shop.count("SELECT age FROM person WHERE id = 1") == 1)
  }

  @Test("others' changes are told when the context is refreshed, and are no changes of its own")
  func refresh() throws {
    let told = Told(), people = try context.fetch(Person.self), teams = try context.fetch(Team.self)
    _ = (people.map(\.name), teams.map(\.members))
    let tokens = [
      people[0].observe(\.name, options: .new) { told.add($1.newValue!) },
      people[0].observe(\.age) { _, _ in told.add("age") },
      teams[1].observe(\.members, options: .new) { told.add("enters \($1.newValue!.map(\.name))") },
    ]
    let other = try shop.makeContext(), theirs = try other.fetch(Person.self)[0]
    theirs.name = "theirs"
    theirs.team = try other.fetch(Team.self)[1]
    try other.save()
    try context.refresh()
    #expect(told.all.sorted() == ["enters [\"theirs\"]", "theirs"] || told.all.count == 2)
    #expect(people[0].team === teams[1] && teams[0].members == [people[2]] && !context.hasChanges)
    tokens.forEach { $0.invalidate() }
  }

  @Test("arrays that were read follow others' changes, and lists have what was known before")
  func refreshedArrays() throws {
    let teams = try context.fetch(Team.self), people = try context.fetch(Person.self)
    let list = try context.objects(of: Person.self, nil, [.ascending(\.age)])
    #expect(teams.map(\.members.count) == [2, 1] && list.objects.count == 3)
    #expect(try context.refault(people[1]))
    try shop.execute(
      "INSERT INTO person (name, age, wage, isAway, team_id) VALUES ('N', 1, 0, 0, 2)")
    try shop.execute("UPDATE person SET age = 99, team_id = 1, version = 2 WHERE id = 2")
    try shop.execute("DELETE FROM person WHERE id = 1")
    let new = try context.fetch(Person.self, where: "id = 4")[0]
    try context.refresh()
    #expect(teams[0].members == [people[2], people[1]] && teams[1].members == [new])
    #expect(list.objects == [new, people[2], people[1]] && people[0].isGone && !context.hasChanges)
    people[2].age = 100
    #expect(list.objects == [new, people[1], people[2]])
  }

  @Test("the classes may come in any order")
  func order() throws {
    let database = try DatabaseQueue()
    let context = try Context(database, [Team.self, Person.self])
    try context.insert(Team("T"))
    try context.save()
  }

  // MARK: Bad input

  @Test("a database that is locked, read-only or damaged is an error with its statement")
  func refused() throws {
    let person = try context.fetch(Person.self)[0]
    person.name = "x"
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    let path = shop.database.path
    let second = try Context(
      DatabaseQueue(path: path, configuration: configuration), [Person.self, Team.self])
    let theirs = try second.fetch(Person.self)[0]
    theirs.name = "y"
    try shop.database.write { database in
      try database.execute(sql: "UPDATE team SET name = 'z'")
      guard case .database(5, _, _, _?) = error({ try second.save() }) else {
        return _ = Issue.record("busy was expected")
      }
    }
    #expect(theirs.isDirty && second.hasChanges)
    try second.save()
    let damaged = shop.folder.appending(path: "damaged.sqlite").path
    try Data(repeating: 7, count: 4096).write(to: URL(filePath: damaged))
    guard
      case .database(26, _, _, _) = error({
        _ = try Context(path: damaged, [Person.self, Team.self])
      })
    else { return _ = Issue.record("no database was expected") }
  }

  @Test("a fault that cannot be read keeps its declared values, says why, and is read later")
  func unreadable() throws {
    var errors: [StoreError] = []
    context.onError = { errors.append($0) }
    let person = try context.fetch(Person.self)[0]
    try shop.execute("ALTER TABLE person RENAME TO hidden")
    #expect(person.name == "" && person.isFault && !person.isGone)
    person.name = "lost"
    #expect(person.name == "" && !person.isDirty)
    guard case .database(1, let message, person.id, let statement?) = errors.first else {
      return _ = Issue.record("\(errors)")
    }
    #expect(message.contains("no such table") && statement.hasPrefix("SELECT id, version"))
    try shop.execute("ALTER TABLE hidden RENAME TO person")
    #expect(person.name == "P0" && errors.count == 3)
  }

  @Test("a value of another type is an error with object, key and statement")
  func otherType() throws {
    var errors: [StoreError] = []
    context.onError = { errors.append($0) }
    try shop.execute("ALTER TABLE team RENAME COLUMN version TO other")
    try shop.execute("ALTER TABLE team ADD COLUMN version INTEGER")
    let team = try context.fetch(Team.self)[0]
    #expect(team.name == "" && errors.count == 1)
    guard case .value(team.id, "version", "NULL", "Int64", _) = errors.removeFirst() else {
      return _ = Issue.record("the version was expected")
    }
    try shop.execute("UPDATE person SET age = 'old' WHERE id = 2")
    let people = try context.fetch(Person.self)
    #expect(people[1].age == 0 && people[1].isFault)
    guard case .value(people[1].id, "age", _, "Int", let statement) = errors.first else {
      return _ = Issue.record("\(errors)")
    }
    #expect(statement.contains("FROM \"person\""))
    guard case .value(people[1].id, "age", "\"old\"", _, _) = error({ try context.load(people) })
    else {
      return _ = Issue.record("the value was expected")
    }
    #expect(people[0].name == "P0" && people[2].name == "P2")
  }

  @Test("tables that do not fit are refused, with the key")
  func schema() throws {
    func refusal(_ sql: String) throws -> StoreError? {
      let database = try DatabaseQueue()
      try database.write { try $0.execute(sql: sql) }
      return error { _ = try Context(database, [Person.self, Team.self]) }
    }
    let columns = "id INTEGER PRIMARY KEY, version INTEGER"
    #expect(
      try refusal("CREATE TABLE team (id TEXT, version INTEGER, name TEXT)")
        == .schema(table: "team", key: nil, reason: "id is TEXT, INTEGER was expected"))
    #expect(
      try refusal("CREATE TABLE team (id INTEGER, version INTEGER, name TEXT)")
        == .schema(
          table: "team", key: nil, reason: "id is no PRIMARY KEY, by which rows are found"))
    #expect(
      try refusal("CREATE TABLE team (\(columns))")
        == .schema(table: "team", key: "name", reason: "there is no column name"))
    #expect(
      try refusal("CREATE TABLE team (\(columns), name INTEGER)")
        == .schema(table: "team", key: "name", reason: "name is INTEGER, TEXT was expected"))
    #expect(
      try refusal("CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT)")
        == .schema(table: "team", key: nil, reason: "there is no column version"))
    #expect(
      try refusal("CREATE TABLE team (\(columns), name TEXT, x TEXT NOT NULL)")
        == .schema(
          table: "team", key: nil, reason: "x must have a value, and Team has no property for it"))
  }

  @Test("classes that do not say what they have to are refused, with the key")
  func model() throws {
    let database = try DatabaseQueue()
    func key(_ types: [Managed.Type]) -> String? {
      guard case .model(_, let key, _) = error({ _ = try Context(database, types) }) else {
        return nil
      }
      return key
    }
    #expect(key([Strange.self]) == "function")
    #expect(key([Lonely.self, Person.self, Team.self]) == "others")
    #expect(key([Person.self]) == "Team")
    #expect(error { _ = try context.fetch(Strange.self) } != nil)
    let other = try shop.makeContext().fetch(Person.self)[0]
    #expect(error { try context.delete(other) } == .foreign(object: other.id))
  }

  @Test("a disk that is full is an error, and all is as before")
  func full() throws {
    let database = try DatabaseQueue(path: shop.folder.appending(path: "full.sqlite").path)
    let small = try Context(database, [Person.self, Team.self])
    try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 8") }
    let people = (0..<2000).map { Person("somebody with a long name \($0)", $0) }
    for person in people { try small.insert(person) }
    guard case .database(13, _, let id?, _?) = error({ try small.save() }) else {
      return _ = Issue.record("full was expected")
    }
    #expect(id.isTemporary && small.hasChanges && people.allSatisfy { $0.id!.isTemporary })
    #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM person") } == 0)
    try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
    try small.save()
    #expect(!small.hasChanges && people[1999].id?.row == 2000)
  }
}

private final class Strange: Managed {
  @Dynamic var function: (@Sendable () -> Void)?
}

private final class Lonely: Managed {
  @Dynamic var others: [Person] = []
}
