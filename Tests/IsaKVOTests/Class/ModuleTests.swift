import IsaKVO
import IsaKVOTestModels
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNoObjects)
struct ModuleTests {
  @Test("a class observes what it inherits from a class of another module")
  func inherited() throws {
    let truck = Truck(), notes = Recorder<String>()
    var tokens: [KeyValueObservation] = []
    tokens.append(truck.observe(\.speed, options: [.old, .new]) { notes.add(oldToNew($1)) })
    tokens.append(truck.observe(\.gear, options: [.old, .new]) { notes.add(oldToNew($1)) })
    tokens.append(truck.observe(\.load, options: [.old, .new]) { notes.add(oldToNew($1)) })
    tokens.append(truck.observe(\.summary, options: [.old, .new]) { notes.add(oldToNew($1)) })
    tokens.append(
      truck.observe(\.engine.heat, options: [.old, .new]) { notes.add(oldToNew($1)) })
    truck.speed = 5
    truck.shift()
    truck.load = 2
    truck.engine.heat = 30
    truck.name = "big"
    #expect(
      notes.all.sorted() == [
        "0 → 2", "0 → 5", "1 → 2", "20.0 → 30.0", "truck vehicle at 0 → truck vehicle at 5",
        "truck vehicle at 5 → truck BIG at 5",
      ])
    #expect(try RuntimeObject(truck).isa.original.superclass?.name == "IsaKVOTestModels.Vehicle")
  }

  @Test("a generic class of another module is observed with this module's types")
  func generic() throws {
    let slot = TruckSlot(Truck()), notes = Recorder<String>()
    let token = slot.observe(\.content.load, options: [.old, .new]) { notes.add(oldToNew($1)) }
    slot.content.load = 1
    let other = Truck()
    other.load = 7
    slot.content = other
    #expect(notes.all == ["0 → 1", "1 → 7"])
    withExtendedLifetime(token) {}
  }
}

private func oldToNew<Value>(_ change: ValueChange<Value>) -> String {
  "\(change.oldValue!) → \(change.newValue!)"
}

private final class Truck: Vehicle {
  @Dynamic var load = 0

  override var name: String {
    get { "truck " + super.name }
    set { super.name = newValue.uppercased() }
  }
}

private final class TruckSlot: Slot<Truck> {}
