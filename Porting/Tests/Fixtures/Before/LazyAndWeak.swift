import Foundation

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
final class Node: NSObject, Titled {
  @objc dynamic lazy var number = makeNumber()
  @objc lazy var tags: [String] = {
    let first = "new"
    return [first, "small"]
  }()
  @objc dynamic lazy var label = makeLabel()
  @objc dynamic lazy var line: String = {
    // The label is made by that.
    let words = [label, self.title]
    return words.joined(separator: ", ")
  }()
  @objc dynamic lazy var length: Int = title.count + tags.count
  @objc dynamic lazy var long = longTitle()
  @objc dynamic lazy var own: String = description
  @objc dynamic lazy var count: Int = {
    guard let parent else { return title.count }
    let title = parent.title
    return title.count
  }()
  @objc dynamic lazy var sizes: [Int] = ["a", "bc"].map { title in title.count }
  @objc dynamic weak var parent: Node?
  @objc dynamic var title = "node"

  func makeLabel() -> String { "label of \(title)" }
}

/// A screen, whose properties are the main actor's.
@MainActor
final class Screen: NSObject {
  @objc dynamic var title = "screen" {
    didSet { titles.append(title) }
  }
  @objc dynamic lazy var size = makeSize()
  private(set) var titles: [String] = []

  private func makeSize() -> Int { title.count }
}

@MainActor
private func showScreen() {
  let screen = Screen()
  screen.setValue("wide screen", forKey: #keyPath(Screen.title))
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
