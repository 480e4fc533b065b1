public import IsaKVO
internal import IsaKeyValue

// Changes of the model by the controller's user.
extension TreeController {
  final func missing(_ path: TreePath) -> KeyValueError {
    KeyValueError(
      .outOfRange, key: "arrangedObjects", className: className,
      reason: "\(className) shows nothing at \(path)")
  }

  /// The node above a place.
  private func parent(of path: TreePath) throws(KeyValueError) -> TreeNode<Node> {
    guard let above = path.parent, let parent = root[above] else { throw missing(path) }
    if let leafKeyPath, let object = parent.object, object[keyPath: leafKeyPath] {
      throw KeyValueError(
        .invalidArgument, key: "arrangedObjects", className: className,
        reason: "\(object.description) is a leaf: nothing can be below it")
    }
    return parent
  }

  // MARK: Inserting

  final func insert(_ objects: [Node], at path: TreePath) throws(KeyValueError) {
    let parent = try parent(of: path)
    for object in objects { try check(object, below: parent) }
    if objects.isEmpty { return }
    let selects = selectsInsertedObjects && commits()
    let anchor = path.indexes.last.flatMap { parent.nodes.dropFirst($0).first }
    holding { insert(objects, before: anchor, below: parent, selects: selects) }
  }

  /// - Throws: The error of an object that has one above the place below it, or is one.
  private func check(
    _ object: Node, below parent: TreeNode<Node>
  ) throws(KeyValueError) {
    let above = Set(parent.lineage.map { ObjectIdentifier($0.object!) })
    var known: Set<ObjectIdentifier> = [], next = [object]
    while let one = next.popLast() {
      let identity = ObjectIdentifier(one)
      if above.contains(identity) { throw belowItself(one) }
      if known.insert(identity).inserted, !isLeaf(one) { next += one[keyPath: childrenKeyPath] }
    }
  }

  /// Inserts objects into the model, in front of a node or at the end.
  private func insert(
    _ objects: [Node], before anchor: TreeNode<Node>?, below parent: TreeNode<Node>, selects: Bool
  ) {
    let place = sorting.isEmpty ? anchor.flatMap { index(of: $0, below: parent) } : nil
    if selects { toSelect.append((parent, objects)) }
    guard let object = parent.object else {
      let start = place ?? modelRoots.count
      return changeRoots(.insertion, objects, Array(start..<(start + objects.count)))
    }
    ContentSource.insert(objects, at: place, into: object.mutableArrayValue(for: childrenKeyPath))
    followOwnChange(below: parent)
  }

  /// The index, in the model's list, of a node's object; of an object that is there twice, this
  /// occurrence.
  private func index(of node: TreeNode<Node>, below parent: TreeNode<Node>) -> Int? {
    let list = parent.object.map { $0[keyPath: childrenKeyPath] } ?? modelRoots
    let occurrences = list.indices.filter { list[$0] === node.object }
    let nodes = parent.nodes.filter { $0.object === node.object }
    guard let number = nodes.firstIndex(where: { $0 === node }), number < occurrences.count else {
      return nil
    }
    return occurrences[number]
  }

  /// Shows a change by the controller's user, also where the model tells later.
  private func followOwnChange(below parent: TreeNode<Node>) {
    if DeliveryScope.mayWait, parent.isAttached { note(parent) }
  }

  // MARK: Removing

  /// Removes nodes, but for nodes that go with others.
  final func remove(_ nodes: [TreeNode<Node>]) {
    let nodes = outermost(nodes)
    if nodes.isEmpty { return }
    holding { take(nodes) }
  }

  /// The nodes that are shown, each once, and not below another of them.
  private func outermost(_ nodes: [TreeNode<Node>]) -> [TreeNode<Node>] {
    let all = Set(nodes.map { ObjectIdentifier($0) })
    var known: Set<ObjectIdentifier> = []
    return nodes.filter { node in
      node.isAttached && node !== root && known.insert(ObjectIdentifier(node)).inserted
        && !node.lineage.dropFirst().contains { all.contains(ObjectIdentifier($0)) }
    }
  }

  /// Takes nodes out of the model, in one change of each list.
  private func take(_ nodes: [TreeNode<Node>]) {
    var parents: [TreeNode<Node>] = []
    for case let parent? in nodes.map(\.parent) where !parents.contains(where: { $0 === parent }) {
      parents.append(parent)
    }
    for parent in parents {
      let places = nodes.filter { $0.parent === parent }
        .compactMap { node in index(of: node, below: parent).map { ($0, node.object!) } }
        .sorted { $0.0 < $1.0 }
      let indexes = places.map(\.0), objects = places.map(\.1)
      if indexes.isEmpty { continue }
      guard let object = parent.object else {
        changeRoots(.removal, objects, indexes)
        continue
      }
      ContentSource.remove(
        objects, at: indexes, from: object.mutableArrayValue(for: childrenKeyPath))
      followOwnChange(below: parent)
    }
  }

  // MARK: Moving

  final func moveNodes(
    _ nodes: [TreeNode<Node>], to destination: TreePath
  ) throws(KeyValueError) {
    let nodes = outermost(nodes), parent = try parent(of: destination)
    for node in nodes {
      if parent.lineage.contains(where: { $0 === node }) { throw belowItself(node.object!) }
      try check(node.object!, below: parent)
    }
    if nodes.isEmpty { return }
    let others = parent.nodes.filter { child in !nodes.contains { $0 === child } }
    let anchor = destination.indexes.last.flatMap { others.dropFirst($0).first }
    holding {
      take(nodes)
      insert(nodes.compactMap(\.object), before: anchor, below: parent, selects: false)
    }
  }

  // MARK: Binding

  /// Keeps the roots what a list of a model is. Inserting and removing roots here changes the list.
  ///
  /// A binding that there was ends, and so does this one with either end; the roots stay then.
  ///
  /// - Parameters:
  ///   - model: Neither end retains the other.
  ///   - property: A wrapped property, or a property that announces its changes. Any other is a
  ///     misuse, and nothing is bound.
  ///   - file: The call's file, for the report of a misuse.
  ///   - line: The call's line.
  /// - Note: Source the binding `contentArray`, AppKit.
  public func bindContent<Model: KVObject>(
    to model: Model, _ property: ReferenceWritableKeyPath<Model, [Node]>,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    let token = model.observe(
      property,
      changeHandler: { [weak self] model, change in
        self?.follow(model[keyPath: property], isSet: change.kind == .setting)
      }, file: file, line: line)
    if !token.isValid { return }
    contentToken = token
    source = ContentSource(of: model, property)
    follow(model[keyPath: property], isSet: true)
  }

  /// Ends the binding of the roots, which stay as they are.
  public func unbindContent() { (source, contentToken) = (nil, nil) }

  /// The roots as the model has them, which in a transaction tells of them later.
  private var modelRoots: [Node] { boundModel?.read() ?? roots }

  final func follow(_ objects: [Node], isSet: Bool) {
    if isSet { return setRoots(objects) }
    if objects.elementsEqual(roots, by: ===) { return }
    announcing("content") { roots = objects }
    note(root)
  }
}
