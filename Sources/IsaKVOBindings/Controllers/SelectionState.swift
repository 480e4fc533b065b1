internal import IsaKVO

/// The keys of a controller that change with its selection.
struct SelectionKeys: OptionSet {
  let rawValue: Int

  static let indexes = SelectionKeys(rawValue: 1)
  static let paths = SelectionKeys(rawValue: 2)
  static let path = SelectionKeys(rawValue: 4)
  static let nodes = SelectionKeys(rawValue: 8)
  static let objects = SelectionKeys(rawValue: 16)
  static let index = SelectionKeys(rawValue: 32)
  static let next = SelectionKeys(rawValue: 64)
  static let previous = SelectionKeys(rawValue: 128)
  static let child = SelectionKeys(rawValue: 256)
  static let removal = SelectionKeys(rawValue: 512)

  /// Their names, in the order in which they are told last.
  static let names: [(keys: SelectionKeys, name: String)] = [
    (.indexes, "selectionIndexes"), (.paths, "selectionIndexPaths"), (.path, "selectionIndexPath"),
    (.nodes, "selectedNodes"), (.objects, "selectedObjects"), (.index, "selectionIndex"),
    (.next, "canSelectNext"), (.previous, "canSelectPrevious"), (.child, "canAddChild"),
    (.removal, "canRemove"),
  ]
}

/// The selection of a controller at one moment, as its observers see it.
struct SelectionState {
  /// The places in a list.
  var indexes = IndexList()
  /// The places in a tree, upwards, and the nodes that are there.
  var paths: [TreePath] = [], nodes: [KVObject] = []
  let objects: [KVObject]
  /// How many rows a list has, and how often they have changed.
  var count = 0, arrangementChanges = 0

  var isEmpty: Bool { indexes.isEmpty && paths.isEmpty }
  var canSelectNext: Bool { (indexes.first ?? -1) < count - 1 }
  var canSelectPrevious: Bool { (indexes.first ?? 0) > 0 }

  /// The keys whose values differ.
  func differences(from other: SelectionState) -> SelectionKeys {
    var keys: SelectionKeys = []
    if indexes != other.indexes { keys.insert(.indexes) }
    if paths != other.paths { keys.insert(.paths) }
    if paths.first != other.paths.first { keys.insert(.path) }
    if !nodes.elementsEqual(other.nodes, by: ===) { keys.insert(.nodes) }
    if !objects.elementsEqual(other.objects, by: ===) { keys.insert(.objects) }
    if indexes.first != other.indexes.first { keys.insert(.index) }
    if canSelectNext != other.canSelectNext { keys.insert(.next) }
    if canSelectPrevious != other.canSelectPrevious { keys.insert(.previous) }
    if paths.isEmpty != other.paths.isEmpty { keys.insert(.child) }
    if isEmpty != other.isEmpty { keys.insert(.removal) }
    return keys
  }
}
