/// How the values of one method's type encoding travel: as libffi's types, and in which registers
/// of the two machines that the engine runs on.
struct SignatureRoad: Hashable, Sendable {
  /// How one value is passed by one machine's calling convention.
  struct Passage: Hashable, Sendable {
    /// The convention's own word for it: INTEGER, SSE, MEMORY, HFA, …
    var classes: [String]
    /// Registers, or where in memory.
    var places: [Text]
  }

  struct Value: Hashable, Sendable {
    /// `result`, `self`, `_cmd`, `argument 1`, …
    var role: Text
    var type: PassedType
    var x86: Passage
    var arm: Passage
  }

  var types: String
  /// The result first, then the arguments.
  var values: [Value]

  /// - Returns: Nil if the types cannot be read, or no value of one can be passed.
  init?(_ types: String) {
    guard let passed = PassedType.list(ofMethod: types), let result = passed.first else {
      return nil
    }
    self.types = types
    let arguments = Array(passed.dropFirst())
    var x86 = SystemV()
    var arm = Arm64()
    let (x86Result, armResult) = (x86.result(result), arm.result(result))
    values = [Value(role: Text("thunk.result"), type: result, x86: x86Result, arm: armResult)]
    for (index, type) in arguments.enumerated() {
      let role =
        index < 2
        ? Text(same: index == 0 ? "self" : "_cmd")
        : Text("thunk.argument", ["number": index - 1])
      values.append(
        Value(role: role, type: type, x86: x86.argument(type), arm: arm.argument(type)))
    }
  }
}

/// One type as it is passed: flattened to its scalars.
struct PassedType: Hashable, Sendable {
  struct Scalar: Hashable, Sendable {
    var letter: Character
    var offset: Int

    var isFloat: Bool { letter == "f" || letter == "d" || letter == "D" }
  }

  var encoding: String
  /// libffi's description: `sint32`, `struct {double, double}`.
  var ffiType: String
  /// 0 for void.
  var size: Int
  var alignment: Int
  var scalars: [Scalar]
  var isComposite: Bool

  /// The types of a method: result, receiver, selector, arguments.
  static func list(ofMethod types: String) -> [PassedType]? {
    var rest = types[...]
    var list: [PassedType] = []
    while !rest.isEmpty {
      let qualifiers = rest.prefix { "rnNoORVA".contains($0) }.count
      let isVoid = rest.dropFirst(qualifiers).first == "v"
      let length = isVoid ? qualifiers + 1 : Extent(firstOf: String(rest))?.length ?? 0
      // Behind each type may stand its place in the frame, of which nobody makes use.
      var word = rest.prefix(length)
      while word.last?.isNumber == true { word.removeLast() }
      guard length > 0, let type = PassedType(String(word), isResult: list.isEmpty) else {
        return nil
      }
      list.append(type)
      rest = rest.dropFirst(length).drop { $0.isNumber || $0 == "-" || $0 == "+" }
    }
    return list.count < 3 ? nil : list
  }

  /// - Parameter isResult: Whether it may be void; an array is passed as a pointer otherwise.
  init?(_ encoding: String, isResult: Bool = false) {
    self.encoding = encoding
    let bare = encoding.drop { "rnNoORVA".contains($0) }
    if bare == "v", isResult {
      (ffiType, size, alignment, scalars, isComposite) = ("void", 0, 1, [], false)
      return
    }
    let passed = bare.first == "[" && !isResult ? "^" + bare.dropFirst() : String(bare)
    if passed.first == "^" {
      (ffiType, size, alignment, isComposite) = ("pointer", 8, 8, false)
      scalars = [Scalar(letter: "^", offset: 0)]
      return
    }
    guard let extent = Extent(firstOf: passed), let parts = PassedType.parts(of: passed) else {
      return nil
    }
    (size, alignment, scalars) = (extent.size, extent.alignment, parts.scalars)
    ffiType = parts.name
    isComposite = passed.first == "{" || passed.first == "j"
  }

  private static func parts(of encoding: String) -> (name: String, scalars: [Scalar])? {
    if encoding.first == "j" {
      guard let size = Extent(firstOf: encoding)?.size, let letter = encoding.dropFirst().first
      else { return nil }
      let name = "complex \(ffiNames[letter] ?? "\(letter)")"
      return (name, [Scalar(letter: letter, offset: 0), Scalar(letter: letter, offset: size / 2)])
    }
    guard let layout = Layout(encoding) else { return nil }
    var scalars: [Scalar] = []
    guard let name = name(of: layout, at: 0, &scalars) else { return nil }
    return (name, scalars)
  }

  /// An array is as many members of a struct, because libffi has none.
  private static func name(
    of layout: Layout, at offset: Int, _ scalars: inout [Scalar]
  ) -> String? {
    switch layout {
    case .scalar(let letter):
      scalars.append(Scalar(letter: letter, offset: offset))
      return ffiNames[letter]
    case .structure(_, let fields):
      var names: [String] = []
      for field in fields {
        guard let name = name(of: field.layout, at: offset + field.offset, &scalars) else {
          return nil
        }
        names.append(name)
      }
      return "struct {" + names.joined(separator: ", ") + "}"
    case .array(let count, let stride, let element):
      var last: String?
      for index in 0..<count {
        last = name(of: element, at: offset + index * stride, &scalars)
      }
      return last.map { count == 1 ? $0 : "\(count) × \($0)" }
    }
  }

  private static let ffiNames: [Character: String] = [
    "c": "sint8", "C": "uint8", "s": "sint16", "S": "uint16", "i": "sint32", "I": "uint32",
    "l": "sint32", "L": "uint32", "q": "sint64", "Q": "uint64", "f": "float", "d": "double",
    "D": "longdouble", "B": "uint8", "@": "pointer", "#": "pointer", ":": "pointer",
    "*": "pointer", "^": "pointer",
  ]
}
