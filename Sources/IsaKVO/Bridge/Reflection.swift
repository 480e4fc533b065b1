internal import CIsa
// What the standard library's reflection tells of a class: its stored properties, its size, and
// which of its base class's methods it overrides.
//
// Owns:  nothing.
// Locks: none; metadata never changes once it is there.
@_spi(Reflection) import Swift

/// A stored property of a Swift class.
struct StoredProperty {
  let name: String
  /// Bytes from the header on.
  let offset: Int
  let type: Any.Type
  /// Declared by `let`, and neither `weak` nor `unowned`.
  let isConstant: Bool
}

/// What reflection notes of a field, laid out as the Swift runtime has it.
private struct FieldMetadata {
  var name: UnsafePointer<CChar>?
  var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = false
  var isVariable = false
}

// The function behind the standard library's own walk, which leaves out what is a `let`.
@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func childMetadata(
  _ type: Any.Type, index: Int, fieldMetadata: UnsafeMutablePointer<FieldMetadata>
) -> Any.Type

/// Calls `body` with the stored properties of a class, inherited ones first.
func forEachProperty(of type: AnyClass, _ body: (StoredProperty) -> Void) {
  var index = 0
  _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { name, offset, type, _ in
    defer { index += 1 }
    body(
      StoredProperty(
        name: String(cString: name), offset: offset - headerOffset, type: type,
        isConstant: isConstant(type, at: index)))
    return true
  }

  func isConstant(_: Any.Type, at index: Int) -> Bool {
    var field = FieldMetadata()
    _ = childMetadata(type, index: index, fieldMetadata: &field)
    defer { field.free?(field.name) }
    return !field.isVariable && field.isStrong
  }
}

/// The bytes of an instance, from its header on, as the class's metadata has them.
func instanceSize(of type: KVObject.Type) -> Int {
  let halves = unsafeBitCast(type, to: UnsafePointer<UInt32>.self)
  return Int(halves[2 * fixedWords - 8]) - headerOffset
}

/// The full name of a class's stored property that has no wrapper; nil if it has none of the name.
func unwrappedProperty(_ name: String, of type: AnyClass) -> String? {
  var found: String?
  forEachProperty(of: type) { property in
    if property.name == name, !(property.type is any FieldStorage.Type) {
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

/// What there is to tell types apart by.
enum TypeKind {
  case structure, tuple, existential, other
}

/// The kind of a type, by the first word of its metadata.
func typeKind(of type: Any.Type) -> TypeKind {
  switch unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee {
  case 0x200: .structure
  case 0x301: .tuple
  case 0x303: .existential
  default: .other
  }
}

// MARK: - Overridden methods

/// The places in the method table of KVObject in which two classes differ, in words.
///
/// A table that is inherited keeps its order, so a method has the same place in every subclass.
func differingMethods(_ first: KVObject.Type, _ second: KVObject.Type) -> Set<Int> {
  let words = methodTableWords(KVObject.self)
  let one = unsafeBitCast(first, to: UnsafePointer<UInt>.self)
  let other = unsafeBitCast(second, to: UnsafePointer<UInt>.self)
  return Set(words.filter { one[$0] != other[$0] })
}

/// Where the metadata of a class has its own members: behind the words that every class has.
func methodTableWords(_ cls: AnyClass) -> Range<Int> {
  // The fixed part ends with the metadata's size and address point, half a word each, the class's
  // description and its ivar destroyer.
  let halves = unsafeBitCast(cls, to: UnsafePointer<UInt32>.self)
  let size = Int(halves[2 * fixedWords - 6]) - Int(halves[2 * fixedWords - 5])
  return fixedWords..<(size / MemoryLayout<UInt>.size)
}

#if canImport(ObjectiveC)
  let fixedWords = 10
#else
  let fixedWords = 7
#endif

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
