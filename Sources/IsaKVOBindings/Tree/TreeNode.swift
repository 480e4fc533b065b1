public import IsaKVO

/// An object of a tree as a ``TreeController`` shows it, with those below it.
///
/// It is the same node as long as the object stays below the same parent, and when the controller moves
/// it. Its key `children` tells which nodes leave, which are elsewhere, and which come, with their
/// indexes. Observe that of ``TreeController/arrangedObjects`` and of each node that is shown; what
/// stands below a node that comes is there already when it is told.
///
/// - Note: Source `NSTreeNode`, AppKit.
public final class TreeNode<Node: KVObject>: KVObject {
  /// The object; nil for the invisible node that has the roots.
  public let object: Node?

  /// The node above; nil for the node that has the roots, and for a node that is not shown any
  /// more.
  public internal(set) weak var parent: TreeNode?

  var nodes: [TreeNode] = []
  /// The observations of the object, while the node is shown.
  var tokens: [KeyValueObservation] = []
  /// Whether the node stands in the tree.
  var isAttached = false

  init(_ object: Node?) {
    self.object = object
    super.init()
  }

  /// Declares the keys of a node.
  public override class var keys: [KeyDeclaration] {
    [
      .announced("children", \TreeNode.children),
      .announced("object", \TreeNode.object),
    ]
  }

  /// The nodes below, in the order in which they are shown; told to observers.
  public var children: [TreeNode] { reading("children") { nodes } }

  /// The place of the node; nil for a node that is not shown any more.
  ///
  /// - Complexity: O(*n*) in the number of nodes beside it and those above it.
  public var path: TreePath? {
    var indexes: [Int] = [], node = self
    while let parent = node.parent {
      guard let index = parent.nodes.firstIndex(where: { $0 === node }) else { return nil }
      indexes.append(index)
      node = parent
    }
    return node.object == nil ? TreePath(indexes.reversed()) : nil
  }

  /// The node that a path leads to from this one; nil if there is none.
  public subscript(path: TreePath) -> TreeNode? {
    var node = self
    for index in path {
      guard index < node.nodes.count else { return nil }
      node = node.nodes[index]
    }
    return node
  }

  /// This node and the nodes above it, upwards, but for the node that has the roots.
  var lineage: [TreeNode] {
    Array(sequence(first: self, next: \.parent).prefix { $0.object != nil })
  }

  /// This node and all below it, as an outline shows them.
  var family: [TreeNode] { [self] + nodes.flatMap(\.family) }
}
