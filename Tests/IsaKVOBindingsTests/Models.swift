import IsaKVO

class Citizen: KVObject {
  @Dynamic var name = "Ann"
  @Dynamic var age = 30
  @Dynamic var home: Home?
  @Dynamic var nickname: String?
  @Dynamic var tags: [String] = []

  override class var keys: [KeyDeclaration] {
    [
      .key(
        "age", \Citizen.age,
        validate: { _, age in
          if age < 0 { throw Refused() }
          age = min(age, 150)
        })
    ]
  }
}

struct Refused: Error {}

final class Home: KVObject {
  @Dynamic var city = "Bern"
}

class Field: KVObject {
  @Dynamic var text = ""
  @Dynamic var title = ""
  @Dynamic var number = 0
  @Dynamic var isOn = false
  @Dynamic var list: [String] = []
  var plain = "" { didSet { sets.append(plain) } }
  var sets: [String] = []
}

/// A field that alters what it is given.
final class TrimmingField: KVObject {
  @Dynamic var text = "" {
    didSet {
      let trimmed = String(text.drop { $0 == " " })
      if trimmed != text { text = trimmed }
    }
  }
}

/// A model that alters what it is given.
final class Dial: KVObject {
  @Dynamic var level = 0 { didSet { if level > 10 { level = 10 } } }
}

/// The values that a property is told to have, while the observation is kept.
final class ToldValues<Value> {
  var values: [Value] = []
  var token: KeyValueObservation?

  init<Root: KVObject>(_ object: Root, _ path: KeyPath<Root, Value>) {
    token = object.observe(path, options: .new) { [unowned self] _, change in
      values.append(change.newValue!)
    }
  }
}
