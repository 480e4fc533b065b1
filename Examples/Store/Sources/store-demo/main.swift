// A list of people in teams that is filtered, edited, undone and saved, while another process writes.
import Company
import Foundation
import GRDB
import IsaKVO
import IsaRuntime
import Store

/// Saves rounds of changes for ever: for trials that kill it.
func write(_ path: String) throws -> Never {
  let context = try Context(DatabasePool(path: path), [Person.self, Team.self])
  if try context.fetch(Person.self).isEmpty {
    for number in 0..<200 { try context.insert(Person("P\(number)", 0)) }
    try context.save()
  }
  let people = try context.fetch(Person.self, isLoaded: true)
  FileHandle.standardOutput.write(Data("s".utf8))
  while true {
    for person in people { person.age += 1 }
    try context.save()
  }
}

/// What another process does meanwhile.
func interfere(_ path: String) throws {
  let context = try Context(DatabasePool(path: path), [Person.self, Team.self])
  try context.fetch(Person.self, where: "name = ?", ["Cleo"])[0].age = 61
  try context.insert(Person("Dora", 44, in: context.fetch(Team.self)[1]))
  try context.save()
}

func runInterference(_ path: String) throws {
  let process = Process()
  process.executableURL = Bundle.main.executableURL
  process.arguments = ["--interfere", path]
  try process.run()
  process.waitUntilExit()
  if process.terminationStatus != 0 { throw StoreError.foreign(object: nil) }
}

func demonstrate(_ path: String) throws {
  let context = try Context(DatabasePool(path: path), [Person.self, Team.self])
  let blue = Team("Blue"), red = Team("Red")
  for team in [blue, red] { try context.insert(team) }
  for (name, age, team) in [("Ann", 31, blue), ("Bob", 17, blue), ("Cleo", 60, red)] {
    try context.insert(Person(name, age, in: team))
  }
  try context.save()
  print(
    "saved: \(blue.members.map(\.name)) in \(blue.name), \(red.members.map(\.name)) in \(red.name)")

  let adults = try context.objects(of: Person.self, .where(\.age, >=, 18), [.inSQLOrder(\.name)])
  let rows = adults.observe(\.objects, options: [.old, .new]) { _, change in
    let names = (change.newValue ?? change.oldValue ?? []).map(\.name)
    print("  list: \(change.kind) at \(change.indexes ?? []): \(names)")
  }
  let state = context.observe(\.hasChanges, options: .new) {
    print("  hasChanges: \($1.newValue!)")
  }
  print("adults: \(adults.objects.map(\.name))")

  let bob = blue.members[1]
  print("\nBob is 18, and changes teams")
  context.performChanges {
    bob.age = 18
    bob.team = red
  }
  print("Red is \(red.members.map(\.name)); Bob's changes: \(bob.changedKeys)")
  print("\nundo")
  context.undo()
  print("Red is \(red.members.map(\.name)); Bob is \(bob.age)")
  print("\nredo, and save")
  context.redo()
  try context.save()

  print("\nanother process makes Cleo 61, and inserts Dora; here Cleo gets 62")
  try runInterference(path)
  let cleo = try context.fetch(Person.self, where: "name = ?", ["Cleo"])[0]
  cleo.age = 62
  do { try context.save() } catch { print("save: \(error)") }
  print("\nroll back, and take what the others have written")
  context.rollback()
  try context.refresh()
  print("Cleo is \(cleo.age); adults: \(adults.objects.map(\.name))")

  print("\na fault, in a context of its own")
  let other = try Context(DatabasePool(path: path), [Person.self, Team.self])
  let fault = try other.fetch(Person.self, where: "name = ?", ["Ann"])[0]
  func isa() throws -> String { try RuntimeObject(fault).isa.name }
  print("its class is \(type(of: fault)), its isa \(try isa())")
  let token = fault.observe(\.name) { _, _ in }
  print("observed: \(try isa())")
  print("its name is \(fault.name)")
  print("and now: \(try isa())")
  for token in [rows, state, token] { token.invalidate() }
}

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "--write": try write(arguments[2])
case "--interfere": try interfere(arguments[2])
default:
  let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try demonstrate(folder.appending(path: "company.sqlite").path)
}
