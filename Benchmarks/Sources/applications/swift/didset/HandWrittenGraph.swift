import CScript

final class HandWrittenNode: GraphNode {
  let number: Int64
  var position: Int64 = 0 { didSet { positionHandlers(position) } }
  var next: HandWrittenNode? { didSet { nextHandlers(()) } }
  var positionHandlers = Handlers<Int64>()
  var nextHandlers = Handlers<Void>()

  init(_ number: Int64) { self.number = number }
}

/// A label that has a handler at each node of its path, and hands those behind a replaced node on.
private final class PathLabel {
  private let label: UnsafeMutablePointer<label>?
  private var links: [(node: HandWrittenNode, id: Int)] = []

  init(_ node: HandWrittenNode, _ label: UnsafeMutablePointer<label>?) {
    self.label = label
    watch(node)
    show()
  }

  /// Watches a node at the end of those that are watched, and all behind it.
  private func watch(_ first: HandWrittenNode?) {
    var node = first
    while let there = node {
      let step = links.count
      if step == GRAPH_LAYERS - 1 {
        let id = there.positionHandlers.add { [unowned self] in label_show(label, $0) }
        links.append((there, id))
        return
      }
      links.append((there, there.nextHandlers.add { [unowned self] in replace(behind: step) }))
      node = there.next
    }
  }

  private func replace(behind step: Int) {
    while links.count > step + 1 { unwatchLast() }
    watch(links[step].node.next)
    show()
  }

  private func unwatchLast() {
    let isEnd = links.count == GRAPH_LAYERS
    let (node, id) = links.removeLast()
    if isEnd { node.positionHandlers.remove(id) } else { node.nextHandlers.remove(id) }
  }

  private func show() {
    label_show(label, links.count == GRAPH_LAYERS ? links[GRAPH_LAYERS - 1].node.position : nothing)
  }
}

/// The graph editor by hand.
final class HandWrittenEditor: GraphEditor {
  private let labels: [PathLabel]

  init(_ nodes: [HandWrittenNode], _ canvas: UnsafeMutablePointer<canvas>) {
    for node in nodes {
      _ = node.positionHandlers.add { [number = node.number] in canvas_draw(canvas, number, $0) }
    }
    labels = zip(nodes, 0..<GRAPH_LABELS).map { PathLabel($0, canvas_label(canvas, $1)) }
  }
}
