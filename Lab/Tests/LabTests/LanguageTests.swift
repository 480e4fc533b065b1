import Foundation
import Testing

@testable import isalab

@Suite("Languages", .serialized, .oneAtATime)
struct LanguageTests {
  static let names = Lessons.all.map(\.name)

  @Test("the language is the one asked for by the locale")
  func locale() {
    #expect(Language.suited(to: [:]) == .english)
    #expect(Language.suited(to: ["LANG": "zh_CN.UTF-8"]) == .chinese)
    #expect(Language.suited(to: ["LANG": "en_GB.UTF-8", "LC_ALL": "zh_TW"]) == .chinese)
    #expect(Language.suited(to: ["LANG": "zh_CN.UTF-8", "LC_ALL": "C"]) == .english)
    #expect(Language.suited(to: ["LANG": "zh_CN.UTF-8", "LC_ALL": ""]) == .chinese)
    #expect(Language.suited(to: ["LC_MESSAGES": "zh", "LANG": "C"]) == .chinese)
  }

  @Test("every text of every lesson has both languages", arguments: names)
  func complete(_ name: String) throws {
    let lesson = try #require(Lessons.find(name))
    let texts = LanguageTests.texts(in: lesson)
    // Title, goal, introduction, question, explanation, conclusion, exercise; choices, with a reply
    // to each but the right one; departures.
    let count = 7 + 2 * lesson.question.choices.count - 1 + 2 * lesson.departures.count
    #expect(texts.count == count)
    for text in texts { check(text) }
  }

  @Test("the words around the lessons have both languages")
  func around() {
    check(Tour.preface)
    check(Tour.farewell)
  }

  private func check(_ text: Text) {
    #expect(!text.english.isEmpty)
    #expect(!text.english.hasHan, "Chinese in English: \(text.english)")
    if LanguageTests.isProse(text.english) {
      #expect(text.chinese.hasHan, "not in Chinese: \(text.chinese)")
    }
    #expect(!LanguageTests.isEnglish(text.chinese), "English in Chinese: \(text.chinese)")
  }

  @Test("the tour in Chinese prints no line of English prose, the one in English no Chinese")
  func tours() throws {
    let chinese = tour(nil, TextOptions(language: .chinese), typing: ["x", "a"]).output.out
    let code = Set(Lessons.all.flatMap { $0.lines.split(separator: "\n") + checks(of: $0) })
    let refusals = Set(try Lessons.all.flatMap(refusals))
    let words = chinese.filter { line in
      !code.contains { line.contains($0) } && !refusals.contains(line)
    }
    #expect(words.count > 500)
    #expect(words.filter(LanguageTests.isEnglish) == [])
    let english = tour(nil, TextOptions(language: .english), typing: ["x", "a"]).output.out
    #expect(english.filter { $0.hasHan } == [])
  }

  /// The lines that have the runtime's own words, which are English.
  private func refusals(of lesson: Lesson) throws -> [String] {
    let view = StepView(TextOptions(language: .chinese))
    return try lesson.run().steps.flatMap { step in
      let isRefused = step.facts.contains { if case .refused = $0 { true } else { false } }
      return isRefused ? view.lines(of: step) : []
    }
  }

  private func checks(of lesson: Lesson) -> [Substring] {
    lesson.exercise.check.split(separator: "\n")
  }

  @Test("a scenario of every kind of fact is told in Chinese", arguments: ScenarioTests.examples)
  func examples(_ name: String) throws {
    let file = Folder.scenarios.appendingPathComponent(name)
    let text = try String(contentsOf: file, encoding: .utf8)
    let options = TextOptions(language: .chinese, showsTrace: true)
    let code = try steps(text).map(\.text)
    let lines = runScenario(text, file: name, options).output.out.filter { line in
      // A refusal is told in the words of the exception, over several lines; a thread may follow.
      line.hasHan && !line.contains("错误") && !line.contains("误用")
        && line.replacing(#/，在线程 \d+ 上/#, with: "").hasHan
        && !code.contains { line.contains($0) }
    }
    #expect(!lines.isEmpty)
    #expect(lines.filter(LanguageTests.isEnglish) == [])
  }

  @Test("what a scenario's lines bring about fits 80 columns", arguments: ScenarioTests.examples)
  func width(_ name: String) throws {
    let file = Folder.scenarios.appendingPathComponent(name)
    let text = try String(contentsOf: file, encoding: .utf8)
    let code = try steps(text).map(\.text)
    for language in Language.allCases {
      let lines = runScenario(text, file: name, TextOptions(language: language)).output.out
      let wide = lines.filter { $0.columns > 80 }
      #expect(wide.filter { line in !code.contains { line.contains($0) } } == [])
    }
  }

  /// Words that an English sentence can hardly do without, and no code or name of ours has;
  /// `a` is also the letter of a choice.
  private static let words: Set<String> = [
    "the", "an", "is", "are", "was", "that", "which", "has", "its", "it", "and", "or",
    "nobody", "hears", "changed", "gains", "around", "itself", "says", "runs", "before",
    "depends", "forwarder", "binding", "metaclass",
  ]

  static func isEnglish(_ line: String) -> Bool {
    let plain = line.replacing(#/"[^"]*"/#, with: "").replacing(#/\| *\d* *[a-z-]+ /#, with: "")
    let found = plain.split { !$0.isASCII || !($0.isLetter || $0 == "'") }
    return found.contains { words.contains($0.lowercased()) }
  }

  private static func isProse(_ text: String) -> Bool {
    text.split(separator: " ").filter { $0.allSatisfy { $0.isLowercase && $0.isASCII } }.count > 2
  }

  /// Every `Text` of a lesson, wherever it is kept.
  private static func texts(in value: Any) -> [Text] {
    if let text = value as? Text { return [text] }
    return Mirror(reflecting: value).children.flatMap { texts(in: $0.value) }
  }
}

extension String {
  /// Whether there is a Chinese character in it.
  var hasHan: Bool {
    unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) }
  }
}
