internal import IsaKVO

/// A key path by name that leads through a list, or on from what a controller has selected, in its two
/// parts: the engine observes an object's key path, and not the way on from several objects.
struct MemberPath {
  /// Leads to the objects.
  let head: String
  /// Leads on from each of them; nil if nothing of theirs is asked for.
  let rest: String?

  /// - Returns: Nil for a key path that the engine observes as a whole.
  init?(_ path: String, from object: KVObject) {
    if !path.utf8.contains(UInt8(ascii: ".")) { return nil }
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let parts = Self.parts(of: keys, from: type(of: object)) else { return nil }
    head = parts.head.joined(separator: ".")
    let rest = parts.rest.joined(separator: ".")
    self.rest = rest.isEmpty || rest == "self" ? nil : rest
  }

  private typealias Parts = (head: [String], rest: ArraySlice<String>)

  private static func parts(of keys: [String], from type: KVObject.Type) -> Parts? {
    var owner = type
    for (index, key) in keys.enumerated().dropLast() {
      if key.hasPrefix("@") { return (Array(keys[..<index]), keys[(index + 1)...]) }
      if key == "selection", owner is any SelectionSource.Type, keys[index + 1].hasPrefix("@") {
        return (keys[..<index] + ["selectedObjects"], keys[(index + 2)...])
      }
      switch step(key, of: owner) {
      case .whole: return nil
      case .object(let next): owner = next
      case .several: return parts(of: keys, behind: index)
      }
    }
    return nil
  }

  /// The parts of a key path whose first is up to an index; nil if all that is asked for behind it is
  /// the number of elements, which the list itself tells.
  private static func parts(of keys: [String], behind index: Int) -> Parts? {
    let rest = keys[(index + 1)...]
    guard rest.first!.hasPrefix("@") else { return (Array(keys[...index]), rest) }
    return rest.count == 1 ? nil : (Array(keys[...index]), rest.dropFirst())
  }

  /// The values that a key leads to.
  private enum Step {
    /// An object of a class, or nil.
    case object(KVObject.Type)
    /// A list, or what may be one.
    case several
    /// A value that is no list, which the engine knows how to go on from.
    case whole
  }

  private static func step(_ key: String, of owner: KVObject.Type) -> Step {
    if owner is SelectionProxy.Type { return .several }
    guard let type = owner.valueType(forKey: key) else { return .several }
    if let next = observableClass(in: type) { return .object(next) }
    return mayBeList(type) ? .several : .whole
  }

  private static func mayBeList(_ type: Any.Type) -> Bool {
    type == Any.self || type == Any?.self || type is any ListType.Type
      || type is any ForeignValue.Type
  }
}

/// A type whose values are lists, or nil.
private protocol ListType {}

extension Array: ListType {}
extension Set: ListType {}
extension Optional: ListType where Wrapped: ListType {}
