import ArgumentParser
import BenchRunner
import Foundation

struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says of each row of two results files: regression, improvement or noise.",
    discussion: """
      A row differs where the test of Mann and Whitney says so of its samples at the 1 % level, \
      corrected for the number of rows, the quartiles do not overlap, and the medians differ by \
      3 % or more.
      """)

  @Argument(help: "The earlier results.")
  var base: String

  @Argument(help: "The later results.")
  var new: String

  func run() throws {
    let comparisons: [Comparison]
    do {
      let (base, new) = (try Results(path: base), try Results(path: new))
      warn(base, new)
      comparisons = compare(base: base, new: new)
    } catch {
      throw refuse(error)
    }
    print(table(of: comparisons))
    if comparisons.contains(where: { $0.verdict == .regression }) { throw ExitCode(1) }
  }

  /// Says what speaks against comparing the two.
  private func warn(_ first: Results, _ second: Results) {
    if first.machine != second.machine {
      print("The machines differ: \(first.machine.text); \(second.machine.text).")
    }
    for (path, results) in [(base, first), (new, second)] where results.unsteadyShare > 0.05 {
      let percent = Int((100 * results.unsteadyShare).rounded())
      print("\(path): the machine changed its speed during \(percent) % of the samples.")
    }
  }
}

struct Charts: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Draws the charts of a results file.")

  @Argument(help: "The results.")
  var results: String

  @Argument(help: "The folder for the charts.")
  var folder: String

  func run() throws {
    do {
      try Results(path: results).writeCharts(to: folder)
    } catch {
      throw refuse(error)
    }
  }
}

struct Page: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Puts a results file's tables and charts into a page, between its markers.")

  @Argument(help: "The results.")
  var results: String

  @Argument(help: "The page, in Markdown.")
  var page: String

  @Option(help: "The folder for the charts, as the page names it.")
  var pictures = "pictures/performance"

  func run() throws {
    do {
      let results = try Results(path: results)
      let text = try String(contentsOfFile: page, encoding: .utf8)
      try BenchRunner.page(text, with: results, pictures: pictures)
        .write(toFile: page, atomically: true, encoding: .utf8)
      let folder = URL(fileURLWithPath: page).deletingLastPathComponent()
      try results.writeCharts(to: folder.appendingPathComponent(pictures).path)
    } catch {
      throw refuse(error)
    }
  }
}
