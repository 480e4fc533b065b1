import CScript

/// A node, by one subject's means.
protocol GraphNode: AnyObject {
  init(_ number: Int64)
  var number: Int64 { get }
  var position: Int64 { get set }
  var next: Self? { get set }
}

/// Those who observe a graph's nodes: the canvas, and a label for each node of the first layer.
protocol GraphEditor: AnyObject {
  associatedtype Node: GraphNode
  init(_ nodes: [Node], _ canvas: UnsafeMutablePointer<canvas>)
  /// Has observers catch up with the last edit that are not told at once.
  func settle()
}

extension GraphEditor {
  func settle() {}
}

/// The number that a label shows where its path ends.
let nothing = Int64.min

/// Moves nodes, and replaces what they lead to.
final class GraphProgram<Editor: GraphEditor>: Program {
  private let canvas: UnsafeMutablePointer<canvas>
  private let nodes: [Editor.Node]
  private let editor: Editor

  init() {
    canvas = canvas_make()
    nodes = (0..<Int64(GRAPH_NODES)).map { Editor.Node($0) }
    editor = Editor(nodes, canvas)
  }

  deinit { free(canvas) }

  func perform(_ operation: operation, on thread: Int) {
    let node = nodes[Int(operation.place)]
    switch graph_operation(operation.kind) {
    case GRAPH_MOVE: node.position = operation.value
    case GRAPH_CONNECT: node.next = nodes[Int(operation.other)]
    default: node.next = nil
    }
    editor.settle()
  }

  func write(to answer: UnsafeMutablePointer<answer>) {
    canvas_answer(canvas, answer)
    for node in nodes { answer_add_node(answer, node.position, node.next?.number ?? -1) }
  }
}
