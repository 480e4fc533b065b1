import Foundation
import Testing

@testable import isalab

@Suite("isalab export --lecture", .serialized, .oneAtATime)
struct LectureTests {
  private let manager = FileManager.default

  /// In English, made once for the tests that only look at them.
  private static let pages = Result {
    try Lecture(lessons: Lessons.all, language: .english).pages()
  }
  /// Enough for a folder. The pages' own test exports them all.
  private static let few = Array(Lessons.all.prefix(3))

  /// Runs `body` with a new folder, and removes it.
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = manager.temporaryDirectory.appendingPathComponent("isalab-\(UUID())")
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: folder) }
    try body(folder)
  }

  private func export(to folder: URL) -> (Int32, [String]) {
    let output = Output()
    let code = ExportRun(console: output.console).lecture(LectureTests.few, to: folder.path)
    return (code, output.err)
  }

  private func text(_ folder: URL, _ file: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
  }

  @Test("has an index with all the lessons, and a page for each", arguments: Language.allCases)
  func lessons(_ language: Language) throws {
    let before = liveCounts()
    let pages = try Lecture(lessons: Lessons.all, language: language).pages()
    #expect(liveCounts() == before)
    #expect(pages.count == Lessons.all.count + 2)
    let index = try ParsedPage(pages[0].text).root
    let list = try #require(index.with(class: "lessons").first)
    let links = list.all.filter { $0.name == "a" }.map { $0["href"] }
    #expect(links == pages.dropFirst().dropLast().map(\.path))
    // It opens on the swap; the score is forgotten at its end.
    let begin = try #require(index.with(class: "begin").first)
    #expect(begin["href"] == "05-isa-swap.html" && begin.text == LectureWords.begin[language])
    #expect(
      index.all.filter { $0.name == "section" }.dropFirst().map { $0["id"] }
        == ["lessons", "questions", "museum", "labs", "editor"])
    #expect(index.all.last { $0.name == "button" }?["id"] == "again")
    for (lesson, page) in zip(Lessons.all, pages.dropFirst()) {
      for text in [lesson.title, lesson.goal, lesson.question.text, lesson.exercise.task] {
        #expect(index.text.contains(text[language]))
      }
      let root = try ParsedPage(page.text).root
      #expect(root.first("h1")?.text == lesson.title[language])
      #expect(root.first("title")?.text == lesson.title[language])
      #expect(root.text.contains(lesson.introduction[language]))
      #expect(root.text.contains(lesson.conclusion[language]))
    }
  }

  @Test("hides choices and answers until they are asked for; the answer is the run's")
  func questions() throws {
    let pages = try LectureTests.pages.get()
    for (lesson, page) in zip(Lessons.all, pages.dropFirst()) {
      let question = try #require(try ParsedPage(page.text).root.with(class: "question").first)
      #expect(question.name == "details" && question.attributes["open"] == nil)
      // Each choice says on demand why it is wrong, or that it is right.
      let choices = question.all.filter { $0.name == "li" }
      #expect(
        choices.compactMap { $0.first("summary")?.text }
          == lesson.question.choices.map(\.text.english))
      #expect(
        choices.compactMap { $0.first("p")?.text }
          == lesson.question.choices.map { ($0.reply ?? LectureWords.right).english })
      let answer = try #require(question.all.first { $0.name == "strong" })
      let right = try #require(lesson.question.answer(in: lesson.run()))
      #expect(answer.text.hasSuffix(lesson.question.choices[right].text.english))
      #expect(question.children.last?.attributes["open"] == nil)
    }
  }

  @Test("pages lead to their neighbours and back to the index")
  func neighbours() throws {
    let pages = try LectureTests.pages.get()
    for index in 1...Lessons.all.count {
      let links = try ParsedPage(pages[index].text).root.all.filter { $0.name == "a" }
      #expect(links.contains { $0["href"] == "index.html" })
      let previous = links.first { $0["rel"] == "prev" }?["href"]
      let next = links.first { $0["rel"] == "next" }?["href"]
      #expect(previous == (index > 1 ? pages[index - 1].path : nil))
      #expect(next == (index < Lessons.all.count ? pages[index + 1].path : nil))
    }
  }

  // MARK: The folder

  @Test("is written whole, over an empty folder and over another lecture, the same each time")
  func written() throws {
    try withFolder { parent in
      let folder = parent.appendingPathComponent("lecture")
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
      #expect(export(to: folder) == (0, []))
      let first = try text(folder, "index.html")
      try Data(first.utf8).write(to: folder.appendingPathComponent("99-gone.html"))
      #expect(export(to: folder) == (0, []))
      #expect(try text(folder, "index.html") == first)
      let names = try manager.contentsOfDirectory(atPath: folder.path)
      #expect(names.count == LectureTests.few.count + 2 && !names.contains("99-gone.html"))
      #expect(try manager.contentsOfDirectory(atPath: parent.path) == ["lecture"])
    }
  }

  @Test("is written where a link leads, and the link stays")
  func linked() throws {
    try withFolder { parent in
      let folder = parent.appendingPathComponent("lecture")
      let link = parent.appendingPathComponent("link")
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
      try manager.createSymbolicLink(at: link, withDestinationURL: folder)
      #expect(export(to: link) == (0, []))
      #expect(try manager.destinationOfSymbolicLink(atPath: link.path) == folder.path)
      #expect(try text(folder, "index.html").contains("<html"))
    }
  }

  @Test("leaves a folder alone that is none of a lecture")
  func refused() throws {
    try withFolder { parent in
      let notes = parent.appendingPathComponent("notes.txt")
      try Data("mine".utf8).write(to: notes)
      let (code, err) = export(to: parent)
      #expect(code == 2)
      #expect(
        err.first?.hasPrefix("\(parent.path): has a file 'notes.txt' that is no page") == true)
      #expect(try manager.contentsOfDirectory(atPath: parent.path) == ["notes.txt"])
      #expect(export(to: notes).0 == 2)
      let page = parent.appendingPathComponent("pages")
      try manager.createDirectory(at: page, withIntermediateDirectories: true)
      try Data("<html>mine</html>".utf8).write(to: page.appendingPathComponent("index.html"))
      #expect(export(to: page).0 == 2)
      #expect(try text(page, "index.html") == "<html>mine</html>")
    }
  }

  @Test("says where it cannot be written")
  func unwritable() {
    let (code, err) = export(to: URL(fileURLWithPath: "/no/such/folder/lecture"))
    #expect(code == 2)
    #expect(err.first?.hasPrefix("/no/such/folder/lecture: cannot be written") == true)
    for name in ["", "."] {
      let output = Output()
      #expect(ExportRun(console: output.console).lecture(to: name) == 2)
      #expect(
        output.err == ["'\(name)': expected the name of a folder other than the one you are in"])
    }
  }
}
