import Foundation
import IsaKVO
import IsaKVOFoundation

private var made = 0

private func makeNumber() -> Int {
  made += 1
  return made
}

protocol Titled {
  var title: String { get }
}

extension Titled {
  func longTitle() -> String { "the " + title }
}

/// A node that knows its parent, and numbers itself when it is asked.
final class Node: KVObject, Titled {
  @LazyDynamic var number = makeNumber()
  @LazyDynamic var tags: [String] = {
    let first = "new"
    return [first, "small"]
  }()
  @LazyDynamic(Node.makeLabel) var label: String
  @LazyDynamic({ (object: Node) in
    // The label is made by that.
    let words = [object.label, object.title]
    return words.joined(separator: ", ")
  }) var line: String
  @LazyDynamic({ (object: Node) in object.title.count + object.tags.count }) var length: Int
  @LazyDynamic(Node.longTitle) var long: String
  @LazyDynamic({ (object: Node) in object.description }) var own: String
  @LazyDynamic({ (object: Node) in
    guard let parent = object.parent else { return object.title.count }
    let title = parent.title
    return title.count
  }) var count: Int
  @LazyDynamic var sizes: [Int] = ["a", "bc"].map { title in title.count }
  @WeakDynamic var parent: Node?
  @Dynamic var title = "node"

  func makeLabel() -> String { "label of \(title)" }
}

/// A screen, whose properties are the main actor's.
@MainActor
final class Screen: KVObject, MainActorObject {
  var title: String {
    get { storedTitle }
    set {
      willChangeValue(forKey: "title")
      defer { didChangeValue(forKey: "title") }
      storedTitle = newValue
    }
  }
  private var storedTitle = "screen" {
    didSet { titles.append(storedTitle) }
  }
  @LazyDynamic({ (object: Screen) in object.makeSize() }) var size: Int
  private(set) var titles: [String] = []

  override class var keys: [KeyDeclaration] {
    [.key("title", \Screen.title)]
  }

  private func makeSize() -> Int { title.count }
}

@MainActor
private func showScreen() {
  let screen = Screen()
  screen.setValue("wide screen", forKey: "title")
  print(screen.size, screen.titles)
}

func showLazyAndWeak() {
  let node = Node()
  print("made", made, "number", node.number, "made", made)
  let token = node.observe(\.parent?.title, options: [.new]) { _, change in
    print("parent's title", (change.newValue ?? nil) ?? "none")
  }
  var parent: Node? = Node()
  node.parent = parent
  parent?.title = "trunk"
  node.number = 5
  print(node.value(forKey: "number") as! Int, node.tags)
  withExtendedLifetime(parent) {}
  parent = nil
  print("parent", node.parent == nil ? "none" : "some")
  node.title = "leaf"
  print(node.label, node.value(forKey: "line") as! String, node.length)
  print(node.long, node.own == node.description, node.count, node.sizes)
  let lineToken = node.observe(\.line, options: [.old, .new]) { _, change in
    print("line", change.oldValue!, "to", change.newValue!)
  }
  node.line = "short"
  token.invalidate()
  lineToken.invalidate()
  MainActor.assumeIsolated { showScreen() }
}
