internal import IsaKVO
internal import IsaKeyValue

extension TreeController {
  /// The selection of nodes, by their places.
  final func state(of nodes: [TreeNode<Node>]) -> SelectionState {
    let places = nodes.compactMap { node in node.path.map { (path: $0, node: node) } }
      .sorted { $0.path < $1.path }
    let nodes = places.map(\.node)
    return SelectionState(
      paths: places.map(\.path), nodes: nodes, objects: asObjects(nodes.compactMap(\.object)))
  }

  // MARK: Reading and setting

  /// The places of what is selected, upwards and each once. Places that lead to nothing are left
  /// out.
  ///
  /// An editor's refusal leaves the selection as it is, and is a misuse; ``select(_:)-([TreePath])``
  /// answers false instead.
  public var selectionIndexPaths: [TreePath] {
    get { reading("selectionIndexPaths") { shown.paths } }
    set { setSelected(nodes(at: newValue)) }
  }

  /// The first of ``selectionIndexPaths``; setting it selects that alone, and nothing if nil.
  public var selectionIndexPath: TreePath? {
    get { reading("selectionIndexPath") { shown.paths.first } }
    set { selectionIndexPaths = newValue.map { [$0] } ?? [] }
  }

  /// The nodes that are selected, in the order in which an outline shows them. Setting it selects
  /// the nodes that are shown, and leaves others out.
  public var selectedNodes: [TreeNode<Node>] {
    get { reading("selectedNodes") { asElements(shown.nodes) } }
    set { setSelected(newValue) }
  }

  /// The objects that are selected, in that order. Setting it selects the objects that are shown,
  /// each at its first place, and leaves others out.
  public var selectedObjects: [Node] {
    get { reading("selectedObjects") { asElements(shown.objects) } }
    set { setSelected(nodes(of: newValue)) }
  }

  /// Selects the nodes at places, and nothing else.
  ///
  /// - Parameter paths: Paths that lead to nothing are left out.
  /// - Returns: Whether it has changed the selection: an editor that refuses to commit keeps it.
  @discardableResult
  public func select(_ paths: [TreePath]) -> Bool { selecting(nodes(at: paths)) }

  /// Selects one node, and nothing else; nothing if there is none at the place.
  ///
  /// - Returns: As ``select(_:)-([TreePath])``.
  @discardableResult
  public func select(_ path: TreePath) -> Bool { select([path]) }

  /// Selects objects at the first places where they are shown, and nothing else.
  ///
  /// - Returns: As ``select(_:)-([TreePath])``.
  @discardableResult
  public func select(objects: [Node]) -> Bool { selecting(nodes(of: objects)) }

  private func nodes(at paths: [TreePath]) -> [TreeNode<Node>] {
    paths.compactMap { $0.isEmpty ? nil : root[$0] }
  }

  private func nodes(of objects: [Node]) -> [TreeNode<Node>] {
    objects.compactMap { paths(of: $0).first.flatMap { root[$0] } }
  }

  // MARK: Changing

  private func setSelected(_ nodes: [TreeNode<Node>]) {
    selecting { () throws(KeyValueError) in try trySelect(nodes) }
  }

  private func selecting(_ nodes: [TreeNode<Node>]) -> Bool {
    do { return try trySelect(nodes) } catch { return false }
  }

  /// Selects nodes once the editors have committed.
  ///
  /// - Throws: An editor's refusal.
  private func trySelect(_ nodes: [TreeNode<Node>]) throws(KeyValueError) -> Bool {
    if isSelected(nodes) { return false }
    try commitEditing()
    // A commit may have moved nodes, or taken them away.
    if isSelected(nodes) { return false }
    beginNotifying()
    lost = []
    take(nodes)
    settle()
    return true
  }

  private func isSelected(_ nodes: [TreeNode<Node>]) -> Bool {
    let new = state(of: nodes.filter(\.isAttached)).nodes
    return Set(identities(of: new)) == Set(identities(of: selected))
  }

  /// Selects the nodes that are shown, each once.
  private func take(_ nodes: [TreeNode<Node>]) {
    var known: Set<ObjectIdentifier> = []
    selected = nodes.filter { $0.isAttached && known.insert(ObjectIdentifier($0)).inserted }
  }

  /// Selects the nodes at the places that were selected before the order or the roots changed, if it
  /// is they that are to stay. Editors commit before; a refusal is discarded.
  final func selectKept() {
    guard let paths = kept else { return }
    kept = nil
    commitOrDiscardEditing()
    take(nodes(at: paths))
  }

  // MARK: After changes

  /// Notes the place of the first selected node that leaves: what comes after it is selected then.
  final func noteVacancy(
    _ leaving: [TreeNode<Node>], _ indexes: [Int], _ parent: TreeNode<Node>
  ) {
    guard let path = state(of: leaving).paths.first, let level = parent.path?.count else {
      return
    }
    if let vacancy, vacancy.path < path { return }
    let index = path[level]
    vacancy = (path, parent, index - indexes.firstPlace { $0 >= index })
  }

  /// Selects what was inserted, or something if nothing is selected that may not be.
  final func select() {
    let inserted = toSelect.flatMap { parent, objects in
      var finder = OccurrenceFinder(identities(of: objects))
      return parent.nodes.reversed().filter { finder.take(ObjectIdentifier($0.object!)) != nil }
    }
    let hasChanged = hasChanged || isReplaced
    let isReplaced = isReplaced
    (toSelect, self.hasChanged, self.isReplaced) = ([], false, false)
    if !inserted.isEmpty { return take(inserted) }
    guard selected.isEmpty, hasChanged, avoidsEmptySelection, let first = root.nodes.first else {
      return
    }
    take([isReplaced ? first : substitute ?? first])
    vacancy = nil
  }

  /// The node at the place of the first selected node, the last node beside it, or the node above.
  private var substitute: TreeNode<Node>? {
    guard let vacancy, vacancy.parent.isAttached else { return nil }
    let nodes = vacancy.parent.nodes
    if nodes.isEmpty { return vacancy.parent === root ? nil : vacancy.parent }
    return nodes[min(vacancy.index, nodes.count - 1)]
  }
}
