import CScript
import OpenCombine

final class PublishedNode: GraphNode {
  let number: Int64
  @OpenCombine.Published var position: Int64 = 0
  @OpenCombine.Published var next: PublishedNode?

  init(_ number: Int64) { self.number = number }
}

extension Publisher where Output == PublishedNode?, Failure == Never {
  /// The values that a property of the latest node publishes, and nil while there is no node.
  fileprivate func followed<Value>(
    by property: @escaping (PublishedNode) -> AnyPublisher<Value?, Never>
  ) -> AnyPublisher<Value?, Never> {
    map { $0.map(property) ?? Just(nil).eraseToAnyPublisher() }
      .switchToLatest().eraseToAnyPublisher()
  }
}

/// The graph editor by OpenCombine: a label switches to what the latest node of each step publishes.
final class PublishedEditor: GraphEditor {
  private let sinks: [AnyCancellable]

  init(_ nodes: [PublishedNode], _ canvas: UnsafeMutablePointer<canvas>) {
    let drawings = nodes.map { node in
      node.$position.dropFirst().sink { [number = node.number] in canvas_draw(canvas, number, $0) }
    }
    let labels = zip(nodes, 0..<GRAPH_LABELS).map { node, number in
      let label = canvas_label(canvas, number)
      return node.$next
        .followed { $0.$next.eraseToAnyPublisher() }
        .followed { $0.$next.eraseToAnyPublisher() }
        .followed { $0.$position.map(Optional.some).eraseToAnyPublisher() }
        .sink { label_show(label, $0 ?? nothing) }
    }
    sinks = drawings + labels
  }
}
