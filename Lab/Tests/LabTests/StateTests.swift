import Testing

@testable import isalab

@Suite("The state after each step", .serialized, .oneAtATime)
struct StateTests {
  private static let lines = """
    class Person {
      name: string
      age: int
      friend: object weak
    }
    let ada = Person()
    let bob = Person()
    ada.friend = bob
    observe ada.age options(old) as watcher
    ada.age = 36
    will ada.age
    release bob
    """

  private func states() throws -> [WorldState] { try steps(StateTests.lines).map(\.state) }

  @Test("has the objects in the order in which they were made, and their ivars")
  func objects() throws {
    let states = try states()
    #expect(states[2].objects.map(\.name) == ["ada", "bob"])
    #expect(states[2].objects.map(\.symbol) == ["obj#1", "obj#2"])
    let ada = try #require(states[5].object("ada"))
    #expect(ada.ivars.map(\.name) == ["_name", "_age", "_friend"])
    #expect(ada.ivars.map(\.value) == [.nothing, .integer(36), .name("bob")])
    #expect(ada.ivars.map(\.owner) == ["Person", "Person", "Person"])
    #expect(ada.ivars.map(\.isWeak) == [false, false, true])
    #expect(ada.ivars[0].offset == 16)
  }

  @Test("tells the isa from what the object claims, and where its count stands")
  func isa() throws {
    let states = try states()
    #expect(states[3].object("ada")?.isa == "Person")
    let ada = try #require(states[4].object("ada"))
    #expect(ada.isa == "NSKVONotifying_Person")
    #expect(ada.claim == "Person")
    #expect(ada.record == .side)
    #expect(states[2].object("bob")?.record == .count)
    #expect(ada.retainCount == 1)
  }

  @Test("has class pairs with their method tables")
  func classes() throws {
    let last = try #require(try states().last)
    let notifying = try #require(last.cls("NSKVONotifying_Person"))
    #expect(notifying.isNotifying && notifying.original == "Person")
    #expect(notifying.superclass == "Person")
    #expect(notifying.methods.contains { $0.name == "thunk[setAge:]" && $0.types == "v@:i" })
    #expect(notifying.metaclass.superclass == "metaclass of Person")
    #expect(last.lineage(of: "Person").map(\.name) == ["Person", "IsaObject"])
    let getter = last.implementation("age", in: "NSKVONotifying_Person")
    #expect(getter?.owner == "Person")
  }

  @Test("has registrations, pending changes and no dead object")
  func life() throws {
    let states = try states()
    let ada = try #require(states[6].object("ada"))
    #expect(ada.registrations.map(\.observer) == ["watcher"])
    #expect(states[5].object("ada")?.pending == [])
    #expect(ada.pending.map(\.key) == ["age"])
    let end = try #require(states.last)
    #expect(end.object("bob") == nil)
    #expect(end.object("ada")?.ivars.last?.value == .nothing)
  }
}
