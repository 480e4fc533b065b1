import Foundation
import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

/// Random programs, after every notification of which a tree controller has to be consistent.
@Suite(.serialized, .oneAtATime) struct TreeModelTests {
  /// How many programs are run; `ISA_ROUNDS` says otherwise.
  private var rounds: Int {
    ProcessInfo.processInfo.environment["ISA_ROUNDS"].flatMap { Int($0) } ?? 100
  }

  @Test(
    "BND-61, BND-90, BND-122: whatever is done to a tree, what was told of it gives the tree"
  )
  func programs() {
    for seed in 0..<rounds {
      let program = Program(seed: UInt64(seed))
      for _ in 0..<15 { program.step() }
      program.end()
    }
  }
}

/// A model with roots.
final class Forest: KVObject {
  @Dynamic var roots: [Twig] = []
}

/// A tree controller to which random things are done.
private final class Program {
  private let tree = TreeController<Twig>(children: \.items)
  private let outline: Outline
  /// The model to which the roots are bound in every other program.
  private let forest = Forest()
  /// A view that is bound to the selection by name, in half of the programs.
  private var entry: Entry?
  private var random: Generator
  private var nested: KeyValueObservation?
  private var all: [Twig] = []
  private var order = 0

  init(seed: UInt64) {
    random = Generator(state: seed)
    outline = Outline(tree)
    if seed % 2 == 0 { tree.bindContent(to: forest, \.roots) }
    tree.content = [new(), new()]
    if seed % 4 > 1 { entry = Entry(for: tree) }
  }

  func step() {
    act(inTransactions: 0)
    check()
  }

  /// Does something at random.
  ///
  /// - Parameter depth: How many transactions it is in.
  private func act(inTransactions depth: Int) {
    switch Int.random(in: 0..<17, using: &random) {
    case 0: attempt { try tree.insert(new(), at: place) }
    case 1: attempt { try tree.insert(contentsOf: [some(), new()], at: place) }
    case 2: tree.remove(at: [place, place])
    case 3: tree.removeSelected()
    case 4: attempt { try tree.move(place, to: place) }
    case 5: attempt { try tree.move(tree.selectedNodes, to: place) }
    case 6: some().items.shuffle(using: &random)
    case 7: replaceItems(of: some())
    case 8: tree.content = tree.content.shuffled(using: &random) + [new()]
    case 9: tree.select([place, place, place])
    case 10: sort()
    case 11: some().name = name
    case 12: setFlags()
    case 13: changeMuted()
    case 14: tree.content = tree.content.dropLast()
    case 15: if depth < 3 { transact(depth) }
    default: nest()
    }
  }

  /// Does several things in a transaction.
  private func transact(_ depth: Int) {
    outline.inTransaction {
      for _ in 0..<Int.random(in: 1..<5, using: &random) { act(inTransactions: depth + 1) }
    }
  }

  /// Changes objects untold, and then sets them anew, which is told.
  private func changeMuted() {
    let one = some()
    one.muting { one.items.shuffle(using: &random) }
    one.items = Array(one.items)
  }

  /// Takes everything away.
  func end() {
    (nested, entry) = (nil, nil)
    tree.content = []
    #expect(tree.text == "" && tree.selectionIndexPaths == [])
    tree.unbindContent()
    #expect(all.allSatisfy { registrations(of: $0) == 0 } && registrations(of: forest) == 0)
  }

  // MARK: Random parts

  /// Refusals are as good as insertions.
  private func attempt(_ work: () throws -> Void) {
    do { try work() } catch {
      let code = (error as? KeyValueError)?.code
      #expect(code == .outOfRange || code == .invalidArgument)
    }
  }

  private var name: String { "\(Int.random(in: 0..<10, using: &random))" }

  private func new() -> Twig {
    let item = Twig(name)
    if Bool.random(using: &random) { item.items = [Twig(name), Twig(name)] }
    all += [item] + item.items
    return item
  }

  private func some() -> Twig { all.randomElement(using: &random)! }

  /// Puts a new object below one, and objects of another that have none below them.
  private func replaceItems(of item: Twig) {
    item.items = [new()] + some().items.filter { $0 !== item && $0.items.isEmpty }
  }

  /// A place that there is, or nearly is.
  private var place: TreePath {
    var path = TreePath(), node: TreeNode<Twig>? = tree.arrangedObjects
    repeat {
      let count = node?.children.count ?? 0
      path = path.appending(Int.random(in: 0...count, using: &random))
      node = tree.arrangedObjects[path]
    } while node != nil && Bool.random(using: &random)
    return path
  }

  private func sort() {
    order = Int.random(in: -1...1, using: &random)
    tree.sort = order == 0 ? [] : [order > 0 ? .ascending(\.name) : .descending(\.name)]
  }

  private func setFlags() {
    tree.avoidsEmptySelection = .random(using: &random)
    tree.preservesSelection = .random(using: &random)
    tree.selectsInsertedObjects = .random(using: &random)
    tree.automaticallyRearranges = .random(using: &random)
  }

  /// Has an observer change something in the middle of the next change.
  private func nest() {
    let kind = Int.random(in: 0..<5, using: &random), item = some(), path = place
    let options: ObservationOptions = Bool.random(using: &random) ? .prior : []
    func change() {
      nested = nil
      switch kind {
      case 0: tree.select([path])
      case 1: item.items.append(new())
      case 2: item.items = []
      case 3: tree.content.removeLast(min(1, tree.content.count))
      default: sort()
      }
    }
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      nested = tree.arrangedObjects.observe(\.children, options: options) { _, _ in change() }
    case 1: nested = tree.observe(\.selectedObjects, options: options) { _, _ in change() }
    default: nested = item.observe(\.items, options: options) { _, _ in change() }
    }
  }

  // MARK: Checks

  private func check() {
    _ = outline.take()
    entry?.check()
    tree.rearrange()
    #expect(tree.text == text(tree.content))
  }

  /// The objects as the tree is to show them.
  private func text(_ items: [Twig]) -> String {
    let inOrder = items.enumerated().sorted { first, second in
      let (a, b) = order < 0 ? (second, first) : (first, second)
      if order != 0, a.element.name != b.element.name { return a.element.name < b.element.name }
      return first.offset < second.offset
    }
    return inOrder.map { _, item in
      let below = text(item.items)
      return item.name + (below.isEmpty ? "" : "(\(below))")
    }.joined(separator: " ")
  }
}
