import Foundation
import Plant
import Testing

@MainActor
@Suite("What people enter")
struct EditTests {
  let plant: Plant
  let machine: Machine

  init() throws {
    plant = try Plant("Works", machines: ["One"])
    machine = try #require(plant.machine(1))
  }

  @Test("a value is set by its key path")
  func sets() throws {
    try plant.set("name", to: .text("Mill"))
    try plant.set("isRunning", to: .truth(false))
    try plant.set("settings.target", ofMachine: 1, to: .number(90))
    #expect(plant.name == "Mill")
    #expect(!plant.isRunning)
    #expect(machine.settings.target == 90)
  }

  @Test("validation replaces a value by one that is right")
  func replaces() throws {
    try plant.set("settings.target", ofMachine: 1, to: .number(900))
    try plant.set("name", ofMachine: 1, to: .text("  Two "))
    #expect(machine.settings.target == 200)
    #expect(machine.name == "Two")
  }

  @Test(
    "a value that is wrong is refused with a reason, and nothing changes",
    arguments: [
      ("settings.target", Entry.number(-1), "A target is 0 or more."),
      ("settings.limit", .number(10), "A limit is from 20 to 150 °C."),
      ("settings.limit", .nothing, "A value is missing."),
      ("name", .text("  "), "A name has 1 to 30 characters."),
      ("name", .text(String(repeating: "x", count: 31)), "A name has 1 to 30 characters."),
    ])
  func refuses(keyPath: String, entry: Entry, reason: String) {
    let refusal = #expect(throws: Refusal.self) {
      try plant.set(keyPath, ofMachine: 1, to: entry)
    }
    #expect(refusal?.description == reason)
    #expect(refusal?.isUnknown == false)
    #expect(machine.name == "One")
    #expect(machine.settings.target == 60)
    #expect(machine.settings.limit == 70)
  }

  @Test(
    "a value of another type is refused",
    arguments: [
      ("settings.target", Entry.text("fast"), "That is no number."),
      ("settings.target", .truth(true), "That is no number."),
      ("settings.target", .number(1.5), "That is no whole number."),
      ("settings.target", .number(1e300), "That is no whole number."),
      ("settings.limit", .truth(true), "That is no number."),
      ("name", .number(1), "That is no text."), ("name", .truth(true), "That is no text."),
      ("isOn", .text("maybe"), "That is neither on nor off."),
      ("isOn", .number(3), "That is neither on nor off."),
    ])
  func refusesTypes(keyPath: String, entry: Entry, reason: String) {
    let refusal = #expect(throws: Refusal.self) {
      try plant.set(keyPath, ofMachine: 1, to: entry)
    }
    #expect(refusal?.description == reason)
    #expect(machine.name == "One" && machine.isOn)
    #expect(machine.settings.target == 60 && machine.settings.limit == 70)
  }

  @Test(
    "a property that is not to be set is not set, though key-value coding could",
    arguments: ["bottles", "settings", "state", "isa", "settings.target.x"])
  func protects(keyPath: String) throws {
    let refusal = #expect(throws: Refusal.self) {
      try plant.set(keyPath, ofMachine: 1, to: .number(1))
    }
    #expect(refusal?.isUnknown == true)
    #expect(machine.bottles == 0)
  }

  @Test("a machine that is not there is unknown")
  func unknown() {
    let refusal = #expect(throws: Refusal.self) {
      try plant.set("name", ofMachine: 2, to: .text("x"))
    }
    #expect(refusal?.isUnknown == true)
    #expect(throws: Refusal.self) { try plant.remove(2) }
  }

  @Test("an entry is any JSON that is one value")
  func decodes() throws {
    let entries = try JSONDecoder().decode([Entry].self, from: Data(#"[null,true,1.5,"x"]"#.utf8))
    #expect(entries == [.nothing, .truth(true), .number(1.5), .text("x")])
  }
}
