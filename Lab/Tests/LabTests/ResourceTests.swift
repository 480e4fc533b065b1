import Testing

@testable import isalab

@Suite("Texts that are built in", .serialized, .oneAtATime)
struct ResourceTests {
  @Test("are all read, and none is empty")
  func all() {
    #expect(Lessons.all.count == 28 && Exhibit.all.count == 40 && Explanation.all.count == 31)
    #expect(Level.all.count == 8 && Level.all.allSatisfy { !$0.scenes.isEmpty })
    for level in Level.all {
      for language in LabLanguage.allCases {
        #expect(LabKit.files(level, language).allSatisfy { !$0.text.isEmpty })
      }
      #expect(!level.swiftTools.isEmpty && level.tools != level.told(in: .swift).tools)
    }
    #expect(CGrader.driver.values.allSatisfy { !$0.isEmpty })
    #expect(!Tour.preface.chinese.isEmpty && !Tour.farewell.chinese.isEmpty)
  }

  private func read(_ text: String) throws(Diagnostic) -> TextFields {
    try TextFields(text, file: "test.txt", keys: ["title", "lines", "title zh"])
  }

  @Test("go on as a paragraph, or line by line where nothing stands behind the key")
  func fields() throws {
    let fields = try read("title: one\n  two\ntitle zh: 一\n\nlines:\n  a {\n    b\n  }\n")
    #expect(try fields.text("title") == "one two")
    #expect(try fields.words("title").chinese == "一")
    #expect(try fields.text("lines") == "a {\n  b\n}")
  }

  @Test("have parts, each from one field of a name to the next")
  func parts() throws {
    let parts = try read("title: one\nlines:\n  a\ntitle: two\n").parts("title")
    #expect(parts.map { $0.fields.count } == [2, 1])
    #expect(parts.map { $0.optional("lines") } == ["a", nil])
  }

  @Test(
    "say where they are malformed, and what is expected",
    arguments: [
      (
        "title one",
        "test.txt:1:1: 'title one' is no line of a text, "
          + "expected 'key: words' or an indented line"
      ),
      (
        "title: one\n\nname: two",
        "test.txt:3:1: there is no field 'name', "
          + "expected lines, title or title zh"
      ),
      ("title: one", "test.txt:1:1: there is no 'title zh', expected one"),
      ("title: one\ntitle zh: 一", "test.txt:1:1: 'one' is no title, expected another"),
    ])
  func malformed(_ text: String, _ says: String) {
    let error = #expect(throws: Diagnostic.self) {
      let fields = try read(text)
      _ = try fields.words("title")
      _ = try fields.value("title") { Int($0) }
    }
    #expect(error?.description == says)
  }

  @Test("leave out what a level does not have yet, or has otherwise")
  func levels() {
    let text = "a\n// @from 3\nb\n// @until 3\nc\n// @always\nd\n"
    #expect(LevelText.read(text, 1) == "a\nc\nd\n")
    #expect(LevelText.read(text, 3) == "a\nb\nd\n")
  }
}
