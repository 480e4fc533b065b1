internal import IsaKVO

/// The keys of a controller that change with its selection.
struct SelectionKeys: OptionSet {
  let rawValue: Int

  static let objects = SelectionKeys(rawValue: 1)
  static let index = SelectionKeys(rawValue: 2)
  static let next = SelectionKeys(rawValue: 4)
  static let previous = SelectionKeys(rawValue: 8)
  static let removal = SelectionKeys(rawValue: 16)
  static let indexes = SelectionKeys(rawValue: 32)

  /// Their names, in the order in which they are told last.
  static let names: [(keys: SelectionKeys, name: String)] = [
    (.indexes, "selectionIndexes"), (.objects, "selectedObjects"), (.index, "selectionIndex"),
    (.next, "canSelectNext"), (.previous, "canSelectPrevious"), (.removal, "canRemove"),
  ]
}

/// The selection of a controller at one moment, as its observers see it.
struct SelectionState {
  let indexes: IndexList
  let objects: [KVObject]
  /// How many rows there are, and how often they have changed.
  let count: Int
  let arrangementChanges: Int

  var canSelectNext: Bool { (indexes.first ?? -1) < count - 1 }
  var canSelectPrevious: Bool { (indexes.first ?? 0) > 0 }

  /// The keys whose values differ.
  func differences(from other: SelectionState) -> SelectionKeys {
    var keys: SelectionKeys = []
    if indexes != other.indexes { keys.insert(.indexes) }
    if !objects.elementsEqual(other.objects, by: ===) { keys.insert(.objects) }
    if indexes.first != other.indexes.first { keys.insert(.index) }
    if canSelectNext != other.canSelectNext { keys.insert(.next) }
    if canSelectPrevious != other.canSelectPrevious { keys.insert(.previous) }
    if indexes.isEmpty != other.indexes.isEmpty { keys.insert(.removal) }
    return keys
  }
}
