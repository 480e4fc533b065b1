import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .oneAtATime) struct TreeTests {
  private final class Folder: KVObject {
    @Dynamic var roots: [Twig] = []
  }

  /// a(b c(d e)) f
  private func sample() -> TreeController<Twig> {
    TreeController([
      Twig("a", Twig("b"), Twig("c", Twig("d"), Twig("e"))), Twig("f"),
    ])
  }

  @Test("BND-90: a fresh controller has nothing")
  func fresh() {
    let tree = TreeController<Twig>(children: \.items)
    #expect(tree.content.isEmpty && tree.arrangedObjects.children.isEmpty && tree.sort.isEmpty)
    #expect(tree.avoidsEmptySelection && tree.preservesSelection && tree.selectsInsertedObjects)
    #expect(!tree.alwaysUsesMultipleValuesMarker && !tree.automaticallyRearranges)
    #expect(tree.canAdd && !tree.canAddChild && !tree.canRemove)
    #expect(tree.selectionIndexPath == nil && tree.arrangedObjects.path == [])
  }

  @Test("BND-90: paths are lists of indexes, in the order of an outline")
  func paths() {
    let path: TreePath = [1, 2]
    #expect(path.parent == [1] && path.appending(0) == [1, 2, 0] && TreePath().parent == nil)
    #expect(path.isAncestor(of: [1, 2, 0]) && !path.isAncestor(of: path))
    #expect([[1, 0], [0, 5], [1], [0]].sorted() as [TreePath] == [[0], [0, 5], [1], [1, 0]])
    #expect(path.last == 2 && path.count == 2 && "\(path)" == "[1, 2]")
  }

  @Test("BND-90: the tree is that of the objects, and tells how the children of each change")
  func arranged() {
    let tree = sample(), outline = Outline(tree), a = tree.content[0], c = a.items[1]
    #expect(tree.text == "a(b c(d e)) f" && tree.arrangedObjects[[0, 1, 1]]?.object?.name == "e")
    #expect(tree.arrangedObjects[[0, 1, 1]]?.path == [0, 1, 1] && tree.paths(of: c) == [[0, 1]])
    #expect(tree.arrangedObjects[[0, 2]] == nil)
    c.items.insert(Twig("x", Twig("y")), at: 1)
    #expect(tree.text == "a(b c(d x(y) e)) f")
    c.items[1].items[0].items = [Twig("z")]
    c.items.removeFirst()
    c.items.reverse()
    tree.content.append(Twig("g"))
    #expect(tree.text == "a(b c(e x(y(z)))) f g")
    #expect(
      outline.take() == [
        "c insertion [1]", "y insertion [0]", "c removal [0]", "c replacement [0, 1]",
        "/ insertion [2]",
      ])
    tree.content = [tree.content[2], Twig("h"), a]
    #expect(tree.text == "g h a(b c(e x(y(z))))")
    #expect(
      outline.take() == [
        "/ removal [1]", "/ replacement [0, 1]", "/ insertion [1]", "paths: [[0]] to [[2]]",
      ])
    tree.content = tree.content
    #expect(outline.take() == [])
  }

  @Test("BND-58, BND-90: sort keys apply on each level, and are followed if that is asked")
  func sorted() {
    let tree = sample(), outline = Outline(tree), a = tree.content[0]
    tree.select([[0, 0], [0, 1, 1]])
    _ = outline.take()
    tree.sort = [.descending(\.name)]
    #expect(tree.text == "f a(c(e d) b)" && tree.selectedNames == ["e", "b"])
    #expect(
      outline.take() == [
        "/ replacement [0, 1]", "a replacement [0, 1]", "c replacement [0, 1]",
        "objects: [b, e] to [e, b]", "paths: [[0, 0], [0, 1, 1]] to [[1, 0, 0], [1, 1]]",
      ])
    tree.rearrange()
    #expect(outline.take() == [])
    a.items[0].name = "x"
    #expect(tree.text == "f a(c(e d) x)")
    tree.automaticallyRearranges = true
    #expect(tree.text == "f a(x c(e d))")
    _ = outline.take()
    a.items[1].items[0].name = "g"
    #expect(tree.text == "f a(x c(g e))")
    a.items[1].items[0].name = "h"
    #expect(outline.take().count == 2)
    let gone = a.items.remove(at: 1)
    _ = outline.take()
    gone.name = "z"
    gone.items[0].name = "zz"
    #expect(outline.take() == [] && registrations(of: gone) == 0)
    tree.automaticallyRearranges = false
    a.items[0].name = "y"
    #expect(outline.take() == [])
  }

  @Test("BND-90: a leaf's children, and those of an object that counts none, are not read")
  func leaves() {
    final class Odd: KVObject {
      @Dynamic var count = 0
      @Dynamic var isPlain = false
      var reads = 0
      private var list: [Odd] = []
      var items: [Odd] {
        get {
          reads += 1
          return list
        }
        set { list = newValue }
      }
      override class var keys: [KeyDeclaration] { [.key("items", \Odd.items)] }
    }
    let odd = Odd(), child = Odd()
    odd.items = [child]
    let tree = TreeController<Odd>(children: \.items, count: \.count, isLeaf: \.isPlain)
    tree.content = [odd]
    let reads = odd.reads
    #expect(tree.arrangedObjects.children[0].children.isEmpty)
    odd.isPlain = true
    odd.count = 1
    #expect(odd.reads == reads)
    odd.isPlain = false
    #expect(tree.arrangedObjects.children[0].children.count == 1)
    odd.isPlain = true
    #expect(tree.arrangedObjects.children[0].children.isEmpty)
    let error = #expect(throws: KeyValueError.self) { try tree.insert(Odd(), at: [0, 0]) }
    #expect(error?.code == .invalidArgument)
  }

  // MARK: Selection

  @Test("BND-78, BND-90: a selected object that stays shown stays selected at its new place")
  func staysSelected() {
    let tree = sample(), outline = Outline(tree)
    tree.select([0, 1, 0])
    #expect(tree.selectedNames == ["d"])
    _ = outline.take()
    tree.content.insert(Twig("x"), at: 0)
    #expect(tree.selectionIndexPaths == [[1, 1, 0]] && tree.selectedNames == ["d"])
    #expect(outline.take() == ["/ insertion [0]", "paths: [[0, 1, 0]] to [[1, 1, 0]]"])
    tree.content[1].items.remove(at: 0)
    #expect(tree.selectionIndexPaths == [[1, 0, 0]])
  }

  @Test("BND-79, BND-80, BND-90: what is selected instead of one that goes")
  func nextSelected() {
    let tree = sample(), a = tree.content[0]
    tree.select([0, 1, 0])
    a.items[1].items.removeFirst()
    #expect(tree.selectedNames == ["e"])
    a.items[1].items.append(Twig("x"))
    tree.select([0, 1, 1])
    a.items[1].items.removeLast()
    #expect(tree.selectedNames == ["e"])
    a.items[1].items = []
    #expect(tree.selectedNames == ["c"])
    tree.select([0])
    tree.removeSelected()
    #expect(tree.selectedNames == ["f"])
    tree.avoidsEmptySelection = false
    tree.removeSelected()
    tree.content = [Twig("y")]
    #expect(tree.selectionIndexPaths == [] && tree.text == "y")
    tree.avoidsEmptySelection = true
    tree.content = [Twig("z"), Twig("z")]
    #expect(tree.selectionIndexPaths == [[0]])
  }

  @Test("BND-90: a removed node's descendants are deselected")
  func descendants() {
    let tree = sample(), outline = Outline(tree)
    tree.select([[0, 1, 0], [0, 0], [1]])
    _ = outline.take()
    tree.content[0].items.remove(at: 1)
    #expect(tree.selectedNames == ["b", "f"])
    #expect(
      outline.take() == [
        "a removal [1]", "objects: [b, d, f] to [b, f]",
        "paths: [[0, 0], [0, 1, 0], [1]] to [[0, 0], [1]]",
      ])
  }

  @Test("BND-81, BND-112: of several that go, the first one's place is taken")
  func severalGo() {
    let tree = TreeController([Twig("a"), Twig("b"), Twig("c"), Twig("d", Twig("e")), Twig("f")])
    tree.select([[1], [2], [3, 0]])
    tree.remove(at: [[0], [1], [2], [3, 0]])
    #expect(tree.text == "d f" && tree.selectedNames == ["d"])
  }

  @Test("BND-82, BND-90: without preserving, places stay selected")
  func keepsPaths() {
    let tree = sample()
    tree.preservesSelection = false
    tree.select([[0, 1], [1]])
    tree.content = [Twig("x", Twig("y"), Twig("z")), Twig("w")]
    #expect(tree.selectedNames == ["z", "w"])
    tree.sort = [.ascending(\.name)]
    #expect(tree.text == "w x(y z)" && tree.selectedNames == ["x"])
    tree.content.insert(Twig("0"), at: 0)
  }

  @Test("BND-84, BND-85, BND-86, BND-88: selecting answers whether it has changed something")
  func selects() throws {
    let tree = sample(), outline = Outline(tree)
    #expect(tree.selectionIndexPaths == [[0]])
    #expect(!tree.select([0]) && !tree.select([[0], [7], [0, 9], []]) && outline.take() == [])
    #expect(tree.select([[1], [0, 0], [1]]) && tree.selectionIndexPaths == [[0, 0], [1]])
    #expect(
      outline.take() == ["objects: [a] to [b, f]", "paths: [[0]] to [[0, 0], [1]]"])
    tree.selectedObjects = [tree.content[0], Twig("x")]
    #expect(tree.selectionIndexPath == [0])
    #expect(tree.select(objects: [tree.content[1]]) && tree.selectedNodes.map(\.path) == [[1]])
    tree.selectionIndexPath = nil
    #expect(tree.selectionIndexPaths == [] && !tree.canRemove && !tree.canAddChild)
    try tree.setValue([[0, 0]] as [TreePath], forKey: "selectionIndexPaths")
    #expect(tree.selectedNames == ["b"] && tree.canRemove)
    tree.selectedNodes = [tree.arrangedObjects[[1]]!]
    #expect(tree.selectedNames == ["f"])
  }

  @Test("BND-46, BND-49, BND-51: the selection is shown as one object")
  func proxy() throws {
    let tree = sample()
    var told: [String] = []
    let token = try tree.observe(keyPath: "selection.name", options: [.old, .new]) { _, change in
      told.append("\((change.oldValue ?? nil)!) to \((change.newValue ?? nil)!)")
    }
    tree.select([0, 0])
    try tree.setValue("x", forKeyPath: "selection.name")
    tree.select([[0, 0], [1]])
    tree.content[0].items.removeFirst()
    tree.select([])
    #expect(
      told == [
        "a to b", "b to x", "x to multipleValues", "multipleValues to f", "f to noSelection",
      ])
    withExtendedLifetime(token) {}
  }

  @Test("BND-56, BND-123: editors commit before the user selects, and discard what is gone")
  func editors() {
    final class Edit: Editor {
      var log = ""
      var refuses = false
      func commitEditing() throws(KeyValueError) {
        if refuses { throw KeyValueError(.invalid) }
        log += "commit "
      }
      func discardEditing() { log += "discard " }
    }
    let tree = sample(), edit = Edit()
    edit.refuses = true
    tree.objectDidBeginEditing(edit)
    #expect(!tree.select([1]) && tree.selectedNames == ["a"])
    edit.refuses = false
    #expect(tree.select([0, 0]) && edit.log == "commit ")
    tree.objectDidBeginEditing(edit)
    tree.content[1].items = [Twig("x")]
    #expect(tree.isEditing)
    tree.content[0].items.removeFirst()
    #expect(!tree.isEditing && edit.log == "commit discard ")
  }

  // MARK: Inserting, removing, moving

  @Test("BND-90: insertion goes to the children of the path's parent, at its last index")
  func inserts() throws {
    let tree = sample(), outline = Outline(tree), a = tree.content[0]
    try tree.insert(Twig("x"), at: [0, 1, 1])
    #expect(a.items[1].items.map(\.name) == ["d", "x", "e"] && tree.selectedNames == ["x"])
    #expect(
      outline.take() == [
        "c insertion [1]", "objects: [a] to [x]", "paths: [[0]] to [[0, 1, 1]]",
      ])
    try tree.insert(contentsOf: [Twig("y"), Twig("z")], at: [1])
    #expect(tree.content.map(\.name) == ["a", "y", "z", "f"] && tree.selectedNames == ["y", "z"])
    try tree.insert(Twig("w"), at: [0, 9])
    #expect(a.items.map(\.name) == ["b", "c", "w"])
    tree.selectsInsertedObjects = false
    tree.sort = [.ascending(\.name)]
    try tree.insert(Twig("aa"), at: [0, 3])
    #expect(
      a.items.last?.name == "aa" && tree.text.hasPrefix("a(aa b c(") && tree.selectedNames == ["w"])
    tree.select([0, 1])
    tree.makeObject = { Twig("n") }
    try tree.add()
    try tree.addChild(Twig("m"))
    #expect(tree.text == "a(aa b(m) c(d e x) n w) f y z")
    tree.select([])
    try tree.add(Twig("o"))
    #expect(tree.content.last?.name == "o")
  }

  @Test("BND-90: a place below nothing is refused")
  func refusesPlaces() throws {
    let tree = sample()
    for path in [[], [2, 0], [0, 0, 0, 0]] as [TreePath] {
      let error = #expect(throws: KeyValueError.self) { try tree.insert(Twig("x"), at: path) }
      #expect(error?.code == .outOfRange)
      #expect(throws: KeyValueError.self) { try tree.move([0], to: path) }
    }
    #expect(throws: KeyValueError.self) { try tree.move([5], to: [0]) }
    tree.remove(at: [[], [7], [0, 9]])
    #expect(tree.text == "a(b c(d e)) f")
  }

  @Test("BND-138: a selected object that an observer puts back and renames is shown as it is")
  func putBack() throws {
    let top = Twig("top", Twig("a"), Twig("b")), twigs = top.items, field = Field()
    let tree = TreeController<Twig>(children: \.items)
    tree.content = [top]
    tree.select([0, 1])
    try field.bind("text", to: tree, withKeyPath: "selection.name")
    let token = try tree.arrangedObjects.children[0].observe("children", as: Any?.self) { _, _ in
      if top.items.count == 2 { return }
      top.items = twigs
      twigs[1].name = "x"
    }
    tree.remove(at: [0, 1])
    #expect(tree.selectedObjects == [twigs[1]] && field.text == "x")
    token.invalidate()
  }

  @Test("BND-132: a node among its own descendants is refused")
  func refusesCycles() throws {
    let tree = sample(), a = tree.content[0], c = a.items[1]
    let inner: TreePath = [0, 1, 0]
    for (object, path) in [(a, inner), (c, inner), (Twig("x", a), TreePath([0, 0]))] {
      let error = #expect(throws: KeyValueError.self) { try tree.insert(object, at: path) }
      #expect(error?.code == .invalidArgument)
    }
    for destination in [[0, 0], [0, 1, 0]] as [TreePath] {
      #expect(throws: KeyValueError.self) { try tree.move([0], to: destination) }
    }
    #expect(tree.text == "a(b c(d e)) f")
    let reports = Counter()
    KeyValueSettings.misuseHandler = { misuse in
      #expect(misuse.code == .invalidArgument)
      reports.add()
    }
    c.items.append(a)
    KeyValueSettings.misuseHandler = nil
    #expect(tree.text == "a(b c(d e)) f" && reports.value == 1)
    c.items.removeLast()
  }

  @Test("BND-132: removal goes by node, in sorted trees and of what is there twice")
  func removes() throws {
    let twice = Twig("t", Twig("u")),
      tree = TreeController([Twig("z", twice, Twig("k"), twice), twice])
    tree.sort = [.ascending(\.name)]
    #expect(tree.text == "t(u) z(k t(u) t(u))" && tree.paths(of: twice) == [[0], [1, 1], [1, 2]])
    tree.remove(at: [1, 1])
    #expect(tree.content[0].items.map(\.name) == ["k", "t"] && tree.text == "t(u) z(k t(u))")
    tree.remove(at: [[1, 1], [1, 1, 0]])
    #expect(twice.items.count == 1 && tree.text == "t(u) z(k)")
    twice.items = []
    #expect(tree.text == "t z(k)")
  }

  @Test("BND-132: a moved node is the same, and stays selected")
  func moves() throws {
    let tree = sample(), outline = Outline(tree), c = tree.arrangedObjects[[0, 1]]!
    tree.select([[0, 1], [0, 1, 1]])
    _ = outline.take()
    try tree.move([0, 1], to: [1, 0])
    #expect(tree.text == "a(b) f(c(d e))" && tree.content[1].items[0] === c.object)
    #expect(c.path == [1, 0] && tree.selectedNames == ["c", "e"])
    #expect(
      outline.take() == [
        "a removal [1]", "f insertion [0]", "paths: [[0, 1], [0, 1, 1]] to [[1, 0], [1, 0, 1]]",
      ])
    try tree.move([0], to: [1])
    #expect(tree.text == "f(c(d e)) a(b)")
    #expect(outline.take().first == "/ replacement [0, 1]")
    let nodes = [[0, 0, 1], [1, 0], [1]].map { tree.arrangedObjects[$0]! }
    try tree.move(nodes, to: [0, 0])
    #expect(tree.text == "f(e a(b) c(d))" && tree.content.count == 1)
    try tree.move([0, 0], to: [9])
    #expect(tree.text == "f(a(b) c(d)) e")
    tree.sort = [.ascending(\.name)]
    try tree.move([0], to: [1, 0])
    #expect(tree.text == "f(a(b) c(d) e)" && tree.content[0].items.last?.name == "e")
  }

  // MARK: Content

  @Test("BND-70, BND-71, BND-90: the roots are bound to a model's list, both ways")
  func bound() throws {
    let folder = Folder(), tree = TreeController<Twig>(children: \.items)
    folder.roots = [Twig("a"), Twig("b")]
    tree.bindContent(to: folder, \.roots)
    let outline = Outline(tree)
    #expect(tree.text == "a b" && tree.selectedNames == ["a"])
    var told: [String] = []
    let token = folder.observe(\.roots) { _, change in
      told.append("\(change.kind) \(change.indexes ?? [])")
    }
    try tree.insert(Twig("c"), at: [1])
    tree.remove(at: [0])
    #expect(told == ["insertion [1]", "removal [0]"] && folder.roots.map(\.name) == ["c", "b"])
    folder.mutableArrayValue(for: \.roots).append(Twig("d"))
    try tree.move([2], to: [0, 0])
    #expect(folder.roots.map(\.name) == ["c", "b"] && tree.text == "c(d) b")
    tree.content = [Twig("e")]
    #expect(folder.roots.map(\.name) == ["e"])
    tree.unbindContent()
    folder.roots = []
    #expect(tree.text == "e")
    withExtendedLifetime((token, outline)) {}
  }

  @Test("BND-121: an observer may change the tree in the middle of a change")
  func reentrancy() {
    let tree = sample(), outline = Outline(tree), a = tree.content[0]
    var steps = 0
    let token = tree.arrangedObjects.observe(\.children) { _, _ in
      steps += 1
      switch steps {
      case 1:
        a.items.append(Twig("x"))
        tree.select([0, 0])
      case 2: tree.sort = [.descending(\.name)]
      case 3: tree.content.removeAll { $0 !== a }
      default: break
      }
    }
    tree.content.append(Twig("g"))
    tree.content.append(Twig("h"))
    #expect(tree.text == "a(x c(e d) b)" && tree.selectedNames == ["b"])
    withExtendedLifetime((token, outline)) {}
  }

  @Test("BND-121: an observer may change the roots when it is told that they are going to change")
  func rootsMeanwhile() throws {
    let a = Twig("a"), b = Twig("b"), tree = TreeController([a, b])
    var next: [Twig]?
    let token = tree.observe(\.content, options: .prior) { tree, change in
      guard change.isPrior, let roots = next else { return }
      next = nil
      tree.content = roots
    }
    next = [b]
    tree.remove(at: [1])
    #expect(tree.text.isEmpty)
    tree.content = [a, b]
    next = [b]
    tree.remove(at: [0])
    #expect(tree.text == "b")
    tree.content = [a, b]
    next = [b]
    try tree.insert(Twig("c"), at: [2])
    #expect(tree.text == "b c")
    withExtendedLifetime(token) {}
  }

  @Test("BND-121: observers that change the tree for ever are stopped, and it is reported")
  func endless() {
    let tree = TreeController([Twig("a"), Twig("b")])
    KeyValueSettings.misuseHandler = { misuse in #expect(misuse.code == .tooDeep) }
    let token = tree.arrangedObjects.observe(\.children) { _, _ in
      tree.content = tree.content.reversed()
    }
    tree.content = tree.content.reversed()
    token.invalidate()
    KeyValueSettings.misuseHandler = nil
    tree.content = []
    #expect(tree.text == "")
  }

  @Test("BND-97, BND-100: nothing is kept alive, and no registration stays")
  func lifetimes() {
    let roots = [Twig("a", Twig("b", Twig("c")))]
    weak var controller: TreeController<Twig>?
    weak var gone: TreeNode<Twig>?
    var node: TreeNode<Twig>?
    do {
      let tree = TreeController(roots)
      tree.sort = [.ascending(\.name)]
      tree.automaticallyRearranges = true
      controller = tree
      node = tree.arrangedObjects[[0]]
      gone = tree.arrangedObjects[[0, 0]]
      let b = roots[0].items.removeFirst()
      #expect(registrations(of: b) == 0 && registrations(of: b.items[0]) == 0 && gone == nil)
      roots[0].items = [b]
    }
    #expect(controller == nil && registrations(of: roots[0]) == 0)
    #expect(registrations(of: roots[0].items[0]) == 0)
    withExtendedLifetime(node) {}
  }
}
