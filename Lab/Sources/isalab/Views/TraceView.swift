/// The runtime's event log as lines: an event below the one that caused it, indented.
///
/// Each has its number; its thread, if that is not the scenario's; and its cause, if that is not the
/// line that it stands below.
struct TraceView {
  private let options: TextOptions
  private static let margin = "      | "

  init(_ options: TextOptions) { self.options = options }

  func lines(of events: [Event]) -> [String] {
    var depths: [UInt64: Int] = [:]
    // The latest event at each depth.
    var path: [UInt64] = []
    return events.flatMap { event -> [String] in
      let depth = depths[event.cause].map { $0 + 1 } ?? 0
      depths[event.id] = depth
      let enclosing = depth == 0 ? 0 : path[depth - 1]
      path = path.prefix(depth) + [event.id]
      return lines(of: event, depth, isPlain: event.cause == enclosing)
    }
  }

  private func said(_ key: String, _ places: Places = [:]) -> String {
    options.language.say(key, places)
  }

  private func lines(of event: Event, _ depth: Int, isPlain: Bool) -> [String] {
    let number = "\(event.id)"
    let indent = String(repeating: "  ", count: min(depth, 12))
    var text = "\(event.kind.name) \(event.text(in: options.language))"
    if event.thread != 1 { text += said("trace.thread", ["number": event.thread]) }
    if !isPlain { text += said("trace.because", ["number": event.cause]) }
    let head = String(repeating: " ", count: max(0, 3 - number.count)) + number + " " + indent
    if TraceView.margin.count + head.count + text.columns <= 80 {
      return [options.style.faint(TraceView.margin + head + text)]
    }
    let hanging = String(repeating: " ", count: head.count + 2)
    let lines = wrapped(text, width: max(80 - TraceView.margin.count - hanging.count, 24))
    return lines.enumerated().map { index, line in
      options.style.faint(TraceView.margin + (index == 0 ? head : hanging) + line)
    }
  }
}
