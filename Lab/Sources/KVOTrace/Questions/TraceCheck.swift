import Foundation

/// Conditions that a trace has to meet, for tests.
///
///     handlers < 10ms, no open, no rings, no misuse, sets Order.total <= 100
///
/// Conditions stand with commas between them. `no` and a noun means that there is none of it. A
/// measure is compared by `<`, `<=`, `=`, `>=` or `>` with a number; times have a unit, which is
/// `ns`, `us`, `ms` or `s`. `sets Class.key` counts changes.
package struct TraceCheck: Hashable, Sendable {
  /// What can be none, or counted.
  package enum Noun: String, CaseIterable, Hashable, Sendable {
    /// Registrations that never ended.
    case open
    case rings
    case misuse
    /// Registrations that were refused.
    case refusals
    /// Objects that died while they were observed.
    case deaths
    case held
    case muted
    /// Events that were lost.
    case lost
    /// Parts of the file that cannot be read.
    case problems
    case changes
    case notifications
    case events
  }

  package enum Measure: Hashable, Sendable {
    case count(Noun)
    /// The changes of a property.
    case sets(TraceProperty)
    /// The longest run of a handler, in nanoseconds.
    case handlers
    /// The longest way of a handler that was sent, in nanoseconds.
    case latency

    var isTime: Bool { self == .handlers || self == .latency }
  }

  package enum Comparison: String, CaseIterable, Hashable, Sendable {
    case less = "<"
    case atMost = "<="
    case equal = "="
    case atLeast = ">="
    case more = ">"
  }

  package struct Condition: Hashable, Sendable {
    /// As it was written.
    package let text: String
    package let measure: Measure
    package let comparison: Comparison
    /// A number of things, or of nanoseconds.
    package let bound: Double
  }

  package let conditions: [Condition]
}

/// What is wrong in the text of a check.
package struct TraceCheckError: Error, Hashable, Sendable {
  /// The place of the character in the text, from 1 on.
  package let column: Int
  /// What stands there; empty at the end.
  package let found: String
  package let expected: String
}

extension TraceCheckError: CustomStringConvertible {
  /// Where, what was expected, and what stands there.
  package var description: String {
    "column \(column): expected is \(expected); "
      + (found.isEmpty ? "the text ends here" : "here stands “\(found)”")
  }
}

// ---- parsing ------------------------------------------------------------------------------------

extension TraceCheck {
  /// - Throws: ``TraceCheckError``, which says what was expected and where.
  package init(_ text: String) throws(TraceCheckError) {
    var parser = CheckParser(text)
    conditions = try parser.conditions()
  }
}

private struct CheckParser {
  private let characters: [Character]
  private var at = 0

  init(_ text: String) { characters = Array(text) }

  mutating func conditions() throws(TraceCheckError) -> [TraceCheck.Condition] {
    var conditions = [try condition()]
    while take(",") { conditions.append(try condition()) }
    skipBlanks()
    if at < characters.count { throw error("a comma and a condition, or the end", at) }
    return conditions
  }

  private mutating func condition() throws(TraceCheckError) -> TraceCheck.Condition {
    skipBlanks()
    let start = at
    let word = takeWord()
    if word == "no" { return try absence(from: start) }
    let measure = try measure(word, start)
    let comparison = try comparison()
    let bound = try bound(measure)
    return made(start, measure, comparison, bound)
  }

  private func made(
    _ start: Int, _ measure: TraceCheck.Measure, _ comparison: TraceCheck.Comparison,
    _ bound: Double
  ) -> TraceCheck.Condition {
    TraceCheck.Condition(
      text: String(characters[start..<at]), measure: measure, comparison: comparison, bound: bound)
  }

  private mutating func absence(from start: Int) throws(TraceCheckError) -> TraceCheck.Condition {
    skipBlanks()
    let place = at
    guard let noun = TraceCheck.Noun(rawValue: takeWord()) else { throw error(Self.nouns, place) }
    return made(start, .count(noun), .equal, 0)
  }

  private static let nouns =
    "one of " + TraceCheck.Noun.allCases.map(\.rawValue).joined(separator: ", ")

  private mutating func measure(
    _ word: String, _ place: Int
  ) throws(TraceCheckError) -> TraceCheck.Measure {
    switch word {
    case "handlers": return .handlers
    case "latency": return .latency
    case "sets":
      skipBlanks()
      let place = at
      guard let property = TraceProperty(takeWord()) else {
        throw error("a class and a key, such as Order.total", place)
      }
      return .sets(property)
    default:
      guard let noun = TraceCheck.Noun(rawValue: word) else {
        throw error("no, handlers, latency, sets, or " + Self.nouns, place)
      }
      return .count(noun)
    }
  }

  private mutating func comparison() throws(TraceCheckError) -> TraceCheck.Comparison {
    skipBlanks()
    let place = at
    while at < characters.count, "<=>".contains(characters[at]) { at += 1 }
    guard let comparison = TraceCheck.Comparison(rawValue: String(characters[place..<at])) else {
      at = place
      throw error("one of < <= = >= >", place)
    }
    return comparison
  }

  private mutating func bound(_ measure: TraceCheck.Measure) throws(TraceCheckError) -> Double {
    skipBlanks()
    let place = at
    while at < characters.count, "0123456789.".contains(characters[at]) { at += 1 }
    guard let number = Double(String(characters[place..<at])) else {
      throw error(measure.isTime ? "a time, such as 10ms" : "a number", place)
    }
    return measure.isTime ? number * (try unit()) : number
  }

  private mutating func unit() throws(TraceCheckError) -> Double {
    skipBlanks()
    let place = at
    switch takeWord() {
    case "ns": return 1
    case "us", "µs": return 1e3
    case "ms": return 1e6
    case "s": return 1e9
    default: throw error("a unit: ns, us, ms or s", place)
    }
  }

  // ---- characters ----

  private mutating func skipBlanks() {
    while at < characters.count, characters[at].isWhitespace { at += 1 }
  }

  private mutating func take(_ character: Character) -> Bool {
    skipBlanks()
    guard at < characters.count, characters[at] == character else { return false }
    at += 1
    return true
  }

  private mutating func takeWord() -> String {
    let start = at
    while at < characters.count, Self.isOfWord(characters[at]) { at += 1 }
    return String(characters[start..<at])
  }

  private static func isOfWord(_ character: Character) -> Bool {
    !character.isWhitespace && !",<=>".contains(character)
  }

  private func error(_ expected: String, _ place: Int) -> TraceCheckError {
    var end = place
    while end < characters.count, Self.isOfWord(characters[end]) { end += 1 }
    if end == place && place < characters.count { end += 1 }
    return TraceCheckError(
      column: place + 1, found: String(characters[place..<end]), expected: expected)
  }
}

// ---- checking -----------------------------------------------------------------------------------

/// Whether a trace meets a condition.
package struct TraceCheckAnswer: Sendable {
  package let condition: TraceCheck.Condition
  package let isMet: Bool
  /// What was found: a number of things, or of nanoseconds.
  package let found: Double
  /// Events that show what was found, the worst or the first of their kind first; ten at most.
  package let events: [UInt64]
}

extension Trace {
  /// Whether the trace meets each condition, in their order.
  package func check(_ check: TraceCheck) -> [TraceCheckAnswer] {
    let summary = summary()
    return check.conditions.map { condition in
      let (found, events) = measure(condition.measure, summary)
      return TraceCheckAnswer(
        condition: condition, isMet: condition.comparison.holds(found, condition.bound),
        found: found, events: Array(events.prefix(10)))
    }
  }

  private func measure(
    _ measure: TraceCheck.Measure, _ summary: TraceSummary
  ) -> (Double, [UInt64]) {
    switch measure {
    case .count(let noun): return count(noun, summary)
    case .sets(let property):
      let sets = sets(of: property, limit: 10)
      return (Double(sets.count), sets.changes.map(\.event.id))
    case .handlers:
      let slow = summary.handlers.sorted { $1.longest < $0.longest }
      return (Double(slow.first?.longest ?? 0), slow.map(\.longestEvent))
    case .latency:
      let slow = summary.handlers.filter { $0.arrived > 0 }
        .sorted { $1.longestLatency < $0.longestLatency }
      return (Double(slow.first?.longestLatency ?? 0), slow.map(\.longestLatencyEvent))
    }
  }

  private func count(_ noun: TraceCheck.Noun, _ summary: TraceSummary) -> (Double, [UInt64]) {
    func sum(_ counts: [Int], _ events: [UInt64]) -> (Double, [UInt64]) {
      (Double(counts.reduce(0, +)), events.filter { $0 != 0 })
    }
    switch noun {
    case .open: return sum(summary.open.map(\.count), summary.open.map(\.oldest.began))
    case .rings: return sum(summary.rings.map(\.count), summary.rings.flatMap(\.changes))
    case .misuse: return sum(summary.misuses.map(\.count), summary.misuses.map(\.first))
    case .refusals: return sum(summary.refusals.map(\.count), summary.refusals.map(\.first))
    case .deaths: return count(deaths: summary.deaths.filter { $0.reason == .objectDied })
    case .held: return sum(summary.keys.map(\.held), firsts(.changeHeld, summary))
    case .muted: return sum(summary.keys.map(\.muted), firsts(.changeMuted, summary))
    case .lost: return (Double(summary.lostEvents), [])
    case .problems: return (Double(summary.problems.count), [])
    case .changes: return sum([summary.counts[.didChange] ?? 0], [])
    case .notifications: return sum(summary.keys.map(\.notifications), [])
    case .events: return sum([summary.eventCount], [])
    }
  }

  private func count(deaths: [TraceSummary.Death]) -> (Double, [UInt64]) {
    (Double(deaths.reduce(0) { $0 + $1.count }), deaths.map(\.first))
  }

  /// The first events of the kind, if there are any.
  private func firsts(_ kind: TraceEventKind, _ summary: TraceSummary) -> [UInt64] {
    guard summary.counts[kind] != nil else { return [] }
    return Array(events.lazy.filter { $0.kind == kind }.map(\.id).prefix(10))
  }
}

extension TraceCheck.Comparison {
  fileprivate func holds(_ found: Double, _ bound: Double) -> Bool {
    switch self {
    case .less: found < bound
    case .atMost: found <= bound
    case .equal: found == bound
    case .atLeast: found >= bound
    case .more: found > bound
    }
  }
}
