import CScript
import IsaKVO

final class KeyValueNode: KVObject, GraphNode {
  let number: Int64
  @Dynamic var position: Int64 = 0
  @Dynamic var next: KeyValueNode?

  init(_ number: Int64) { self.number = number }
}

/// The graph editor by this library: a label observes a key path through optional nodes.
final class KeyValueEditor: GraphEditor {
  private var observations: [KeyValueObservation] = []

  init(_ nodes: [KeyValueNode], _ canvas: UnsafeMutablePointer<canvas>) {
    for node in nodes { observations.append(observe(node, canvas)) }
    for (node, label) in zip(nodes, 0..<GRAPH_LABELS) {
      observations.append(observe(node, canvas_label(canvas, label)))
    }
  }

  private func observe(
    _ node: KeyValueNode, _ canvas: UnsafeMutablePointer<canvas>
  ) -> KeyValueObservation {
    node.observe(\.position, options: .new) { node, change in
      canvas_draw(canvas, node.number, change.newValue ?? 0)
    }
  }

  private func observe(
    _ node: KeyValueNode, _ label: UnsafeMutablePointer<label>?
  ) -> KeyValueObservation {
    node.observe(\.next?.next?.next?.position, options: .new) { _, change in
      label_show(label, (change.newValue ?? nil) ?? nothing)
    }
  }
}
