/// What the graphs of a run come to, from its first moment to its last one.
struct GraphCourse {
  private(set) var union = GraphUnion()
  /// The nodes that each step touches, the start first. A step that touches nothing, such as an
  /// expectation, has those of the step before.
  private(set) var touched: [Set<String>] = []

  init(_ run: Run, in language: Language = .english) {
    var graph = Graph(run.program?.symbols, in: language)
    for number in 0...run.steps.count {
      // The nodes that go in the course of the step.
      var gone: Set<String> = []
      for (place, state) in run.states(ofStep: number).enumerated() {
        let changes = graph.follow(state)
        union.add(changes)
        if place > 0 { gone.formUnion(changes.nodes.filter { $0.now == nil }.map(\.id)) }
      }
      let isThere = { graph.node($0) != nil || gone.contains($0) }
      let own =
        number == 0
        ? Set(union.nodes.map(\.id))
        : GraphCourse.nodes(of: run.steps[number - 1], run.state(at: number - 1)).filter(isThere)
      touched.append(own.isEmpty ? (touched.last ?? []).filter(isThere) : own)
    }
  }

  /// The objects, observers and classes that a step's line names, that its events are about, or that it
  /// changes.
  private static func nodes(of step: Step, _ before: WorldState) -> Set<String> {
    let names = step.text.words.union(step.events.flatMap(names(in:))).union(
      step.deliveries.flatMap { [$0.observer, $0.object] })
    let meanwhile = step.events.flatMap(\.change.objects)
    let objects =
      names.compactMap { step.state.objects.last($0) }
      + meanwhile.compactMap { step.state.objects[$0.name, symbol: $0.symbol] }
      + step.state.objects.differences(from: before.objects).changed.map(\.new)
    return Set((objects + meanwhile).map(\.symbol)).union(names.map { "observer \($0)" })
      .union(lineages(of: names.union(objects.map(\.isa)), in: step.state))
  }

  private static func names(in event: Event) -> [String] {
    [event.object, event.observer, event.className, event.otherClass].compactMap(\.self)
  }

  /// The classes among the names and those above them, with their metaclasses.
  private static func lineages(of names: Set<String>, in state: WorldState) -> Set<String> {
    var ids: Set<String> = []
    for name in names {
      var next = state.cls(name)
      while let cls = next, ids.insert(Graph.id(ofClass: cls.name)).inserted {
        ids.insert(Graph.id(ofMetaclass: cls.name))
        next = cls.superclass.flatMap(state.cls)
      }
    }
    return ids
  }
}

extension String {
  /// The words in it that may be names.
  var words: Set<String> { Set(split { !$0.isWordPart }.map(String.init)) }
}
