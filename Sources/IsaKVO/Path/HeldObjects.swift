internal import IsaRuntime
// The observable objects that a value has in it, for a key path that is followed through it.
//
// Owns:  what is known of types.
// Lives: as long as the process.
// Locks: its own, held for a look into the table only.
@_spi(Reflection) import Swift

/// The observable objects that the values of a property hold, for key paths that lead through it.
enum Holding {
  /// None.
  case nothing
  /// The value is one, or nil.
  case object
  /// The elements of the array that the value is.
  case elements
  /// Any: they have to be looked for.
  case anything
}

/// The class of which values of a type are observable objects, or such an object or nil; nil if they
/// are anything else.
package func observableClass(in type: Any.Type) -> KVObject.Type? {
  type as? KVObject.Type ?? (type as? any AnyOptional.Type)?.wrappedType as? KVObject.Type
}

/// Calls `body` with the observable objects that a value has in it: in a collection, a tuple, a
/// structure or an optional, and in those that they hold. Not in enums of other kinds, in closures
/// and in objects.
func forEachHeldObject(in value: Any, _ body: (KVObject) -> Void) {
  guard mayHoldObjects(type(of: value)) else { return }
  if let object = value as? KVObject { return body(object) }
  if let objects = value as? [KVObject] { return objects.forEach(body) }
  let mirror = Mirror(reflecting: value)
  if mirror.displayStyle == .class { return }
  for child in mirror.children { forEachHeldObject(in: child.value, body) }
}

/// Whether values of a type may have an observable object in them.
///
/// Asked of the type, so that a long array of other things need not be walked through.
func mayHoldObjects(_ type: Any.Type) -> Bool {
  let id = ObjectIdentifier(type)
  if let known = knownTypes.withLock({ $0[id] }) { return known }
  var visited: Set<ObjectIdentifier> = []
  let answer = mayHoldObjects(type, &visited)
  knownTypes.withLock { $0[id] = answer }
  return answer
}

private let knownTypes = Locked<[ObjectIdentifier: Bool]>([:])

private func mayHoldObjects(_ type: Any.Type, _ visited: inout Set<ObjectIdentifier>) -> Bool {
  if type is KVObject.Type { return true }
  if type is AnyClass || type == String.self { return false }
  guard visited.insert(ObjectIdentifier(type)).inserted else { return false }
  if let type = type as? any ElementHolder.Type {
    return type.elementTypes.contains { mayHoldObjects($0, &visited) }
  }
  switch typeKind(of: type) {
  case .existential: return true
  case .structure, .tuple:
    var answer = false
    _ = _forEachField(of: type) { _, _, field, _ in
      answer = mayHoldObjects(field, &visited)
      return !answer
    }
    return answer
  case .other: return false
  }
}

/// A type whose values hold values of others.
private protocol ElementHolder {
  static var elementTypes: [Any.Type] { get }
}

extension Optional: ElementHolder {
  fileprivate static var elementTypes: [Any.Type] { [Wrapped.self] }
}

extension Array: ElementHolder {
  fileprivate static var elementTypes: [Any.Type] { [Element.self] }
}

extension Set: ElementHolder {
  fileprivate static var elementTypes: [Any.Type] { [Element.self] }
}

extension Dictionary: ElementHolder {
  fileprivate static var elementTypes: [Any.Type] { [Key.self, Value.self] }
}
