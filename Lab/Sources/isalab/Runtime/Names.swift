import IsaRuntime

/// Symbolic names for what the runtime knows by address, so that output is the same in every run.
///
/// A dead object keeps its name, for what is told of it afterwards, until its address serves another.
final class Names: NameSource {
  private var objects: [UInt: String] = [:]
  /// The numbers of the objects that live.
  private var living: [UInt: Int] = [:]
  /// How many of them have each name.
  private var bearers: [String: Int] = [:]
  /// The addresses of all objects that were named, and the objects that died, one after another.
  private(set) var named: [UInt] = []
  private(set) var dead: [Living] = []
  /// The classes with which they were made.
  private var births: [UInt: String] = [:]
  private var observers: [UInt: String] = [:]
  /// The names of observers when they were registered: one that is an object may be dead when its
  /// registration goes, and its address another's.
  private var registered: [UInt: String] = [:]
  private var made = 0
  /// How many objects inside each other are being put into words.
  private var depth = 0
  /// How many more of them are.
  private var room = 0

  /// Names an object for the rest of its life; answers its number, as `obj#1`.
  @discardableResult
  func add(_ object: RuntimeObject, as name: String) -> String {
    made += 1
    objects[object.address] = name
    living[object.address] = made
    bearers[name, default: 0] += 1
    named.append(object.address)
    births[object.address] = self.name(of: object.isa)
    return "obj#\(made)"
  }

  func isNamed(_ address: UInt) -> Bool { objects[address] != nil }

  /// Forgets which object or observer was at the address of a new one before.
  func forget(_ address: UInt) {
    objects[address] = nil
    observers[address] = nil
  }

  /// The class with which an object that lives was made.
  func birth(of address: UInt) -> String? { births[address] }

  /// Notes a death; answers the name of the object, if it has one.
  func noteDeath(of address: UInt) -> String? {
    if let dead = living(at: address) {
      bearers[dead.name, default: 1] -= 1
      self.dead.append(dead)
    }
    living[address] = nil
    return objects[address]
  }

  func addObserver(_ address: UInt, as name: String) { observers[address] = name }

  func name(of object: RuntimeObject) -> String { name(ofObject: object.address) }

  /// The name of the object at an address, which may be going.
  func name(ofObject address: UInt) -> String {
    objects[address]
      ?? indefinite(name(of: RuntimeObject(unsafeAddress: address).isa.original))
  }

  /// An observer object's name, or a function's.
  func name(ofObserver address: UInt?) -> String {
    address.flatMap { observers[$0] ?? objects[$0] } ?? "an observer"
  }

  /// Whether an observer is of the scenario; the runtime's own are not.
  func isKnown(observer address: UInt?) -> Bool {
    address.map { observers[$0] != nil || objects[$0] != nil } ?? false
  }

  func noteRegistration(of address: UInt?) {
    if let address { registered[address] = name(ofObserver: address) }
  }

  /// The name that an observer had when it was registered.
  func name(ofRegistered address: UInt?) -> String {
    address.flatMap { registered[$0] } ?? name(ofObserver: address)
  }

  /// An object with a name that still lives.
  struct Living {
    var address: UInt
    var name: String
    var symbol: String
    fileprivate var number: Int
  }

  var livingCount: Int { living.count }

  func living(at address: UInt) -> Living? {
    living[address].flatMap { number in
      objects[address].map {
        Living(address: address, name: $0, symbol: "obj#\(number)", number: number)
      }
    }
  }

  /// The objects with a name that still live, released ones that others hold included, in the order
  /// in which they were named.
  var namedObjects: [Living] { living(at: living.keys) }

  /// Those at some addresses, in that order.
  func living(at addresses: some Sequence<UInt>) -> [Living] {
    addresses.compactMap(living(at:)).sorted { $0.number < $1.number }
  }

  /// Whether an object that was given this name still lives.
  func isAlive(_ name: String) -> Bool { bearers[name, default: 0] > 0 }

  func name(of cls: RuntimeClass) -> String { className(cls.name, isMetaclass: cls.isMetaclass) }

  func className(_ name: String, isMetaclass: Bool) -> String {
    let name = SwiftView.shownName(of: name)
    return isMetaclass ? name.metaclassName : name
  }

  /// A text of the runtime's with symbols in the place of addresses.
  func symbolic(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.range(ofHexadecimal: "0x") {
      result += rest[..<start.lowerBound] + symbol(ofAddress: rest[start].dropFirst(2))
      rest = rest[start.upperBound...]
    }
    return result + rest
  }

  private func symbol(ofAddress digits: Substring) -> String {
    guard let word = UInt(digits, radix: 16) else { return "0x" + digits }
    return objects[word] ?? observers[word] ?? (word < 4096 ? "0x" + digits : "0x…")
  }

  // MARK: NameSource

  /// A collection may contain itself, or one twice that contains another twice: after a thousand
  /// values the rest is dots.
  func nested(_ body: () -> Value) -> Value {
    if depth == 0 { room = 1000 }
    guard depth < Lexer.deepestNesting, room > 0 else { return .name("…") }
    depth += 1
    room -= 1
    defer { depth -= 1 }
    return body()
  }
}

/// A noun with its article.
func indefinite(_ noun: String) -> String {
  let vowels: Set<Character> = ["A", "E", "I", "O", "U", "a", "e", "i", "o", "u"]
  return (noun.first.map { vowels.contains($0) } == true ? "an " : "a ") + noun
}

extension Substring {
  /// The next `0x…` with at least one digit behind it.
  fileprivate func range(ofHexadecimal prefix: String) -> Range<Index>? {
    var start = startIndex
    while let found = self[start...].firstRange(of: prefix) {
      let digits = self[found.upperBound...].prefix { $0.isHexDigit }
      if !digits.isEmpty { return found.lowerBound..<digits.endIndex }
      start = found.upperBound
    }
    return nil
  }
}
