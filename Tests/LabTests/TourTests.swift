import Foundation
import Testing

@testable import isalab

/// Runs the tour, or a lesson of it, with what the reader types.
func tour(
  _ lesson: String? = nil, _ options: TextOptions = TextOptions(), typing: [String]? = nil
) -> (code: Int32, output: Output) {
  let output = Output()
  var lines = typing ?? []
  var console = output.console
  console.prompt = { output.write($0) }
  console.line = { lines.isEmpty ? nil : lines.removeFirst() }
  let run = TourRun(options: options, console: console, predicts: typing != nil)
  return (run.run(lesson: lesson), output)
}

@Suite("The tour", .serialized)
struct TourTests {
  static let names = Lessons.all.map(\.name)

  @Test("each lesson reads as recorded in each language", arguments: names, Language.allCases)
  func transcript(_ name: String, _ language: Language) throws {
    let before = liveCounts()
    let (code, output) = tour(name, TextOptions(language: language))
    #expect(code == 0)
    #expect(output.err == [])
    #expect(try matchesTranscript(output.text, "tour/\(language.rawValue)/\(name)"))
    #expect(liveCounts() == before)
  }

  @Test("fits a terminal of 80 columns", arguments: Language.allCases)
  func width(_ language: Language) {
    let lines = tour(nil, TextOptions(language: language)).output.out
    #expect(lines.filter { $0.columns > 80 } == [])
  }

  @Test("shows addresses and machine code, or says why not, only when asked for")
  func real() {
    let plain = tour().output.text
    let real = tour(nil, TextOptions(showsAddresses: true)).output.text
    #expect(!plain.contains("0x"))
    #expect(real.contains(" at 0x"))
  }
}
