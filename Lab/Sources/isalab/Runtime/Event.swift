import IsaRuntime

/// One event of the runtime's log, its names made symbolic when it happened.
struct Event: Hashable, Sendable, Codable {
  typealias Kind = RuntimeEventKind
  typealias Reason = RuntimeRemovalReason

  /// 1, 2, 3, … in the order of the run.
  var id: UInt64
  /// The event in whose course this one happened; 0 for none.
  var cause: UInt64
  /// 1, 2, 3, … in the order in which threads came to the run.
  var thread: Int
  var kind: Kind
  var object: String?
  /// The class that the event is about; of a swap, the new one.
  var className: String?
  /// Of a class, its superclass; of a swap, the class before.
  var otherClass: String?
  var selector: String?
  /// The key or key path; of a method, its type encoding; of a misuse, its reason.
  var name: String?
  var observer: String?
  /// The wrapper, `thunk[setAge:]`, and what it goes around, `-[Person setAge:]`.
  var wrapper: String?
  var original: String?
  /// Whether the wrapper is a libffi trampoline.
  var isClosure = false
  /// The value that was read or written, whether it is the one before the change, and how many
  /// registrations asked for it.
  var value: Value?
  var isOld = false
  var count = 0
  var phase = NotificationPattern.Phase.change
  /// Whether the observer is the runtime's own: a link of a key path or of a dependent key.
  var isForwarder = false
  var reason = Reason.call
  /// What it changed.
  var change = StateChange()
}

/// One notification of an observer.
struct Delivery: Hashable, Sendable, Codable {
  /// A value together with the encoding that it came in.
  struct Item: Hashable, Sendable, Codable {
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
  /// The notification in the event log; 0 if it is not there.
  var event: UInt64
}

/// How an object's class answers a selector.
struct ImplementationView: Hashable, Sendable, Codable {
  enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    case method, thunk, closure
  }

  var selector: String
  var kind: Kind
  /// The class that declares the method.
  var owner: String
  /// The code that a wrapper calls between will and did: `-[Person setAge:]`.
  var original: String?
  var types: String
  var address: UInt

  var name: String {
    switch kind {
    case .method:
      owner.classOfMetaclass.map { "+[\($0) \(selector)]" } ?? "-[\(owner) \(selector)]"
    case .thunk: "thunk[\(selector)]"
    case .closure: "closure[\(selector)]"
    }
  }
}

extension RuntimeEventKind: Codable {
  /// The kinds that the lab shows: each step of the runtime. What has ended follows from the order of
  /// the steps, and scenarios hold, mute and send nothing.
  static let shown = allCases.filter { $0.rawValue <= dependentReached.rawValue }
}
extension RuntimeRemovalReason: Codable {}
