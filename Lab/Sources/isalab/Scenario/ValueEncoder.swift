/// The source of words for the names and texts in a literal; answers are machine words.
protocol WordSource {
  func word(ofObject name: String) -> UInt?
  func word(ofClass name: String) -> UInt?
  func word(ofSelector name: String) -> UInt
  /// A text object; whoever implements this keeps it alive as long as it is needed.
  func word(ofText text: String) -> UInt
  /// Characters with a zero behind them; kept alive likewise.
  func word(ofCString text: String) -> UInt
  /// A number as an object.
  func word(boxing bytes: [UInt8], types: String) -> UInt
  func word(ofCollection elements: [UInt], _ type: CollectionType) -> UInt
  func word(ofDictionary entries: [(key: UInt, value: UInt)], isMutable: Bool) -> UInt
  /// The word for nothing in a collection.
  var nullWord: UInt { get }
}

/// Writes a literal as the bytes of a type, or says why the two do not fit.
struct ValueEncoder {
  var file: String
  var labels: [String: [String]]
  var words: any WordSource

  /// - Throws: a diagnostic at the literal, or at the part of it that does not fit.
  func bytes(of literal: Literal, as type: ValueType) throws(Diagnostic) -> [UInt8] {
    guard let layout = Layout(type.encoding, labels: labels),
      let extent = Extent(firstOf: type.encoding)
    else { throw mismatch(literal, "a property that has a notation, which \(type.name) has not") }
    var bytes = [UInt8](repeating: 0, count: extent.size)
    if type.isObject {
      store(rawBytes(try object(literal, as: type.name)), at: 0, into: &bytes)
      return bytes
    }
    try write(literal, layout, at: 0, into: &bytes)
    return bytes
  }

  private func write(
    _ literal: Literal, _ layout: Layout, at offset: Int, into bytes: inout [UInt8]
  ) throws(Diagnostic) {
    switch layout {
    case .scalar(let letter):
      store(try scalar(literal, letter), at: offset, into: &bytes)
    case .structure(_, let fields):
      let values = try members(of: literal, fields)
      for (field, value) in zip(fields, values) {
        try write(value, field.layout, at: offset + field.offset, into: &bytes)
      }
    case .array(let count, let stride, let element):
      guard case .array(let values) = literal.kind, values.count == count else {
        throw mismatch(literal, "\(count) values in [ ]")
      }
      for (index, value) in values.enumerated() {
        try write(value, element, at: offset + index * stride, into: &bytes)
      }
    }
  }

  private func members(
    of literal: Literal, _ fields: [Layout.Field]
  ) throws(Diagnostic) -> [Literal] {
    let names = fields.compactMap(\.label)
    let shape =
      names.count == fields.count && !names.isEmpty ? ": " + names.joined(separator: ", ") : ""
    guard case .structure(let members) = literal.kind, members.count == fields.count else {
      throw mismatch(literal, "\(fields.count) values in ( )\(shape)")
    }
    for (member, field) in zip(members, fields) {
      guard let label = member.label, label.text != field.label else { continue }
      throw Diagnostic(
        file: file, location: label.location, problem: "'\(label)' is not the field's name",
        expected: field.label.map { "'\($0):'" } ?? "a value without a name")
    }
    return members.map(\.value)
  }

  private func store(_ bits: [UInt8], at offset: Int, into bytes: inout [UInt8]) {
    bytes.replaceSubrange(offset..<offset + bits.count, with: bits)
  }

  private func scalar(_ literal: Literal, _ letter: Character) throws(Diagnostic) -> [UInt8] {
    switch letter {
    case "c": return try integer(literal, Int8.self)
    case "s": return try integer(literal, Int16.self)
    case "i", "l": return try integer(literal, Int32.self)
    case "q": return try integer(literal, Int64.self)
    case "C": return try integer(literal, UInt8.self)
    case "S": return try integer(literal, UInt16.self)
    case "I", "L": return try integer(literal, UInt32.self)
    case "Q": return try integer(literal, UInt64.self)
    case "B": return [try bool(literal) ? 1 : 0]
    case "f": return rawBytes(Float(try real(literal, Float.self)))
    case "d": return rawBytes(try real(literal, Double.self))
    case "D": return LongDouble.bytes(try real(literal, Double.self))
    case "@": return rawBytes(try object(literal, as: "object"))
    default: return rawBytes(try word(literal, letter))
    }
  }

  private func integer<Number: FixedWidthInteger & BitwiseCopyable>(
    _ literal: Literal, _ type: Number.Type
  ) throws(Diagnostic) -> [UInt8] {
    guard case .integer(let digits) = literal.kind, let number = Number(scenario: digits) else {
      throw mismatch(literal, "a whole number from \(Number.min) to \(Number.max)")
    }
    return rawBytes(number)
  }

  private func bool(_ literal: Literal) throws(Diagnostic) -> Bool {
    guard case .bool(let flag) = literal.kind else { throw mismatch(literal, "true or false") }
    return flag
  }

  /// The number that a literal is, if it lies in the range of `Number`.
  private func real<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ literal: Literal, _ type: Number.Type
  ) throws(Diagnostic) -> Double {
    switch literal.kind {
    case .integer(let digits), .decimal(let digits):
      guard let number = Double(digits) else { break }
      if Number(number).isFinite { return number }
      let most = Number.greatestFiniteMagnitude
      throw mismatch(literal, "a number from -\(most) to \(most)")
    default: break
    }
    throw mismatch(literal, "a number")
  }

  private func word(_ literal: Literal, _ letter: Character) throws(Diagnostic) -> UInt {
    if literal.kind == .nothing { return 0 }
    switch (letter, literal.kind) {
    case ("*", .text(let text)): return words.word(ofCString: text)
    case ("#", .name(let name)):
      if let word = words.word(ofClass: name) { return word }
    case (":", .name(let name)): return words.word(ofSelector: name)
    case ("^", .integer(let digits)):
      if let word = UInt(scenario: digits) { return word }
    default: break
    }
    throw mismatch(literal, wordNotation(letter))
  }

  private func wordNotation(_ letter: Character) -> String {
    switch letter {
    case "*": "a text in quotes or nil"
    case "#": "a class's name or nil"
    case ":": "a selector, such as setAge:, or nil"
    default: "an address, such as 0x10, or nil"
    }
  }

  // MARK: Objects

  /// The address of an object of the type that is called `type`.
  private func object(_ literal: Literal, as type: String) throws(Diagnostic) -> UInt {
    if let collection = CollectionType.named[type] {
      return try self.collection(literal, collection)
    }
    switch literal.kind {
    case .nothing: return 0
    case .text(let text): return words.word(ofText: text)
    case .name where type == "string":
      throw mismatch(literal, "a text in quotes or nil for a string")
    case .name(let name):
      if let word = words.word(ofObject: name) { return word }
    default:
      if type == "object" || type.hasPrefix("@"), let word = try boxed(literal) { return word }
    }
    let names = "an object's name, a text in quotes or nil"
    throw mismatch(
      literal, type == "object" || type.hasPrefix("@") ? "a number, a collection, \(names)" : names)
  }

  private func collection(
    _ literal: Literal, _ type: CollectionType
  ) throws(Diagnostic) -> UInt {
    switch (literal.kind, type.kind) {
    case (.nothing, _): return 0
    case (.name(let name), _):
      if let word = words.word(ofObject: name) { return word }
    case (.array(let elements), .array), (.array(let elements), .orderedSet),
      (.set(let elements), .set):
      return try collection(elements, type)
    case (.dictionary(let entries), .dictionary):
      return try dictionary(entries, isMutable: type.isMutable)
    case (.set(let elements), .dictionary) where elements.isEmpty:
      return words.word(ofDictionary: [], isMutable: type.isMutable)
    default: break
    }
    throw mismatch(literal, type.notation)
  }

  private func collection(
    _ elements: [Literal], _ type: CollectionType
  ) throws(Diagnostic) -> UInt {
    var elementWords: [UInt] = []
    for element in elements { elementWords.append(try self.element(element, type.isMutable)) }
    return words.word(ofCollection: elementWords, type)
  }

  private func dictionary(
    _ entries: [Literal.Entry], isMutable: Bool
  ) throws(Diagnostic) -> UInt {
    var pairs: [(key: UInt, value: UInt)] = []
    for entry in entries {
      pairs.append((words.word(ofText: entry.key.text), try element(entry.value, isMutable)))
    }
    return words.word(ofDictionary: pairs, isMutable: isMutable)
  }

  /// A collection in one can change if that one can.
  private func element(_ literal: Literal, _ isMutable: Bool) throws(Diagnostic) -> UInt {
    switch literal.kind {
    case .nothing: throw mismatch(literal, "null, which stands for nothing in a collection")
    case .array(let elements):
      return try collection(elements, CollectionType(kind: .array, isMutable: isMutable))
    case .set(let elements):
      return try collection(elements, CollectionType(kind: .set, isMutable: isMutable))
    case .dictionary(let entries): return try dictionary(entries, isMutable: isMutable)
    default: return try object(literal, as: "object")
    }
  }

  /// A number, truth value or collection as an object; nil for what has no type of its own.
  private func boxed(_ literal: Literal) throws(Diagnostic) -> UInt? {
    switch literal.kind {
    case .null: return words.nullWord
    case .bool(let flag): return words.word(boxing: [flag ? 1 : 0], types: "B")
    case .integer(let digits):
      if let number = Int64(scenario: digits) {
        return words.word(boxing: rawBytes(number), types: "q")
      }
      return words.word(boxing: try integer(literal, UInt64.self), types: "Q")
    case .decimal:
      return words.word(boxing: rawBytes(try real(literal, Double.self)), types: "d")
    case .array, .set, .dictionary: return try element(literal, false)
    default: return nil
    }
  }

  private func rawBytes(_ value: some BitwiseCopyable) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }

  private func mismatch(_ literal: Literal, _ expected: String) -> Diagnostic {
    Diagnostic(
      file: file, location: literal.location, problem: "\(literal) does not fit here",
      expected: expected)
  }
}
