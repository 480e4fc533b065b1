import Company
import Foundation
import GRDB
import IsaKVO
import IsaKVOBindings
import Store
import Testing

@Suite(.serialized)
struct ListRules {
  let shop: Shop
  let context: Context

  init() throws {
    shop = try Shop(people: 6)
    context = try shop.makeContext()
  }

  private func observe(_ list: LiveList<Person>, _ told: Told) -> KeyValueObservation {
    list.observe(\.objects, options: [.old, .new]) { _, change in
      let names = (change.newValue ?? change.oldValue ?? []).map(\.name).joined(separator: ",")
      told.add("\(change.kind) \(change.indexes ?? []) \(names)")
    }
  }

  @Test(
    "42: an object that the filter leaves out goes, one that it lets in comes, others are told once"
  )
  func filter() throws {
    let told = Told(), people = try context.fetch(Person.self)
    let list = try context.objects(of: Person.self, .where(\.age, >=, 22), [.ascending(\.age)])
    let token = observe(list, told)
    #expect(list.objects.map(\.age) == [22, 23, 24, 25])
    people[2].age = 1
    #expect(told.take() == ["removal [0] P2"])
    people[0].age = 99
    #expect(told.take() == ["insertion [3] P0"])
    context.performChanges {
      people[3].name = "a"
      people[3].wage = 2
      people[3].name = "b"
      people[4].age = 3
    }
    #expect(told.take().sorted() == ["removal [1] P4", "replacement [0] b"])
    people[1].wage = 3
    #expect(told.take().isEmpty)
    token.invalidate()
  }

  @Test("43: one whose sort key has changed goes and comes, and is not told otherwise; ties by row")
  func order() throws {
    let told = Told(), people = try context.fetch(Person.self)
    let list = try context.objects(of: Person.self, nil, [.ascending(\.age), .inSQLOrder(\.name)])
    let token = observe(list, told)
    people[0].age = 24
    #expect(told.take() == ["removal [0] P0", "insertion [3] P0"])
    people[5].age = 20
    #expect(told.take() == ["removal [5] P5", "insertion [0] P5"])
    context.performChanges { for person in people { person.age = 1 } }
    people[1].name = "P0"
    #expect(list.objects.map { $0.id!.row } == [1, 2, 3, 4, 5, 6])
    for (person, name) in zip(people, ["b", "B", "é", "e\u{301}", "z", ""]) { person.name = name }
    try context.save()
    #expect(
      try list.objects.map(\.id) == context.fetch(Person.self, orderedBy: "age, name, id").map(\.id)
    )
    token.invalidate()
  }

  @Test("44: a list ends when it is let go of")
  func end() throws {
    weak var gone: LiveList<Person>?
    do {
      let list = try context.objects(of: Person.self)
      gone = list
      try context.insert(Person("a", 1))
      #expect(list.objects.count == 7)
    }
    #expect(gone == nil)
    try context.insert(Person("b", 1))
    try context.fetch(Person.self)[0].age = 4
  }

  @Test("an object stays tracked while it is in lists, and after")
  func tracked() throws {
    let person = try context.fetch(Person.self)[0]
    do {
      let lists = try [
        context.objects(of: Person.self, .where(\.age, >, 0)),
        context.objects(of: Person.self, nil, [.ascending(\.age)]),
      ]
      person.age += 1
      #expect(
        person.changedKeys == ["age"] && lists[1].objects.map(\.age) == [21, 21, 22, 23, 24, 25])
    }
    person.age -= 1
    #expect(!person.isDirty)
    person.name = "x"
    #expect(person.changedKeys == ["name"])
  }

  @Test("others' insertions and deletions come into lists when the context is refreshed")
  func refresh() throws {
    let list = try context.objects(of: Person.self, .where(\.age, <, 23), [.ascending(\.age)])
    let other = try shop.makeContext()
    try other.insert(Person("New", 21))
    try other.delete(other.fetch(Person.self)[0])
    try other.fetch(Person.self)[5].age = 2
    try other.save()
    try context.refresh()
    #expect(list.objects.map(\.name) == ["P5", "P1", "New", "P2"] && !context.hasChanges)
    #expect(!list.objects.contains { $0.isDirty })
  }

  @Test(
    "41: at every callback, objects is what was told; at every step, what a fetch gives",
    arguments: 1...40)
  func fuzz(seed: Int) throws {
    var random = Numbers(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15)
    let filter = Filter<Person>.where(\.age, >=, 30)
    let list = try context.objects(
      of: Person.self, filter, [.ascending(\.age), .inSQLOrder(\.name)])
    nonisolated(unsafe) var fold = list.objects
    let token = list.observe(\.objects, options: [.old, .new]) { list, change in
      let indexes = change.indexes ?? []
      switch change.kind {
      case .removal: for index in indexes.reversed() { fold.remove(at: index) }
      case .insertion:
        for (index, item) in zip(indexes, change.newValue!) { fold.insert(item, at: index) }
      case .replacement: for (index, item) in zip(indexes, change.newValue!) { fold[index] = item }
      case .setting: fold = change.newValue!
      }
      #expect(fold == list.objects)
    }
    var people = try context.fetch(Person.self)
    let teams = try context.fetch(Team.self)
    var log: [String] = []
    func step() throws {
      let person = people.randomElement(using: &random)!
      let action = Int.random(in: 0..<12, using: &random)
      log.append("\(action) \(person)")
      switch action {
      case 0...3: person.age = Int.random(in: 25...35, using: &random)
      case 4: person.name = ["a", "b", "c", "é"].randomElement(using: &random)!
      case 5: person.team = teams.randomElement(using: &random)
      case 6:
        let new = Person(
          "n", Int.random(in: 25...35, using: &random), in: teams.randomElement(using: &random))
        try context.insert(new)
        people.append(new)
      case 7 where people.count > 3:
        try context.delete(person)
        people.removeAll { $0 === person }
      case 8: context.undo()
      case 9: context.redo()
      case 10: try teams[0].setValue(Array(people.prefix(2)), forKey: "members")
      default: person.age += 1
      }
      people = try present()
    }
    func present() throws -> [Person] {
      try context.objects(of: Person.self).objects
    }
    for round in 0..<60 {
      if round % 5 == 4 {
        try context.performChanges { for _ in 0..<6 { try step() } }
      } else {
        try step()
      }
      if round % 17 == 16 {
        let saves = Bool.random(using: &random)
        log.append(saves ? "save" : "rollback")
        saves ? try context.save() : context.rollback()
      }
      people = try present()
      let expected = people.filter { $0.age >= 30 }
        .sorted {
          ($0.age, Array($0.name.utf8), $0.id!.row) < ($1.age, Array($1.name.utf8), $1.id!.row)
        }
      #expect(fold == list.objects && Set(list.objects) == Set(expected), "round \(round)")
      #expect(
        list.objects.map { "\($0.age) \($0.name)" } == expected.map { "\($0.age) \($0.name)" },
        "\(log.suffix(14))")
      for team in teams {
        try #require(team.members.allSatisfy { $0.team === team }, "\(log.suffix(14))")
      }
    }
    try context.save()
    let rows = try context.fetch(Person.self, where: "age >= 30", orderedBy: "age, name, id")
    #expect(list.objects == rows)
    token.invalidate()
  }
}

private func < (first: (Int, [UInt8], Int64), second: (Int, [UInt8], Int64)) -> Bool {
  if first.0 != second.0 { return first.0 < second.0 }
  if first.1 != second.1 { return first.1.lexicographicallyPrecedes(second.1) }
  return first.2 < second.2
}

private struct Numbers: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
