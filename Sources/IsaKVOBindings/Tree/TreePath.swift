/// The place of a node in a tree: the index among the roots, then that among the children, and so on.
///
///     tree.selectionIndexPaths = [[0], [2, 1]]
///     TreePath([2]).appending(1) == [2, 1]
///
/// Paths are in the order in which an outline shows the nodes: a node before its children, and those
/// before the node behind it.
///
/// - Note: Source `NSIndexPath`, Foundation.
public struct TreePath: Hashable, Sendable {
  /// The indexes, from the root; none for the invisible node that has the roots.
  public let indexes: [Int]

  /// Makes a path of indexes.
  ///
  /// - Parameter indexes: None is negative; a negative index stops the process.
  public init(_ indexes: [Int] = []) {
    if let index = indexes.first(where: { $0 < 0 }) { fatalError("TreePath: \(index) is no index") }
    self.indexes = indexes
  }

  /// The path to a child of the node.
  public func appending(_ index: Int) -> TreePath { TreePath(indexes + [index]) }

  /// The path to the node's parent; nil for the path without indexes.
  public var parent: TreePath? { indexes.isEmpty ? nil : TreePath(indexes.dropLast()) }

  /// Whether the path leads to a node above that of another, and not to the same.
  public func isAncestor(of other: TreePath) -> Bool {
    indexes.count < other.indexes.count && other.indexes.starts(with: indexes)
  }
}

extension TreePath: RandomAccessCollection {
  /// Makes a path of the indexes of a part of one.
  init(_ indexes: ArraySlice<Int>) { self.init(Array(indexes)) }

  /// 0.
  public var startIndex: Int { 0 }

  /// How many indexes there are.
  public var endIndex: Int { indexes.count }

  /// The index at a level.
  public subscript(level: Int) -> Int { indexes[level] }
}

extension TreePath: Comparable {
  /// Whether an outline shows the first node above the second.
  public static func < (first: TreePath, second: TreePath) -> Bool {
    first.indexes.lexicographicallyPrecedes(second.indexes)
  }
}

extension TreePath: ExpressibleByArrayLiteral {
  /// Makes a path of the indexes written in brackets.
  public init(arrayLiteral indexes: Int...) { self.init(indexes) }
}

extension TreePath: CustomStringConvertible {
  /// The indexes for people: `[2, 1]`.
  public var description: String { "\(indexes)" }
}
