import Company
import GRDB
import IsaKVO
import Store
import Testing

/// A context of an actor.
private actor Office {
  private let context: Context
  private var people: [Person] = []
  init(_ database: DatabasePool) throws {
    context = try Context(database, [Person.self, Team.self])
  }

  func raise(_ id: ManagedID, by years: Int) throws -> Int {
    let person = try context.object(id) as! Person
    people.append(person)
    person.age += years
    try context.save()
    return person.age
  }
}

/// A context of the main actor.
@MainActor private final class Model {
  let context: Context
  let people: LiveList<Person>
  init(_ database: DatabasePool) throws {
    context = try Context(database, [Person.self, Team.self])
    people = try context.objects(of: Person.self)
  }
}

@Suite(.serialized)
struct ThreadRules {
  @Test("46: a context of an actor, and one of the main actor, on one database")
  func actors() async throws {
    let shop = try Shop()
    let office = try Office(shop.database), id = ManagedID(table: "person", row: 1)
    let model = try await Model(shop.database)
    #expect(try await office.raise(id, by: 5) == 25)
    #expect(try await office.raise(id, by: 5) == 30)
    try await MainActor.run {
      #expect(model.people.objects[0].age == 20)
      try model.context.refresh()
      #expect(model.people.objects[0].age == 30)
      model.people.objects[0].age = 1
      try model.context.save()
    }
    do {
      _ = try await office.raise(id, by: 1)
      Issue.record("a conflict was expected")
    } catch StoreError.conflicts(let conflicts) {
      #expect(conflicts == [.init(object: id, keys: ["age"], read: 3, found: 4)])
    }
  }
}
