import Foundation
import Testing

@testable import isalab

@Suite("isalab export", .serialized, .oneAtATime)
struct PageTests {
  private func page(_ name: String, _ language: Language = .english) throws -> (Run, String) {
    let run = try GraphTests.run(name)
    return (run, Page(run: run, title: name, language: language).html())
  }

  @Test("at each step the page's isas go where the state says", arguments: GraphTests.scenarios)
  func isas(_ name: String) throws {
    let (run, html) = try page(name)
    let page = try ParsedPage(html)
    #expect(page.steps.count == run.steps.count + 1)
    #expect(page.moments.count == 1 + run.steps.map { $0.events.count + 1 }.reduce(0, +))
    let places = try self.places(page.root)
    for step in 0...run.steps.count {
      let edges = page.edges(at: step)
      let state = run.state(at: step)
      for object in state.objects {
        let edge = try #require(edges["isa \(object.symbol)"])
        #expect(edge["to"] as? String == "class \(object.isa)")
        let line = try #require(edge["line"] as? String)
        let end = line.split(separator: "L").last?.split(separator: " ").compactMap { Int($0) }
        #expect(end == places["class \(object.isa)"], "step \(step)")
        if state.cls(object.isa)?.isNotifying == true {
          #expect(edge["isSwapped"] as? Bool == true)
        }
      }
      let isas = edges.keys.filter { $0.hasPrefix("isa obj#") }
      #expect(Set(isas) == Set(state.objects.map { "isa \($0.symbol)" }))
      let watched = Set(
        state.objects.flatMap { object in
          object.registrations.filter { $0.root == nil }.map { "\($0.observer) \(object.symbol)" }
        })
      #expect(edges.keys.count { $0.hasPrefix("observes ") } == watched.count)
    }
  }

  /// Where an edge arrives at each node: the middle of its left side.
  private func places(_ root: Element) throws -> [String: [Int]] {
    var places: [String: [Int]] = [:]
    for node in root.with(class: "node") {
      let move = try #require(try /translate\((\d+) (\d+)\)/.wholeMatch(in: node["transform"]))
      let height = Int(node.first("rect")?["height"] ?? "") ?? 0
      places[node["data-id"]] = [Int(move.1) ?? 0, (Int(move.2) ?? 0) + height / 2]
    }
    return places
  }

  @Test("all that is there at any step is drawn, once", arguments: GraphTests.scenarios)
  func union(_ name: String) throws {
    let (_, html) = try page(name)
    let page = try ParsedPage(html)
    let drawn = page.root.with(class: "node").map { $0["data-id"] }
    let edges = page.root.with(class: "edge").map { $0["data-id"] }.filter { !$0.isEmpty }
    #expect(Set(drawn).count == drawn.count && Set(edges).count == edges.count)
    func all(_ part: String) -> Set<String> {
      page.moments.reduce(into: []) {
        let drawing = $1["drawing"] as? [String: Any]
        $0.formUnion((drawing?[part] as? [String: Any] ?? [:]).keys)
      }
    }
    #expect(Set(drawn) == all("nodes"))
    #expect(Set(edges) == all("edges"))
  }

  @Test("method tables name the owner of each IMP; observations and events are the state's")
  func tables() throws {
    let (run, html) = try page("person")
    let page = try ParsedPage(html)
    let classes = try #require(page.data["classes"] as? [[String: Any]])
    for step in run.steps {
      let moment = page.end(of: step.number)
      let shown = (moment["classes"] as? [Int] ?? []).map { classes[$0] }
      for cls in step.state.classes where !cls.isBuiltIn {
        let table = try #require(shown.first { $0["name"] as? String == cls.name })
        let rows = try #require(table["methods"] as? [[String: String]])
        #expect(table["own"] as? Int == cls.methods.count)
        #expect(
          rows.prefix(cls.methods.count).map { $0["implementation"] } == cls.methods.map(\.name))
        #expect(rows.prefix(cls.methods.count).allSatisfy { $0["owner"] == cls.name })
        #expect(Set(rows.map { $0["selector"] }).count == rows.count)
      }
      let events = try #require(page.steps[step.number]["events"] as? [[String: Any]])
      #expect(events.map { $0["kind"] as? String } == step.events.map(\.kind.name))
      #expect(events.map { ($0["cause"] as? NSNumber)?.uint64Value } == step.events.map(\.cause))
      let observations = try #require(moment["observations"] as? [[String: Any]])
      #expect(observations.count == step.state.objects.flatMap(\.registrations).count)
    }
  }

  @Test("each line of a statement leads to its step, no other does")
  func source() throws {
    let (run, html) = try page("person")
    let lines = try #require(try ParsedPage(html).root.all.first { $0["id"] == "source" }).children
    #expect(lines.count == run.source.count - 1)
    #expect(lines[0]["data-step"] == "" && lines[2...5].allSatisfy { $0["data-step"] == "1" })
    #expect(lines[6].first("a") == nil)
    for step in run.steps {
      let line = lines[step.location.line - 1]
      #expect(line.first("a")?["href"] == "#step=\(step.number)")
    }
  }

  @Test("a page needs nothing but itself, and a scenario's text stays text")
  func selfContained() throws {
    let file = Folder.tests.deletingLastPathComponent().appendingPathComponent("Pages/hostile.kvo")
    let text = try String(contentsOf: file, encoding: .utf8)
    let hostile = try GraphTests.run(
      lines: text + "ada.name = \"\u{1}\u{1B}[31m \u{202E}x\u{2066}\"\n")
    let html = Page(run: hostile, title: "</title><script>x</script>\u{202E}").html()
    let page = try ParsedPage(html)
    #expect(!page.json.contains("<"))
    for forbidden in ["\u{1}", "\u{1B}", "\u{202E}", "\u{2066}", "\u{2028}"] {
      #expect(!html.contains(forbidden))
    }
    #expect(page.root.first("title")?.text == "</title><script>x</script>\\u{202E}")
    #expect(page.steps[4]["text"] as? String == hostile.steps[3].text)
    let urls = html.matches(of: /(?:src|href)="([^"]*)"|url\(([^)]*)\)|@import|https?:/)
    for url in urls {
      let target = String(url.1 ?? url.2 ?? "")
      #expect(target.hasPrefix("#") || target == "data:," || url.0 == "http:", "\(url.0)")
    }
  }

  @Test("what a page says itself is Chinese in a Chinese page")
  func chinese() throws {
    let html = try page("person", .chinese).1
    let page = try ParsedPage(html)
    #expect(page.root["lang"] == "zh-Hans")
    let heads = page.root.all.filter { $0.name == "h2" }.map(\.text)
    #expect(heads.count > 5)
    for head in heads { #expect(head.contains(/\p{Han}/), "\(head)") }
    let words = try #require(page.data["words"] as? [String: String])
    // The field says these in English.
    for (word, text) in words where !["isa", "imp", "selector"].contains(word) {
      #expect(text.contains(/\p{Han}/), "\(word)")
    }
  }

  @Test("the same again", arguments: Language.allCases)
  func deterministic(_ language: Language) throws {
    #expect(try page("key-paths", language).1 == page("key-paths", language).1)
  }

  @Test("what cannot be written or run is said")
  func badInput() throws {
    let output = Output()
    let export = ExportRun(console: output.console)
    #expect(export.page(of: "let a = K()", file: "test.kvo", to: "/no/such/a.html") == 2)
    #expect(output.err == runScenario("let a = K()").output.err)
    #expect(export.page(of: "class K { x: int }", file: "test.kvo", to: "/no/such/a.html") == 2)
    #expect(output.err.last?.hasPrefix("/no/such/a.html: cannot be written") == true)
    #expect(output.out == [])
    let room = try TemporaryFolder()
    let scenario = room.file("k.kvo")
    try Data("class K { x: int }\n".utf8).write(to: scenario)
    #expect(export.page(of: scenario.path, to: scenario.path) == 2)
    #expect(output.err.last?.contains("is the file that is read") == true)
    #expect(try String(contentsOf: scenario, encoding: .utf8) == "class K { x: int }\n")
    #expect(export.page(of: "class K { x: int }", file: "test.kvo", to: "-") == 0)
    #expect(output.text.hasPrefix("<!DOCTYPE html>") && output.text.hasSuffix("</html>\n"))
    #expect(export.page(of: "no-such.kvo", to: "/no/such/a.html") == 2)
    #expect(output.err.last?.hasPrefix("no-such.kvo:1:1: cannot be read") == true)
  }
}
