import Foundation
import Testing

@testable import isalab

@Suite("isalab graph", .serialized, .oneAtATime)
struct GraphFormatTests {
  private func graph(
    _ lines: String, at step: Int? = nil, _ format: GraphRun.Format = .text, output: String = "-"
  ) -> (code: Int32, output: Output) {
    let written = Output()
    let run = GraphRun(
      format: format, stop: step.map { Stop(step: $0) }, output: output, console: written.console)
    return (run.run(lines, file: "test.kvo"), written)
  }

  private static let person = """
    class Person { name: string, age: int }
    let ada = Person()
    let bob = Person()
    observe ada.age as watcher
    ada.age = 36
    """

  // MARK: SVG

  @Test(
    "at each step the SVG has each object's isa, swapped ones marked thrice, and the observers",
    arguments: GraphTests.scenarios)
  func svg(_ name: String) throws {
    let run = try GraphTests.run(name)
    for step in 0...run.steps.count {
      let svg = try Element.parsed(GraphRun.text(of: run, at: Moment(step: step), .svg))
      let state = run.state(at: step)
      let edges = svg.with(class: "edge").filter { !$0["data-id"].isEmpty }
      for object in state.objects {
        let isas = edges.filter { $0["data-from"] == object.symbol && $0.classes.contains("isa") }
        #expect(isas.map { $0["data-to"] } == ["class \(object.isa)"], "step \(step)")
        let isMarked = isas.first.map(self.isMarked) ?? []
        let isSwapped = state.cls(object.isa)?.isNotifying == true
        if isSwapped { #expect(isMarked == [true, true, true], "step \(step)") }
        // A class that was set by hand is marked as well.
        guard object.isa == object.claim, !isSwapped, name != "swap-back" else { continue }
        #expect(isMarked == [false, false, false])
      }
      let pairs = state.objects.flatMap { object in
        object.registrations.filter { $0.root == nil }.map { "\($0.observer) \(object.symbol)" }
      }
      let dotted = edges.filter { $0.classes.contains("observes") }
      #expect(dotted.count == Set(pairs).count)
      #expect(svg.with(class: "node").count == Graph(run, at: step).nodes.count)
    }
  }

  /// By its class, which is red and thick, by its tip and by its word.
  private func isMarked(_ edge: Element) -> [Bool] {
    [
      edge.classes.contains("swapped"), edge.first("path")?["marker-end"] == "url(#tip-swapped)",
      edge.with(class: "swap-mark").first.map { $0["visibility"] != "hidden" } ?? false,
    ]
  }

  @Test("the SVG tells readers what it shows, in letters of 11 points and more")
  func readable() throws {
    let text = graph(GraphFormatTests.person, .svg).output.text
    let svg = try Element.parsed(text)
    #expect(svg["aria-labelledby"] == "title desc")
    #expect(svg.first("title")?.text == "step 5 of 5: ada.age = 36")
    let words = svg.first("desc")?.text ?? ""
    #expect(words.contains("The isa of ada was swapped and is NSKVONotifying_Person."))
    #expect(words.contains("watcher observes age of ada."))
    let sizes = text.matches(of: /(\d+)px/).compactMap { Int($0.1) }
    #expect(sizes.count > 3 && sizes.allSatisfy { $0 >= 11 })
    #expect(text.contains(/\.superclass path\{[^}]*stroke-dasharray/))
    #expect(text.contains(/\.observes path\{[^}]*stroke-dasharray/))
    #expect(!text.contains("var("))
  }

  // MARK: The others

  @Test("as text, each line reads like a sentence")
  func text() throws {
    let output = graph(GraphFormatTests.person).output
    #expect(output.text.contains("  ada ==swapped==> NSKVONotifying_Person --> metaclass\n"))
    #expect(output.text.contains("  bob -isa-------> Person                --> metaclass\n"))
    #expect(output.text.contains("  NSKVONotifying_Person - - > Person\n"))
    #expect(output.text.contains("  metaclass of IsaObject - - > class IsaObject\n"))
    #expect(output.text.contains("  watcher . . > ada: age\n"))
  }

  @Test("names of any length and text of any kind keep the text within 80 columns where they can")
  func columns() throws {
    for name in GraphTests.scenarios {
      let run = try GraphTests.run(name)
      let text = GraphRun.text(of: run, at: Moment(step: run.steps.count), .text)
      for line in text.split(separator: "\n").dropFirst() { #expect(line.columns <= 80) }
    }
  }

  @Test("Mermaid's nodes are numbered, and each edge leads from one to another")
  func mermaid() throws {
    for name in GraphTests.scenarios {
      let run = try GraphTests.run(name)
      let graph = Graph(run, at: run.steps.count)
      let lines = GraphMermaid(graph: graph, title: "{x}").lines()
      #expect(lines[0...1] == ["%% (x)", "flowchart LR"])
      let arrow = #/  n(\d+) (-->(?:\|"[^"]*"\|)?|==>\|swapped\||-\.->(\|"[^"]*"\|)?) n(\d+)/#
      let edges = lines.compactMap { try? arrow.wholeMatch(in: $0) }
      #expect(edges.count == graph.edges.count)
      for (match, edge) in zip(edges, graph.edges) {
        #expect(graph.nodes[Int(match.1) ?? 0].id == edge.from)
        #expect(graph.nodes[Int(match.4) ?? 0].id == edge.to)
        #expect((match.2 == "==>|swapped|") == edge.isSwapped)
      }
      let styles = lines.filter { $0.hasPrefix("  linkStyle") }.count
      #expect(styles == graph.edges.count { $0.kind != .isa || $0.isSwapped })
      #expect(lines.count { $0.hasPrefix("  subgraph") } == lines.count { $0 == "  end" })
    }
  }

  @Test("the rows of boxes stand in dot and Mermaid as in the drawing, with whatever is in them")
  func rows() throws {
    let lines = """
      class Person { name: string, age: int }
      let ada = Person()
      observe ada.age options(old, new) as watcher
      ada.name = "<a & \\"b\\"> \\\\n"
      ada.age = 36
      """
    let run = try GraphTests.run(lines: lines)
    let graph = Graph(run, at: run.steps.count)
    let dot = GraphDot(graph: graph, title: "").lines(),
      mermaid = GraphMermaid(graph: graph, title: "").lines()
    for (number, node) in graph.nodes.enumerated() {
      let box = dot.first { $0.contains("\"\(node.id)\" [label=") } ?? ""
      let other = mermaid.first { $0.contains(" n\(number)(") || $0.contains(" n\(number)[") } ?? ""
      #expect(other.split(separator: "<br/>").count > node.rows.count)
      if node.rows.isEmpty {
        #expect(!box.contains("TABLE"))
        continue
      }
      let label = try #require(try /label=<(<TABLE.*<\/TABLE>)>/.firstMatch(in: box)?.1)
      let cells = try Element.parsed(String(label)).all.filter { $0.name == "TD" }.map(\.text)
      #expect(cells.suffix(2 * node.rows.count) == node.rows.flatMap { [$0.text, $0.detail] }[...])
      #expect(cells.first == node.name)
    }
    let text = mermaid.joined(separator: "\n")
    #expect(text.contains("<br/>———<br/>_name = #quot;#lt;a #amp;"))
    #expect(text.contains("setAge: (thunk)"))
  }

  private static var dot: String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { "\($0)/dot" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  @Test("Graphviz takes the dot", .enabled(if: dot != nil))
  func graphviz() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("isalab-\(UUID()).dot")
    defer { try? FileManager.default.removeItem(at: file) }
    for name in GraphTests.scenarios {
      let run = try GraphTests.run(name)
      let text = GraphRun.text(of: run, at: Moment(step: run.steps.count), .dot)
      try Data(text.utf8).write(to: file)
      let pipe = try #require(
        popen("'\(GraphFormatTests.dot ?? "")' -Tsvg '\(file.path)' 2>&1", "r"))
      var output: [UInt8] = []
      while case let byte = fgetc(pipe), byte != EOF {
        output.append(UInt8(truncatingIfNeeded: byte))
      }
      #expect(pclose(pipe) == 0)
      let svg = try Element.parsed(String(decoding: output, as: UTF8.self))
      #expect(svg.with(class: "edge").count == Graph(run, at: run.steps.count).edges.count)
    }
  }

  @Test("quotes, marks of direction and the like do no harm in any format")
  func hostile() throws {
    let lines = """
      class Person { name: string }
      let ada = Person()
      observe ada."a\\"b<c>&{d}#|;--]" as watcher
      expect error NSUnknownKeyException
      ada.name = "\u{202E}</svg> \\" \\\\ &"
      """
    for format in GraphRun.Format.allCases {
      let (_, output) = graph(lines, format)
      #expect(!output.text.contains("\u{202E}"))
    }
    let svg = try Element.parsed(graph(lines, .svg).output.text)
    #expect(svg.first("title")?.text.contains("</svg>") == true)
    let dot = graph(lines, .dot).output.text
    #expect(dot.contains(#"label="step 5 of 5: ada.name = \"\\u{202E}</svg> \\\" \\\\ &\"""#))
  }

  // MARK: Bad input

  @Test("no such step: says which there are")
  func noSuchStep() {
    for step in [99, -1] {
      let (code, output) = graph(GraphFormatTests.person, at: step)
      #expect(code == 2)
      #expect(
        output.err == [
          "test.kvo:5:1: there is no step \(step), expected a step from 0, the start, to 5"
        ])
      #expect(output.out == [])
    }
    #expect(graph(GraphFormatTests.person, at: 0).code == 0)
  }

  @Test("what is wrong in a scenario is said as isalab run says it")
  func wrongScenario() {
    for lines in ["let ada = Person()", "class Person { x: int }\nlet a = Person()\nget a.zip\n"] {
      let (code, output) = graph(lines)
      #expect(code == 2 && output.out == [])
      #expect(output.err == runScenario(lines).output.err)
    }
    let broken = graph(GraphFormatTests.person + "\nexpect ada.age == 1\n")
    #expect(broken.code == 1 && broken.output.out != [])
    #expect(broken.output.err.first?.hasPrefix("test.kvo:6:1: ") == true)
  }

  @Test("a file that cannot be written is said; one that can has the whole drawing")
  func files() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("isalab-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let nowhere = folder.appendingPathComponent("no/such/a.svg").path
    let (code, output) = graph(GraphFormatTests.person, .svg, output: nowhere)
    #expect(code == 2 && output.err.first?.hasPrefix("\(nowhere): cannot be written") == true)
    let file = folder.appendingPathComponent("a.svg").path
    #expect(graph(GraphFormatTests.person, .svg, output: file).code == 0)
    let text = graph(GraphFormatTests.person, .svg).output.text
    #expect(FileManager.default.contents(atPath: file) == Data(text.utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.svg"])
  }

  @Test("a device stays one, and a link leads to what is written")
  func specialFiles() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("isalab-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let link = folder.appendingPathComponent("link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/null")
    #expect(graph(GraphFormatTests.person, .svg, output: link).code == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/null")
    let null = try FileManager.default.attributesOfItem(atPath: "/dev/null")
    #expect(null[.type] as? FileAttributeType == .typeCharacterSpecial)
    #expect(graph(GraphFormatTests.person, .svg, output: folder.path).code == 2)
  }

  @Test("the same again", arguments: GraphRun.Format.allCases)
  func deterministic(_ format: GraphRun.Format) {
    let texts = (0..<3).map { _ in graph(GraphFormatTests.person, format).output.text }
    #expect(Set(texts).count == 1)
    #expect(!texts[0].contains("0x"))
  }
}
