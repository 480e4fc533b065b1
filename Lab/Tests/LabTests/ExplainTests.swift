import Foundation
import Testing

@testable import isalab

@Suite("Explained errors", .serialized, .oneAtATime)
struct ExplainTests {
  typealias Explained = (code: Int32, output: Output)

  private func explain(_ code: String?, _ language: Language = .english) -> Explained {
    let output = Output()
    return (ExplainRun(console: output.console, language: language).run(code), output)
  }

  /// What the first time said, for tests that read the same text.
  private func first(_ code: String, _ language: Language) -> Explained {
    let key = [code, language.rawValue]
    if let known = ExplainTests.known[key] { return known }
    let explained = explain(code, language)
    ExplainTests.known[key] = explained
    return explained
  }
  nonisolated(unsafe) private static var known: [[String]: Explained] = [:]

  @Test("every status that the header declares is explained, and no other")
  func statuses() throws {
    let header = try String(
      contentsOf: Folder.checkout.appendingPathComponent("Sources/CIsa/include/isa_types.h"),
      encoding: .utf8)
    let declared = header.matches(of: #/((?:ISA|KVC|KVO)_ERR_\w+) = (\d+),/#)
    #expect(declared.count >= 29)
    #expect(Explanation.all.map(\.code) == declared.map { String($0.1) } + ["STOP"])
    #expect(Explanation.all.map(\.number) == declared.map { String($0.2) } + ["-"])
  }

  @Test("every report in the core's sources is explained, and every explained one is in them")
  func reports() throws {
    let sites = try ReportSite.all(in: Folder.checkout.appendingPathComponent("Sources/CIsa"))
    #expect(sites.count > 250)
    let explained = Explanation.all.filter { $0.status != nil }
    var unused = Set(explained.flatMap(\.mistakes).flatMap(\.messages))
    for site in sites where site.formats != ["%s"] {
      #expect(!site.formats.isEmpty, "\(site)")
      let named = Explanation.all.filter { $0.code == site.status }
      let explanations = named.isEmpty ? explained : named
      for format in site.formats {
        let found = explanations.flatMap(\.mistakes).flatMap(\.messages).first {
          $0 == format || ($0.hasSuffix(" …") && format.hasPrefix($0.dropLast()))
        }
        #expect(found != nil, "not explained: \(site)")
        if let found { unused.remove(found) }
      }
    }
    // The sentence of a method of the user's own.
    #expect(unused == ["…"])
  }

  @Test("every sentence that ends the process is explained, and every explained one is there")
  func stops() throws {
    let sources = Folder.checkout.appendingPathComponent("Sources/CIsa")
    let said = Set(try ReportSite.stops(in: sources).flatMap(\.formats))
    #expect(said.count >= 10)
    #expect(Set(Explanation.stops.flatMap(\.mistakes).flatMap(\.messages)) == said)
  }

  @Test("what ends the process does so, with a sentence that is explained")
  func stopping() async {
    let results = [
      await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
        StopTrial.unanswered.run()
      },
      await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
        StopTrial.keptInDealloc.run()
      },
      await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
        StopTrial.noClass.run()
      },
      await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
        StopTrial.noLetter.run()
      },
    ]
    let mistakes = Explanation.stops.flatMap(\.mistakes)
    #expect(mistakes.count == StopTrial.allCases.count && results.count == mistakes.count)
    for (mistake, result) in zip(mistakes, results) {
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      let line = text.split(separator: "\n").first { $0.hasPrefix("isakvo: ") } ?? ""
      #expect(mistake.says(String(line.dropFirst("isakvo: ".count))), "\(text)")
    }
  }

  @Test("every exception that the core's sources name is one of its status's")
  func exceptions() throws {
    let sites = try ReportSite.all(in: Folder.checkout.appendingPathComponent("Sources/CIsa"))
    var named = 0
    for site in sites {
      guard let explanation = Explanation.all.first(where: { $0.code == site.status }) else {
        continue
      }
      for match in site.exception.matches(of: #/NS\w+Exception/#) {
        named += 1
        #expect(explanation.exceptions.contains(String(match.0)), "\(site)")
      }
    }
    #expect(named >= 6)
  }

  @Test(
    "each mistake's lines bring about what it says",
    arguments: Explanation.all.filter { $0.status != nil }.map(\.code))
  func trials(_ code: String) throws {
    let before = liveCounts()
    let explanation = try #require(Explanation.all.first { $0.code == code })
    for mistake in explanation.mistakes {
      let title = "\(code), \(mistake.title.english)"
      #expect(!mistake.trial.text.isEmpty, "\(title)")
      let refusal = mistake.trial.run()
      #expect(refusal != nil, "\(title): nothing was reported")
      guard let refusal else { continue }
      #expect(mistake.says(refusal.reason), "\(title): \(refusal.reason)")
      #expect(
        explanation.exceptions.contains(refusal.exception), "\(code): \(refusal.exception)")
    }
    #expect(liveCounts() == before)
  }

  @Test("each is told in both languages, and the comments in its code are")
  func languages() {
    for explanation in Explanation.all {
      let mistakes = explanation.mistakes.flatMap { mistake in
        [mistake.title, mistake.cause, mistake.fix] + (mistake.trial.note.map { [$0] } ?? [])
      }
      for text in [explanation.text, explanation.apple] + mistakes {
        #expect(!text.english.isEmpty && !text.english.hasHan, "\(explanation.code)")
        #expect(text.chinese.hasHan, "\(explanation.code): \(text.chinese)")
        #expect(!ChineseTests.isEnglish(text.chinese), "\(explanation.code): \(text.chinese)")
      }
      for mistake in explanation.mistakes {
        // A comment is a note, which has both.
        #expect(!mistake.trial.text.contains("//"), "\(explanation.code)")
      }
    }
  }

  @Test("a field that has no Chinese is a mistake of the file")
  func missing() {
    let text = "error: X\nstatus: 1\ntext zh: 一\napple: raises\n"
    let error = #expect(throws: Diagnostic.self) { try Explanation.list(text, file: "test.errors") }
    #expect(error?.description == "test.errors:1:1: there is no 'apple zh', expected one")
  }

  @Test("without a code, the list", arguments: Language.allCases)
  func list(_ language: Language) {
    let (code, output) = explain(nil, language)
    #expect(code == 0)
    for explanation in Explanation.all {
      #expect(output.text.contains("\(explanation.number)  \(explanation.code) "))
      #expect(output.text.contains(explanation.text[language]))
    }
    #expect(output.out.filter { $0.columns > 80 } == [])
    if language == .chinese { #expect(output.out.filter(ChineseTests.isEnglish) == []) }
  }

  @Test(
    "each fits 80 columns, shows no address, and reads the same twice",
    arguments: Explanation.all.map(\.code))
  func shape(_ code: String) {
    for language in Language.allCases {
      let first = first(code, language)
      #expect(first.code == 0)
      #expect(first.output.out.filter { $0.columns > 80 } == [])
      #expect(first.output.text.firstMatch(of: #/0x[0-9a-f]{7,}/#) == nil)
      let says = language.say("explain.says")
      #expect(first.output.out.contains { $0.hasPrefix(says + " ") } == (code != "STOP"))
      for word in [
        "explain.raises", "explain.apple", "log.lesson", "log.cause", "explain.fix", "explain.try",
      ] {
        let word = language.say(word)
        #expect(first.output.out.contains { $0.hasPrefix(word) }, "\(code): \(word)")
      }
    }
    let english = first(code, .english).output.text
    #expect(explain(code).output.text == english)
  }

  @Test(
    "each in Chinese has no English but in code and in reports",
    arguments: Explanation.all.map(\.code))
  func chinese(_ code: String) {
    let heads = ["explain.try", "explain.says", "explain.reasons"].map {
      Language.chinese.say($0).prefix(2)
    }
    let all = paragraphs(first(code, .chinese).output.out)
    let prose = all.filter { !heads.contains($0.prefix(2)) }
    #expect(prose.count > 6 && all.count > prose.count)
    #expect(prose.filter(ChineseTests.isEnglish) == [])
  }

  /// Lines that begin below a label belong to its paragraph.
  private func paragraphs(_ lines: [String]) -> [String] {
    lines.reduce(into: []) { paragraphs, line in
      if line.hasPrefix("          "), !paragraphs.isEmpty {
        paragraphs[paragraphs.count - 1] += " " + line.dropFirst(10)
      } else {
        paragraphs.append(line)
      }
    }
  }

  @Test(
    "a code may be a name, a number, an exception, or what was said",
    arguments: [
      ("KVO_ERR_NOT_REGISTERED", "KVO_ERR_NOT_REGISTERED"),
      ("kvo_err_not_registered", "KVO_ERR_NOT_REGISTERED"), ("64", "KVO_ERR_NOT_REGISTERED"),
      ("NSRangeException", "KVC_ERR_RANGE"), ("NSUnknownKeyException", "KVC_ERR_UNDEFINED_KEY"),
      ("NSGenericException", "ISA_ERR_IN_USE"),
      (
        "NSInvalidArgumentException: key path \"a..b\": there is an empty key in it",
        "ISA_ERR_INVALID_ARGUMENT"
      ),
      ("there is no profile 7", "ISA_ERR_INVALID_ARGUMENT"),
    ])
  func find(_ query: String, _ code: String) {
    let (result, output) = explain(query)
    #expect(result == 0)
    #expect(output.out.contains { $0.hasPrefix("\(code) (") })
  }

  @Test("an unknown code is refused with the names nearest to it")
  func unknown() {
    let (code, output) = explain("KVO_ERR_NOT_REGISTRED")
    #expect(code == 2)
    #expect(output.out == [])
    #expect(output.err.first?.contains("expected one such as KVO_ERR_NOT_REGISTERED") == true)
    #expect(explain("NSRangeExeption").output.err.first?.contains("NSRangeException") == true)
    #expect(
      explain("zzzzzzzzzzzzzzzz").output.err == [
        "there is no error 'zzzzzzzzzzzzzzzz': isalab explain lists them"
      ])
    #expect(explain("").code == 2)
    for name in ["KVO_ERR_NOT_REGISTRED", "NSRangeExeption", "zzzzzzzzzzzzzzzz", ""] {
      let told = explain(name, .chinese).output.err
      #expect(told.count == 1 && told[0].hasHan && !ChineseTests.isEnglish(told[0]), "\(told)")
    }
  }

  @Test("a format is read with dots, and compared with what was said")
  func formats() {
    let format = MessageFormat("index %zu of \"%.64s\" is %d%%, at <%s %p>")
    #expect(format.readable == "index … of \"…\" is …%, at <… …>")
    #expect(format.matches("index 3 of \"items\" is 12%, at <K k>"))
    #expect(!format.matches("index 3 of \"items\" is 12%"))
    #expect(MessageFormat("no memory …").matches("no memory for a class"))
    #expect(!MessageFormat("no key").matches("no key path"))
  }
}
