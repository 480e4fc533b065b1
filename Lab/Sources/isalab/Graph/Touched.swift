/// The part of a run's graphs that single steps touch: the objects, observers and classes that a line
/// names, that its events are about, or that it changes.
struct Touched {
  let run: Run
  /// Of each step, the graphs of its moments.
  let graphs: [[Graph]]

  /// The nodes for each step. A step that touches nothing, such as an expectation, has those of the
  /// step before.
  func all() -> [Set<String>] {
    var sets: [Set<String>] = []
    for (number, graphs) in graphs.enumerated() {
      let there = Set(graphs.flatMap { $0.nodes.map(\.id) })
      let own = number == 0 ? there : nodes(ofStep: number).intersection(there)
      sets.append(own.isEmpty ? (sets.last ?? []).intersection(there) : own)
    }
    return sets
  }

  private func nodes(ofStep number: Int) -> Set<String> {
    let step = run.steps[number - 1], before = run.state(at: number - 1)
    let names = words(of: step.text).union(step.events.flatMap(names(in:))).union(
      step.deliveries.flatMap { [$0.observer, $0.object] })
    let old = Dictionary(before.objects.map { ($0.symbol, $0) }) { $1 }
    let meanwhile = step.events.flatMap(\.change.objects)
    var ids = Set(
      step.state.objects.filter { names.contains($0.name) || old[$0.symbol] != $0 }.map(\.symbol))
    ids.formUnion(meanwhile.map(\.symbol))
    ids.formUnion(names.map { "observer \($0)" })
    let classes = names.union(
      step.state.objects.filter { ids.contains($0.symbol) }.map(\.isa))
    return ids.union(lineages(of: classes, in: step.state))
  }

  private func names(in event: Event) -> [String] {
    [event.object, event.observer, event.className, event.otherClass].compactMap(\.self)
  }

  /// The classes among the names and those above them, with their metaclasses.
  private func lineages(of names: Set<String>, in state: WorldState) -> Set<String> {
    let classes = Set(names.flatMap { state.lineage(of: $0) }.map(\.name))
    return classes.reduce(into: []) {
      $0.insert(Graph.id(ofClass: $1))
      $0.insert(Graph.id(ofMetaclass: $1))
    }
  }

  private func words(of text: String) -> Set<String> {
    Set(text.split { !$0.isWordPart }.map(String.init))
  }
}
