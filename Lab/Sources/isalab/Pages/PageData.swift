/// The data that a page's script shows, step by step: the run without anything that differs between
/// runs. Of each moment only what is other than at the moment before is made and written.
struct PageData {
  /// JSON that may stand in a `script` element, as `unpack` reads it.
  private(set) var json = ""
  private let run: Run
  private let language: Language
  private var drawing: PageDrawing
  private var packer = PackedJSON()
  private var objects = PackedRows()
  private var observations = PackedRows()
  /// How many registrations each object had.
  private var registered: [String: Int] = [:]
  private var tables: PageTables
  private var moments: [String] = []
  /// The ways of the steps, the start first, if they are not the run's own.
  private let lanes: [[Lane.Station]]?

  init(
    _ run: Run, _ course: GraphCourse, _ layout: GraphLayout, lanes: [[Lane.Station]]? = nil,
    _ language: Language
  ) {
    self.lanes = lanes
    self.run = run
    self.language = language
    drawing = PageDrawing(run, course, layout, language)
    tables = PageTables(layout)
    json = write()
  }

  private mutating func write() -> String {
    let translations = ProgrammingLanguage.allCases.map {
      ($0.rawValue, run.translations($0, in: language))
    }
    let steps = (0...run.steps.count).map { number in
      let way =
        lanes?[number]
        ?? (number == 0
          ? [] : Lane(run.steps[number - 1], drawing.graph.connections, language).stations)
      let first = moments.count
      for state in run.states(ofStep: number) { add(state, ofStep: number) }
      let languages = translations.map { name, lines in
        (name, JSON.texts(number == 0 ? [] : lines[number - 1].map(\.shown)))
      }
      return step(
        number, from: first, way, number == 0 ? [:] : Dictionary(uniqueKeysWithValues: languages))
    }
    let root: JSON = [
      "classes": .list(tables.all), "steps": .list(steps),
      "words": .map(Words.script.mapValues { .text($0[language]) }),
    ]
    let written = packer.value(root)
    return packer.whole(root: written, "moments", moments)
  }

  // MARK: Moments

  private mutating func add(_ state: WorldState, ofStep number: Int) {
    let before = drawing.graph.connections.state
    let changes = state.objects.differences(from: before.objects)
    let drawn = drawing.follow(state, ofStep: number, &packer)
    for object in changes.gone { put(nil, object) }
    for object in changes.changed.map(\.new) { put(object, object) }
    tables.follow(from: before, drawing.graph, drawn, &packer)
    moments.append(moments.isEmpty ? wholeMoment() : momentDelta())
  }

  private mutating func wholeMoment() -> String {
    packer.record(
      ["classes", "drawing", "objects", "observations"],
      [
        tables.rows.whole(&packer), drawing.whole(&packer), objects.whole(&packer),
        observations.whole(&packer),
      ])
  }

  private mutating func momentDelta() -> String {
    PackedJSON.recordDelta([
      tables.rows.takeDelta(), drawing.takeDelta(&packer), objects.takeDelta(),
      observations.takeDelta(),
    ])
  }

  private mutating func put(_ object: ObjectState?, _ named: ObjectState) {
    objects.put(object.map { PageData.row($0) }, at: named.number, &packer)
    let rows = object?.registrations ?? [], count = registered[named.symbol] ?? 0
    registered[named.symbol] = rows.count
    for index in (0..<max(count, rows.count)).reversed() where index >= rows.count {
      observations.put(nil, at: named.number << 20 + index, &packer)
    }
    for (index, row) in rows.enumerated() {
      observations.put(
        PageData.row(row, of: named, language), at: named.number << 20 + index, &packer)
    }
  }

  private static func row(_ object: ObjectState) -> JSON {
    let contents = object.contents.map { ["\($0)".shown] } ?? []
    return [
      "id": .text(object.symbol), "name": .text(object.name.shown), "isa": .text(object.isa.shown),
      "says": .text(object.claim.shown), "count": .number(object.retainCount),
      "values": .texts(
        contents + object.ivars.map { "\($0.name.shown) = \("\($0.value)".shown)" }),
    ]
  }

  private static func row(
    _ view: RegistrationView, of object: ObjectState, _ language: Language
  ) -> JSON {
    let context = view.context == 0 ? [] : ["context \(view.context)"]
    return [
      "id": .text(object.symbol), "observer": .text(view.observer.objectName(in: language).shown),
      "what": .text("\(view.object).\(view.key)".shown),
      "options": .text((view.options + context).joined(separator: ", ")),
      "serves": .text(view.root.map { "\(Words.serves[language]) \($0.shown)" }),
    ]
  }

  // MARK: Steps

  /// A step whose moments stand from a place on, one for each event and one for the end.
  private func step(
    _ number: Int, from first: Int, _ way: [Lane.Station], _ languages: [String: JSON]
  ) -> JSON {
    let step = number == 0 ? nil : run.steps[number - 1]
    let events = step?.events ?? []
    let places = Dictionary(
      events.enumerated().map { ($1.id, first + $0) }, uniquingKeysWith: { $1 })
    return [
      "text": .text(step?.text.shown ?? Words.before[language]),
      "line": .number(step?.location.line ?? 0),
      "told": .texts(step.map { PageData.told($0, language) } ?? []),
      "events": .list(events.map { row($0, at: places[$0.id] ?? first) }),
      // A gap before all is the moment before.
      "lane": .list(
        way.map { row($0, at: places[$0.event] ?? max(0, $0.event == 0 ? first - 1 : first)) }),
      "languages": .map(languages), "end": .number(first + events.count),
    ]
  }

  private func row(_ station: Lane.Station, at moment: Int) -> JSON {
    [
      "kind": .text(station.kind.rawValue), "event": .number(Int(station.event)),
      "depth": .number(station.depth), "title": .text(station.title.shown),
      "text": .text(station.text.shown), "value": .text(station.value?.shown),
      "parts": .texts(station.parts.map(\.shown)), "moment": .number(moment),
    ]
  }

  private func row(_ event: Event, at moment: Int) -> JSON {
    [
      "id": .number(Int(event.id)), "cause": .number(Int(event.cause)),
      "kind": .text(event.kind.name), "text": .text(event.text(in: language).shown),
      "thread": .number(event.thread), "moment": .number(moment),
    ]
  }

  /// The lines of `isalab run` below the statement.
  static func told(_ step: Step, _ language: Language) -> [String] {
    let options = TextOptions(language: language)
    return step.facts.flatMap { StepView(options).lines(of: $0, 74) }.map(\.shown)
  }
}
