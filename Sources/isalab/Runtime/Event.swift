import CIsa

/// One event of the runtime's log, its names made symbolic when it happened.
struct Event: Hashable, Sendable {
  var id: UInt64
  /// The event in whose course this one happened; 0 for none.
  var cause: UInt64
  /// `isa-swapped`, `notification`, …
  var kind: String
  /// What happened, in words: `p: Person → NSKVONotifying_Person`.
  var text: String
}

/// What an observer was told, once.
struct Delivery: Hashable, Sendable {
  /// A value together with the encoding that it came in.
  struct Item: Hashable, Sendable {
    var value: Value
    var encoding: String
  }

  var observer: String
  var object: String
  var key: String
  var phase: NotificationPattern.Phase
  var kind: NotificationPattern.Kind
  var indexes: [UInt]?
  /// Whether the observer was told on another thread than the scenario's.
  var isElsewhere: Bool
  var old: Item?
  var new: Item?
  var context: UInt
}

/// How an object's class answers a selector.
struct ImplementationView: Hashable, Sendable {
  enum Kind: String, CaseIterable, Hashable, Sendable {
    case method, thunk, closure
  }

  var selector: String
  var kind: Kind
  /// The class that declares the method.
  var owner: String
  /// What a wrapper calls between will and did: `-[Person setAge:]`.
  var original: String?
  var address: UInt

  var name: String {
    switch kind {
    case .method: "-[\(owner) \(selector)]"
    case .thunk: "thunk[\(selector)]"
    case .closure: "closure[\(selector)]"
    }
  }
}
