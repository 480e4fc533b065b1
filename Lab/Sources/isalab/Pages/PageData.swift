import Foundation

/// The data that a page's script shows, step by step: the run without anything that differs between
/// runs.
struct PageData: Encodable {
  struct Drawing: Encodable {
    /// The nodes that are there.
    var nodes: [String: Node] = [:]
    var edges: [String: Edge] = [:]
    /// The nodes that the step touches.
    var touched: [String]
    /// Where these stand alone, of a run with a crowd of objects.
    var close: CloseUp?
  }

  struct Node: Encodable {
    var note: String
    /// Of each row, its id, its text and what stands at its right.
    var rows: [[String]]
  }

  /// The touched nodes of a step without the others between them.
  struct CloseUp: Encodable {
    struct Line: Encodable {
      var line: String
      /// The place of the label.
      var at: [Int]?
    }

    /// The top of each node.
    var tops: [String: Int] = [:]
    var lines: [String: Line] = [:]
    var height: Int
  }

  struct Edge: Encodable {
    /// Where the line runs, if it may move.
    var line: String?
    var label: String?
    var full: String?
    var isSwapped: Bool
    var isForwarded: Bool
    var to: String
    /// The edge in words.
    var words: String?
  }

  struct ObjectRow: Encodable {
    /// The object's node.
    var id: String
    var name: String
    var isa: String
    var says: String
    var count: Int
    var values: [String]
  }

  struct MethodRow: Encodable, Hashable {
    var selector: String
    var types: String
    var implementation: String
    var original: String?
    var owner: String
  }

  struct ClassTable: Encodable, Hashable {
    var name: String
    var kind: String
    var superclass: String?
    /// Its own methods, then those that it inherits and does not replace.
    var methods: [MethodRow]
    var own: Int
  }

  struct ObservationRow: Encodable {
    /// The observed object's node.
    var id: String
    var observer: String
    var what: String
    var options: String
    var serves: String?
  }

  struct EventRow: Encodable {
    var id: UInt64
    var cause: UInt64
    var kind: String
    var text: String
    var thread: Int
    /// The place of the moment at which it has just happened.
    var moment: Int
  }

  /// A station of the lane.
  struct StationRow: Encodable {
    var kind: String
    var event: UInt64
    var depth: Int
    var title: String
    var text: String
    var value: String?
    /// The nodes, rows and edges of the drawing that it is about.
    var parts: [String]
    /// The place of the moment at which its event has just happened.
    var moment: Int
  }

  struct StepRow: Encodable {
    var text: String
    var line: Int
    var told: [String]
    var events: [EventRow]
    var lane: [StationRow]
    /// The statement in other languages, by their names.
    var languages: [String: [String]]
    /// The place of the moment at which the step is over.
    var end: Int
  }

  /// How all stands after an event, or after a step.
  struct MomentRow: Encodable {
    var drawing: Drawing
    var objects: [ObjectRow]
    /// Places in the page's `classes`.
    var classes: [Int]
    var observations: [ObservationRow]
  }

  var words: [String: String]
  /// Each table of methods once, however many moments have it.
  var classes: [ClassTable] = []
  /// The start, then each step.
  var steps: [StepRow] = []
  var moments: [MomentRow] = []

  /// JSON that may stand in a `script` element, as `unpack` reads it.
  func json() -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    guard let data = try? encoder.encode(self),
      let packed = PackedJSON.packed(data, list: "moments")
    else { return "{}" }
    return packed.replacing("<", with: "\\u003c")
      .replacing("\u{2028}", with: "\\u2028").replacing("\u{2029}", with: "\\u2029")
  }
}

// MARK: - From a run

extension PageData {
  /// - Parameter lanes: The ways of the steps, the start first, if they are not the run's own.
  init(
    _ run: Run, graphs: [[Graph]], layout: GraphLayout, lanes: [[Lane.Station]]? = nil,
    _ language: Language
  ) {
    words = Words.script.mapValues { $0[language] }
    let translations = ProgrammingLanguage.allCases.map {
      ($0.rawValue, run.translations($0, in: language))
    }
    var places: [ClassTable: Int] = [:]
    let touched = Touched(run: run, graphs: graphs).all()
    for (number, graphs) in graphs.enumerated() {
      let first = moments.count
      for (graph, state) in zip(graphs, run.states(ofStep: number)) {
        let drawing = PageData.drawing(graph, layout, touched[number], language)
        add(state, graph, layout, drawing, &places, language)
      }
      let way = lanes?[number] ?? Lane(run, at: number, in: language).stations
      var step = PageData.step(run, number, way, from: first, language)
      if number > 0 {
        for (name, lines) in translations {
          step.languages[name] = lines[number - 1].map(\.shown)
        }
      }
      steps.append(step)
    }
  }

  private mutating func add(
    _ state: WorldState, _ graph: Graph, _ layout: GraphLayout, _ drawing: Drawing,
    _ places: inout [ClassTable: Int], _ language: Language
  ) {
    let tables = PageData.tables(state, graph, layout)
    for table in tables where places[table] == nil {
      places[table] = classes.count
      classes.append(table)
    }
    moments.append(
      MomentRow(
        drawing: drawing, objects: state.objects.map(PageData.row),
        classes: tables.compactMap { places[$0] },
        observations: state.objects.flatMap { object in
          object.registrations.map { PageData.row($0, of: object, language) }
        }))
  }

  /// A step whose moments stand from a place on, one for each event and one for the end.
  private static func step(
    _ run: Run, _ number: Int, _ way: [Lane.Station], from first: Int, _ language: Language
  ) -> StepRow {
    let step = number == 0 ? nil : run.steps[number - 1]
    let events = step?.events ?? []
    let places = Dictionary(
      events.enumerated().map { ($1.id, first + $0) }, uniquingKeysWith: { $1 })
    return StepRow(
      text: step?.text.shown ?? Words.before[language], line: step?.location.line ?? 0,
      told: step.map { told($0, language) } ?? [],
      events: events.map { row($0, at: places[$0.id] ?? first, language) },
      // A gap before all is the moment before.
      lane: way.map { row($0, at: places[$0.event] ?? max(0, $0.event == 0 ? first - 1 : first)) },
      languages: [:], end: first + events.count)
  }

  private static func row(_ station: Lane.Station, at moment: Int) -> StationRow {
    StationRow(
      kind: station.kind.rawValue, event: station.event, depth: station.depth,
      title: station.title.shown, text: station.text.shown, value: station.value?.shown,
      parts: station.parts.map(\.shown), moment: moment)
  }

  /// The lines of `isalab run` below the statement.
  static func told(_ step: Step, _ language: Language) -> [String] {
    let options = TextOptions(language: language)
    return step.facts.flatMap { StepView(options).lines(of: $0, 74) }.map(\.shown)
  }

  private static func row(_ object: ObjectState) -> ObjectRow {
    let contents = object.contents.map { ["\($0)".shown] } ?? []
    return ObjectRow(
      id: object.symbol, name: object.name.shown, isa: object.isa.shown, says: object.claim.shown,
      count: object.retainCount,
      values: contents + object.ivars.map { "\($0.name.shown) = \("\($0.value)".shown)" })
  }

  private static func row(
    _ view: RegistrationView, of object: ObjectState, _ language: Language
  ) -> ObservationRow {
    let context = view.context == 0 ? [] : ["context \(view.context)"]
    let serves = view.root.map { "\(Words.serves[language]) \($0.shown)" }
    return ObservationRow(
      id: object.symbol, observer: view.observer.objectName(in: language).shown,
      what: "\(view.object).\(view.key)".shown,
      options: (view.options + context).joined(separator: ", "), serves: serves)
  }

  private static func row(_ event: Event, at moment: Int, _ language: Language) -> EventRow {
    EventRow(
      id: event.id, cause: event.cause, kind: event.kind.name,
      text: event.text(in: language).shown, thread: event.thread, moment: moment)
  }

  // MARK: Classes

  /// In the order of the drawing, so that a notifying class follows its original.
  private static func tables(
    _ state: WorldState, _ graph: Graph, _ layout: GraphLayout
  ) -> [ClassTable] {
    let drawn = layout.columns[2].ids.filter { graph.node($0) != nil }
    return drawn.compactMap { id in
      state.classes.first { Graph.id(ofClass: $0.name) == id }
    }.map { cls in
      let rows = methods(of: cls.name, in: state)
      let kind = cls.isNotifying ? "notifying" : cls.isBuiltIn ? "built-in" : "class"
      return ClassTable(
        name: cls.name.shown, kind: kind, superclass: cls.superclass?.shown, methods: rows,
        own: cls.methods.count)
    }
  }

  /// The root's own methods are left out of other tables: they would hide what matters.
  private static func methods(of name: String, in state: WorldState) -> [MethodRow] {
    let lineage = state.lineage(of: name)
    var known: Set<String> = []
    return lineage.enumerated().flatMap { index, cls in
      index > 0 && cls.superclass == nil
        ? [] : cls.methods.filter { known.insert($0.selector).inserted }
    }.map {
      MethodRow(
        selector: $0.selector.shown, types: $0.types.shown, implementation: $0.name.shown,
        original: $0.original?.shown, owner: $0.owner.shown)
    }
  }
}
