import Foundation

/// Runs scenarios for visitors, each in a process of its own, a few at a time.
actor Workshop {
  /// A place in a scenario, and the mistake there.
  struct Mark: Codable, Hashable, Sendable {
    var line: Int
    var column: Int
    var text: String
    var isWarning = false
  }

  /// A run: its mistakes, and its page if it came to its end.
  struct Outcome: Sendable {
    var marks: [Mark]
    var page: String?
  }

  /// The judgement of an exercise.
  struct Judgement: Codable, Sendable {
    var isSolved: Bool
    var lines: [String]
  }

  let process: ChildProcess
  private let most: Int
  private let mostWaiting: Int
  private var running = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameter most: How many processes run at a time.
  init(_ process: ChildProcess, most: Int = 2, mostWaiting: Int = 8) {
    (self.process, self.most, self.mostWaiting) = (process, most, mostWaiting)
  }

  /// Runs a scenario as `isalab export` does, under a design or some to compare.
  ///
  /// - Returns: nil if too many wait already.
  func run(
    _ text: String, name: String, under designs: [String], _ language: Language
  ) async -> Outcome? {
    let option = designs.count == 1 ? "--design" : "--compare"
    let arguments = [
      "export", name, "--html", "-", option, designs.joined(separator: ","), "--lang",
      language.rawValue,
    ]
    guard let result = await perform(arguments, on: text, name: name) else { return nil }
    let marks = Workshop.marks(of: result, name: name, seconds: process.seconds, language)
    let hasPage = result.end == .exit(0) || result.end == .exit(1)
    return Outcome(marks: marks, page: hasPage ? result.output : nil)
  }

  /// Judges a lesson's exercise as `isalab check` does.
  ///
  /// - Returns: nil if too many wait already.
  func check(
    _ text: String, name: String, lesson: String, _ language: Language
  ) async -> Judgement? {
    let arguments = ["check", lesson, name, "--lang", language.rawValue]
    guard let result = await perform(arguments, on: text, name: name) else { return nil }
    let ends = Workshop.marks(of: result, name: name, seconds: process.seconds, language)
      .filter { _ in !result.hasRun }.map(\.text)
    let lines = (result.errors + result.output).split(separator: "\n").map(String.init)
    return Judgement(isSolved: result.hasSucceeded, lines: result.hasRun ? lines : ends)
  }

  /// Makes a page of the lecture, as `isalab export --page` does.
  ///
  /// - Returns: nil if there is none of that name, or it cannot be made.
  func lecturePage(_ name: String, _ language: Language) async -> String? {
    let patient = patient
    let arguments = ["export", "--page", name, "--html", "-", "--lang", language.rawValue]
    let result = await Workshop.wait { patient.run(arguments) }
    return result?.end == .exit(0) ? result?.output : nil
  }

  /// Makes the page of a trace, as `isalab trace` does.
  ///
  /// - Returns: nil if too many wait already.
  func trace(_ file: URL, _ language: Language) async -> ChildProcess.Result? {
    guard await enter() else { return nil }
    defer { leave() }
    let patient = patient
    let arguments = ["trace", file.path, "--html", "-", "--lang", language.rawValue]
    return await Workshop.wait { patient.run(arguments) }
  }

  /// The process of texts that are this program's own.
  private var patient: ChildProcess {
    var process = process
    process.seconds = max(process.seconds, 300)
    process.limits = nil
    return process
  }

  /// Runs this program in a folder that has the text as its only file.
  private func perform(
    _ arguments: [String], on text: String, name: String
  ) async -> ChildProcess.Result? {
    guard await enter() else { return nil }
    defer { leave() }
    let process = process
    return await Workshop.wait {
      guard let room = try? TemporaryFolder(),
        (try? Data(text.utf8).write(to: room.file(name))) != nil
      else { return nil }
      return process.run(arguments, in: room.url)
    }
  }

  private func enter() async -> Bool {
    if running < most {
      running += 1
      return true
    }
    if waiting.count >= mostWaiting { return false }
    await withCheckedContinuation { waiting.append($0) }
    return true
  }

  /// Leaves the place to the next one that waits.
  private func leave() {
    if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
  }

  /// Waits on a thread of its own: the others go on.
  private static func wait<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }
}

extension ChildProcess.Result {
  /// Whether it came to an end of its own.
  fileprivate var hasRun: Bool { if case .exit = end { true } else { false } }
}

// MARK: Mistakes

extension Workshop {
  /// The mistakes that a process told of, as `FILE:LINE:COLUMN: text`.
  private static func marks(
    of result: ChildProcess.Result, name: String, seconds: Double, _ language: Language
  ) -> [Mark] {
    switch result.end {
    case .timeout: return [Mark(line: 1, column: 1, text: ServeWords.endless(seconds)[language])]
    case .signal(let number):
      let signal = ChildProcess.End.name(ofSignal: number)
      return [Mark(line: 1, column: 1, text: ServeWords.crashed(signal, result.errors)[language])]
    case .exit:
      return result.errors.split(separator: "\n").map { mark(String($0), name: name) }
    }
  }

  private static func mark(_ line: String, name: String) -> Mark {
    let rest = line.hasPrefix(name + ":") ? line.dropFirst(name.count + 1) : line[...]
    guard let found = rest.wholeMatch(of: #/(\d+):(\d+): (warning: )?(.*)/#),
      let number = Int(found.1), let column = Int(found.2)
    else { return Mark(line: 1, column: 1, text: line) }
    return Mark(
      line: number, column: column, text: String(found.4), isWarning: found.3 != nil)
  }
}
