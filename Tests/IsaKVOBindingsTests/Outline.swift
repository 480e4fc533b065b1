import IsaKVO
import IsaKVOBindings
import Testing

/// An object with others below it, for the tests of trees.
class Twig: KVObject, @unchecked Sendable {
  @Dynamic var name: String
  @Dynamic var items: [Twig]
  @Dynamic var count = 1
  @Dynamic var isPlain = false

  init(_ name: String, _ items: Twig...) {
    self.name = name
    self.items = items
    super.init()
  }

  override var description: String { name }
}

/// A tree as somebody has it who is told of its changes: notes of them, each with a check that all is
/// consistent.
final class Outline {
  private final class Shadow {
    let node: TreeNode<Twig>
    var children: [Shadow] = []
    var tokens: [KeyValueObservation] = []

    init(_ node: TreeNode<Twig>) { self.node = node }
  }

  private unowned let tree: TreeController<Twig>
  private let root: Shadow
  private var lines: [String] = []
  /// Whether it is not told yet of all that has changed.
  private var isBehind = false
  private var tokens: [KeyValueObservation] = []

  init(_ tree: TreeController<Twig>) {
    self.tree = tree
    root = Shadow(tree.arrangedObjects)
    fill(root)
    func watch<Value>(_ key: String, _ property: KeyPath<TreeController<Twig>, Value>) {
      tokens.append(
        tree.observe(property, options: [.old, .new]) { [unowned self] _, change in
          check()
          let old = change.oldValue.map { "\($0)" } ?? "nil"
          lines.append("\(key): \(old) to \(change.newValue.map { "\($0)" } ?? "nil")")
        })
    }
    watch("paths", \.selectionIndexPaths)
    watch("objects", \.selectedObjects)
  }

  /// The notes since this was last asked.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }

  /// Does something in a transaction, at whose end alone the tree is what was told of it.
  func inTransaction(_ body: () throws -> Void) rethrows {
    let outer = isBehind
    isBehind = true
    defer {
      isBehind = outer
      check()
    }
    try KVObject.transaction(body)
  }

  private func fill(_ shadow: Shadow) {
    shadow.children = shadow.node.children.map { node in
      let child = Shadow(node)
      fill(child)
      return child
    }
    for options in [ObservationOptions([.old, .new]), [.prior]] {
      shadow.tokens.append(
        shadow.node.observe(\.children, options: options) {
          [unowned self, unowned shadow] _, change in
          if options == .prior { return check(ofShadow: false) }
          apply(change, shadow)
          check()
        })
    }
  }

  private func apply(_ change: ValueChange<[TreeNode<Twig>]>, _ shadow: Shadow) {
    let indexes = change.indexes ?? [], old = change.oldValue ?? [], new = change.newValue ?? []
    #expect(change.indexes != nil)
    let name = shadow.node.object?.name ?? "/"
    switch change.kind {
    case .removal:
      #expect(isSame(indexes.map { shadow.children[$0].node }, old))
      for index in indexes.reversed() { shadow.children.remove(at: index) }
    case .insertion:
      for (index, node) in zip(indexes, new) {
        let child = Shadow(node)
        fill(child)
        shadow.children.insert(child, at: index)
      }
    default:
      #expect(isSame(indexes.map { shadow.children[$0].node }, old))
      let before = shadow.children
      for (index, node) in zip(indexes, new) {
        shadow.children[index] = before.first { $0.node === node }!
      }
    }
    lines.append("\(name) \(change.kind) \(indexes)")
  }

  private func check(ofShadow: Bool = true) {
    let paths = tree.selectionIndexPaths
    let nodes = paths.compactMap { tree.arrangedObjects[$0] }
    #expect(nodes.count == paths.count && paths == paths.sorted())
    #expect(isSame(nodes, tree.selectedNodes))
    #expect(isSame(nodes.compactMap(\.object), tree.selectedObjects))
    if ofShadow, !isBehind { compare(root) }
  }

  private func compare(_ shadow: Shadow) {
    #expect(isSame(shadow.node.children, shadow.children.map(\.node)))
    for child in shadow.children { compare(child) }
  }
}

extension TreeController where Node == Twig {
  /// A controller of these roots.
  convenience init(_ roots: [Twig]) {
    self.init(children: \.items)
    content = roots
  }

  /// The names as they are shown: a(b c(d)) e
  var text: String { text(arrangedObjects) }

  private func text(_ node: TreeNode<Twig>) -> String {
    node.children.map { child in
      let below = text(child)
      return (child.object?.name ?? "") + (below.isEmpty ? "" : "(\(below))")
    }.joined(separator: " ")
  }

  var selectedNames: [String] { selectedObjects.map(\.name) }
}
