internal import IsaKVO

/// The selection of a tree controller at one moment, as its observers see it.
struct TreeSelection<Node: KVObject> {
  /// Upwards; of the same count as the nodes, which they lead to.
  let paths: [TreePath]
  let nodes: [TreeNode<Node>]

  init(_ nodes: [TreeNode<Node>]) {
    let places = nodes.compactMap { node in node.path.map { (path: $0, node: node) } }
      .sorted { $0.path < $1.path }
    paths = places.map(\.path)
    self.nodes = places.map(\.node)
  }

  var objects: [Node] { nodes.compactMap(\.object) }

  /// The keys whose values differ, in the order in which they are told last.
  func differences(from other: TreeSelection) -> [String] {
    var keys: [String] = []
    if paths != other.paths { keys.append("selectionIndexPaths") }
    if paths.first != other.paths.first { keys.append("selectionIndexPath") }
    if !nodes.elementsEqual(other.nodes, by: ===) { keys.append("selectedNodes") }
    if !objects.elementsEqual(other.objects, by: ===) { keys.append("selectedObjects") }
    if paths.isEmpty != other.paths.isEmpty { keys += ["canAddChild", "canRemove"] }
    return keys
  }
}
