// The answers of the Swift runtime about a class: its stored properties, its size, and which
// methods of its base class it overrides.
//
// Owns:  nothing.
// Locks: none; metadata never changes once it is there.
internal import CIsa
internal import IsaKeyValue

/// A stored property of a Swift class.
struct StoredProperty {
  let name: String
  /// Bytes from the header on.
  let offset: Int
  let type: Any.Type
  /// Neither `weak` nor `unowned`.
  let isStrong: Bool
  /// Declared by `var`.
  let isVariable: Bool

  var isConstant: Bool { isStrong && !isVariable }

  /// The name of the property that a wrapper of this name is of.
  var wrappedName: String { name.hasPrefix("_") ? String(name.dropFirst()) : name }
}

/// Calls `body` with the stored properties of a class, inherited ones first.
func forEachProperty(of type: AnyClass, _ body: (StoredProperty) -> Void) {
  SwiftLayout.known.forEachProperty(of: type, body)
}

// The function behind the standard library's `ManagedBuffer`.
@_silgen_name("_swift_getSwiftClassInstanceExtents")
private func instanceExtents(of type: AnyClass) -> (negative: UInt, positive: UInt)

/// The bytes of an instance, from its header on.
func instanceSize(of type: KVObject.Type) -> Int {
  Int(instanceExtents(of: type).positive) - headerOffset
}

/// Stops the process where the property that is read does not stand in its object: in a generic class
/// below one of a module with library evolution the compiler reads it by code, into memory of its own.
@usableFromInline
func checkPlace(_ place: UnsafeRawPointer, of object: KVObject) {
  let offset = UInt(bitPattern: place) &- UInt(bitPattern: ObjectIdentifier(object))
  if offset < instanceExtents(of: type(of: object)).positive { return }
  fatalError("IsaKVO: \(placeless(type(of: object))), so that they cannot be tracked")
}

/// Why a class cannot be registered whose properties have no place, for people.
func placeless(_ type: KVObject.Type) -> String {
  "class \(type) is generic, and inherits from a class of a module with library evolution: the "
    + "compiler gives its properties no place"
}

/// The full name of a class's stored property that has no wrapper; nil if it has none of the name.
func unwrappedProperty(_ name: String, of type: AnyClass) -> String? {
  var found: String?
  forEachProperty(of: type) { property in
    if property.name == name, fieldStorage(of: property.type) == nil {
      found = "\(type).\(name)"
    }
  }
  return found
}

/// The full names of an object's stored properties of that type that have no wrapper.
func unwrappedProperties(of object: AnyObject, type wanted: Any.Type) -> [String] {
  var names: [String] = []
  forEachProperty(of: type(of: object)) { property in
    if property.type == wanted { names.append("\(type(of: object)).\(property.name)") }
  }
  return names
}

/// Tells the core where instances end.
func lay(out cls: isa_class, size: Int) throws(KeyValueError) {
  let aligned = (size + 15) / 16 * 16
  try KeyValueError.check(
    isa_class_set_layout(cls, aligned), className: String(cString: isa_class_name(cls)))
}

/// The value of a property of an object, which never changes.
func constantValue(of object: KVObject, _ property: StoredProperty) -> Any {
  let address = UnsafeRawPointer(object.headerAddress) + property.offset
  func load<Value>(_ type: Value.Type) -> Any {
    address.assumingMemoryBound(to: type).pointee
  }
  return _openExistential(property.type, do: load)
}

/// The value in the wrapper at a place of an object, for people.
func shownValue(of object: KVObject, at offset: Int, in storage: any FieldStorage.Type) -> Any {
  storage.shown(at: UnsafeRawPointer(object.headerAddress) + offset)
}

/// The first type that a structure or enum is made with, if `sample` is of the same generic one. To cast
/// a type to a protocol looks through all conformances of the program, once for each type.
func argument(of type: Any.Type, like sample: Any.Type) -> Any.Type? {
  SwiftLayout.known.argument(of: type, like: sample)
}

/// The same by that cast, of a type that is looked for.
func castArgument(of type: Any.Type) -> Any.Type? { (type as? any MadeWithType.Type)?.argument }

/// A generic type that is looked for.
private protocol MadeWithType {
  static var argument: Any.Type { get }
}

extension Optional: MadeWithType { fileprivate static var argument: Any.Type { Wrapped.self } }
extension Array: MadeWithType { fileprivate static var argument: Any.Type { Element.self } }
extension Set: MadeWithType { fileprivate static var argument: Any.Type { Element.self } }
extension DynamicValue: MadeWithType { fileprivate static var argument: Any.Type { Value.self } }
extension LazyDynamicValue: MadeWithType {
  fileprivate static var argument: Any.Type { Value.self }
}
extension WeakDynamicValue: MadeWithType {
  fileprivate static var argument: Any.Type { Object.self }
}

/// The type that an optional one wraps; nil for any other type.
func wrappedType(of type: Any.Type) -> Any.Type? { argument(of: type, like: Int?.self) }

/// Whether a type is that of values of any type that conforms; true, too, if it is not known.
func isExistential(_ type: Any.Type) -> Bool { SwiftLayout.known.isExistential(type) }

// MARK: - Overridden methods

/// The places in the method table of KVObject in which two classes differ, in words; nil if they are
/// not known.
///
/// A table that is inherited keeps its order, so a method has the same place in every subclass.
func differingMethods(_ first: KVObject.Type, _ second: KVObject.Type) -> Set<Int>? {
  methodTableWords(KVObject.self).map { SwiftLayout.known.differing($0, first, second) }
}

/// Where the metadata of a class has its own members: behind the words that every class has. Nil if it
/// is not known.
func methodTableWords(_ cls: AnyClass) -> Range<Int>? { SwiftLayout.known.memberWords(of: cls) }

/// Whether a class, or one between it and `base`, overrides the members of `base` that `sample` does.
///
/// - Parameters:
///   - sample: A class that inherits from `base` and does nothing but override them.
///   - same: A class that inherits from `base` and does nothing.
package func overrides(
  _ type: AnyClass, of base: AnyClass, like sample: AnyClass, unlike same: AnyClass
) -> Bool {
  let layout = SwiftLayout.known
  guard let words = layout.memberWords(of: base) else { return true }
  let always = layout.differing(words, base, same)
  let members = layout.differing(words, base, sample).subtracting(always)
  return !layout.differing(words, base, type).isDisjoint(with: members)
}

/// The words of metadata that every class has.
var fixedWords: Int { SwiftLayout.known.members / MemoryLayout<UInt>.size }

/// Whether the key paths are the same but for the class that they begin at: one of them may have
/// been written of a subclass.
///
/// Two key paths of different root types are never equal. Behind the same first step they are, so
/// each is taken for one of the other's root while it is compared; neither is evaluated.
func isSamePath(_ first: AnyKeyPath, _ second: AnyKeyPath) -> Bool {
  if first == second { return true }
  guard type(of: first).valueType == type(of: second).valueType,
    let firstRoot = type(of: first).rootType as? KVObject.Type,
    let secondRoot = type(of: second).rootType as? KVObject.Type, firstRoot != secondRoot
  else { return false }
  func behind<Root, Value>(_ root: Root.Type, _ value: Value.Type) -> Bool {
    let step = \Holder<Root>.value
    let typed = { (path: AnyKeyPath) in
      unsafeBitCast(path as AnyObject, to: KeyPath<Root, Value>.self)
    }
    return step.appending(path: typed(first)) == step.appending(path: typed(second))
  }
  func open<Root>(_ root: Root.Type) -> Bool {
    func open<Value>(_ value: Value.Type) -> Bool { behind(root, value) }
    return _openExistential(type(of: first).valueType, do: open)
  }
  return _openExistential(firstRoot as Any.Type, do: open)
}

private struct Holder<Value> {
  var value: Value
}

extension AnyKeyPath {
  /// A key path of a class behind this one, which leads to an object of a subclass.
  func appending(inherited path: AnyKeyPath) -> AnyKeyPath? {
    let types = (type(of: self), type(of: path))
    guard let middle = types.0.valueType as? KVObject.Type,
      let owner = types.1.rootType as? KVObject.Type, middle.isSubclass(of: owner)
    else { return nil }
    func append<Root>(_ root: Root.Type) -> AnyKeyPath {
      func append<Middle>(_ middle: Middle.Type) -> AnyKeyPath {
        func append<Value>(_ value: Value.Type) -> AnyKeyPath {
          unsafeBitCast(self as AnyObject, to: KeyPath<Root, Middle>.self)
            .appending(path: unsafeBitCast(path as AnyObject, to: KeyPath<Middle, Value>.self))
        }
        return _openExistential(types.1.valueType, do: append)
      }
      return _openExistential(middle as Any.Type, do: append)
    }
    return _openExistential(types.0.rootType, do: append)
  }
}

extension KVObject {
  fileprivate static func isSubclass(of other: KVObject.Type) -> Bool {
    sequence(first: self as AnyClass) { _getSuperclass($0) }.contains { $0 == other }
  }
}
