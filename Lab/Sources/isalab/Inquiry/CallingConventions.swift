// Which registers a call uses: the System V convention of x86-64, and the one of 64-bit Arm.

/// System V, x86-64: a struct of up to 16 bytes goes by eights of bytes, each in a register of the
/// class that its scalars ask for; anything larger goes in memory.
struct SystemV {
  private var integers = ["rdi", "rsi", "rdx", "rcx", "r8", "r9"][...]
  private var vectors = (0..<8).map { "xmm\($0)" }[...]
  private var stack = 0

  enum Class: String {
    case integer = "INTEGER"
    case sse = "SSE"
    case x87 = "X87"
    case memory = "MEMORY"
  }

  /// One class for each eight bytes; only `memory` for what goes there; none for void.
  static func classes(of type: PassedType) -> [Class] {
    guard type.size > 0 else { return [] }
    if type.scalars.contains(where: { $0.letter == "D" }) {
      return type.scalars.count == 1 || type.encoding.hasPrefix("j") ? [.x87] : [.memory]
    }
    guard type.size <= 16 else { return [.memory] }
    return (0..<(type.size + 7) / 8).map { eight in
      let inside = type.scalars.filter { $0.offset / 8 == eight }
      return inside.allSatisfy(\.isFloat) ? .sse : .integer
    }
  }

  /// A result in memory takes the first register for its address.
  mutating func result(_ type: PassedType) -> SignatureRoad.Passage {
    let classes = SystemV.classes(of: type)
    if classes == [.memory] {
      let register = integers.removeFirst()
      return passage(classes, [Text("thunk.address-then", ["place": register])])
    }
    if classes == [.x87] {
      return passage(classes, names(type.scalars.count == 1 ? ["st0"] : ["st0", "st1"]))
    }
    var general = ["rax", "rdx"][...]
    var vector = ["xmm0", "xmm1"][...]
    return passage(
      classes, names(classes.map { $0 == .sse ? vector.removeFirst() : general.removeFirst() }))
  }

  mutating func argument(_ type: PassedType) -> SignatureRoad.Passage {
    let classes = SystemV.classes(of: type)
    let needed = classes.filter { $0 == .integer }.count
    let vector = classes.filter { $0 == .sse }.count
    let isRegister = needed + vector == classes.count
    guard isRegister, needed <= integers.count, vector <= vectors.count else {
      // No part of a value goes in registers if the whole does not.
      return passage(isRegister ? classes : [.memory], [Text(same: push(type))])
    }
    return passage(
      classes, names(classes.map { $0 == .sse ? vectors.removeFirst() : integers.removeFirst() }))
  }

  private mutating func push(_ type: PassedType) -> String {
    let alignment = max(type.alignment, 8)
    stack = (stack + alignment - 1) / alignment * alignment
    defer { stack += (type.size + 7) / 8 * 8 }
    return "stack+\(stack)"
  }

  private func passage(_ classes: [Class], _ places: [Text]) -> SignatureRoad.Passage {
    SignatureRoad.Passage(classes: classes.map(\.rawValue), places: places)
  }
}

/// The procedure call standard of 64-bit Arm: up to four floating-point members of one type go in
/// as many vector registers; any other struct of up to 16 bytes in general ones; a larger one is
/// copied and its address passed.
struct Arm64 {
  private var general = (0..<8).map { "x\($0)" }[...]
  private var vectors = Array(0..<8)[...]
  private var stack = 0

  /// The letter that all members have, if they are one to four floating-point numbers of one type.
  static func homogeneousLetter(of type: PassedType) -> Character? {
    guard let letter = type.scalars.first?.letter, (1...4).contains(type.scalars.count),
      type.scalars.allSatisfy({ $0.isFloat && $0.letter == letter })
    else { return nil }
    return letter
  }

  func result(_ type: PassedType) -> SignatureRoad.Passage {
    if type.size == 0 { return SignatureRoad.Passage(classes: [], places: []) }
    if let letter = Arm64.homogeneousLetter(of: type) {
      let places = names(type.scalars.indices.map { Arm64.register($0, letter) })
      return SignatureRoad.Passage(classes: [name(type)], places: places)
    }
    guard type.size <= 16 else {
      return SignatureRoad.Passage(classes: ["MEMORY"], places: [Text("thunk.address-in-x8")])
    }
    let places = names(type.size > 8 ? ["x0", "x1"] : ["x0"])
    return SignatureRoad.Passage(classes: ["INTEGER"], places: places)
  }

  mutating func argument(_ type: PassedType) -> SignatureRoad.Passage {
    if let letter = Arm64.homogeneousLetter(of: type) {
      guard type.scalars.count <= vectors.count else {
        vectors = []
        return SignatureRoad.Passage(
          classes: [name(type)], places: [Text(same: push(type.size, type.alignment))])
      }
      let places = names(
        type.scalars.map { _ in Arm64.register(vectors.removeFirst(), letter) })
      return SignatureRoad.Passage(classes: [name(type)], places: places)
    }
    guard type.size <= 16 else {
      let place = general.popFirst() ?? push(8, 8)
      return SignatureRoad.Passage(
        classes: ["MEMORY"], places: [Text("thunk.address-in", ["place": place])])
    }
    let count = (type.size + 7) / 8
    guard count <= general.count else {
      general = []
      return SignatureRoad.Passage(
        classes: ["INTEGER"], places: [Text(same: push(type.size, type.alignment))])
    }
    let places = names((0..<count).map { _ in general.removeFirst() })
    return SignatureRoad.Passage(classes: ["INTEGER"], places: places)
  }

  private func name(_ type: PassedType) -> String { type.isComposite ? "HFA" : "FLOAT" }

  private static func register(_ number: Int, _ letter: Character) -> String {
    (letter == "f" ? "s" : letter == "d" ? "d" : "q") + "\(number)"
  }

  private mutating func push(_ size: Int, _ alignment: Int) -> String {
    let alignment = max(alignment, 8)
    stack = (stack + alignment - 1) / alignment * alignment
    defer { stack += (size + 7) / 8 * 8 }
    return "stack+\(stack)"
  }
}

/// Registers, which are called the same in every language.
private func names(_ registers: [String]) -> [Text] { registers.map(Text.init(same:)) }
