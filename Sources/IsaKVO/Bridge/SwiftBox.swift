// Swift values as objects of the runtime: a box of a class of its own for values, one that is an
// array, a set or a dictionary for Swift's.
//
// Owns:  the value, in a Swift object that the box's `dealloc` releases.
// Lives: as any object of the runtime.
// Locks: none; a box never changes.
internal import CIsa

/// What is in a box.
class BoxedValue {
  /// The value itself.
  var any: Any { fatalError("abstract") }
  var count: Int { 0 }

  /// An element of an ordered collection, with a +1.
  func copyElement(at index: Int) -> isa_id? { nil }

  /// The elements, or a dictionary's values and keys, with a +1 each.
  func copyElements() -> [isa_id?] { [] }

  func isEqual(to other: BoxedValue) -> Bool { self === other }
  var hash: Int { ObjectIdentifier(self).hashValue }
  func compare(to other: BoxedValue) -> Int? { nil }
  var description: String { String(describing: any) }
}

/// A value that the runtime has no type of its own for.
final class BoxedOpaque<Value>: BoxedValue {
  let value: Value

  init(_ value: Value) { self.value = value }

  override var any: Any { value }

  override func isEqual(to other: BoxedValue) -> Bool {
    guard let value = value as? any Equatable else { return self === other }
    return areEqual(value, other.any)
  }

  override var hash: Int {
    (value as? any Hashable)?.hashValue ?? ObjectIdentifier(Value.self).hashValue
  }

  override func compare(to other: BoxedValue) -> Int? {
    guard let value = value as? any Comparable else { return nil }
    return IsaKVO.compare(value, other.any)
  }
}

private func areEqual<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
  first == second as? Value
}

private func compare<Value: Comparable>(_ first: Value, _ second: Any) -> Int? {
  guard let second = second as? Value else { return nil }
  return first < second ? -1 : first == second ? 0 : 1
}

/// A Swift collection.
final class BoxedCollection<Elements: Collection>: BoxedValue {
  let elements: Elements
  private let copy: (Elements.Element) -> isa_id?

  init(_ elements: Elements, copying copy: @escaping (Elements.Element) -> isa_id?) {
    self.elements = elements
    self.copy = copy
  }

  override var any: Any { elements }
  override var count: Int { elements.count }

  override func copyElement(at index: Int) -> isa_id? {
    copy(elements[elements.index(elements.startIndex, offsetBy: index)]) ?? kvc_null()
  }

  override func copyElements() -> [isa_id?] { elements.map { copy($0) ?? kvc_null() } }
}

// MARK: - Classes

/// The classes whose instances hold a Swift value, made on first use.
enum SwiftBox {
  /// An object that holds `value`, with a +1.
  static func make(_ value: BoxedValue, _ cls: isa_class) -> isa_id {
    var id: isa_id?
    guard isa_object_allocate(cls, &id) == ISA_OK, let id else {
      fatalError("IsaKVO: no box for a Swift value: \(lastReason())")
    }
    slot(of: id).pointee = Unmanaged.passRetained(value)
    return id
  }

  /// What is in a box, nil for any other object.
  static func find(_ id: isa_id?) -> BoxedValue? {
    guard let id else { return nil }
    let cls = isa_object_get_class(id)
    guard cls == valueClass || cls == arrayClass else { return nil }
    return value(of: id)
  }

  nonisolated(unsafe) static let valueClass: isa_class = makeClass(
    "IsaSwiftValue", isa_root_class(), valueMethods)
  nonisolated(unsafe) static let arrayClass: isa_class = makeClass(
    "IsaSwiftArray", kvc_class_of_kind(KVC_KIND_ARRAY, false)!, arrayMethods)

  fileprivate static func value(of id: isa_id?) -> BoxedValue {
    slot(of: id!).pointee!.takeUnretainedValue()
  }

  /// Where an instance keeps its Swift object: the last word of its memory.
  fileprivate static func slot(of id: isa_id) -> UnsafeMutablePointer<Unmanaged<BoxedValue>?> {
    let end = isa_class_instance_size(isa_object_get_class(id)) - MemoryLayout<UInt>.size
    return (UnsafeMutableRawPointer(id) + end)
      .assumingMemoryBound(to: Unmanaged<BoxedValue>?.self)
  }

  private typealias BoxMethod = (selector: String, imp: isa_imp, types: String)

  private static func makeClass(
    _ name: String, _ superclass: isa_class?, _ methods: [BoxMethod]
  ) -> isa_class {
    var cls: isa_class?
    var status = isa_class_pair_allocate(superclass, name, &cls)
    if status == ISA_OK { status = isa_class_add_ivar(cls, "_swift", "Q", ISA_OWNERSHIP_NONE) }
    for method in methods where status == ISA_OK {
      status = isa_class_add_method(
        cls, isa_sel_register(method.selector), method.imp, method.types)
    }
    if status == ISA_OK { status = isa_class_pair_register(cls) }
    guard status == ISA_OK, let cls else {
      fatalError("IsaKVO: class \(name) cannot be made: \(lastReason())")
    }
    return cls
  }

  private static var valueMethods: [BoxMethod] {
    [
      ("dealloc", code(deallocBox), "v@:"), ("isEqual:", code(isEqualBox), "B@:@"),
      ("hash", code(hashBox), "Q@:"), ("compare:", code(compareBox), "i@:@^q"),
      ("description", code(describeBox), "i@:^@"),
    ]
  }

  private static var arrayMethods: [BoxMethod] {
    [
      ("dealloc", code(deallocBox), "v@:"), ("count", code(countBox), "Q@:"),
      ("objectAtIndex:", code(elementOfBox), "i@:Q^@"),
    ]
  }
}

// MARK: - Methods

private typealias Dealloc = @convention(c) (isa_id?, isa_sel?) -> Void
private typealias IsEqual = @convention(c) (isa_id?, isa_sel?, isa_id?) -> Bool
private typealias Count = @convention(c) (isa_id?, isa_sel?) -> UInt
private typealias Compare =
  @convention(c) (
    isa_id?, isa_sel?, isa_id?, UnsafeMutablePointer<Int64>?
  ) -> isa_status
private typealias Answer =
  @convention(c) (
    isa_id?, isa_sel?, UnsafeMutablePointer<isa_id?>?
  ) -> isa_status
private typealias AnswerAt =
  @convention(c) (
    isa_id?, isa_sel?, UInt, UnsafeMutablePointer<isa_id?>?
  ) -> isa_status

/// A function as the code of a method.
func code<Function>(_ function: Function) -> isa_imp {
  unsafeBitCast(function, to: isa_imp.self)
}

private let deallocBox: Dealloc = { id, _ in
  SwiftBox.slot(of: id!).pointee?.release()
}

private let isEqualBox: IsEqual = { id, _, other in
  guard let other = SwiftBox.find(other) else { return false }
  return SwiftBox.value(of: id).isEqual(to: other)
}

private let hashBox: Count = { id, _ in UInt(bitPattern: SwiftBox.value(of: id).hash) }

private let compareBox: Compare = { id, _, other, order in
  let value = SwiftBox.value(of: id)
  guard let other = SwiftBox.find(other), let found = value.compare(to: other) else {
    let reason = "-[IsaSwiftValue compare:]: \(value.description) cannot be compared with that"
    return isa_fail(ISA_ERR_INVALID_ARGUMENT, nil, reason)
  }
  order!.pointee = Int64(found)
  return ISA_OK
}

private let describeBox: Answer = { id, _, out in
  var text = SwiftBox.value(of: id).description
  return text.withUTF8 { bytes in
    bytes.withMemoryRebound(to: CChar.self) {
      kvc_string_make_bytes($0.baseAddress, $0.count, out)
    }
  }
}

private let countBox: Count = { id, _ in UInt(SwiftBox.value(of: id).count) }

private let elementOfBox: AnswerAt = { id, sel, index, out in
  let value = SwiftBox.value(of: id)
  guard index < UInt(value.count) else {
    let name = String(cString: isa_sel_name(sel))
    return isa_fail(
      KVC_ERR_RANGE, nil, "-[IsaSwiftArray \(name)]: index \(index) beyond \(value.count) elements")
  }
  out!.pointee = value.copyElement(at: Int(index))
  return ISA_OK
}
