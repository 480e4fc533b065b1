internal import IsaKVO
internal import IsaKeyValue

// The only place where the tree changes. A change of the model or of the order notes the nodes
// whose children it may concern in `pending`, and calls `settle()`.
//
// Invariant: at every notification after a change the nodes of `selected` stand in the tree.
extension TreeController {
  /// Notes that the children of a node may be others.
  final func note(_ node: TreeNode<Node>) {
    pending.append(node)
    settle()
  }

  /// Arranges the children of all nodes that are noted. Nodes that leave do so first, so that a
  /// node that goes elsewhere is not in two places.
  final func arrange() {
    if !preservesSelection, isReordered || isReplaced, kept == nil {
      kept = present.paths
    }
    var known: Set<ObjectIdentifier> = []
    let nodes = pending.filter { known.insert(ObjectIdentifier($0)).inserted }
    (pending, isReordered) = ([], false)
    for isComplete in [false, true] {
      for node in nodes where node.isAttached { arrange(node, isComplete: isComplete) }
    }
  }

  /// Brings the children of a node to what they are to be: takes away nodes that leave, and then,
  /// if it is to be complete, moves and adds nodes.
  private func arrange(_ node: TreeNode<Node>, isComplete: Bool) {
    let target = objects(below: node, reports: isComplete)
    var finder = OccurrenceFinder(identities(of: target))
    let rows = node.nodes.map { finder.take(ObjectIdentifier($0.object!)) ?? -1 }
    let changes = RowChanges(from: rows, to: Array(target.indices), count: target.count) { _, _ in
      false
    }
    if !changes.removed.isEmpty { remove(at: changes.removed, of: node) }
    if !isComplete { return }
    let staying = node.nodes, order = changes.staying ?? []
    if staying.count != order.count { return pending.append(node) }
    let kept = rows.filter { $0 >= 0 }
    if !changes.moved.isEmpty {
      var byRow: [Int: TreeNode<Node>] = [:]
      for (row, child) in zip(kept, staying) { byRow[row] = child }
      step(.replacement, changes.moved, node) {
        node.nodes = order.map { byRow[$0]! }
      }
    }
    if !changes.inserted.isEmpty {
      let come = changes.arrivals.map { taking(target[$0], below: node) }
      step(.insertion, changes.inserted, node) {
        node.nodes.insert(come, at: changes.inserted)
        for child in come { attach(child, below: node) }
      }
    }
  }

  private func remove(at indexes: [Int], of node: TreeNode<Node>) {
    let leaving = indexes.map { node.nodes[$0] }
    let gone = Set(leaving.flatMap(\.family).map { ObjectIdentifier($0) })
    let pruned = selected.filter { gone.contains(ObjectIdentifier($0)) }
    if !pruned.isEmpty {
      if isEditing { discardEditing() }
      noteVacancy(pruned, indexes, node)
    }
    step(.removal, indexes, node) {
      node.nodes.remove(at: indexes)
      for child in leaving {
        detach(child)
        stash[ObjectIdentifier(child.object!), default: []].append(child)
      }
      selected.removeAll { gone.contains(ObjectIdentifier($0)) }
      lost += pruned
    }
  }

  /// Makes one change of the children of a node between its announcement and its end.
  private func step(
    _ kind: ChangeKind, _ indexes: [Int], _ node: TreeNode<Node>, _ change: () -> Void
  ) {
    hasChanged = true
    node.willChange(kind, valuesAt: indexes, forKey: "children")
    change()
    node.didChange(kind, valuesAt: indexes, forKey: "children")
  }

  // MARK: - Objects

  /// The objects that are to be shown below a node, in order.
  ///
  /// - Parameter reports: Whether objects that are left out are a misuse.
  private func objects(below node: TreeNode<Node>, reports: Bool) -> [Node] {
    guard let object = node.object else { return sorted(roots) }
    if isLeaf(object) { return [] }
    let lineage = Set(node.lineage.map { ObjectIdentifier($0.object!) })
    let children = object[keyPath: childrenKeyPath]
    let rest = children.filter { !lineage.contains(ObjectIdentifier($0)) }
    if reports, rest.count < children.count { Misuse.end(belowItself(object)) }
    return sorted(rest)
  }

  /// Whether the children of an object are not to be read.
  final func isLeaf(_ object: Node) -> Bool {
    if let leafKeyPath, object[keyPath: leafKeyPath] { return true }
    return countKeyPath.map { object[keyPath: $0] == 0 } ?? false
  }

  private func sorted(_ objects: [Node]) -> [Node] {
    sorting.isEmpty ? objects : sorting.order(of: objects).map { objects[$0] }
  }

  /// The error of an object that would be shown below itself.
  final func belowItself(_ object: Node) -> KeyValueError {
    KeyValueError(
      .invalidArgument, key: "arrangedObjects", className: className,
      reason: "\(object.description) would be among its own descendants",
      cure: "take it away from where it is, or show another object")
  }

  // MARK: - Nodes

  /// The node of an object that comes: its former node, if it has just left its place.
  private func taking(_ object: Node, below node: TreeNode<Node>) -> TreeNode<Node> {
    if let known = stash[ObjectIdentifier(object)]?.popLast() {
      pending += known.family
      return known
    }
    let new = TreeNode(object)
    new.parent = node
    new.nodes = objects(below: new, reports: true).map { taking($0, below: new) }
    return new
  }

  private func attach(_ node: TreeNode<Node>, below parent: TreeNode<Node>) {
    guard let object = node.object, !node.isAttached else { return }
    node.parent = parent
    node.isAttached = true
    nodesByObject[ObjectIdentifier(object), default: []].append(node)
    node.tokens = tokens(of: object, node)
    watch?.add([object])
    if lost.contains(where: { $0 === node }) { selected.append(node) }
    for child in node.nodes { attach(child, below: node) }
  }

  private func detach(_ node: TreeNode<Node>) {
    guard let object = node.object else { return }
    node.parent = nil
    node.isAttached = false
    node.tokens = []
    watch?.remove([object])
    let identity = ObjectIdentifier(object)
    nodesByObject[identity]!.removeAll { $0 === node }
    if nodesByObject[identity]!.isEmpty { nodesByObject[identity] = nil }
    for child in node.nodes { detach(child) }
  }

  private func tokens(of object: Node, _ node: TreeNode<Node>) -> [KeyValueObservation] {
    func observe<Value>(_ property: KeyPath<Node, Value>) -> KeyValueObservation {
      object.observe(property) { [weak self, weak node] _, _ in
        self?.atHome { [weak self, weak node] in
          if let self, let node, node.isAttached { note(node) }
        }
      }
    }
    let tokens = [observe(childrenKeyPath)]
    return tokens + (countKeyPath.map { [observe($0)] } ?? [])
      + (leafKeyPath.map { [observe($0)] } ?? [])
  }

  /// Watches the properties that the order depends on, if it is to follow them.
  final func updateWatch() {
    guard watches else { return watch = nil }
    let watch = ElementWatch(Set(sorting.flatMap(\.dependencies))) { [weak self] object in
      self?.atHome { [weak self] in
        guard let self, let nodes = nodesByObject[ObjectIdentifier(object)] else { return }
        pending += nodes.compactMap(\.parent)
        settle()
      }
    }
    watch.add(root.family.compactMap(\.object))
    self.watch = watch
  }

  // MARK: - Roots

  /// Takes other roots.
  final func setRoots(_ objects: [Node]) {
    if objects.elementsEqual(roots, by: ===) { return }
    announcing("content") { roots = objects }
    isReplaced = true
    note(root)
  }

  /// Changes roots that are bound to nothing, or else the model's.
  final func changeRoots(_ kind: ChangeKind, _ objects: [Node], _ indexes: [Int]) {
    if let boundModel {
      if kind == .insertion {
        boundModel.insert(objects, indexes.first)
      } else {
        boundModel.remove(objects, indexes)
      }
      if DeliveryScope.mayWait, let now = boundModel.read() { follow(now, isSet: false) }
      return
    }
    willChange(kind, valuesAt: indexes, forKey: "content")
    // Observers may have changed the roots.
    let places =
      kind == .insertion
      ? roots.places(inserting: indexes)
      : ContentSource.places(of: objects, at: indexes, in: roots)
    roots.change(kind, objects, at: places)
    didChange(kind, valuesAt: indexes, forKey: "content")
    note(root)
  }
}
