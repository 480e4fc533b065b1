import Foundation
import Testing

@testable import isalab

@Suite("Checked exercises", .oneAtATime)
struct CheckTests {
  private func check(
    _ name: String, _ text: String, _ language: Language = .english
  ) throws -> (code: Int32, output: Output) {
    let room = try TemporaryFolder()
    let file = room.file("my.kvo")
    try Data(text.utf8).write(to: file)
    let output = Output()
    let run = CheckRun(console: output.console, language: language)
    return (run.check(name, file: file.path), output)
  }

  @Test("the model solution solves its lesson's exercise", arguments: Lessons.all.map(\.name))
  func solved(_ name: String) throws {
    let file = Folder.solutions.appendingPathComponent(name + ".kvo")
    let (code, output) = try check(name, String(contentsOf: file, encoding: .utf8))
    #expect(code == 0 && output.err == [], "\(output.err)")
    #expect(output.out.count == 1 && output.out[0].hasPrefix("Solved: "))
  }

  @Test(
    "an empty scenario solves none, nor does the lesson's own", arguments: Lessons.all.map(\.name))
  func empty(_ name: String) throws {
    let lesson = try #require(Lessons.find(name))
    for text in ["", "# nothing\n", lesson.lines] {
      let (code, output) = try check(name, text)
      #expect(code == 1, "\(text)")
      #expect(!output.err.isEmpty && output.out[0].hasPrefix("Not solved."))
    }
  }

  @Test("it speaks Chinese, and refuses what is no lesson or no scenario")
  func words() throws {
    #expect(try check("isa-swap", "", .chinese).output.out[0].hasPrefix("尚未完成。"))
    #expect(
      try check("no-lesson", "").output.err == [
        "there is no lesson 'no-lesson', isalab tour --list has them"
      ])
    #expect(try check("isa-swap", "let = 3\n").code == 2)
  }
}
