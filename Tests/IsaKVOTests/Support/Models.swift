import IsaKVO

/// Classes that the tests of KVObject share.
class Place: KVObject {
  @Dynamic var city = "Paris"
  @Dynamic var zip: Int? = 75
  @Dynamic var owner: Human?
  var unwrapped = 1
}

enum Color: Int { case red, green, blue }

enum Size: String { case small, large }

struct Spot: Equatable { var x = 1.0, y = 2.0 }

protocol Shape {}

struct Circle: Shape, Equatable { var radius = 1.0 }

final class Plain { var text = "plain" }

class Human: KVObject {
  @Dynamic var name = "Ann"
  @Dynamic var last = "Lee"
  @Dynamic var age = 1
  @Dynamic var small: Int8 = 1
  @Dynamic var ratio = 0.5
  @Dynamic var single: Float = 0.5
  @Dynamic var isGood = true
  @Dynamic var wide: UInt64 = 1
  @Dynamic var color = Color.red
  @Dynamic var size = Size.small
  @Dynamic var spot = Spot()
  @Dynamic var shape: any Shape = Circle()
  @Dynamic var place: Place?
  @Dynamic var home = Place()
  @Dynamic var plain = Plain()
  @Dynamic var count: Int?
  @Dynamic var nested: Int??
  @Dynamic var list: [Int] = [1]
  @Dynamic var friends: [Human] = []
  @Dynamic var tags: Set<String> = []
  @Dynamic var info: [String: Int] = [:]
  @Dynamic var work: () -> Int = { 1 }
  @Dynamic private(set) var code = 7
  @LazyDynamic var report = Human.render()
  @WeakDynamic var boss: Human?
  let office = Place()
  var unwrapped = 3

  var full: String { name + " " + last }
  var greeting: String { "Hi " + full }
  var isAdult: Bool { age >= 18 }
  var hasPlace: Bool { place != nil }

  func setCode(_ value: Int) { code = value }

  nonisolated(unsafe) static var renders = 0
  private static func render() -> String {
    renders += 1
    return "report"
  }
}

final class Worker: Human {
  @Dynamic var wage = 10.0
}

class Cell<Value>: KVObject {
  @Dynamic var value: Value

  init(_ value: Value) { self.value = value }
}

final class NamedCell: Cell<String> {
  @Dynamic var label = "cell"
}
