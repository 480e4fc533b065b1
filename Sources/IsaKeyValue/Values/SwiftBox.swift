// Swift values as objects of the runtime: a box of a class of its own for values, a box that is an
// array, a set or a dictionary for Swift's.
//
// Owns:  the value, in a Swift object that the box's `dealloc` releases.
// Lives: as any object of the runtime.
// Locks: none; a box never changes.
package import CIsa

/// The value in a box.
package protocol BoxedValue: AnyObject {
  /// The value itself.
  var any: Any { get }
  /// Whether the value is nil, of an optional type.
  var isNil: Bool { get }
  /// Whether the box never changes, so that Swift code may be handed the value in it.
  var isSnapshot: Bool { get }
  /// Throws where the value may not be used.
  func checkActor() throws(KeyValueError)
  /// Refuses the elements of a collection of which one stands for no element here.
  func check(elementsOf collection: isa_id?) -> isa_status
  var count: Int { get }
  /// An element of an ordered collection, with a +1.
  func copyElement(at index: Int) -> isa_id?
  /// The elements, or a dictionary's values, with a +1 each; null for nil.
  func copyElements() -> [isa_id?]
  /// A dictionary's keys, in the order of its values, with a +1 each.
  func copyKeys() -> [isa_id?]
  /// The element of a set, or the value of a dictionary's key, that an object leads to, with a +1.
  func copyMember(_ id: isa_id) -> isa_id?
  func isEqual(to other: any BoxedValue) -> Bool
  var hash: Int { get }
  func compare(to other: any BoxedValue) -> Int?
}

extension BoxedValue {
  package var isNil: Bool { false }
  package var isSnapshot: Bool { true }
  package func checkActor() throws(KeyValueError) {}
  package func check(elementsOf collection: isa_id?) -> isa_status { ISA_OK }
  package var count: Int { 0 }
  package func copyElement(at index: Int) -> isa_id? { nil }
  package func copyElements() -> [isa_id?] { [] }
  package func copyKeys() -> [isa_id?] { [] }
  package func copyMember(_ id: isa_id) -> isa_id? { nil }
  package func isEqual(to other: any BoxedValue) -> Bool { self === other }
  package var hash: Int { ObjectIdentifier(self).hashValue }
  package func compare(to other: any BoxedValue) -> Int? { nil }

  /// Whether both are one value to observers: an object is so with itself only.
  fileprivate func isSame(as other: any BoxedValue) -> Bool {
    let value = any
    if type(of: value) is AnyObject.Type { return value as AnyObject === other.any as AnyObject }
    guard let value = value as? any Equatable else { return self === other }
    return areEqual(value, other.any)
  }

  fileprivate var description: String { String(describing: any) }
}

/// A value that the runtime has no type of its own for.
package final class BoxedOpaque<Value>: BoxedValue {
  package let value: Value

  package init(_ value: Value) { self.value = value }

  package var any: Any { value }

  package var isNil: Bool {
    guard Value.self is any AnyOptional.Type else { return false }
    return (value as! any AnyOptional).isNil
  }

  package func isEqual(to other: any BoxedValue) -> Bool {
    guard let value = value as? any Equatable else { return self === other }
    return areEqual(value, other.any)
  }

  package var hash: Int {
    (value as? any Hashable)?.hashValue ?? ObjectIdentifier(Value.self).hashValue
  }

  package func compare(to other: any BoxedValue) -> Int? {
    guard let value = value as? any Comparable else { return nil }
    return order(of: value, beside: other.any)
  }
}

package func areEqual<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
  first == second as? Value
}

private func order<Value: Comparable>(of first: Value, beside second: Any) -> Int? {
  guard let second = second as? Value else { return nil }
  return first < second ? -1 : first == second ? 0 : 1
}

/// Whether an object, whose +1 it takes over, is equal to another; nil stands for null.
package func isEqual(taking own: isa_id?, to id: isa_id) -> Bool {
  defer { isa_object_release(own) }
  return kvc_is_equal(own ?? kvc_null(), id)
}

// MARK: - Classes

/// The classes whose instances hold a Swift value, made on first use.
package enum SwiftBox {
  /// An object that holds `value`, with a +1.
  package static func make(_ value: any BoxedValue, _ cls: isa_class) -> isa_id {
    var id: isa_id?
    let status = isa_object_allocate(cls, &id)
    let box = made(id, status, of: type(of: value))
    fill(box, value)
    return box
  }

  /// The object that stands for a Swift value. Without memory for it the process stops, as it does
  /// where Swift has none: nil would stand for another value.
  package static func made(_ id: isa_id?, _ status: isa_status, of type: Any.Type) -> isa_id {
    guard status == ISA_OK, let id else {
      fatalError("IsaKVO: no object for a \(type): \(lastReason())")
    }
    return id
  }

  /// Puts `value` into an object of one of the classes, which has nothing in it yet.
  static func fill(_ id: isa_id, _ value: any BoxedValue) {
    slot(of: id).pointee = value
  }

  /// The value in a box that never changes; nil for any other object.
  package static func find(_ id: isa_id?) -> (any BoxedValue)? {
    holder(id).flatMap { $0.isSnapshot ? $0 : nil }
  }
  /// The value in a box of any kind; nil for any other object.
  static func holder(_ id: isa_id?) -> (any BoxedValue)? {
    guard let id else { return nil }
    guard let imp = isa_class_find_imp(isa_object_get_class(id), deallocSelector.sel),
      codeAddress(imp) == deallocAddress
    else { return nil }
    return value(of: id)
  }

  package nonisolated(unsafe) static let valueClass: isa_class = makeClass(
    "IsaSwiftValue", isa_root_class(), valueMethods)
  package nonisolated(unsafe) static let everyKeyClass: isa_class = makeClass(
    "IsaSwiftEveryKey", isa_root_class(), valueMethods + everyKeyMethods)
  package nonisolated(unsafe) static let arrayClass: isa_class = makeClass(
    "IsaSwiftArray", kvc_class_of_kind(KVC_KIND_ARRAY, false)!, arrayMethods)
  package nonisolated(unsafe) static let setClass: isa_class = makeClass(
    "IsaSwiftSet", kvc_class_of_kind(KVC_KIND_SET, false)!, setMethods)
  package nonisolated(unsafe) static let dictionaryClass: isa_class = makeClass(
    "IsaSwiftDictionary", kvc_class_of_kind(KVC_KIND_DICTIONARY, false)!, dictionaryMethods)

  package static func value(of id: isa_id?) -> any BoxedValue {
    slot(of: id!).pointee!
  }

  /// Where an instance keeps its Swift object: the last two words of its memory.
  fileprivate static func slot(of id: isa_id) -> UnsafeMutablePointer<(any BoxedValue)?> {
    let end = isa_class_instance_size(isa_object_get_class(id)) - 2 * MemoryLayout<UInt>.size
    return (UnsafeMutableRawPointer(id) + end).assumingMemoryBound(to: (any BoxedValue)?.self)
  }

  package typealias BoxMethod = (selector: String, imp: isa_imp, types: String)

  package static func makeClass(
    _ name: String, _ superclass: isa_class?, _ methods: [BoxMethod]
  ) -> isa_class {
    var cls: isa_class?
    var status = isa_class_pair_allocate(superclass, name, &cls)
    if status == ISA_OK { status = isa_class_add_ivar(cls, "_swift", "[2Q]", ISA_OWNERSHIP_NONE) }
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

  private static var ownMethods: [BoxMethod] {
    [
      ("dealloc", code(deallocBox), "v@:"), ("_isSameValue:", code(isSameBox), "B@:@"),
    ]
  }

  private static var valueMethods: [BoxMethod] {
    [
      ("isEqual:", code(isEqualBox), "B@:@"), ("hash", code(hashBox), "Q@:"),
      ("compare:", code(compareBox), "i@:@^q"), ("description", code(describeBox), "i@:^@"),
    ] + ownMethods
  }

  /// Of a value that stands for the values of all its keys, none of which changes.
  private static var everyKeyMethods: [BoxMethod] {
    [
      ("valueForKey:", code(selfForKey), "i@:*^@"),
      ("valueForKeyPath:", code(selfForKey), "i@:*^@"),
      ("addObserver:forKeyPath:options:context:", code(addNoObserver), "i@:@*Q^v"),
      ("removeObserver:forKeyPath:context:", code(removeNoObserver), "i@:@*^v"),
    ]
  }

  /// Of a class whose instances are complete but for what they hold.
  package static var holderMethods: [BoxMethod] { [("dealloc", code(deallocBox), "v@:")] }

  package static var nullMethods: [BoxMethod] {
    holderMethods + [("isEqual:", code(isEqualNull), "B@:@"), ("hash", code(hashNull), "Q@:")]
  }

  package static var orderedSetMethods: [BoxMethod] {
    arrayMethods + [
      ("member:", code(memberOfBox), "i@:@^@"), ("allObjects", code(elementsOfBox), "i@:^@"),
      ("indexOfObject:", code(indexInBox), "Q@:@"),
    ]
  }

  package static var arrayMethods: [BoxMethod] {
    [
      ("count", code(countBox), "Q@:"),
      ("objectAtIndex:", code(elementOfBox), "i@:Q^@"),
    ] + ownMethods
  }

  package static var setMethods: [BoxMethod] {
    [
      ("count", code(countBox), "Q@:"),
      ("member:", code(memberOfBox), "i@:@^@"), ("allObjects", code(elementsOfBox), "i@:^@"),
    ] + ownMethods
  }

  private static var dictionaryMethods: [BoxMethod] {
    [
      ("count", code(countBox), "Q@:"),
      ("objectForKey:", code(memberOfBox), "i@:@^@"), ("allKeys", code(keysOfBox), "i@:^@"),
      ("allValues", code(elementsOfBox), "i@:^@"),
    ] + ownMethods
  }
}

// MARK: - Methods

private typealias Dealloc = @convention(c) (isa_id?, isa_sel?) -> Void
private typealias IsEqual = @convention(c) (isa_id?, isa_sel?, isa_id?) -> Bool
private typealias Count = @convention(c) (isa_id?, isa_sel?) -> UInt
private typealias IndexOf = @convention(c) (isa_id?, isa_sel?, isa_id?) -> UInt
private typealias Out = UnsafeMutablePointer<isa_id?>
private typealias Compare =
  @convention(c) (isa_id?, isa_sel?, isa_id?, UnsafeMutablePointer<Int64>?) -> isa_status
private typealias Answer = @convention(c) (isa_id?, isa_sel?, Out?) -> isa_status
private typealias AnswerFor = @convention(c) (isa_id?, isa_sel?, isa_id?, Out?) -> isa_status
private typealias AnswerAt = @convention(c) (isa_id?, isa_sel?, UInt, Out?) -> isa_status
private typealias AnswerForKey =
  @convention(c) (isa_id?, isa_sel?, UnsafePointer<CChar>?, Out?) -> isa_status
private typealias AddObserver =
  @convention(c) (
    isa_id?, isa_sel?, isa_id?, UnsafePointer<CChar>?, UInt64, UnsafeMutableRawPointer?
  ) -> isa_status
private typealias RemoveObserver =
  @convention(c) (
    isa_id?, isa_sel?, isa_id?, UnsafePointer<CChar>?, UnsafeMutableRawPointer?
  ) -> isa_status

/// A function as the code of a method.
package func code<Function>(_ function: Function) -> isa_imp {
  unsafeBitCast(function, to: isa_imp.self)
}

private let deallocSelector: RuntimeSelector = "dealloc"
private let deallocAddress = codeAddress(code(deallocBox))
private let deallocBox: Dealloc = { id, _ in
  SwiftBox.slot(of: id!).pointee = nil
}

private let isEqualBox: IsEqual = { id, _, other in
  guard let other = SwiftBox.find(other) else { return false }
  return SwiftBox.value(of: id).isEqual(to: other)
}

private let isSameBox: IsEqual = { id, _, other in
  SwiftBox.find(other).map { SwiftBox.value(of: id).isSame(as: $0) } ?? false
}

private let hashBox: Count = { id, _ in UInt(bitPattern: SwiftBox.value(of: id).hash) }

private let isEqualNull: IsEqual = { _, _, other in isNull(other) }

private let hashNull: Count = { _, _ in UInt(kvc_hash(kvc_null())) }

private let compareBox: Compare = { id, _, other, order in
  let value = SwiftBox.value(of: id)
  guard let found = SwiftBox.find(other).flatMap({ value.compare(to: $0) }) else {
    let given = SwiftBox.find(other).map { "\($0.any)" } ?? other.map { describe($0) } ?? "nil"
    let reason = "no order is known of two values: \(value.description) and \(given)"
    return isa_fail(ISA_ERR_INVALID_ARGUMENT, nil, reason)
  }
  order!.pointee = Int64(found)
  return ISA_OK
}

private let describeBox: Answer = { id, _, out in
  makeText(SwiftBox.value(of: id).description, out!)
}

private let selfForKey: AnswerForKey = { id, _, _, out in
  out!.pointee = isa_object_retain(id)
  return ISA_OK
}

private let addNoObserver: AddObserver = { _, _, _, _, _, _ in ISA_OK }

private let removeNoObserver: RemoveObserver = { _, _, _, _, _ in ISA_OK }

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

private let indexInBox: IndexOf = { id, _, object in
  let objects = SwiftBox.value(of: id).copyElements()
  defer { objects.forEach(isa_object_release) }
  return objects.firstIndex { kvc_is_equal($0, object) }.map { UInt($0) } ?? UInt(Int.max)
}

private let memberOfBox: AnswerFor = { id, _, object, out in
  out!.pointee = object.flatMap { SwiftBox.value(of: id).copyMember($0) }
  return ISA_OK
}

private let elementsOfBox: Answer = { id, _, out in
  makeArray(taking: SwiftBox.value(of: id).copyElements(), out!)
}

private let keysOfBox: Answer = { id, _, out in
  makeArray(taking: SwiftBox.value(of: id).copyKeys(), out!)
}

/// Makes an array of objects, and takes over their +1.
private func makeArray(taking objects: [isa_id?], _ out: Out) -> isa_status {
  defer { objects.forEach(isa_object_release) }
  return kvc_array_make(objects, objects.count, out)
}

/// The array of these objects, whose +1 it takes over, with a +1 of its own.
package func makeArray(taking objects: [isa_id?]) -> isa_id? {
  var array: isa_id?
  if makeArray(taking: objects, &array) != ISA_OK {
    fatalError("IsaKVO: no array for Swift elements: \(lastReason())")
  }
  return array
}
