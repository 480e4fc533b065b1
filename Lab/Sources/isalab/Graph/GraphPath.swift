/// The line of one edge, as SVG draws it.
struct GraphPath {
  var line: String
  /// Where its label stands, the middle of its foot.
  var label: (x: Int, y: Int)?
}

extension GraphLayout {
  func path(of edge: Graph.Edge) -> GraphPath {
    switch edge.kind {
    case .isa: node(edge.from)?.role.isClass == true ? classIsa(edge) : objectIsa(edge)
    case .depends: loop(edge)
    case .observes, .refers, .forwards: isInner(edge) ? around(edge) : fromLeft(edge)
    case .superclass:
      column(of: edge.from) == column(of: edge.to) ? superclass(edge) : rootMetaclass(edge)
    }
  }

  /// Straight past the objects, then down or up to the class.
  private func objectIsa(_ edge: Graph.Edge) -> GraphPath {
    let from = place(edge.from)
    let to = place(edge.to)
    let y = from.y + (ports[edge.id] ?? 0)
    let turn = columns[1].x + columns[1].width + stubs.isa
    let line = curve(from.right, y, turn, to.x - Measure.arrow, to.centre.y, to.x)
    return GraphPath(line: line, label: (columns[1].x + columns[1].width + stubs.isa / 2, y))
  }

  private func classIsa(_ edge: Graph.Edge) -> GraphPath {
    let from = place(edge.from)
    let to = place(edge.to)
    return GraphPath(line: "M\(from.right) \(from.centre.y)L\(to.x) \(to.centre.y)")
  }

  /// From the observers' column to an object.
  private func fromLeft(_ edge: Graph.Edge) -> GraphPath {
    let from = place(edge.from)
    let to = place(edge.to)
    let y = from.y + (ports[edge.id] ?? 0)
    let end = to.y + (arrivals[edge.id] ?? to.height / 2)
    let turn = from.right + stubs.observer
    return GraphPath(
      line: curve(from.right, y, turn, to.x - gutter - Measure.arrow, end, to.x),
      label: (from.right + stubs.observer / 2, y - 6))
  }

  /// From an object to one of the same column, around the left.
  private func around(_ edge: Graph.Edge) -> GraphPath {
    let x =
      place(edge.from).x - stubs.object - Measure.arrow - (gutters[edge.id] ?? 0) * Measure.lane
    return left(edge, by: x)
  }

  /// From an object to itself.
  private func loop(_ edge: Graph.Edge) -> GraphPath {
    left(edge, by: place(edge.from).x - (labelWidth(of: edge) ?? 0) - Measure.arrow)
  }

  private func left(_ edge: Graph.Edge, by x: Int) -> GraphPath {
    let from = place(edge.from)
    let to = place(edge.to)
    let start = from.y + (ports[edge.id] ?? 0)
    let end = to.y + (arrivals[edge.id] ?? 0)
    let bend = start < end ? 8 : -8
    let line =
      "M\(from.x) \(start)L\(x + 8) \(start)Q\(x) \(start) \(x) \(start + bend)"
      + "L\(x) \(end - bend)Q\(x) \(end) \(x + 8) \(end)L\(to.x) \(end)"
    let half = (labelWidth(of: edge) ?? 0) / 2
    return GraphPath(line: line, label: (from.x - half - 8, start - 6))
  }

  private func superclass(_ edge: Graph.Edge) -> GraphPath {
    let from = place(edge.from)
    let to = place(edge.to)
    let rows = (rowsById[edge.from] ?? 0) - (rowsById[edge.to] ?? 0)
    guard rows > 1, let lane = lanes[edge.to] else {
      return GraphPath(line: "M\(from.centre.x) \(from.y)L\(to.centre.x) \(to.bottom)")
    }
    let x = from.right + Measure.arrow + (lane + 1) * Measure.lane - 4
    let start = from.centre.y - 13
    let end = to.centre.y + 13
    return GraphPath(
      line: "M\(from.right) \(start)L\(x - 8) \(start)Q\(x) \(start) \(x) \(start - 8)"
        + "L\(x) \(end + 8)Q\(x) \(end) \(x - 8) \(end)L\(to.right) \(end)")
  }

  /// Over the top, to the root class.
  private func rootMetaclass(_ edge: Graph.Edge) -> GraphPath {
    let from = place(edge.from)
    let to = place(edge.to)
    let y = min(from.y, to.y) - 16
    let (start, end) = (from.centre.x, to.centre.x)
    return GraphPath(
      line: "M\(start) \(from.y)L\(start) \(y + 8)Q\(start) \(y) \(start - 8) \(y)"
        + "L\(end + 8) \(y)Q\(end) \(y) \(end) \(y + 8)L\(end) \(to.y)")
  }

  /// A stub, a turn and the arrow's stub.
  private func curve(_ x0: Int, _ y0: Int, _ x1: Int, _ x2: Int, _ y1: Int, _ x3: Int) -> String {
    let middle = (x1 + x2) / 2
    return "M\(x0) \(y0)L\(x1) \(y0)C\(middle) \(y0) \(middle) \(y1) \(x2) \(y1)L\(x3) \(y1)"
  }
}
