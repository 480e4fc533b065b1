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

  private func say(_ english: String, _ chinese: String) -> String {
    Text(english, chinese)[stepper.language]
  }

  private func tooSmall(_ least: ScreenSize) -> [ScreenLine] {
    let (actual, expected) = ("\(size.columns)×\(size.rows)", "\(least.columns)×\(least.rows)")
    let text = say(
      "The terminal is too small: \(actual), expected \(expected) or larger. q quits.",
      "终端太小：现在是 \(actual)，至少需要 \(expected)。按 q 退出。")
    return wrapped(text, width: max(size.columns, 1)).map { ScreenLine($0) }
  }

  /// The step first: a long path, or many breakpoints, may be cut off.
  private var title: ScreenLine {
    let events = stepper.step == 0 ? [] : run.steps[stepper.step - 1].events
    let name = run.file.split(separator: "/").last ?? ""
    let (step, count) = (stepper.step, run.steps.count)
    var text = say(" step \(step) of \(count)", " 第 \(step) 步，共 \(count) 步") + "  \(name)"
    if let first = events.first?.id, let last = events.last?.id {
      text +=
        first == last
        ? say("  event \(first)", "  事件 \(first)")
        : say("  events \(first) to \(last)", "  事件 \(first) 到 \(last)")
    }
    if !stepper.breakpoints.isEmpty {
      text += say("  breakpoints: ", "  断点：") + shownBreakpoints.joined(separator: ", ")
    }
    return ScreenLine(text, .title)
  }

  private var shownBreakpoints: [String] {
    Event.Kind.allCases.filter { stepper.breakpoints.contains($0) }.map(\.name)
  }

  private var status: ScreenLine {
    switch stepper.mode {
    case .goingTo(let digits): return ScreenLine(say(" go to step: ", " 到第几步：") + digits + "_")
    case .searching(let text): return ScreenLine(say(" search: ", " 查找：") + text + "_")
    default: break
    }
    if !stepper.message.isEmpty { return ScreenLine(" " + stepper.message, .notable) }
    if let stopped = run.stopped, stepper.step == run.steps.count {
      return ScreenLine(say(" stopped: ", " 已停止：") + stopped.problem, .bad)
    }
    let keys = say(
      " ? help  q quit  n next  p back  s into  u back up  o out  g go to  c continue",
      " ? 帮助  q 退出  n 下一步  p 上一步  s 进入  u 退一站  o 跳出  g 到  c 继续")
    return ScreenLine(keys, .faint)
  }

  // MARK: Panes

  private var panes: [ScreenLine] {
    let lane = laneRows
    let room = size.rows - 2 - lane.count
    let (upper, lower) = (room / 2, room - room / 2)
    let left = (size.columns - 1) / 2
    let right = size.columns - 1 - left
    return row(.scenario, .objects, left, right, upper)
      + row(.events, .methods, left, right, lower) + lane
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
    var heading = say("── the message's way ", "── 消息的去路 ")
    if rows.count > most {
      heading += say(
        "─ row \(first + 1) of \(rows.count) ", "─ 第 \(first + 1) 行，共 \(rows.count) 行 ")
    }
    heading += String(repeating: "─", count: max(0, size.columns - heading.columns))
    let outside = say("s steps into the next line", "按 s 进入下一行")
    let said = stepper.station.map { lane.stations[$0].text } ?? outside
    return [ScreenLine(heading, .faint)] + shown + [ScreenLine(" " + said, .notable)]
  }

  private func row(
    _ first: Stepper.Pane, _ second: Stepper.Pane, _ left: Int, _ right: Int, _ height: Int
  ) -> [ScreenLine] {
    let columns = [pane(first, left, height), pane(second, right, height)]
    return zip(columns[0], columns[1]).map { a, b in
      a.padded(to: left) + ScreenLine("│", .faint) + b.padded(to: right)
    }
  }

  /// A title and what fits below it of the pane's lines.
  private func pane(_ pane: Stepper.Pane, _ width: Int, _ height: Int) -> [ScreenLine] {
    let content = StepPanes(
      run: run, step: stepper.step, station: stepper.station, width: width,
      language: stepper.language, translations: translations
    ).content(of: pane)
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
      text += say(" \(above) above, \(below) below ", " 上 \(above) 行，下 \(below) 行 ")
    }
    text += String(repeating: "─", count: max(0, width - text.columns))
    return ScreenLine(text, isFocus ? .heading : .faint)
  }

  // MARK: Instead of panes

  private var help: [ScreenLine] {
    [ScreenLine(say(" keys", " 按键"), .heading), ScreenLine()]
      + TextTable(StepScreen.keys.map { [$0.0, $0.1[stepper.language]] }).lines.map {
        ScreenLine($0)
      }
  }

  private static let keys: [(String, Text)] = [
    ("n  →  Space", Text("one step forward; inside of a line, over a branch", "前进一步；在一行里面则越过分支")),
    ("p  ←", Text("one step back", "后退一步")),
    (
      "s",
      Text(
        "into the next line: one station of the message's way forward",
        "进入下一行：沿消息的去路前进一站")
    ),
    ("u", Text("one station back", "退一站")),
    ("o", Text("out of the branch, or of the line", "跳出分支，或跳出这一行")),
    ("g NUMBER Enter", Text("go to that step; 0 is the start", "到这一步；0 是开头")),
    ("gg  Home", Text("the start", "开头")), ("G  End", Text("the end", "结尾")),
    ("b", Text("choose kinds of events as breakpoints", "选择事件种类作为断点")),
    ("c", Text("continue to the next step with such an event", "继续，直到有这种事件的一步")),
    ("/ TEXT Enter", Text("search lines and events; / Enter searches on", "查找行与事件；/ 回车继续查找")),
    ("Tab  Shift-Tab", Text("the next pane, the one before", "下一个窗格，上一个窗格")),
    ("j  k  ↓  ↑", Text("scroll the pane", "滚动窗格")),
    ("q", Text("quit; any key closes this page", "退出；按任意键关闭本页")),
  ]

  private func menu(_ index: Int) -> [ScreenLine] {
    let kinds = Event.Kind.allCases
    let lines = kinds.enumerated().map { number, kind in
      let mark = stepper.breakpoints.contains(kind) ? "[x]" : "[ ]"
      let isCursor = number == index
      return ScreenLine(
        "\(isCursor ? ">" : " ") \(mark) \(kind.name)", isCursor ? .heading : .plain)
    }
    let room = size.rows - 3
    let first = max(0, min(index - room / 2, lines.count - room))
    let head = say(
      " breakpoints: Space sets and takes away, Enter closes", " 断点：空格设置或取消，回车关闭")
    return [ScreenLine(head, .heading)]
      + lines.dropFirst(first).prefix(room)
  }
}

extension Stepper.Pane {
  fileprivate var name: Text {
    switch self {
    case .scenario: Text("scenario", "场景")
    case .objects: Text("objects", "对象")
    case .methods: Text("methods", "方法")
    case .events: Text("events", "事件")
    }
  }
}
