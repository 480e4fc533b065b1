import Foundation
import Testing

@testable import isalab

@Suite("The list of statements", .serialized, .oneAtATime)
struct StatementTests {
  /// The language's reference without its marks, in one line.
  private static let reference: String = {
    let file = Folder.checkout.appendingPathComponent("docs/scenarios.md")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.replacing("`", with: "").split { $0.isWhitespace }.joined(separator: " ")
  }()

  @Test("each can be read, and docs/scenarios.md has it in the same words")
  func forms() throws {
    #expect(StatementForm.all.count > 50)
    for form in StatementForm.all {
      #expect(throws: Never.self) { try Parser.parse(form.lines + "\n", file: "form.kvo") }
      let line = form.lines.split { $0.isWhitespace }.joined(separator: " ")
      #expect(Self.reference.contains(line), "\(line)")
      #expect(Self.reference.contains(form.does.english), "\(form.does.english)")
      #expect(!form.does.chinese.isEmpty && !form.group.chinese.isEmpty)
    }
  }

  @Test("each word that begins a statement is among them")
  func words() {
    let inside = ["false", "nil", "no", "notifications", "null", "true", "error", "closure"]
    let all = StatementForm.all.flatMap { $0.lines.split { !($0.isLetter || $0 == "-") } }
    for word in Parser.reservedWords.subtracting(inside) {
      // Of the sets' three one stands for all.
      let shown = ["minus", "intersect"].contains(word) ? "union" : word
      #expect(all.contains { $0 == shown }, "\(word)")
    }
  }

  @Test("the command shows those with a word, and knows when there are none")
  func command() throws {
    let one = try Child.run(["statements", "swizzle", "--lang", "en"])
    #expect(one.end == .exit(0))
    #expect(one.output.hasPrefix("Objects\n  swizzle Person.age as s\n      exchanges"))
    #expect(!one.output.contains("release"))
    let all = try Child.run(["statements", "--lang", "zh"])
    #expect(all.output.contains("期望\n  expect p.age == 40\n"))
    #expect(all.output.split(separator: "\n").allSatisfy { String($0).columns <= 80 })
    let none = try Child.run(["statements", "nowhere", "--lang", "en"])
    #expect(none.end == .exit(2) && none.errors.hasPrefix("No statement has the word 'nowhere'"))
  }
}
