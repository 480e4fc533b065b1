import Company
import Foundation
import GRDB
import IsaKVO
import IsaRuntime
import Store
import Testing

/// A database in a folder of its own, which goes with it.
final class Shop {
  let folder: URL
  let database: DatabasePool

  init(people: Int = 3) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    database = try DatabasePool(path: folder.appending(path: "shop.sqlite").path)
    let context = try makeContext()
    let teams = [Team("Blue"), Team("Red")]
    for team in teams { try context.insert(team) }
    for number in 0..<people {
      try context.insert(Person("P\(number)", 20 + number, in: teams[number % 2]))
    }
    try context.save()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func makeContext() throws -> Context {
    let context = try Context(database, [Person.self, Team.self])
    context.onError = { Issue.record($0) }
    return context
  }

  func execute(_ sql: String) throws { try database.write { try $0.execute(sql: sql) } }

  func count(_ sql: String) throws -> Int {
    try database.read { try Int.fetchOne($0, sql: sql) ?? 0 }
  }
}

func isaName(_ object: KVObject) throws -> String { try RuntimeObject(object).isa.original.name }

/// What an observer was told.
final class Told: @unchecked Sendable {
  // Sendable because each test is on one thread.
  private(set) var all: [String] = []
  func add(_ text: String) { all.append(text) }
  func take() -> [String] {
    defer { all = [] }
    return all
  }
}
