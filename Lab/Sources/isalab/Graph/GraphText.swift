// A graph in words, and as text in columns.

extension Graph {
  /// The sentences for a reader who does not see the drawing.
  func sentences(in language: Language) -> [String] {
    func name(_ id: String) -> String { node(id)?.name ?? id }
    let isas = edges(.isa).filter { node($0.from)?.role == .object }.map { edge in
      edge.isSwapped
        ? Text(
          "The isa of \(name(edge.from)) was swapped and is \(name(edge.to)).",
          "\(name(edge.from)) 的 isa 已交换，现为 \(name(edge.to))。")[language]
        : Text(
          "The isa of \(name(edge.from)) is \(name(edge.to)).",
          "\(name(edge.from)) 的 isa 是 \(name(edge.to))。")[language]
    }
    let classes = edges(.superclass).filter { node($0.from)?.role.isClass == true }.map {
      Text(
        "The superclass of \(name($0.from)) is \(name($0.to)).",
        "\(name($0.from)) 的父类是 \(name($0.to))。")[language]
    }
    let observers = edges(.observes).map {
      Text(
        "\(name($0.from)) observes \($0.label) of \(name($0.to)).",
        "\(name($0.from)) 观察 \(name($0.to)) 的 \($0.label)。")[language]
    }
    return isas + classes + observers
  }
}

/// A graph as lines of text, of 80 columns unless a name needs more.
struct GraphText {
  var graph: Graph

  func lines() -> [String] {
    section("objects, classes, metaclasses", isas())
      + section("superclasses", superclasses(isMeta: false))
      + section("superclasses of the metaclasses", superclasses(isMeta: true))
      + section("observers", observers())
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", title] + lines.map { "  " + $0 }
  }

  private func name(_ id: String) -> String { graph.node(id)?.name ?? id }

  // MARK: Isas

  private func isas() -> [String] {
    let objects = graph.edges(.isa).filter { graph.node($0.from)?.role == .object }
    let classes = graph.nodes.filter { $0.role.isClass }
    let leads = objects.map(\.from).map(name).map(\.columns).max() ?? 0
    let names = classes.map(\.name.columns).max() ?? 0
    // "ada ==swapped==> Person --> metaclass"
    let isNarrow = leads + names + 28 <= 78
    return objects.flatMap { edge in
      isNarrow
        ? ["\(padded(name(edge.from), leads)) \(arrow(edge)) \(pair(edge.to, names))"]
        : [name(edge.from), "  \(arrow(edge)) \(name(edge.to))"]
    }
      + classes.flatMap { cls in classLines(cls, leads, names, objects, isNarrow) }
  }

  /// Classes that no object leads to have lines of their own.
  private func classLines(
    _ cls: Node, _ leads: Int, _ names: Int, _ objects: [Graph.Edge], _ isNarrow: Bool
  ) -> [String] {
    if isNarrow, objects.contains(where: { $0.to == cls.id }) { return [] }
    if isNarrow { return [padded("", leads + 14) + pair(cls.id, names)] }
    return [cls.name, "  -isa-------> metaclass"]
  }

  private typealias Node = Graph.Node

  private func pair(_ id: String, _ width: Int) -> String {
    "\(padded(name(id), width)) --> metaclass"
  }

  private func arrow(_ edge: Graph.Edge) -> String {
    edge.isSwapped ? "==swapped==>" : "-isa------->"
  }

  // MARK: The rest

  private func superclasses(isMeta: Bool) -> [String] {
    graph.edges(.superclass).compactMap { edge in
      guard graph.node(edge.from)?.role.isMetaclass == isMeta else { return nil }
      let to = graph.node(edge.to)
      let kind = isMeta ? (to?.role.isMetaclass == true ? "metaclass of " : "class ") : ""
      return (isMeta ? "metaclass of " : "") + "\(name(edge.from)) - - > \(kind)\(name(edge.to))"
    }
  }

  private func observers() -> [String] {
    graph.edges(.observes).map {
      "\(name($0.from)) . . > \(name($0.to)): \($0.label)" + ($0.isForwarded ? " (forwarded)" : "")
    }
  }
}
