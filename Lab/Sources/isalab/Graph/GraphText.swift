// A graph in words, and as text in columns.

extension Graph {
  /// The sentences for a reader who does not see the drawing.
  func sentences(in language: Language) -> [String] {
    edges.compactMap { sentence(of: $0)?[language] }
  }

  /// Nil for what needs no words: a class's isa is its metaclass.
  func sentence(of edge: Edge) -> Text? {
    let from = node(edge.from)?.name ?? edge.from
    let to = node(edge.to)?.name ?? edge.to
    switch edge.kind {
    case .isa: return edge.moves ? isa(edge, from, to) : nil
    case .superclass:
      let isClass = node(edge.from)?.role.isClass == true
      return isClass ? Text("graph.superclass-sentence", ["class": from, "superclass": to]) : nil
    case .observes:
      return Text("graph.observes-sentence", ["observer": from, "key": edge.label, "object": to])
    case .refers:
      return Text("graph.refers-sentence", ["object": from, "other": to, "key": edge.label])
    case .forwards:
      return Text("graph.forwards-sentence", ["object": from, "other": to, "path": edge.label])
    case .depends: return dependency(edge, from)
    }
  }

  private func isa(_ edge: Edge, _ from: String, _ to: String) -> Text {
    edge.isSwapped
      ? Text("graph.swapped-sentence", ["object": from, "class": to])
      : Text("graph.isa-sentence", ["object": from, "class": to])
  }

  private func dependency(_ edge: Edge, _ object: String) -> Text {
    let key = edge.dependent ?? "", list = edge.keys.joined(separator: ", ")
    return Text("graph.depends-sentence", ["object": object, "key": key, "list": list])
  }
}

/// A graph as lines of text, of 80 columns unless a name needs more.
struct GraphText {
  var graph: Graph

  func lines() -> [String] {
    section("graph.isas", isas())
      + section("graph.superclasses", superclasses(isMeta: false))
      + section("graph.meta-superclasses", superclasses(isMeta: true))
      + section("graph.observers-title", observers()) + section("graph.references", references())
      + section("graph.forwarders", forwarders())
      + section("graph.dependent-keys", dependentKeys())
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", say(title)] + lines.map { "  " + $0 }
  }

  private func say(_ key: String, _ places: Places = [:]) -> String {
    graph.language.say(key, places)
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
    let reached = Set(objects.map(\.to))
    return objects.flatMap { edge in
      isNarrow
        ? ["\(padded(name(edge.from), leads)) \(arrow(edge)) \(pair(edge.to, names))"]
        : [name(edge.from), "  \(arrow(edge)) \(name(edge.to))"]
    }
      + classes.flatMap { cls in classLines(cls, leads, names, reached, isNarrow) }
  }

  /// Classes that no object leads to have lines of their own.
  private func classLines(
    _ cls: Node, _ leads: Int, _ names: Int, _ reached: Set<String>, _ isNarrow: Bool
  ) -> [String] {
    if isNarrow, reached.contains(cls.id) { return [] }
    if isNarrow { return [padded("", leads + 2 + swappedArrow.columns) + pair(cls.id, names)] }
    return [cls.name, "  \(isaArrow) \(say("graph.metaclass"))"]
  }

  private typealias Node = Graph.Node

  private func pair(_ id: String, _ width: Int) -> String {
    "\(padded(name(id), width)) --> \(say("graph.metaclass"))"
  }

  private func arrow(_ edge: Graph.Edge) -> String {
    edge.isSwapped ? swappedArrow : isaArrow
  }

  private var swappedArrow: String { "==\(say("graph.swapped"))==>" }

  /// As long as that.
  private var isaArrow: String {
    "-isa" + String(repeating: "-", count: swappedArrow.columns - 5) + ">"
  }

  // MARK: The rest

  private func superclasses(isMeta: Bool) -> [String] {
    graph.edges(.superclass).compactMap { edge in
      guard graph.node(edge.from)?.role.isMetaclass == isMeta else { return nil }
      if !isMeta { return "\(name(edge.from)) - - > \(name(edge.to))" }
      let kind =
        graph.node(edge.to)?.role.isMetaclass == true ? "name.metaclass" : "graph.class"
      return say("name.metaclass", ["class": name(edge.from)]) + " - - > "
        + say(kind, ["class": name(edge.to)])
    }
  }

  private func observers() -> [String] {
    graph.edges(.observes).map {
      "\(name($0.from)) . . > \(name($0.to)): \($0.label)"
        + ($0.isForwarded ? say("graph.forwarded") : "")
    }
  }
  private func references() -> [String] {
    graph.edges(.refers).flatMap { lines("\(name($0.from)) -----> \(name($0.to))", $0.label) }
  }

  private func forwarders() -> [String] {
    graph.edges(.forwards).flatMap { lines("\(name($0.from)) -.-.-> \(name($0.to))", $0.label) }
  }

  private func dependentKeys() -> [String] {
    graph.edges(.depends).flatMap { lines(name($0.from), $0.label) }
  }

  private func lines(_ ends: String, _ label: String) -> [String] {
    fitted("\(ends): \(label)", width: 78)
  }
}
