import CScript
import Observation

@Observable
final class ObservableNode: GraphNode {
  let number: Int64
  var position: Int64 = 0
  var next: ObservableNode?

  init(_ number: Int64) { self.number = number }
}

/// The graph editor by Swift's Observation: a label reads its whole path after each change of it.
final class ObservableEditor: GraphEditor {
  private let stale = StaleTrackers()
  private let trackers: [Tracker]

  init(_ nodes: [ObservableNode], _ canvas: UnsafeMutablePointer<canvas>) {
    let stale = stale
    let drawings = nodes.map { node in
      Tracker(stale, { node.position }) { canvas_draw(canvas, node.number, $1) }
    }
    let labels = zip(nodes, 0..<GRAPH_LABELS).map { node, number in
      let label = canvas_label(canvas, number)
      return Tracker(stale, { node.next?.next?.next?.position }) {
        label_show(label, $1 ?? nothing)
      }
    }
    trackers = drawings + labels
  }

  func settle() { stale.catchUp() }
}
