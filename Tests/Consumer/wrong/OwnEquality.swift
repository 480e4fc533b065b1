import IsaKVO

// error below: redundant conformance of 'Coin' to protocol 'Hashable'
class Coin: KVObject, Hashable {
  @Dynamic var cents = 1

  static func == (first: Coin, second: Coin) -> Bool { first.cents == second.cents }
  // error below: overriding non-open instance method outside of its defining module
  // error below:  instance method 'hash(into:)' is declared in extension of 'KVObject' and cannot be overridden
  func hash(into hasher: inout Hasher) { hasher.combine(cents) }
}

class Item: KVObject {
  // error below: overriding declaration requires an 'override' keyword
  @Dynamic var description = ""
}

class Note: KVObject {
  // error below: property 'description' with attached wrapper cannot override another property
  // error below: cannot override with a stored property 'description'
  @Dynamic override var description = ""
}
