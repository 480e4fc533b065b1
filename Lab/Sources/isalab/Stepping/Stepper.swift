/// Where somebody stands who steps through a run, and what the keys do: all that the screen shows
/// is a function of the run, this and the terminal's size.
struct Stepper: Hashable, Sendable {
  enum Pane: Int, CaseIterable, Hashable, Sendable {
    case scenario, objects, methods, events
  }
  enum Mode: Hashable, Sendable {
    case browsing
    /// The digits typed so far.
    case goingTo(String)
    case searching(String)
    /// The kind under the cursor.
    case choosingBreakpoints(Int)
    case help
  }
  /// How it ends.
  enum End: Hashable, Sendable {
    case quit, interrupted
  }

  /// Of all that is said, and of the screen.
  var language = Language.english
  /// 0 is the start.
  var step = 0
  /// The station of the lane at which the message is, inside of the step; nil once it is over.
  var station: Int?
  var focus = Pane.scenario
  /// How far each pane is scrolled from where it shows what belongs to the step.
  var scroll: [Pane: Int] = [:]
  var breakpoints: Set<Event.Kind> = []
  var mode = Mode.browsing
  var sought = ""
  /// Said in the last line until the next key.
  var message = ""
  var end: End?

  mutating func press(_ key: Key, _ run: Run) {
    message = ""
    if key == .interrupt {
      end = .interrupted
      return
    }
    switch mode {
    case .browsing: browse(key, run)
    case .goingTo(let digits): type(key, digits, run)
    case .searching(let text): type(key, search: text, run)
    case .choosingBreakpoints(let index): choose(key, index)
    case .help: mode = .browsing
    }
  }

  private func say(_ key: String, _ places: Places = [:]) -> String {
    language.say(key, places)
  }

  private var atTheEnd: String { say("screen.at-end") }

  // MARK: Browsing

  private mutating func browse(_ key: Key, _ run: Run) {
    switch key {
    case .right, .character("n"), .character(" "): goOver(run)
    case .left, .character("p"): move(to: step - 1, run)
    case .character("s"), .character("i"): goInto(run)
    case .character("u"): goBack(run)
    case .character("o"): goOut(run)
    case .home: move(to: 0, run)
    case .end, .character("G"): move(to: run.steps.count, run)
    case .character("g"): mode = .goingTo("")
    case .character("/"): mode = .searching("")
    case .character("b"): mode = .choosingBreakpoints(0)
    case .character("c"): goOn(run)
    case .character("?"), .character("h"): mode = .help
    case .character("q"), .endOfInput: end = .quit
    default: look(key)
    }
  }

  private mutating func look(_ key: Key) {
    switch key {
    case .tab: turn(by: 1)
    case .backTab: turn(by: -1)
    case .down, .character("j"): scroll[focus, default: 0] += 1
    case .up, .character("k"): scroll[focus, default: 0] -= 1
    case .pageDown: scroll[focus, default: 0] += 10
    case .pageUp: scroll[focus, default: 0] -= 10
    case .character(let other):
      message = say("screen.no-such-key", ["key": other])
    default: break
    }
  }

  private mutating func turn(by count: Int) {
    let all = Pane.allCases
    focus = all[(focus.rawValue + count + all.count) % all.count]
  }

  private mutating func move(to number: Int, _ run: Run) {
    if number < 0 { message = say("screen.at-start") }
    if number > run.steps.count { message = atTheEnd }
    let next = min(max(number, 0), run.steps.count)
    if next != step || station != nil { scroll = [:] }
    step = next
    station = nil
  }

  // MARK: Inside of a step

  private func lane(_ run: Run) -> Lane { Lane(run, at: step, in: language) }

  /// The first station of the step on show, or the next one.
  private mutating func goInto(_ run: Run) {
    if let station { return enter(station + 1, run) }
    if lane(run).stations.isEmpty { message = say("screen.no-way") }
    enter(0, run)
  }

  /// The station before; the last one of the step if it is over, the step before if it begins.
  private mutating func goBack(_ run: Run) {
    let index = station ?? lane(run).stations.count
    if index == 0 { return move(to: step - 1, run) }
    enter(index - 1, run)
  }

  /// The next step, or the next station that is not inside a branch.
  private mutating func goOver(_ run: Run) {
    guard let station else { return move(to: step + 1, run) }
    enter(lane(run).over(station), run)
  }

  /// Where the branch comes back, or the step's end.
  private mutating func goOut(_ run: Run) {
    guard let station else {
      message = say("screen.outside")
      return
    }
    enter(lane(run).end(of: station), run)
  }

  private mutating func enter(_ index: Int, _ run: Run) {
    scroll = [:]
    station = lane(run).stations.indices.contains(index) ? index : nil
  }

  private mutating func goOn(_ run: Run) {
    if breakpoints.isEmpty {
      message = say("screen.no-breakpoint")
      return
    }
    let next = run.steps.dropFirst(step).first { step in
      step.events.contains { breakpoints.contains($0.kind) }
    }
    guard let next else {
      message = say("screen.no-later")
      return
    }
    move(to: next.number, run)
    let event = next.events.first { breakpoints.contains($0.kind) }
    if let event {
      message = say("screen.stopped-at", ["number": event.id, "kind": event.kind.name])
    }
  }

  // MARK: The last line

  private mutating func type(_ key: Key, _ digits: String, _ run: Run) {
    switch key {
    case .character(let digit) where digit.isASCII && digit.isNumber && digits.count < 6:
      mode = .goingTo(digits + String(digit))
    case .character("g") where digits.isEmpty:
      mode = .browsing
      move(to: 0, run)
    case .backspace: mode = .goingTo(String(digits.dropLast()))
    case .enter:
      mode = .browsing
      guard let number = Int(digits) else { return move(to: 0, run) }
      move(to: number, run)
      if number > run.steps.count {
        message = say("screen.no-such-step", ["number": number, "last": run.steps.count])
      }
    case .escape: mode = .browsing
    default:
      message = say("screen.type-step", ["last": run.steps.count])
    }
  }

  private mutating func type(_ key: Key, search text: String, _ run: Run) {
    switch key {
    case .character(let character): mode = .searching(text + String(character))
    case .backspace: mode = .searching(String(text.dropLast()))
    case .enter:
      mode = .browsing
      if !text.isEmpty { sought = text }
      find(run)
    case .escape: mode = .browsing
    default: break
    }
  }

  /// The next step, from the start again after the last, that says the text, in its line or events.
  private mutating func find(_ run: Run) {
    guard !sought.isEmpty else { return }
    let order = Array(run.steps.dropFirst(step)) + run.steps.prefix(step)
    let words = sought.lowercased()
    let found = order.first { step in
      step.text.lowercased().contains(words)
        || step.events.contains {
          "\($0.kind.name) \($0.text(in: language))".lowercased().contains(words)
        }
    }
    guard let found else {
      message = say("screen.not-found", ["text": sought])
      return
    }
    move(to: found.number, run)
    message = say("screen.found", ["text": sought, "number": found.number])
  }

  // MARK: Breakpoints

  private mutating func choose(_ key: Key, _ index: Int) {
    let kinds = Event.Kind.shown
    switch key {
    case .down, .character("j"), .tab: mode = .choosingBreakpoints((index + 1) % kinds.count)
    case .up, .character("k"), .backTab:
      mode = .choosingBreakpoints((index + kinds.count - 1) % kinds.count)
    case .character(" "), .character("x"): breakpoints.formSymmetricDifference([kinds[index]])
    case .enter, .escape, .character("b"), .character("q"): mode = .browsing
    default: message = say("screen.space-enter")
    }
  }
}
