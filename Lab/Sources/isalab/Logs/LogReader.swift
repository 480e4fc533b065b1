/// The things that a log tells of, in the order of their first line.
struct LogFindings {
  struct Finding<Subject> {
    var subject: Subject
    /// The line at which it is told first, and its text.
    var line: Int
    var quote: String
    var count = 1
    /// Names read from the log, a list for each time that they differ: `observer`, `keyPath`.
    var details: [[Detail]] = []
  }

  struct Detail: Hashable {
    var name: String
    var value: String
  }

  struct Frame {
    var frame: KVOFrame
    /// The thread or the exception whose backtrace it first stands in, as the log calls it.
    var section: String?
    var line: Int
  }

  var symptoms: [Finding<Symptom>] = []
  var mistakes: [Finding<Explanation>] = []
  var frames: [Frame] = []

  var isEmpty: Bool { symptoms.isEmpty && mistakes.isEmpty && frames.isEmpty }
}

/// Reads a log in parts, and keeps a few thousand bytes of it at a time.
struct LogReader {
  /// The subject of a phrase.
  private enum Subject {
    case symptom(Int)
    case message(explanation: Int, MessageFormat)
    case frame(Int)
    case section
  }

  private struct Phrases {
    var subjects: [Subject] = []
    var finder = PhraseFinder([])
  }

  /// Bytes that are kept before and behind the place that is read.
  private static let margin = 1500
  /// Times that each phrase is looked at closely; beyond these it is only counted.
  private static let closeLooks = 40
  private static let mostSections = 20_000

  private let phrases = LogReader.phrases
  private var place = PhraseFinder.Place()
  private var bytes: [UInt8] = []
  /// The index of the first byte that is not searched yet.
  private var searched = 0
  private var times: [Int]
  private var section: String?
  private var symptoms: [Int: LogFindings.Finding<Symptom>] = [:]
  private var mistakes: [Int: LogFindings.Finding<Explanation>] = [:]
  private var frames: [Int: LogFindings.Frame] = [:]

  /// How many bytes it keeps.
  var kept: Int { bytes.count }

  init() { times = [Int](repeating: 0, count: phrases.subjects.count) }

  mutating func read(_ part: some Sequence<UInt8>) {
    bytes += part
    search(upTo: bytes.count - LogReader.margin)
  }

  /// Reads the end, which has nothing behind it.
  mutating func finish() -> LogFindings {
    search(upTo: bytes.count)
    return findings
  }

  private mutating func search(upTo end: Int) {
    guard end > searched else { return }
    var place = place
    var found: [(phrase: Int, end: Int, line: Int)] = []
    phrases.finder.search(bytes, in: searched..<end, from: &place) { found.append(($0, $1, $2)) }
    self.place = place
    for (phrase, end, line) in found { take(phrase, end, line) }
    searched = end
    let kept = max(0, searched - LogReader.margin)
    bytes.removeFirst(kept)
    searched -= kept
  }
}

// MARK: The news of a phrase

extension LogReader {
  private mutating func take(_ phrase: Int, _ end: Int, _ line: Int) {
    times[phrase] += 1
    let isNew = times[phrase] <= LogReader.closeLooks
    switch phrases.subjects[phrase] {
    case .symptom(let number): if isNew { takeSymptom(number, phrase, end, line) }
    case .message(let number, let format): if isNew { takeMessage(number, format, end, line) }
    case .frame(let number): if isNew { takeFrame(number, line) }
    case .section: if times[phrase] <= LogReader.mostSections { takeSection(end) }
    }
  }

  private mutating func takeSymptom(_ number: Int, _ phrase: Int, _ end: Int, _ line: Int) {
    let symptom = Symptom.all[number]
    let quote = self.line(at: end)
    var finding = symptoms[number] ?? .init(subject: symptom, line: line, quote: quote)
    // A sanitizer says it once more at its end.
    if symptoms[number] != nil, quote.hasPrefix("SUMMARY:") { times[phrase] -= 1 }
    let details = details(symptom.readings, around: end)
    if !details.isEmpty, !finding.details.contains(details), finding.details.count < 5 {
      finding.details.append(details)
    }
    symptoms[number] = finding
  }

  private mutating func takeMessage(
    _ number: Int, _ format: MessageFormat, _ end: Int, _ line: Int
  ) {
    let quote = self.line(at: end)
    guard format.matches(quote.withoutException) else { return }
    if mistakes[number] == nil {
      mistakes[number] = .init(
        subject: Explanation.all[number], line: line, quote: quote)
    } else {
      mistakes[number]?.count += 1
    }
  }

  private mutating func takeFrame(_ number: Int, _ line: Int) {
    if frames[number] != nil { return }
    frames[number] = .init(frame: KVOFrame.all[number], section: section, line: line)
  }

  /// Takes a line that begins a backtrace, such as `Thread 3 Crashed:`.
  private mutating func takeSection(_ end: Int) {
    guard bytes[end - 1] != UInt8(ascii: " ") || isLineStart(end - "thread ".utf8.count) else {
      return
    }
    let line = self.line(at: end)
    let heads = ["Thread ", "* thread #", "Last Exception Backtrace", "*** First throw call"]
    guard heads.contains(where: line.hasPrefix) else { return }
    section = line.prefix { $0 != ":" && $0 != "," }.prefix(60).trimmed
  }

  /// Whether a line begins at an index, or the mark of a debugger's thread that stopped.
  private func isLineStart(_ index: Int) -> Bool {
    index <= 0 || bytes[index - 1] == UInt8(ascii: "\n")
      || (index > 1 && bytes[index - 2] == UInt8(ascii: "*"))
  }
}

// MARK: The text around a place

extension LogReader {
  /// The line that ends or goes on at an index, or what is near of a long one.
  private func line(at end: Int) -> String {
    let isEnd = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
    let (least, most) = (max(0, end - 600), min(bytes.count, end + 600))
    let start = bytes[least..<(end - 1)].lastIndex(where: isEnd).map { $0 + 1 } ?? least
    let stop = bytes[(end - 1)..<most].firstIndex(where: isEnd) ?? most
    return String(decoding: bytes[start..<stop], as: UTF8.self).trimmed
  }

  /// The names that expressions read near an index, in its lines or across them: it may be wrapped.
  private func details(_ readings: [String], around end: Int) -> [LogFindings.Detail] {
    let part = bytes[max(0, end - 600)..<min(bytes.count, end + 900)]
    let text = String(decoding: part, as: UTF8.self)
    let joined = text.split { $0.isNewline }.map(\.trimmed).joined(separator: " ")
    let details = readings.flatMap { LogReader.details($0, in: [text, joined]) }
    return details.enumerated().filter { index, detail in
      !details[..<index].contains { $0.name == detail.name }
    }.map(\.element)
  }

  private static func details(_ reading: String, in texts: [String]) -> [LogFindings.Detail] {
    guard let expression = try? Regex(reading),
      let match = texts.lazy.compactMap({ $0.firstMatch(of: expression) }).first
    else { return [] }
    return match.output.compactMap { part in
      guard let name = part.name, let value = part.substring else { return nil }
      return LogFindings.Detail(name: name, value: String(value.prefix(120)))
    }
  }
}

extension StringProtocol {
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// A report's sentence alone, where the exception or this library's mark stands before it.
  fileprivate var withoutException: String {
    let parts = split(separator: ": ", maxSplits: 1)
    guard parts.count == 2, parts[0].hasSuffix("Exception") || parts[0] == "isa" else {
      return String(self)
    }
    return String(parts[1])
  }
}

// MARK: The findings together

extension LogReader {
  private var findings: LogFindings {
    let frames = frames.values.sorted { $0.line < $1.line }
    var told = symptoms.map { number, finding in
      var finding = finding
      finding.count = count(of: number)
      return finding
    }
    if frames.isEmpty { told.removeAll { $0.subject.needsFrame } }
    let names = Set(told.map(\.subject.name))
    told.removeAll { $0.subject.better.map(names.contains) == true }
    let statuses = Set(told.compactMap(\.subject.status))
    let own = mistakes.values.filter { !statuses.contains($0.subject.code) }
    let isPlain = !told.allSatisfy(\.subject.isGeneral) || !own.isEmpty
    if isPlain { told.removeAll { $0.subject.isGeneral } }
    return LogFindings(
      symptoms: told.sorted { ($0.line, $0.subject.name) < ($1.line, $1.subject.name) },
      mistakes: own.sorted { ($0.line, $0.subject.code) < ($1.line, $1.subject.code) },
      frames: frames)
  }

  /// A message may have several signs of one symptom; the one that came most often counts it.
  private func count(of symptom: Int) -> Int {
    var most = 0
    for (phrase, subject) in phrases.subjects.enumerated() {
      if case .symptom(symptom) = subject { most = max(most, times[phrase]) }
    }
    return most
  }

  /// All that a log is looked through for.
  private static let phrases: Phrases = {
    var phrases: [(String, Subject)] = []
    for (number, symptom) in Symptom.all.enumerated() {
      phrases += symptom.signs.map { ($0, .symptom(number)) }
    }
    for (number, explanation) in Explanation.all.enumerated() {
      for message in explanation.mistakes.flatMap(\.messages) where message.hasWords {
        let format = MessageFormat(message)
        phrases.append((format.longestPiece, .message(explanation: number, format)))
      }
    }
    for (number, frame) in KVOFrame.all.enumerated() {
      phrases += frame.signs.map { ($0, .frame(number)) }
    }
    phrases += ["thread ", "last exception backtrace", "first throw call stack"].map {
      ($0, .section)
    }
    return Phrases(subjects: phrases.map(\.1), finder: PhraseFinder(phrases.map(\.0)))
  }()
}

extension String {
  /// Whether it says something besides what is filled in.
  fileprivate var hasWords: Bool { self != "…" && self != "%s: %s" }
}
