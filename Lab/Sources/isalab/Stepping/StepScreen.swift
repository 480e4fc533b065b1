/// The size of a terminal.
struct ScreenSize: Hashable, Sendable {
  var columns: Int
  var rows: Int

  static let least = ScreenSize(columns: 60, rows: 16)
}

/// The means of a terminal to show things.
struct ScreenLook: Hashable, Sendable {
  var isColoured = false
  var isASCII = false
}

/// The screen of `isalab step`: lines of exactly the terminal's columns, as many as it has rows.
func screen(
  _ run: Run, _ stepper: Stepper, _ size: ScreenSize, _ look: ScreenLook = ScreenLook(),
  _ translations: [[String]] = []
) -> [String] {
  let screen = StepScreen(run: run, stepper: stepper, size: size, translations: translations)
  let lines = screen.lines.prefix(size.rows)
  let missing = Array(repeating: ScreenLine(), count: max(0, size.rows - lines.count))
  return (lines + missing).map { $0.fitted(to: size.columns, look) }
}

struct StepScreen {
  let run: Run
  let stepper: Stepper
  let size: ScreenSize
  /// Each step's statement in another language, if one is asked for.
  var translations: [[String]] = []

  var lines: [ScreenLine] {
    let least = ScreenSize.least
    guard size.columns >= least.columns, size.rows >= least.rows else { return tooSmall(least) }
    let body: [ScreenLine]
    switch stepper.mode {
    case .help: body = help
    case .choosingBreakpoints(let index): body = menu(index)
    default: body = panes
    }
    let room = size.rows - 2
    let missing = Array(repeating: ScreenLine(), count: max(0, room - body.count))
    return [title] + body.prefix(room) + missing + [status]
  }

  private func say(_ key: String, _ places: Places = [:]) -> String {
    stepper.language.say(key, places)
  }

  private func tooSmall(_ least: ScreenSize) -> [ScreenLine] {
    let (actual, expected) = ("\(size.columns)×\(size.rows)", "\(least.columns)×\(least.rows)")
    let text = say("screen.too-small", ["actual": actual, "expected": expected])
    return wrapped(text, width: max(size.columns, 1)).map { ScreenLine($0) }
  }

  /// The step first: a long path, or many breakpoints, may be cut off.
  private var title: ScreenLine {
    let events = stepper.step == 0 ? [] : run.steps[stepper.step - 1].events
    let name = run.file.split(separator: "/").last ?? ""
    let (step, count) = (stepper.step, run.steps.count)
    var text = say("screen.step", ["number": step, "count": count]) + "  \(name)"
    if let first = events.first?.id, let last = events.last?.id {
      text +=
        first == last
        ? say("screen.event", ["number": first])
        : say("screen.event-range", ["first": first, "last": last])
    }
    if !stepper.breakpoints.isEmpty {
      text += say("screen.breakpoints") + shownBreakpoints.joined(separator: ", ")
    }
    return ScreenLine(text, .title)
  }

  private var shownBreakpoints: [String] {
    Event.Kind.shown.filter { stepper.breakpoints.contains($0) }.map(\.name)
  }

  private var status: ScreenLine {
    switch stepper.mode {
    case .goingTo(let digits): return ScreenLine(say("screen.go-to") + digits + "_")
    case .searching(let text): return ScreenLine(say("screen.search") + text + "_")
    default: break
    }
    if !stepper.message.isEmpty { return ScreenLine(" " + stepper.message, .notable) }
    if let stopped = run.stopped, stepper.step == run.steps.count {
      return ScreenLine(say("screen.stopped") + stopped.problem[stepper.language], .bad)
    }
    let keys = say("screen.keys-line")
    return ScreenLine(keys, .faint)
  }

  // MARK: Panes

  private var panes: [ScreenLine] {
    let lane = laneRows
    let room = size.rows - 2 - lane.count
    let upper = room / 2
    let left = (size.columns - 1) / 2
    let right = size.columns - 1 - left
    // Objects have the room that they need, as long as a class's first methods are seen.
    let objects = max(upper, min(content(of: .objects, right).lines.count + 1, room - 6))
    let columns = [
      pane(.scenario, left, upper) + pane(.events, left, room - upper),
      pane(.objects, right, objects) + pane(.methods, right, room - objects),
    ]
    return zip(columns[0], columns[1]).map { a, b in
      a.padded(to: left) + ScreenLine("│", .faint) + b.padded(to: right)
    } + lane
  }

  /// The lane across the screen: a heading, the rows of it with the present station, and what happens
  /// there in words.
  private var laneRows: [ScreenLine] {
    let lane = Lane(run, at: stepper.step, in: stepper.language)
    if lane.stations.isEmpty { return [] }
    let text = LaneText(lane: lane, current: stepper.station, width: size.columns - 2)
    let rows = text.lines()
    let most = size.rows < 24 ? 1 : 2
    let first = max(0, min(text.currentRow - most + 1, rows.count - most))
    let shown = rows.dropFirst(first).prefix(most).map { ScreenLine(" ") + $0 }
    var heading = say("screen.lane")
    if rows.count > most {
      heading += say("screen.row", ["number": first + 1, "count": rows.count])
    }
    heading += String(repeating: "─", count: max(0, size.columns - heading.columns))
    let outside = say("screen.into-hint")
    let said = stepper.station.map { lane.stations[$0].text } ?? outside
    return [ScreenLine(heading, .faint)] + shown + [ScreenLine(" " + said, .notable)]
  }

  private func content(of pane: Stepper.Pane, _ width: Int) -> StepPanes.Content {
    StepPanes(
      run: run, step: stepper.step, station: stepper.station, width: width,
      language: stepper.language, translations: translations
    ).content(of: pane)
  }

  /// A title and what fits below it of the pane's lines.
  private func pane(_ pane: Stepper.Pane, _ width: Int, _ height: Int) -> [ScreenLine] {
    let content = content(of: pane, width)
    let room = height - 1
    let start = max(0, min(content.anchor - room / 3, content.lines.count - room))
    let furthest = max(0, content.lines.count - room)
    let first = min(max(start + (stepper.scroll[pane] ?? 0), 0), furthest)
    let shown = content.lines.dropFirst(first).prefix(room)
    let missing = Array(repeating: ScreenLine(), count: room - shown.count)
    let more = content.lines.count - first - shown.count
    return [heading(pane, first, more, width)] + shown + missing
  }

  private func heading(
    _ pane: Stepper.Pane, _ above: Int, _ below: Int, _ width: Int
  ) -> ScreenLine {
    let isFocus = pane == stepper.focus
    let name = pane.name[stepper.language]
    var text = isFocus ? "─[ \(name) ]" : "── \(name) ─"
    if above > 0 || below > 0 {
      text += say("screen.hidden", ["above": above, "below": below])
    }
    text += String(repeating: "─", count: max(0, width - text.columns))
    return ScreenLine(text, isFocus ? .heading : .faint)
  }

  // MARK: Instead of panes

  private var help: [ScreenLine] {
    [ScreenLine(say("screen.keys"), .heading), ScreenLine()]
      + TextTable(StepScreen.keys.map { [$0.0, $0.1[stepper.language]] }).lines.map {
        ScreenLine($0)
      }
  }

  private static let keys: [(String, Text)] = [
    ("n  →  Space", Text("screen.key-forward")),
    ("p  ←", Text("screen.key-back")),
    (
      "s",
      Text("screen.key-into")
    ),
    ("u", Text("screen.key-station-back")),
    ("o", Text("screen.key-out")),
    ("g NUMBER Enter", Text("screen.key-go")),
    ("gg  Home", Text("screen.key-start")), ("G  End", Text("screen.key-end")),
    ("b", Text("screen.key-breakpoints")),
    ("c", Text("screen.key-continue")),
    ("/ TEXT Enter", Text("screen.key-search")),
    ("Tab  Shift-Tab", Text("screen.key-panes")),
    ("j  k  ↓  ↑", Text("screen.key-scroll")),
    ("q", Text("screen.key-quit")),
  ]

  private func menu(_ index: Int) -> [ScreenLine] {
    let kinds = Event.Kind.shown
    let lines = kinds.enumerated().map { number, kind in
      let mark = stepper.breakpoints.contains(kind) ? "[x]" : "[ ]"
      let isCursor = number == index
      return ScreenLine(
        "\(isCursor ? ">" : " ") \(mark) \(kind.name)", isCursor ? .heading : .plain)
    }
    let room = size.rows - 3
    let first = max(0, min(index - room / 2, lines.count - room))
    let head = say("screen.breakpoint-keys")
    return [ScreenLine(head, .heading)]
      + lines.dropFirst(first).prefix(room)
  }
}

extension Stepper.Pane {
  fileprivate var name: Text {
    switch self {
    case .scenario: Text("screen.scenario")
    case .objects: Text("screen.objects")
    case .methods: Text("screen.methods")
    case .events: Text("screen.events")
    }
  }
}
