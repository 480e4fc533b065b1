import CIsa
import CIsaTestSupport

/// Two values of a type; objects and classes are real ones.
final class Values {
  private let type: TestType
  private let cells: [Cell]
  private let objects: [Instance]

  init(_ type: TestType) {
    self.type = type
    let isObject = type.encoding == "@"
    objects = isObject ? (0..<2).compactMap { _ in try? Instance(of: isa_root_class()) } : []
    cells =
      switch type.encoding {
      case "@": objects.map { Cell($0.id) }
      case "#": [isa_root_class(), kvc_class_of_kind(KVC_KIND_NUMBER, false)].map { Cell($0) }
      default: [1, 2].map { type.value(seed: $0) }
      }
  }

  subscript(number: Int) -> Cell { cells[number - 1] }

  /// Whether the value is number `number`; false where there is none.
  func isValue(_ value: kvc_value, _ number: Int) -> Bool {
    guard let address = value.address else { return false }
    let types = String(cString: value.types)
    // Along a path a class is an object.
    let isItsType = types == type.encoding || types == "@" && type.encoding == "#"
    return isItsType && type.c.equal(address, self[number].address)
  }
}

extension TestType {
  /// Whether there is a typed thunk for it.
  var isScalar: Bool { !encoding.hasPrefix("{") && !encoding.hasPrefix("j") }

  /// Whether values of it are put into boxes, as what a path leads to is.
  var isBoxed: Bool { !isScalar || Scalars.boxed.contains(String(encoding.prefix(1))) }

  /// A class with the key `key` of that type.
  func makeClass() throws -> ClassPair {
    let pair = try ClassPair("Typed", isRegistered: false)
    try check(isa_class_add_ivar(pair.cls, "_key", encoding, ISA_OWNERSHIP_NONE))
    try check(isa_class_add_method(pair.cls, selector("key"), c.get, getterTypes))
    try check(isa_class_add_method(pair.cls, selector("setKey:"), c.set, setterTypes))
    try pair.register()
    return pair
  }

  /// Sets `key` of an object of that class by the setter that it has at the moment.
  func set(_ object: Instance, _ value: Cell) {
    let sel = selector("setKey:")
    c.call_set(isa_lookup(object.id, sel), object.id, sel, value.address)
  }
}
