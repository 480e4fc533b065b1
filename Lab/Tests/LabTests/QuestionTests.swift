import Foundation
import Testing

@testable import isalab

@Suite("Questions of interviews", .serialized, .oneAtATime)
struct QuestionTests {
  static let names = InterviewQuestion.all.map(\.name)

  private func question(_ name: String) throws -> InterviewQuestion {
    try #require(InterviewQuestion.find(name))
  }

  private func ask(
    _ text: String?, _ language: Language = .english
  ) -> (code: Int32, output: Output) {
    let output = Output()
    let run = QuestionsRun(options: TextOptions(language: language), console: output.console)
    return (run.run(text), output)
  }

  @Test("are thirty or more, each asked once, in both languages")
  func catalogue() {
    let all = InterviewQuestion.all
    #expect(all.count >= 30)
    #expect(Set(all.map(\.name)).count == all.count)
    #expect(Set(all.map(\.title.english)).count == all.count)
    #expect(Set(all.map(\.answer)).count == all.count)
    #expect(all.allSatisfy { $0.title.chinese.hasHan && $0.answer.chinese.hasHan })
    #expect(!all.contains { $0.title.english.hasHan || $0.answer.english.hasHan })
  }

  @Test("are answered in three sentences", arguments: names)
  func sentences(_ name: String) throws {
    let answer = try question(name).answer
    #expect((answer.english + " ").matches(of: #/[.?!] /#).count == 3)
    #expect(answer.chinese.filter { "。？！".contains($0) }.count == 3)
  }

  @Test("are borne out by a run that expects what is said", arguments: names)
  func run(_ name: String) throws {
    let before = liveCounts()
    let run = try question(name).run()
    #expect(run.exitCode == 0, "\(run.broken) \(String(describing: run.stopped))")
    #expect(run.held > 0)
    // Something is observed: an answer about nothing is borne out by anything.
    #expect(run.steps.contains { $0.events.contains { $0.kind == .observerAdded } })
    #expect(liveCounts() == before)
  }

  @Test("lead to a step of a lesson at which something happens, or to an exhibit", arguments: names)
  func place(_ name: String) throws {
    switch try question(name).place {
    case .exhibit(let exhibit): #expect(Exhibit.find(exhibit) != nil)
    case .lesson(let lesson, let line):
      let run = try #require(Lessons.find(lesson)).run()
      let step = try #require(run.step(line), "\(lesson) has no line '\(line)'")
      #expect(!step.facts.isEmpty && !step.isExpectation)
    }
  }

  @Test("are listed with their numbers, and found by them", arguments: Language.allCases)
  func list(_ language: Language) {
    let (code, output) = ask(nil, language)
    #expect(code == 0 && output.err == [])
    #expect(output.out.count == InterviewQuestion.all.count)
    #expect(output.out.filter { $0.columns > 80 } == [])
    for (index, question) in InterviewQuestion.all.enumerated() {
      #expect(InterviewQuestion.find("\(index + 1)") == question)
      #expect(output.out[index].hasSuffix(question.title[language]))
    }
    for text in ["0", "\(InterviewQuestion.all.count + 1)", "x", ""] {
      #expect(InterviewQuestion.find(text) == nil)
    }
  }

  @Test("show answer, run and where to go on, within 80 columns", arguments: Language.allCases)
  func shown(_ language: Language) throws {
    for question in InterviewQuestion.all {
      let (code, output) = ask(question.name, language)
      #expect(code == 0 && output.err == [])
      #expect(output.out.filter { $0.columns > 80 } == [], "\(question.name)")
      #expect(output.out[0] == question.title[language])
      #expect(output.text.contains("  1  "))
    }
    let text = ask("how-it-works", language).output.text
    #expect(text.contains("isalab tour isa-swap"))
    #expect(text.contains("→ watcher"))
    #expect(ask("did-alone", language).output.text.contains("isalab museum did-alone"))
  }

  @Test("that do not exist exit with 2 and say what there is", arguments: Language.allCases)
  func unknown(_ language: Language) {
    let (code, output) = ask("99\u{1B}", language)
    #expect(code == 2 && output.out == [])
    #expect(output.err.count == 1 && output.err[0].contains("99\\u{1B}"))
    #expect(output.err[0].contains("\(InterviewQuestion.all.count)"))
  }

  @Test("stand on one page, each with a link to its step", arguments: Language.allCases)
  func page(_ language: Language) throws {
    let pages = try Lecture(lessons: Lessons.all, language: language).pages()
    let page = try #require(pages.last)
    #expect(page.path == "questions.html")
    let root = try ParsedPage(page.text).root
    let links = root.all.filter { $0.name == "a" }.compactMap { $0["href"] }
    for question in InterviewQuestion.all {
      #expect(root.text.contains(question.title[language]))
      #expect(root.text.contains(question.answer[language]))
      switch question.place {
      case .exhibit(let name): #expect(root.text.contains("isalab museum \(name)"))
      case .lesson(let name, let line):
        let lesson = try #require(Lessons.find(name))
        let step = try #require(try lesson.run().step(line)).number
        let file = try #require(pages.first { $0.path.hasSuffix("-\(name).html") }).path
        #expect(links.contains("\(file)#step=\(step)"))
      }
    }
    let index = try ParsedPage(pages[0].text).root
    #expect(index.all.contains { $0.name == "a" && $0["href"] == "questions.html" })
  }
}
