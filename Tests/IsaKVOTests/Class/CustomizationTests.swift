import IsaKVO
import IsaKVOTestSupport
import Testing

private class Vehicle: KVObject {
  @Dynamic var speed = 1
  @Dynamic var load = 1
}

private final class Car: Vehicle {}

private final class Truck: Vehicle, KeyValueCustomization {
  static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath> {
    key == \Vehicle.speed || key == \Truck.speed ? [\Truck.load] : []
  }

  static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool {
    key != \Vehicle.load && key != \Truck.load
  }
}

private final class Driver: KVObject {
  @Dynamic var vehicle: Vehicle

  init(_ vehicle: Vehicle) { self.vehicle = vehicle }
}

private final class Owner: KVObject {
  @Dynamic var vehicle: Vehicle?
}

/// Knows its properties by the key paths of the class that declares them, or by its own.
private final class Van: Vehicle, KeyValueCustomization {
  static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath> {
    switch key {
    case \Vehicle.speed: [\Vehicle.load]
    case \Van.load: [\Van.speed]
    default: []
    }
  }

  static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool { true }
}

// In processes of their own: where a class declares something, more is evaluated.
@Suite("Declarations by typed key paths", .serialized, .leavesNoObjects)
struct CustomizationTests {
  @Test("a class is asked by every typed call, the first one of the process too")
  func asked() async {
    await #expect(processExitsWith: .success) {
      let truck = Truck(), notes = Recorder<Void>()
      let token = truck.observe(\.speed) { _, _ in notes.add(()) }
      truck.load = 2
      #expect(notes.count == 0)
      truck.withChange(of: \.load) { truck.load = 3 }
      #expect(notes.count == 1)
      token.invalidate()
    }
  }

  @Test("a class is asked that a known key path leads to for the first time")
  func onTheWay() async {
    await #expect(processExitsWith: .success) {
      let driver = Driver(Car()), notes = Recorder<Void>()
      driver.observe(\.vehicle.speed) { _, _ in }.invalidate()
      let truck = Truck()
      truck.observe(\.load) { _, _ in }.invalidate()
      driver.vehicle = truck
      let token = driver.observe(\.vehicle.speed) { _, _ in notes.add(()) }
      truck.withChange(of: \.load) {}
      #expect(notes.count == 1)
      token.invalidate()
    }
  }

  @Test("a class is asked that the first key path of the process leads to")
  func registeredOnTheWay() async {
    await #expect(processExitsWith: .success) {
      let driver = Driver(Truck()), notes = Recorder<Void>()
      let token = driver.observe(\.vehicle.speed) { _, _ in notes.add(()) }
      driver.vehicle.withChange(of: \.load) {}
      #expect(notes.count == 1)
      token.invalidate()
    }
  }

  @Test("a known key path that unwraps by force may lead to nil where a class declares something")
  func forcedNil() async {
    await #expect(processExitsWith: .success) {
      let owner = Owner(), another = Owner(), notes = Recorder<Void>()
      owner.vehicle = Car()
      owner.observe(\.vehicle!.speed) { _, _ in }.invalidate()
      Truck().observe(\.load) { _, _ in }.invalidate()
      let token = another.observe(\.vehicle!.speed) { _, _ in notes.add(()) }
      another.vehicle = Car()
      #expect(notes.count == 1)
      token.invalidate()
    }
  }

  @Test("a class is asked by the key paths of both classes, its own observed first")
  func ownFirst() async {
    await #expect(processExitsWith: .success) { observeBoth(ownFirst: true) }
  }

  @Test("a class is asked by the key paths of both classes, the superclass's observed first")
  func inheritedFirst() async {
    await #expect(processExitsWith: .success) { observeBoth(ownFirst: false) }
  }
}

private func observeBoth(ownFirst: Bool) {
  let van = Van(), told = Recorder<String>()
  func own() -> [KeyValueObservation] {
    [
      van.observe(\.speed) { _, _ in told.add("own speed") },
      van.observe(\.load) { _, _ in told.add("own load") },
    ]
  }
  func inherited() -> [KeyValueObservation] {
    [(van as Vehicle).observe(\.speed) { _, _ in told.add("speed") }]
  }
  var tokens = ownFirst ? own() + inherited() : inherited() + own()
  tokens.append((van as Vehicle).observe(\.load) { _, _ in told.add("load") })
  van.load = 2
  #expect(told.take().sorted() == ["load", "own load", "own speed", "speed"])
  van.speed = 2
  #expect(told.take().sorted() == ["load", "own load", "own speed", "speed"])
  tokens.forEach { $0.invalidate() }
}
