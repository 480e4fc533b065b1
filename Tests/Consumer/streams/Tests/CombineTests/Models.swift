import IsaKVO
import IsaKVOCombine

final class Address: KVObject {
  @Dynamic var city: String

  init(_ city: String) { self.city = city }
}

class Person: KVObject, ObservableKVObject {
  @Dynamic var name = "Ada"
  @Dynamic var age = 1
  @Dynamic var pets: [String] = []
  @Dynamic var address = Address("London")
  @Dynamic var second: Address?
  var plain = 0
  var shadow = 0

  var title: String { "\(name), \(age)" }
  var label: String { "<\(name)>" }
  /// A property whose changes are announced.
  var announced: Int {
    get { shadow }
    set { withChange(of: \.announced) { shadow = newValue } }
  }

  override class var keys: [KeyDeclaration] {
    [
      .key("announced", \Person.announced, notifiesAutomatically: false),
      .key("label", \Person.label, affectedBy: [\Person.name]),
    ]
  }
}

final class Pupil: Person {
  @Dynamic var grade = 1
}

@MainActor
final class Screen: KVObject, ObservableKVObject {
  @Dynamic var count = 0
  @Dynamic var text = ""
}
