import Foundation
import IsaKVO
import IsaKVOFoundation

private var made = 0

private func makeNumber() -> Int {
  made += 1
  return made
}

/// A node that knows its parent, and numbers itself when it is asked.
final class Node: KVObject {
  @LazyDynamic var number = makeNumber()
  @LazyDynamic var tags: [String] = {
    let first = "new"
    return [first, "small"]
  }()
  @WeakDynamic var parent: Node?
  @Dynamic var title = "node"
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
  token.invalidate()
}
