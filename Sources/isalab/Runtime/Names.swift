import CIsa

/// Symbolic names for what the runtime knows by address, so that output is the same in every run.
final class Names: NameSource {
  private var objects: [UInt: (name: String, symbol: String)] = [:]
  private var observers: [UInt: String] = [:]
  private var made = 0
  /// The class of text objects, whose value is their text.
  var textClass: isa_class?

  /// Names an object for the rest of its life; answers its number, as `obj#1`.
  @discardableResult
  func add(_ object: isa_id, as name: String) -> String {
    made += 1
    let symbol = "obj#\(made)"
    objects[UInt(bitPattern: object)] = (name, symbol)
    return symbol
  }

  /// Forgets an object, whose address may now serve another.
  func remove(_ object: isa_id) { objects[UInt(bitPattern: object)] = nil }

  func addObserver(_ address: UnsafeRawPointer, as name: String) {
    observers[UInt(bitPattern: address)] = name
  }

  func name(of object: isa_id) -> String {
    if let known = objects[UInt(bitPattern: object)] { return known.name }
    return "a " + String(cString: isa_class_name(kvo_class_original(isa_object_get_class(object))))
  }

  /// An observer object's name, or a function's.
  func name(ofObserver address: UnsafeRawPointer?) -> String {
    let word = UInt(bitPattern: address)
    return observers[word] ?? objects[word]?.name ?? "an observer"
  }

  /// Whether an object that was given this name still lives.
  func isAlive(_ name: String) -> Bool { objects.values.contains { $0.name == name } }

  func knows(_ object: isa_id) -> Bool { objects[UInt(bitPattern: object)] != nil }

  func className(_ cls: isa_class) -> String {
    let name = String(cString: isa_class_name(cls))
    return isa_class_is_metaclass(cls) ? "metaclass of \(name)" : name
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
    return objects[word]?.name ?? observers[word] ?? (word < 4096 ? "0x" + digits : "0x…")
  }

  // MARK: NameSource

  func value(ofObject word: UInt) -> Value {
    guard let object = isa_id(bitPattern: word) else { return .nothing }
    if let textClass, !knows(object), isa_object_is_kind_of(object, textClass) {
      return .text(TextObject.text(of: object))
    }
    return .name(name(of: object))
  }

  func name(ofClass word: UInt) -> String {
    isa_class(bitPattern: word).map { className($0) } ?? "nil"
  }

  func name(ofSelector word: UInt) -> String {
    isa_sel(bitPattern: word).map { String(cString: isa_sel_name($0)) } ?? "nil"
  }
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
