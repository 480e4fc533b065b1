import Foundation
import Testing

@testable import BenchRunner

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct ChartTests {
  @Test("a workload has a bar of each subject, with whisker, figure and goal")
  func bars() throws {
    let rows = [
      row("set-one-observer", around: 5, goal: 6), row("set-one-observer", "gobject", around: 178),
    ]
    let chart = try #require(results(rows).charts.first { $0.file == "workloads.svg" })
    let picture = try Drawing(chart.svg)
    let bars = picture.elements("rect", "bar")
    #expect(bars.count == 2)
    let widths = bars.compactMap { Double($0["width"] ?? "") }
    #expect(widths.count == 2 && widths[0] < widths[1])
    #expect(picture.elements("line", "goal").count == 2)  // the bar's, and the one that explains
    #expect(picture.elements("line", "whisker").count == 6)
    #expect(picture.texts.contains("178"))
    #expect(picture.texts.contains("set, 1 observer, old + new"))
  }

  @Test("what was measured in a program has a bar of its own, and the goal stands there")
  func inProgram() throws {
    var program = row("set-one-observer", around: 7, goal: 6)
    program.surroundings = .program
    let rows = [program, row("set-one-observer", around: 5)]
    let picture = try Drawing(try #require(results(rows).charts.first).svg)
    #expect(picture.elements("rect", "bar").count == 2)
    #expect(
      picture.texts.contains("IsaKVO, C") && picture.texts.contains("IsaKVO, C, in a program"))
    #expect(picture.elements("line", "goal").count == 2)
  }

  @Test("a bar is as long as its value's logarithm")
  func lengths() throws {
    let rows = [10.0, 100, 1000].map { row("set-\(Int($0))", around: $0, spread: 0) }
    let chart = try #require(results(rows).charts.first)
    let bars = try Drawing(chart.svg).elements("rect", "bar")
    let widths = bars.compactMap { Double($0["width"] ?? "") }
    #expect(widths.count == 3)
    #expect(abs(widths[1] - 2 * widths[0]) < 0.3 && abs(widths[2] - 3 * widths[0]) < 0.3)
  }

  @Test("nothing leaves the picture, and no two labels of a curve overlap")
  func placement() throws {
    let rows = (0..<6).flatMap { subject in
      [1, 10, 100].map { growthRow("subject-\(subject)", x: $0, around: 5 * $0 + Double(subject)) }
    }
    let chart = try #require(results(rows).charts.first)
    #expect(chart.file == "growth-set.svg")
    let picture = try Drawing(chart.svg)
    #expect(picture.elements("polyline", "curve").count == 6)
    #expect(picture.elements("circle", "mark").count == 18)
    #expect(picture.isInside)
    let places = picture.elements("text", "label").compactMap { Double($0["y"] ?? "") }.sorted()
    #expect(places.count == 6)
    #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 >= 17 })
  }

  @Test("what is no time and what has no figure is in no chart")
  func left() {
    var bytes = row("bytes", around: 96)
    bytes.unit = "bytes"
    var failed = row("set", around: 1)
    failed.ratio = nil
    #expect(results([bytes, failed]).charts.isEmpty)
    #expect(results([]).charts.isEmpty)
  }

  @Test("curves of one thing in two ways share a chart")
  func series() throws {
    let rows = ["objects-in-order", "objects-at-random"].flatMap { series in
      [1.0, 1000].map { x in
        var row = growthRow("isakvo", x: x, around: 5)
        row.workload = "\(series)-\(x)"
        row.series = series
        return row
      }
    }
    let charts = results(rows).charts
    #expect(charts.map(\.file) == ["growth-objects.svg"])
    let texts = try Drawing(try #require(charts.first).svg).texts
    #expect(texts.contains("in order") && texts.contains("at random"))
  }

  @Test("a name with signs of its own stays text")
  func escapes() throws {
    let chart = try #require(results([row("a<b>&\"c\"", around: 5)]).charts.first)
    #expect(try Drawing(chart.svg).texts.contains("a<b>&\"c\""))
  }

  @Test(
    "numbers have three digits that count",
    arguments: [
      (0.294, "0.29"), (1, "1"), (1.005, "1.00"), (12.34, "12.3"), (178.4, "178"),
      (1234, "1\u{202f}230"), (1_234_567, "1\u{202f}230\u{202f}000"), (99.96, "100"), (0, "0"),
    ])
  func numbers(_ number: Double, _ text: String) { #expect(shortNumber(number) == text) }

  @Test("an axis ends at a round number beyond its values")
  func axis() {
    let scale = LogScale([3, 40], from: 0, to: 100)
    #expect(scale.domain == 2...50)
    #expect(scale.ticks == [2, 5, 10, 20, 50])
    #expect(scale(2) == 0 && scale(50) == 100 && scale(1000) == 100)
    #expect(LogScale([1, 1e6], from: 0, to: 1).ticks.count == 7)
    #expect(LogScale([], from: 0, to: 1).domain == 1...10)
  }
}

func growthRow(_ subject: String, x: Double, around median: Double) -> Row {
  var row = row("set-\(Int(x))", subject, around: median)
  row.group = "growth"
  row.series = "set"
  row.x = x
  row.xName = "observers"
  return row
}

/// An SVG picture, read back as XML.
private final class Drawing: NSObject, XMLParserDelegate {
  private(set) var texts: [String] = []
  private var all: [(name: String, attributes: [String: String])] = []
  private var text = ""

  init(_ svg: String) throws {
    super.init()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
  }

  /// The elements whose class contains the word.
  func elements(_ name: String, _ word: String) -> [[String: String]] {
    all.filter { element in
      element.name == name
        && (element.attributes["class"] ?? "").split(separator: " ").contains { $0 == word }
    }
    .map(\.attributes)
  }

  var isInside: Bool {
    let root = all.first?.attributes ?? [:]
    let (width, height) = (Double(root["width"] ?? "") ?? 0, Double(root["height"] ?? "") ?? 0)
    let (across, down) = (["x", "x1", "x2", "cx"], ["y", "y1", "y2", "cy"])
    return all.dropFirst().allSatisfy { element in
      across.compactMap { Double(element.attributes[$0] ?? "") }.allSatisfy { 0...width ~= $0 }
        && down.compactMap { Double(element.attributes[$0] ?? "") }.allSatisfy { 0...height ~= $0 }
    }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    all.append((name, attributes))
    text = ""
  }

  func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    if name == "text" { texts.append(text) }
    text = ""
  }
}
