public import IsaKVO

/// Objects with objects below them, between a model and what shows them as an outline: sorted on each
/// level, and with a selection.
///
///     let folders = TreeController<Folder>(children: \.folders)
///     folders.sort = [.ascending(\.name)]
///     folders.content = [home, trash]
///     folders.select([0, 2])                     // the third folder of the first
///     try folders.insert(Folder(), at: [0, 3])   // into home.folders, so that its observers are told
///
/// ``arrangedObjects`` is a tree of ``TreeNode``, each of which tells how its `children` change, as the
/// lists of objects below the objects do. Whenever they, or anything else here, are told,
/// ``selectionIndexPaths`` lead to nodes, and ``selectedObjects`` are theirs; observers that are
/// told before a change of the selection are shown the selection before.
///
/// The keys for key-value coding are the names of the properties. An observer of any of them, or of a
/// node, may change the model or the controller: what is shown follows once the present change is told,
/// before the outermost call returns.
///
/// An object may be shown in several places, but not below itself: there it is left out, and that is a
/// misuse.
///
/// It keeps its content, and belongs to the thread, or the actor, to which the objects belong.
///
/// - Note: Source `NSTreeController`, AppKit.
open class TreeController<Node: KVObject>: ArrangingController<Node> {
  // MARK: Settings

  /// The property that has the objects below one.
  public final let childrenKeyPath: ReferenceWritableKeyPath<Node, [Node]>
  /// The property that says how many objects are below one; nil if there is none.
  public final let countKeyPath: KeyPath<Node, Int>?
  /// The property that says whether none can be below one; nil if there is none.
  public final let leafKeyPath: KeyPath<Node, Bool>?

  // MARK: State

  final var roots: [Node] = []
  final let root = TreeNode<Node>(nil)
  /// The nodes of each object.
  final var nodesByObject: [ObjectIdentifier: [TreeNode<Node>]] = [:]

  /// The nodes whose children are to be arranged; nil if that has been done.
  final var pending: [TreeNode<Node>] = []
  /// Whether all is in another order, or has other roots.
  final var isReordered = false, isReplaced = false
  final var hasChanged = false
  /// The nodes that have left the tree while the tree settles, by their objects; an object that comes
  /// back has its node again.
  final var stash: [ObjectIdentifier: [TreeNode<Node>]] = [:]

  final var selected: [TreeNode<Node>] = []
  /// The places that are to stay selected; nil if nodes are.
  final var kept: [TreePath]?
  /// Nodes that were selected when they left the tree while the tree settles.
  final var lost: [TreeNode<Node>] = []
  /// The place of the first of them: where the selection goes if nothing else is selected.
  final var vacancy: (path: TreePath, parent: TreeNode<Node>, index: Int)?
  /// The objects that become the selection, by the nodes above them.
  final var toSelect: [(parent: TreeNode<Node>, objects: [Node])] = []

  /// Makes a controller without content.
  ///
  /// - Parameters:
  ///   - children: The objects below an object: a wrapped property, or a property that announces
  ///     its changes.
  ///   - count: Their number, if it is cheaper to have: while it is 0, `children` is not read.
  ///   - isLeaf: Whether there cannot be any: while it is true, `children` is not read, and nothing can
  ///     be inserted there.
  public init(
    children: ReferenceWritableKeyPath<Node, [Node]>, count: KeyPath<Node, Int>? = nil,
    isLeaf: KeyPath<Node, Bool>? = nil
  ) {
    childrenKeyPath = children
    countKeyPath = count
    leafKeyPath = isLeaf
    super.init()
    root.isAttached = true
  }

  deinit {
    // Somebody may keep a node.
    for node in root.family { node.tokens = [] }
  }

  /// Declares the keys of the controller; a subclass adds to what `super` answers.
  open override class var keys: [KeyDeclaration] {
    super.keys + [
      .announced("content", \TreeController.content),
      .announced("arrangedObjects", \TreeController.arrangedObjects),
      .announced("selectionIndexPaths", \TreeController.selectionIndexPaths),
      .announced("selectionIndexPath", \TreeController.selectionIndexPath),
      .announced("selectedNodes", \TreeController.selectedNodes),
      .announced("selectedObjects", \TreeController.selectedObjects),
      .key("canAdd", \TreeController.canAdd, affectedBy: [\TreeController.isEditable]),
      .announced(
        "canAddChild", \TreeController.canAddChild, affectedBy: [\TreeController.isEditable]),
    ]
  }

  override final var isOutdated: Bool { !pending.isEmpty || !toSelect.isEmpty }

  override final func arrangeOrNotify() {
    beginNotifying()
    if !pending.isEmpty { return arrange() }
    selectKept()
    select()
    close()
  }

  override final func abandon() { (pending, toSelect) = ([], []) }

  override final func didSettle() {
    (stash, lost, vacancy, kept, notified) = ([:], [], nil, nil, nil)
  }

  override final var present: SelectionState { state(of: selected) }

  override final var passesLatest: Bool { false }

  override final func rearranging(_ key: String, _ change: () -> Void) {
    let isSort = key == "sort"
    announcing(key) {
      change()
      if !isSort { updateWatch() }
    }
    if isSort { updateWatch() }
    if isSort || watches { rearrange() }
  }

  // MARK: Content and arrangement

  /// The roots, in their own order; told to observers. Setting the very same tells nothing.
  public var content: [Node] {
    get { reading("content") { roots } }
    set { if let boundModel { boundModel.set(newValue) } else { setRoots(newValue) } }
  }

  /// The invisible node above the roots, always the same: all that is shown is below it.
  public var arrangedObjects: TreeNode<Node> { root }

  /// Arranges all anew, as after changes of objects that the controller was not told of. It tells nothing
  /// if nothing is elsewhere.
  open func rearrange() {
    isReordered = true
    pending += root.family
    settle()
  }

  /// The places at which an object is shown, upwards.
  public func paths(of object: Node) -> [TreePath] {
    (nodesByObject[ObjectIdentifier(object)] ?? []).compactMap(\.path).sorted()
  }

  // MARK: Permissions

  /// Whether ``add()`` may be called: the controller is editable.
  public var canAdd: Bool { isEditable }

  /// Whether ``addChild(_:)`` has somewhere to go: the controller is editable, and something is selected.
  public var canAddChild: Bool {
    reading("canAddChild") { isEditable && !shown.paths.isEmpty }
  }

  // MARK: Adding

  /// Adds an object that ``ArrangingController/makeObject`` makes, as ``add(_:)``.
  open func add() throws(KeyValueError) { if let object = makeObject() { try add(object) } }

  /// Adds an object behind the last that is selected, below the same one; at the end of the roots if
  /// nothing is selected.
  ///
  /// - Throws: As ``insert(_:at:)``.
  open func add(_ object: Node) throws(KeyValueError) {
    let last = present.paths.last
    let path = last.map { TreePath($0.indexes.dropLast() + [$0.indexes.last! + 1]) }
    try insert([object], at: path ?? [root.nodes.count])
  }

  /// Adds an object below the first selected one, behind the objects that are there; at the end of
  /// the roots if nothing is selected.
  ///
  /// - Throws: As ``insert(_:at:)``.
  open func addChild(_ object: Node) throws(KeyValueError) {
    let path = present.paths.first ?? []
    try insert([object], at: path.appending(root[path]?.nodes.count ?? 0))
  }

  /// Inserts an object, as ``insert(contentsOf:at:)``.
  open func insert(_ object: Node, at path: TreePath) throws(KeyValueError) {
    try insert([object], at: path)
  }

  /// Inserts objects below the object that the path leads to without its last index: there, so that
  /// they are shown from that index on, or at their places if the controller sorts.
  ///
  /// A last index beyond the end is the end.
  ///
  /// - Throws: `KeyValueError.Code.outOfRange` for a path that does not lead to a node above;
  ///   `KeyValueError.Code.invalidArgument` for an object that would come to be below itself, and for a
  ///   leaf above. Nothing is inserted then.
  open func insert(contentsOf objects: [Node], at path: TreePath) throws(KeyValueError) {
    try insert(objects, at: path)
  }

  // MARK: Removing and moving

  /// Removes the object that is shown at a place, with all that is below it: this occurrence, and no
  /// other.
  ///
  /// - Parameter path: A path that leads to nothing removes nothing.
  open func remove(at path: TreePath) { remove(at: [path]) }

  /// Removes the objects that are shown at places.
  open func remove(at paths: [TreePath]) { remove(paths.compactMap { root[$0] }) }

  /// Removes the selected objects.
  open func removeSelected() { remove(asElements(present.nodes)) }

  /// Moves the object that is shown at a place, with all that is below it, to another.
  ///
  ///     try tree.move([0], to: [2, 0])   // below the third root
  ///
  /// - Parameters:
  ///   - path: The place of the object.
  ///   - destination: The place where it is to be: below the node that all but the last index lead to
  ///     before the move, at the last index among those below that one but the object itself; at its
  ///     place if the controller sorts.
  /// - Throws: As ``move(_:to:)-(_,_)``.
  open func move(_ path: TreePath, to destination: TreePath) throws(KeyValueError) {
    guard let node = root[path], node !== root else { throw missing(path) }
    try move([node], to: destination)
  }

  /// Moves nodes, each with all that is below it, so that they are shown one behind the other from a
  /// place on. They are the same nodes then, and stay selected.
  ///
  /// A node that is below another of them goes with that; nodes that are not shown stay away.
  ///
  /// - Throws: `KeyValueError.Code.outOfRange` for a place that is below none;
  ///   `KeyValueError.Code.invalidArgument` for one below a node that is to be moved, and below a leaf.
  ///   Nothing is moved then.
  open func move(
    _ nodes: [TreeNode<Node>], to destination: TreePath
  ) throws(KeyValueError) {
    try moveNodes(nodes, to: destination)
  }
}
