// What the store costs beside plain GRDB, in one run: each row is measured in turn, several times.
import Company
import Foundation
import GRDB
import IsaKVO
import Store

struct Plain: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "person"
  var id: Int64?
  var version = 1
  var name = ""
  var age = 0
  var nickname: String?
  var wage = 0.0
  var isAway = false
  var team_id: Int64?
}

let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let database = try DatabasePool(path: folder.appending(path: "figures.sqlite").path)
let many = 100_000, some = 10_000, listed = 40_000

func makeContext() throws -> Context { try Context(database, [Person.self, Team.self]) }

_ = try makeContext()
try database.write { database in
  try database.execute(sql: "INSERT INTO team (name) VALUES ('Blue')")
  for number in 0..<many {
    try database.execute(
      sql: "INSERT INTO person (name, age, wage, isAway, team_id) VALUES (?, ?, 1.5, 0, 1)",
      arguments: ["person \(number)", number % 80])
  }
}

let clock = ContinuousClock()
func time(_ body: () throws -> Void) rethrows -> Double {
  let time = try clock.measure(body)
  return Double(time.components.seconds) * 1e3 + Double(time.components.attoseconds) / 1e15
}

/// The middle of several runs and their spread, of each of two ways in turn; milliseconds.
func compare(_ title: String, _ store: () throws -> Double, _ plain: () throws -> Double) rethrows {
  var times: [(Double, Double)] = []
  for _ in 0..<5 { times.append((try store(), try plain())) }
  func row(_ all: [Double]) -> (middle: Double, text: String) {
    let all = all.sorted()
    let text = String(format: "%.2f (%.2f to %.2f)", all[2], all[0], all[4])
    return (all[2], text)
  }
  let store = row(times.map(\.0)), plain = row(times.map(\.1))
  let ratio = String(format: "%.2f", store.middle / plain.middle)
  print("| \(title) | \(store.text) | \(plain.text) | \(ratio) |")
}

@inline(never) func age(_ person: Person) -> Int { person.age }

func read(_ person: Person) -> Double {
  var sum = 0
  let time = time { for _ in 0..<10_000_000 { sum &+= age(person) } }
  precondition(sum == 10_000_000 * person.age)
  return time
}

print("| milliseconds | store | GRDB | ratio |")
print("|---|---:|---:|---:|")
try compare(
  "\(many) objects as faults; rows of identities",
  {
    let context = try makeContext()
    var people: [Person] = []
    defer { withExtendedLifetime((context, people)) {} }
    return try time { people = try context.fetch(Person.self) }
  },
  { try time { _ = try database.read { try Int64.fetchAll($0, sql: "SELECT id FROM person") } } })
try compare(
  "\(some) read one by one",
  {
    let context = try makeContext()
    let people = try context.fetch(Person.self, where: "id <= ?", [some])
    var sum = 0
    let time = time { for person in people { sum += person.age } }
    precondition(sum > some)
    return time
  },
  {
    var sum = 0
    let time = try time {
      for id in 1...Int64(some) {
        sum += try database.read { try Plain.fetchOne($0, key: id)!.age }
      }
    }
    precondition(sum > some)
    return time
  })
try compare(
  "\(some) read in batches",
  {
    let context = try makeContext()
    let people = try context.fetch(Person.self, where: "id <= ?", [some])
    return try time { try context.load(people) }
  },
  {
    try time {
      for start in stride(from: 1, to: some, by: 500) {
        let keys = (start..<start + 500).map(Int64.init)
        let rows = try database.read { try Plain.fetchAll($0, keys: keys) }
        precondition(rows.count == 500)
      }
    }
  })
try compare(
  "\(some) changed and saved",
  {
    let context = try makeContext()
    let people = try context.fetch(Person.self, where: "id <= ?", [some], isLoaded: true)
    return try time {
      for person in people { person.wage += 1 }
      try context.save()
    }
  },
  {
    var people = try database.read {
      try Plain.fetchAll($0, sql: "SELECT * FROM person WHERE id <= \(some)")
    }
    return try time {
      for index in people.indices {
        people[index].wage += 1
        people[index].version += 1
      }
      try database.write { database in
        for person in people { try person.update(database, columns: ["wage", "version"]) }
      }
    }
  })
try compare(
  "10 000 000 reads of an object that was read; of one of no context",
  {
    let context = try makeContext()
    let person = try context.fetch(Person.self, where: "id = 1", isLoaded: true)[0]
    return read(person)
  },
  { read(Person("n", 3)) })
let context = try makeContext()
let list = try context.objects(
  of: Person.self, .where(\.age, <, 32), [.ascending(\.age), .inSQLOrder(\.name)])
precondition(list.objects.count == listed)
nonisolated(unsafe) var told = 0
let token = list.observe(\.objects, options: [.old, .new]) { _, _ in told += 1 }
try compare(
  "one of \(listed) leaves a list that is live; the list is fetched again",
  {
    let person = list.objects[listed / 2], age = person.age, before = told
    let time = time { person.age = 99 }
    person.age = age
    precondition(told == before + 2)
    return time
  },
  {
    try time {
      let rows = try database.read {
        try Plain.fetchAll($0, sql: "SELECT * FROM person WHERE age < 32 ORDER BY age, name, id")
      }
      precondition(rows.count == listed)
    }
  })
token.invalidate()
