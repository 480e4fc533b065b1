internal import IsaKVO
internal import IsaKeyValue

/// An object that editors tell of changes that are not yet in the model, such as a controller.
///
/// - Note: Source `NSEditorRegistration`, AppKit.
public protocol EditorRegistry: AnyObject {
  /// Notes that an editor has such changes; once, however often it is told.
  func objectDidBeginEditing(_ editor: any Editor)

  /// Notes that an editor has them no more.
  func objectDidEndEditing(_ editor: any Editor)
}

/// A registry that is not kept: a controller keeps the pushes of what is bound to it.
struct RegistryReference {
  private(set) weak var registry: (any EditorRegistry)?
}

extension KVObject {
  /// The registries that a key path leads through, this object first.
  final func registries(along path: String) -> [RegistryReference] {
    var found: [RegistryReference] = []
    var object: KVObject? = self
    for key in path.split(separator: ".").map(String.init) {
      if let registry = object as? any EditorRegistry {
        found.append(RegistryReference(registry: registry))
      }
      object = object.flatMap { try? $0.value(forKey: key) } as? KVObject
    }
    return found
  }

  /// The object, or other value, that has the last key of a key path; nil if the way there leads to nil.
  final func owner(of path: String) throws(KeyValueError) -> Any? {
    guard let dot = path.lastIndex(of: ".") else { return self }
    let owner = try value(forKeyPath: String(path[..<dot]))
    return owner.flatMap { standsForNil($0) ? nil : $0 }
  }
}
