/// Writes a trace in the trace event format of Chrome, which Perfetto's page opens.
///
/// Changes, handlers, spans and transactions are slices of their threads, one inside the other; an
/// arrow leads from where a handler was sent to where it has arrived; registrations, refusals,
/// misuses and marks are instants.
private struct PerfettoWriting {
  private let trace: Trace
  private let write: (String) -> Void
  private var course = TraceCourse()
  private var threads: Set<UInt64> = []
  private var isFirst = true

  init(_ trace: Trace, _ write: @escaping (String) -> Void) {
    self.trace = trace
    self.write = write
  }

  mutating func begin() {
    write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n")
    let program = trace.modules.first?.path ?? "process \(trace.header.process)"
    put("\"ph\":\"M\",\"name\":\"process_name\"", 0, "\"name\":\(JSONText(program))")
  }

  mutating func take(_ event: TraceEvent) {
    if threads.insert(event.thread).inserted {
      let name = JSONText("thread \(event.thread)")
      put("\"ph\":\"M\",\"name\":\"thread_name\"", event.thread, "\"name\":\(name)")
    }
    course.take(event)
    endFrames()
    if course.frames.last?.event.id == event.id {
      put("\"ph\":\"B\",\(named(event)),\(time(event.time))", event.thread, facts(event))
    } else if Self.isInstant(event.kind) {
      put(
        "\"ph\":\"i\",\"s\":\"t\",\(named(event)),\(time(event.time))", event.thread, facts(event))
    }
    arrow(event)
  }

  mutating func finish() {
    course.finish()
    endFrames()
    write("\n]}\n")
  }

  private mutating func endFrames() {
    for ended in course.ended {
      put("\"ph\":\"E\",\(time(ended.time))", ended.frame.event.thread, "")
    }
  }

  private mutating func arrow(_ event: TraceEvent) {
    let about = "\"name\":\"sent\",\"cat\":\"handler\",\(time(event.time))"
    if event.kind == .handlerSent {
      put("\"ph\":\"s\",\"id\":\(event.id),\(about)", event.thread, "")
    } else if event.kind == .handlerArrived && event.cause != 0 {
      put("\"ph\":\"f\",\"bp\":\"e\",\"id\":\(event.cause),\(about)", event.thread, "")
    }
  }

  private static func isInstant(_ kind: TraceEventKind) -> Bool {
    switch kind {
    case .observerAdded, .observerRemoved, .observerRefused, .misuse, .mark, .deallocated,
      .changeHeld, .changeMuted, .isaSwapped, .handlerSent:
      true
    default: !kind.isKnown
    }
  }

  // ---- parts ----

  private mutating func put(_ parts: String, _ thread: UInt64, _ facts: String) {
    let args = facts.isEmpty ? "" : ",\"args\":{\(facts)}"
    write(
      (isFirst ? "" : ",\n") + "{\(parts),\"pid\":\(trace.header.process),\"tid\":\(thread)\(args)}"
    )
    isFirst = false
  }

  private func named(_ event: TraceEvent) -> String {
    "\"name\":\(JSONText(title(event))),\"cat\":\"\(event.kind)\""
  }

  private func title(_ event: TraceEvent) -> String {
    let name = event.object == 0 ? trace.text(event.name) : trace.name(of: trace.key(of: event))
    switch event.kind {
    case .didChange: return "change " + name
    case .notification, .handlerArrived: return "handler of " + name
    case .spanBegan, .mark: return trace.text(event.name)
    case .transactionBegan: return "transaction"
    default: return name.isEmpty ? event.kind.description : "\(event.kind) \(name)"
    }
  }

  private func facts(_ event: TraceEvent) -> String {
    var facts = ["\"event\":\(event.id)"]
    if event.cause != 0 { facts.append("\"cause\":\(event.cause)") }
    if event.registration != 0 { facts.append("\"registration\":\(event.registration)") }
    if event.object != 0 { facts.append("\"object\":\"0x\(String(event.object, radix: 16))\"") }
    if event.file != 0 {
      facts.append("\"place\":\(JSONText("\(trace.text(event.file)):\(event.line)"))")
    }
    if let number = event.value?.number, number.isFinite { facts.append("\"value\":\(number)") }
    return facts.joined(separator: ",")
  }

  /// In microseconds since recording began.
  private func time(_ time: UInt64) -> String {
    let start = trace.header.startTime
    let (sign, distance) = time >= start ? ("", time - start) : ("-", start - time)
    let rest = String(distance % 1000)
    let zeros = String(repeating: "0", count: 3 - rest.count)
    return "\"ts\":\(sign)\(distance / 1000).\(zeros)\(rest)"
  }
}

/// A text as JSON has it.
private struct JSONText: CustomStringConvertible {
  let description: String

  init(_ text: String) {
    // Most texts have nothing to escape; a text with a byte that is not ASCII goes the long way.
    let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x80 && $0 != 0x22 && $0 != 0x5c }
    description = isPlain ? "\"\(text)\"" : Self.escaped(text)
  }

  private static func escaped(_ text: String) -> String {
    "\"" + text.unicodeScalars.map(escaped).joined() + "\""
  }

  private static func escaped(_ scalar: UnicodeScalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\u{2028}", "\u{2029}", "\0"..<" ":
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: return String(Character(scalar))
    }
  }
}

extension Trace {
  /// Writes the trace in the trace event format of Chrome, piece by piece, for Perfetto's page.
  package func writePerfetto(to write: @escaping (String) -> Void) {
    var writing = PerfettoWriting(self, write)
    writing.begin()
    for event in events { writing.take(event) }
    writing.finish()
  }
}
