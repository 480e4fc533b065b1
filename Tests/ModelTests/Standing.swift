/// One that stands in a node's list: a registration, or the forwarder that one has there.
final class Standing {
  /// The duty when the last of its keys, or whatever affects it, changes.
  enum Duty {
    /// Tells the observer.
    case tell(Registration)
    /// Passes the change on as it is: its keys are the rest of those of another.
    case forward(Standing)
    /// Announces a change of another, one of whose keys depends on this path.
    case affect(Standing, path: [Key])
    /// Has a key path evaluated that has read its key.
    case evaluate(Evaluation)
  }

  let node: Int
  let keys: ArraySlice<Key>
  let options: Options
  let duty: Duty
  /// By the number of the link.
  var forwarders: [Int: Standing] = [:]
  var stands = false
  var hasEnded = false

  init(node: Int, keys: ArraySlice<Key>, options: Options, duty: Duty) {
    self.node = node
    self.keys = keys
    self.options = options
    self.duty = duty
  }

  var first: Key { keys[keys.startIndex] }

  /// Whether it listens to just this key; else it is told of a setting, with whole values.
  func isExact(_ key: Key) -> Bool { keys.count == 1 && first == key }

  /// A key behind whose value a forwarder stands, and what that one listens to.
  struct Link {
    let key: Key
    let rest: ArraySlice<Key>
    /// The declared path that the forwarder stands for; nil if it is the rest of the own keys.
    let path: [Key]?
  }

  /// The own keys, then the paths that the first of them depends on.
  var links: [Link] {
    var links: [Link] = []
    let rest = keys.dropFirst()
    if let next = rest.first, next != .counting {
      links.append(Link(key: first, rest: rest, path: nil))
    }
    for path in Dependences[first].paths {
      links.append(Link(key: path[0], rest: path.dropFirst(), path: path))
    }
    return links
  }

  /// The registration that it is, or serves.
  var root: (registration: Registration, isForwarder: Bool) {
    switch duty {
    case .tell(let registration): (registration, false)
    case .forward(let other), .affect(let other, _): (other.root.registration, true)
    case .evaluate(let evaluation): (evaluation.registration, true)
    }
  }

  /// The key path that it hears for, if it is evaluated.
  var evaluation: Evaluation? {
    if case .evaluate(let evaluation) = duty { return evaluation }
    return nil
  }

  /// Lets go of those that hold it in turn.
  func letGo() {
    forwarders = [:]
    evaluation?.heard = [:]
  }

  /// Registrations of one observer object that differ in nothing stand for one another.
  func isEqual(to other: Standing) -> Bool {
    guard case .tell(let own) = duty, case .tell(let its) = other.duty else { return false }
    guard case .object = own.observer else { return false }
    return own == its
  }
}

/// A registration whose key path is evaluated.
final class Evaluation {
  let registration: Registration
  /// Those that hear of the keys read the last time, and of the kept ones.
  var heard: [Read: Standing] = [:]
  /// The properties that the last evaluation has read, in order.
  var latest: [Answer] = []
  /// The properties that the one before has read, and the last one has not: a change of one is not
  /// told, and ends its being heard.
  var kept: Set<Read> = []
  /// The changes of that which are announced and not ended, and the value before; latest last.
  var announced: [(read: Read, old: Value)] = []
  var hasEnded = false

  init(_ registration: Registration) { self.registration = registration }

  /// A property that was read.
  struct Read: Hashable {
    let node: Int
    let key: Key
  }

  /// A property that was read, and the node that it led to.
  struct Answer: Equatable {
    let read: Read
    let value: Int?
  }
}

/// A change of one key of one node, from its announcement to its end.
final class Change {
  enum Shape {
    case setting
    case ordered(OrderedChange)
    case unordered(SetChange)
  }

  let node: Int
  let key: Key
  let shape: Shape
  /// Whom it concerns, in the order of their list when it was announced.
  var items: [Item] = []
  /// The dependents that forwarders have announced, by identity.
  var dependents: [ObjectIdentifier: Dependent] = [:]

  init(_ node: Int, _ key: Key, _ shape: Shape) {
    self.node = node
    self.key = key
    self.shape = shape
  }

  struct Item {
    let standing: Standing
    /// As far as it is known before the change.
    var told: Told
  }

  struct Dependent {
    var routes: [Standing]
    var old: Value?
  }
}

/// The contents of the notifications of a change.
struct Told {
  var kind: UInt32 = 1
  var old: Value?
  var new: Value?
  var indexes: [Int]?
}
