internal import IsaKVO

/// Stands for several objects towards their observers: each of its keys depends on that of two others,
/// which are objects, or stand for more.
final class SelectionNode: KVObject {
  private let first, second: KVObject

  private init(_ first: KVObject, _ second: KVObject) {
    self.first = first
    self.second = second
    super.init()
  }

  /// The object to observe instead of all of these; nil if there are none.
  static func node(of objects: ArraySlice<KVObject>) -> KVObject? {
    if objects.count < 2 { return objects.first }
    let middle = objects.startIndex + objects.count / 2
    return SelectionNode(node(of: objects[..<middle])!, node(of: objects[middle...])!)
  }

  override class var keys: [KeyDeclaration] {
    [
      .key(firstKey, \SelectionNode.first), .key(secondKey, \SelectionNode.second),
    ]
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == firstKey || key == secondKey ? [] : ["\(firstKey).\(key)", "\(secondKey).\(key)"]
  }

  override func value(forUndefinedKey key: String) -> Any? { nil }

  private static let firstKey = "_firstSelected", secondKey = "_secondSelected"
}
