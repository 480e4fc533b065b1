import KVOTrace

/// A trace as one page that needs nothing else: findings, a lane for each thread, and why what happened.
struct TracePage {
  /// The events that are on the page.
  var selection: TraceSelection
  var summary: TraceSummary
  var names: TraceNames

  private var trace: Trace { names.trace }
  private var language: Language { names.language }

  private func say(_ key: String, _ places: Places = [:]) -> String { names.say(key, places) }

  func html() -> String {
    let body = [
      "<div class=\"trace\">", bar(), cut(), "<main>",
      "<section aria-label=\"\(say("trace.findings").markup)\"><ul id=\"findings\" class=\"findings\"></ul></section>",
      lanes(),
      "<div class=\"chosen\"><section id=\"why\" aria-live=\"polite\"></section>",
      "<section id=\"history\"></section></div>",
      "<p class=\"hint\">\(say("trace.keys").markup)</p></main></div>",
      Page.data(data()),
      "<script>\n\(PackageResources.theme_js)\(PackageResources.trace_js)</script>",
    ]
    return Page.document(
      say("trace.page-title", ["program": names.program]), language,
      "<style>\n\(GraphStyle.lettered(PackageResources.trace_css))</style>\n"
        + body.joined(separator: "\n"))
  }

  // MARK: Parts

  private func bar() -> String {
    return """
      <header class="bar"><div><h1>\(names.program.markup)</h1>
      <span class="quiet">\("\(names.counts(of: summary)) · \(names.loss(of: summary))".markup)</span>
      <span class="search"><input id="search" type="search" placeholder="\(say("trace.search").markup)" \
      aria-label="\(say("trace.search").markup)"/><output id="matches"></output></span>
      \(Page.themeButton(language))</div></header>
      """
  }

  /// What is not on the page; what could not be read.
  private func cut() -> String {
    let (before, behind) = (selection.before, selection.behind)
    var notes = summary.problems.prefix(3).map { "\($0)" }
    if before + behind > 0, let first = selection.events.first, let last = selection.events.last {
      let which =
        behind == 0
        ? say("trace.page-last")
        : say(
          "trace.page-window", ["from": names.moment(first.time), "to": names.moment(last.time)])
      notes.append(
        say(
          "trace.page-cut",
          [
            "shown": selection.events.count, "total": selection.events.count + before + behind,
            "which": which,
          ]))
    }
    return notes.map { "<p class=\"cut\">\($0.markup)</p>" }.joined(separator: "\n")
  }

  private func lanes() -> String {
    let looks = [
      ("earlier", "trace.earlier"), ("later", "trace.later"), ("closer", "trace.closer"),
      ("farther", "trace.farther"), ("all", "trace.whole"),
    ].map { id, key in
      "<button type=\"button\" id=\"\(id)\">\(say(key).markup)</button>"
    }
    return """
      <div class="looks" role="group">\(looks.joined())</div>
      <div class="stretch"><canvas id="lanes" tabindex="0" role="application" \
      aria-label="\(say("trace.lanes").markup)"></canvas><p id="tip" hidden="hidden"></p></div>
      """
  }

  // MARK: Data

  private func data() -> TraceTable.Data {
    var table = TraceTable(names)
    table.fill(selection.events)
    let findings = TraceFindings(summary, names).all
    let words = TracePage.words.merging(
      TraceNames.sentences.map { ("kind-" + $0, $1) }, uniquingKeysWith: { $1 }
    ).mapValues { language.say($0) }
    return table.data(words, findings)
  }

  /// The words that the script fills in.
  private static let words = [
    "milliseconds": "trace.milliseconds",
    "microseconds": "trace.microseconds",
    "seconds": "trace.seconds",
    "why": "trace.why",
    "then": "trace.then",
    "registered": "trace.registered",
    "history": "trace.history",
    "history-gone": "trace.history-gone",
    "earlier": "trace.earlier",
    "later": "trace.later",
    "matches": "trace.matches",
    "lost": "trace.lost-cause",
  ]
}

/// What stands out in a trace, each with a place and an event that shows it.
struct TraceFindings {
  struct Finding: Encodable {
    var kind: String
    var text: String
    var place: String?
    /// 0: none.
    var event: UInt64
  }

  private(set) var all: [Finding] = []
  private let names: TraceNames
  /// Of each kind at most so many.
  private static let most = 4

  init(_ summary: TraceSummary, _ names: TraceNames) {
    self.names = names
    for use in summary.misuses.prefix(TraceFindings.most) {
      add("misuse", "\(use.count) × \(names.trace.text(use.sentence).shown)", nil, use.first)
    }
    for ring in summary.rings.prefix(TraceFindings.most) {
      let keys = (ring.keys + ring.keys.prefix(1)).map(names.name).joined(separator: " → ")
      add("ring", "\(ring.count) × \(keys)", nil, ring.changes.first ?? 0)
    }
    let slow = summary.handlers.filter { $0.runs > 0 }.prefix(TraceFindings.most)
    for use in slow {
      let words: Places = [
        "key": names.name(of: use.key), "runs": use.runs, "total": names.duration(use.total),
        "longest": names.duration(use.longest),
      ]
      add("slow", names.say("trace.handler", words), names.place(use.origin), use.longestEvent)
    }
    for open in summary.open.prefix(TraceFindings.most) {
      let words: Places = ["count": open.count, "key": names.name(of: open.key)]
      add(
        "open", names.say("trace.never-ended", words), names.place(open.origin), open.oldest.began)
    }
    for use in summary.keys.filter({ $0.held + $0.muted > 0 }).prefix(TraceFindings.most) {
      let words: Places = [
        "key": names.name(of: use.key), "held": use.held, "muted": use.muted,
      ]
      add("held", names.say("trace.held-use", words), nil, use.last)
    }
    for death in summary.deaths.filter({ $0.reason == .objectDied }).prefix(TraceFindings.most) {
      let words: Places = ["count": death.count, "key": names.name(of: death.key)]
      add("death", names.say("trace.died-observed", words), names.place(death.origin), death.first)
    }
  }

  private mutating func add(_ kind: String, _ text: String, _ place: String?, _ event: UInt64) {
    all.append(Finding(kind: kind, text: text, place: place, event: event))
  }
}

/// The events of a page as columns; ids and times as differences from row to row.
struct TraceTable {
  struct Columns: Encodable {
    var id: [UInt64] = []
    var time: [Int64] = []
    var cause: [UInt64] = []
    var thread: [Int] = []
    var kind: [Int] = []
    /// Places among `objects`; -1: none.
    var object: [Int] = []
    /// Places among `texts`, likewise.
    var key: [Int] = []
    var place: [Int] = []
    var value: [Int] = []
    var old: [Int] = []
    /// Nanoseconds; -1: it has no length.
    var span: [Int64] = []
    var depth: [Int] = []
    /// Places among `registrations`; -1: none.
    var registration: [Int] = []
  }

  struct Object: Encodable {
    var name: String
    /// Nanoseconds since recording began; null: it lives.
    var died: Int64?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(died, forKey: .died)
    }

    private enum CodingKeys: String, CodingKey { case name, died }
  }

  struct Data: Encodable {
    var words: [String: String]
    var findings: [TraceFindings.Finding]
    var kinds: [String]
    var texts: [String]
    var threads: [String]
    var objects: [Object]
    /// Where each registration was made.
    var registrations: [String]
    var events: Columns
  }

  private let names: TraceNames
  private var columns = Columns()
  private var kinds = Numbered<String>()
  private var texts = Numbered<String>()
  private var threads = Numbered<UInt64>()
  private var objects: [Object] = []
  private var objectPlaces: [Int: Int] = [:]
  private var registrations: [String] = []
  private var registrationPlaces: [UInt64: Int] = [:]
  /// The rows of events that have a length.
  private var rows: [UInt64: Int] = [:]
  private var course = TraceCourse()
  private var last = (id: UInt64(0), time: UInt64(0))

  init(_ names: TraceNames) {
    self.names = names
    last.time = names.trace.header.startTime
  }

  mutating func fill(_ events: [TraceEvent]) {
    for event in events {
      course.take(event)
      end()
      if !TraceTable.isEnd(event.kind) { add(event) }
    }
    course.finish()
    end()
  }

  private static func isEnd(_ kind: TraceEventKind) -> Bool {
    switch kind {
    case .notificationEnded, .handlerEnded, .spanEnded, .transactionEnded, .wrapperLeft,
      .originalReturned:
      true
    default: false
    }
  }

  private mutating func end() {
    for ended in course.ended {
      guard let row = rows.removeValue(forKey: ended.frame.event.id) else { continue }
      columns.span[row] = Int64(clamping: ended.duration)
    }
  }

  private mutating func add(_ event: TraceEvent) {
    let frame = course.frames.last
    let isFrame = frame?.event.id == event.id
    if isFrame { rows[event.id] = columns.id.count }
    columns.id.append(event.id &- last.id)
    columns.time.append(Int64(bitPattern: event.time &- last.time))
    last = (event.id, event.time)
    columns.cause.append(event.cause == 0 ? 0 : event.id &- event.cause)
    columns.thread.append(threads.number(of: event.thread))
    columns.kind.append(kinds.number(of: names.kind(event)))
    columns.object.append(place(ofObject: event))
    columns.key.append(key(of: event))
    columns.place.append(number(of: names.place(TraceOrigin(event))))
    columns.value.append(number(of: event.value.map { names.text(of: $0, at: event.id) }))
    columns.old.append(number(of: event.oldValue.map { names.text(of: $0, at: event.id) }))
    columns.span.append(isFrame ? 0 : -1)
    columns.depth.append(max(0, course.frames.count - (isFrame ? 1 : 0)))
    columns.registration.append(place(ofRegistration: event.registration))
  }

  private mutating func key(of event: TraceEvent) -> Int {
    switch event.kind {
    case .deallocated, .objectAllocated, .isaSwapped, .weakCleared: -1
    case .message, .wrapperEntered, .originalCalled:
      number(of: names.trace.text(event.selector).shown)
    default: event.name == 0 ? -1 : number(of: names.trace.text(event.name).shown)
    }
  }

  private mutating func number(of text: String?) -> Int { text.map { texts.number(of: $0) } ?? -1 }

  private mutating func place(ofObject event: TraceEvent) -> Int {
    guard let object = names.trace.object(event.object, at: event.id) else { return -1 }
    let place = objectPlaces[object.index] ?? objects.count
    if place == objects.count {
      objectPlaces[object.index] = place
      objects.append(Object(name: names.name(of: object)))
    }
    if event.kind == .deallocated {
      objects[place].died = Int64(bitPattern: event.time &- names.trace.header.startTime)
    }
    return place
  }

  private mutating func place(ofRegistration number: UInt64) -> Int {
    if number == 0 { return -1 }
    if let known = registrationPlaces[number] { return known }
    let place = names.trace.registration(number).flatMap { names.place($0.origin) }
    registrationPlaces[number] = place == nil ? -1 : registrations.count
    if let place { registrations.append(place) }
    return registrationPlaces[number]!
  }

  func data(_ words: [String: String], _ findings: [TraceFindings.Finding]) -> Data {
    Data(
      words: words, findings: findings, kinds: kinds.all, texts: texts.all,
      threads: threads.all.map { names.say("trace.thread-name", ["number": Int(clamping: $0)]) },
      objects: objects, registrations: registrations, events: columns)
  }
}

/// Values by numbers, from 0 on, in the order in which they came.
private struct Numbered<Element: Hashable> {
  private(set) var all: [Element] = []
  private var places: [Element: Int] = [:]

  mutating func number(of element: Element) -> Int {
    if let place = places[element] { return place }
    places[element] = all.count
    all.append(element)
    return all.count - 1
  }
}
