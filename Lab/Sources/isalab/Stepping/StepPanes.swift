/// The contents of each pane after a step.
struct StepPanes {
  struct Content {
    var lines: [ScreenLine]
    /// The line that should be seen.
    var anchor = 0
  }

  let run: Run
  let step: Int
  /// The station inside of the step; nil once it is over.
  var station: Int?
  /// The columns of the pane; longer lines go on below.
  let width: Int
  var language = Language.english
  /// Each step's statement in another language, if one is asked for.
  var translations: [[String]] = []
  private var moment: Moment { run.moment(ofStep: step, at: station) }
  private var state: WorldState { run.state(at: moment) }
  /// How all stood an event before, or a step before if the step is over.
  private var before: WorldState {
    guard let count = moment.events else {
      return step == 0 ? WorldState() : run.state(at: step - 1)
    }
    return run.state(at: Moment(step: step, events: count - 1))
  }
  private var current: Step? { step == 0 ? nil : run.steps[step - 1] }

  private func say(_ key: String, _ places: Places = [:]) -> String {
    language.say(key, places)
  }

  func content(of pane: Stepper.Pane) -> Content {
    switch pane {
    case .scenario: scenario
    case .objects: Content(lines: objects)
    case .methods: Content(lines: methods)
    case .events: Content(lines: events)
    }
  }

  private var scenario: Content {
    let line = current?.location.line ?? 0
    let lines = run.source.enumerated().flatMap { index, text in
      let number = String(repeating: " ", count: max(0, 3 - "\(index + 1)".count)) + "\(index + 1)"
      guard index + 1 == line else { return [ScreenLine(" \(number) \(text)")] }
      return folded(">\(number) ", text, .current) + translation
    }
    return Content(lines: lines, anchor: max(0, line - 1))
  }

  /// The present statement in the other language.
  private var translation: [ScreenLine] {
    guard step > 0, translations.indices.contains(step - 1) else { return [] }
    return translations[step - 1].flatMap { folded("     ", $0, .good) }
  }

  /// A line, and what of it does not fit below it, further in.
  private func folded(_ head: String, _ text: String, _ style: ScreenLine.Style) -> [ScreenLine] {
    let text = text.shown
    guard (head + text).columns > width else { return [ScreenLine(head + text, style)] }
    let hanging = String(repeating: " ", count: head.columns + 2)
    let words = wrapped(text, width: max(width - hanging.columns, 8))
    return words.enumerated().map { ScreenLine(($0 == 0 ? head : hanging) + $1, style) }
  }

  // MARK: Objects

  private var objects: [ScreenLine] {
    if state.objects.isEmpty { return [ScreenLine(say("screen.no-object"), .faint)] }
    let before = before
    return state.objects.flatMap { lines(of: $0, before.object($0.name)) }
  }

  private func lines(of object: ObjectState, _ before: ObjectState?) -> [ScreenLine] {
    let isSwapped = object.isa != object.claim
    let moved = before.map { $0.isa != object.isa } ?? false
    let mark = isSwapped ? "⇄" : " "
    var lines = [
      ScreenLine(
        "\(mark) \(object.name) → \(object.isa)" + (moved ? say("screen.now") : ""),
        isSwapped ? .notable : .heading)
    ]
    if isSwapped {
      lines.append(ScreenLine(say("screen.says") + object.claim, .faint))
    }
    if let contents = object.contents { lines.append(ScreenLine("    \(contents)")) }
    lines += object.ivars.map { ivar in
      let old = before?.ivars.first { $0.name == ivar.name }?.value
      let isChanged = old.map { $0 != ivar.value } ?? false
      return ScreenLine(
        "\(isChanged ? "  ~" : "   ") \(ivar.name) \(ivar.value)", isChanged ? .notable : .plain)
    }
    lines += object.registrations.map { registration in
      let who =
        registration.root.map { say("screen.forwarder", ["path": $0]) }
        ?? registration.observer.objectName(in: language)
      return ScreenLine("    .\(registration.key)" + say("screen.by") + who, .good)
    }
    return lines
      + (state.told[object.name].map(heard) ?? [])
      + object.pending.map { ScreenLine("    .\($0.key)" + say("screen.will"), .bad) }
  }

  private func heard(_ told: Hearings) -> [ScreenLine] {
    Graph.rows(of: told, "", language).map { ScreenLine("    \($0.text)", .good) }
  }

  // MARK: Methods

  /// Each class's table: what it declares itself; of a notifying class what it inherits as well.
  private var methods: [ScreenLine] {
    let classes = state.classes.filter { !$0.isBuiltIn }
    if classes.isEmpty { return [ScreenLine(say("screen.no-class"), .faint)] }
    return (classes.filter(\.isNotifying) + classes.filter { !$0.isNotifying }).flatMap(lines)
  }

  private func lines(of cls: ClassState) -> [ScreenLine] {
    let head = ScreenLine(
      " \(cls.name) : \(cls.superclass ?? "nil")", cls.isNotifying ? .notable : .heading)
    var seen: Set<String> = []
    let lineage = cls.isNotifying ? state.lineage(of: cls.name).filter { !$0.isBuiltIn } : [cls]
    let methods = lineage.flatMap(\.methods).filter { seen.insert($0.selector).inserted }
    let width = methods.map(\.selector.columns).filter { $0 <= 16 }.max() ?? 0
    return [head]
      + methods.map { method in
        ScreenLine(
          "   \(padded(method.selector, width)) \(owner(of: method))",
          method.kind == .method ? .plain : .good)
      }
  }

  private func owner(of method: ImplementationView) -> String {
    // -[Person setAge:]
    let original = method.original.map { $0.dropFirst(2).prefix { $0 != " " } }
    return original.map { say("screen.around", ["kind": "\(method.kind)", "class": $0]) }
      ?? method.owner
  }

  // MARK: Events

  private var events: [ScreenLine] {
    guard let current else {
      return [ScreenLine(say("screen.nothing-yet"), .faint)]
    }
    if current.events.isEmpty { return [ScreenLine(say("screen.no-event"), .faint)] }
    var depths: [UInt64: Int] = [:]
    let present = station.map { Lane(run, at: step).stations[$0].event } ?? .max
    return current.events.filter { $0.id <= present }.flatMap { event in
      let depth = depths[event.cause].map { $0 + 1 } ?? 0
      depths[event.id] = depth
      let indent = String(repeating: " ", count: min(depth, 8))
      let thread =
        event.thread == 1 ? "" : say("screen.thread", ["number": event.thread])
      return folded(
        " \(event.id) \(indent)",
        "\(event.kind.name) \(event.text(in: language))\(thread)",
        event.id == present
          ? .current
          : event.kind == .isaSwapped ? .notable : event.kind == .notification ? .good : .plain)
    }
  }
}
