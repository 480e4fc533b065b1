import Foundation
import KVOTrace

/// `isalab trace`: what a program did that was traced.
struct TraceRun {
  enum Question {
    case summary
    case why(UInt64)
    case sets(String)
    /// Of a property, or `all`.
    case observers(String)
    case open
    /// `FILE:LINE`, or with a key behind a blank.
    case whyNot(String)
    /// As text, or drawn into a file.
    case moment(UInt64, drawing: String? = nil)
    case check(String)
    case page(String)
    case perfetto(String)
    case follow
  }

  /// The events of a page: milliseconds since recording began, and how many at most.
  struct Window {
    var from: Double?
    var to: Double?
    var last = 50_000
  }

  var console: Console
  var style = TextStyle()
  var language = Language.english

  /// - Returns: 1 if a condition of a check is not met, 2 if the file cannot be read, or what was asked
  ///   for is not in it, or the answer cannot be written; else 0.
  func run(_ file: String, _ question: Question, _ window: Window = Window()) -> Int32 {
    if case .follow = question { return follow(file) }
    do throws(TraceError) {
      return answer(question, file, TraceNames(try Trace(path: file), language), window)
    } catch {
      return fail("trace.unreadable", ["file": file.shown, "reason": "\(error)"])
    }
  }

  private func answer(
    _ question: Question, _ file: String, _ names: TraceNames, _ window: Window
  ) -> Int32 {
    let trace = names.trace, view = TraceAnswers(names: names, style: style)
    func output(_ path: String) -> OutputFile {
      OutputFile(path: path, console: console, source: file)
    }
    switch question {
    case .summary: return show(view.summary())
    case .why(let id):
      guard let why = trace.why(id) else { return fail("trace.no-event", ["event": "#\(id)"]) }
      return show(view.why(why))
    case .moment(let id, let path):
      guard trace.event(id) != nil else { return fail("trace.no-event", ["event": "#\(id)"]) }
      let moment = trace.moment(at: id)
      guard let path else { return show(view.moment(moment)) }
      return written(output(path)) { $0.write(TraceGraph(moment: moment, names: names).svg()) }
    case .sets(let text):
      return property(text) { show(view.sets(trace.sets(of: $0), of: $0)) }
    case .observers("all"): return show(view.observers(trace.observers()))
    case .observers(let text):
      return property(text) { show(view.observers(trace.observers(of: $0))) }
    case .open: return show(view.observers(trace.open()))
    case .whyNot(let place): return whyNot(place, view)
    case .check(let text): return check(text, view)
    case .page(let path): return page(names, window, output(path))
    case .perfetto(let path): return perfetto(trace, output(path))
    case .follow: return 0
    }
  }

  private func show(_ lines: [String]) -> Int32 {
    for line in lines { console.out(line) }
    return 0
  }

  private func fail(_ key: String, _ places: Places) -> Int32 {
    console.err(language.say(key, places))
    return 2
  }

  private func property(_ text: String, _ body: (TraceProperty) -> Int32) -> Int32 {
    guard let property = TraceProperty(text) else {
      return fail("trace.no-property", ["text": text.shown])
    }
    return body(property)
  }

  private func whyNot(_ text: String, _ view: TraceAnswers) -> Int32 {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard let found = parts.first?.wholeMatch(of: #/(.+):(\d+)/#), let line = UInt32(found.2)
    else { return fail("trace.no-place", ["text": text.shown]) }
    let answer = view.names.trace.whyNot(
      file: String(found.1), line: line, key: parts.count > 1 ? parts[1] : nil,
      places: view.names.places)
    return show(view.whyNot(answer, at: parts[0]))
  }

  private func check(_ text: String, _ view: TraceAnswers) -> Int32 {
    do throws(TraceCheckError) {
      let check = try TraceCheck(text)
      let answers = view.names.trace.check(check)
      let areMet = answers.allSatisfy(\.isMet)
      // Of what was never recorded most conditions are true.
      let countsEvents = check.conditions.contains { $0.measure == .count(.events) }
      if areMet, !countsEvents, !view.names.trace.events.contains(where: { _ in true }) {
        return fail("trace.empty-check", [:])
      }
      _ = show(view.check(answers))
      return areMet ? 0 : 1
    } catch {
      return fail("trace.bad-check", ["reason": "\(error)"])
    }
  }

  // MARK: Files

  private func page(_ names: TraceNames, _ window: Window, _ output: OutputFile) -> Int32 {
    let start = names.trace.header.startTime
    func time(_ milliseconds: Double) -> UInt64 { start &+ UInt64(milliseconds * 1e6) }
    let from = window.from.map(time) ?? 0, to = window.to.map(time) ?? .max
    guard from <= to else { return fail("trace.no-window", [:]) }
    let selection = names.trace.select(
      window.from == nil && window.to == nil ? .all : .times(from...to), limit: window.last)
    let page = TracePage(
      selection: selection, summary: names.summary(), names: names)
    return written(output) { $0.write(page.html()) }
  }

  private func perfetto(_ trace: Trace, _ output: OutputFile) -> Int32 {
    written(output) { file in
      var text = ""
      trace.writePerfetto { text += $0 }
      return file.write(text + "\n")
    }
  }

  private func written(_ output: OutputFile, _ write: (OutputFile) -> Text?) -> Int32 {
    guard let problem = write(output) else { return 0 }
    console.err(problem[language].shown)
    return 2
  }

  /// Prints events as the program records them, until it ends.
  private func follow(_ file: String) -> Int32 {
    do throws(TraceError) {
      let follower = try TraceFollower(path: file)
      let view = TraceAnswers(names: TraceNames(follower.trace, language), style: style)
      while true {
        let isOver = !follower.trace.isBeingRecorded
        for event in try follower.read() { _ = show(view.line(event)) }
        fflush(nil)
        if isOver { return 0 }
        usleep(100_000)
      }
    } catch {
      return fail("trace.unreadable", ["file": file.shown, "reason": "\(error)"])
    }
  }
}
