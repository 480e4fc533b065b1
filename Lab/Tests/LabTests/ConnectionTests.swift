import Foundation
import Testing

@testable import isalab

@Suite("Connections between objects", .serialized, .oneAtATime)
struct ConnectionTests {
  private static let people = """
    class Home { city: string }
    class Person {
      home: Home
      friend: Person
      rival: Person weak
      friends: mutable-array
      first: string
      last: string
      full: string = join(first, " ", last) depends on (first, last)
      letter: string = join("Dear ", full, " of ", home.city) depends on (full, home.city)
    }
    let ada = Person()
    let bob = Person()
    let london = Home()
    let turin = Home()
    """

  private func graph(_ lines: String, _ language: Language = .english) throws -> Graph {
    let run = try GraphTests.run(lines: ConnectionTests.people + "\n" + lines)
    #expect(run.stopped == nil && run.broken.isEmpty)
    return Graph(run, at: run.steps.count, in: language)
  }

  private func shown(_ graph: Graph, _ kind: Graph.Edge.Kind) -> [String] {
    graph.edges(kind).map {
      "\(graph.node($0.from)?.name ?? "?") \(graph.node($0.to)?.name ?? "?"): \($0.label)"
    }
  }

  @Test("an object that is a key's value, or in a collection that is, is referred to")
  func references() throws {
    let graph = try graph(
      """
      ada.home = london
      ada.friend = bob
      ada.rival = bob
      bob.friends = [ada, bob]
      """)
    #expect(
      shown(graph, .refers) == [
        "ada london: home", "ada bob: friend, rival (weak)", "bob ada: friends",
        "bob bob: friends",
      ])
  }

  @Test("a key path is followed by forwarders, each of which serves the object before it")
  func forwarders() throws {
    let graph = try graph(
      """
      ada.friend = bob
      bob.home = london
      observe ada.friend.home.city as watcher
      """)
    #expect(
      shown(graph, .forwards) == [
        "bob ada: home.city → friend.home.city", "london bob: city → home.city",
      ])
    #expect(shown(graph, .observes) == ["watcher ada: friend.home.city"])
  }

  @Test("a forwarder moves with the object on the way, and goes with the observer")
  func moved() throws {
    let lines = "ada.home = london\nobserve ada.home.city as watcher\nada.home = turin"
    #expect(shown(try graph(lines), .forwards) == ["turin ada: city → home.city"])
    #expect(shown(try graph(lines + "\nremove watcher"), .forwards) == [])
  }

  @Test("an observed key leads to what it depends on, and on to what that depends on")
  func dependencies() throws {
    let graph = try graph("ada.home = london\nobserve ada.letter as reader")
    #expect(
      shown(graph, .depends) == [
        "ada ada: first, last → full", "ada ada: full, home.city → letter",
      ])
    #expect(shown(graph, .forwards) == ["london ada: city → letter"])
    #expect(try self.graph("observe ada.first as reader").edges(.depends) == [])
  }

  @Test("they are said in words, in text and in each format")
  func formats() throws {
    let lines = ConnectionTests.people + "\nada.home = london\nobserve ada.letter as reader"
    let run = try GraphTests.run(lines: lines)
    let graph = Graph(run, at: run.steps.count)
    let words = graph.sentences(in: .english)
    for sentence in [
      "ada refers to london: home.", "A forwarder on london serves ada: city → letter.",
      "In ada, full depends on first, last.",
    ] {
      #expect(words.contains(sentence))
    }
    #expect(graph.sentences(in: .chinese).contains("ada 引用 london：home。"))
    let text = GraphRun.text(of: run, at: Moment(step: run.steps.count), .text)
    for line in [
      "\nreferences\n  ada -----> london: home\n",
      "\nforwarders of key paths\n  london -.-.-> ada: city → letter\n",
      "\ndependent keys\n  ada: first, last → full\n  ada: full, home.city → letter\n",
    ] {
      #expect(text.contains(line))
    }
    let svg = try Element.parsed(GraphRun.text(of: run, at: Moment(step: run.steps.count), .svg))
    for kind in ["refers", "forwards", "depends"] {
      let drawn = svg.with(class: kind).filter { !$0["data-id"].isEmpty }
      #expect(drawn.count == graph.edges.count { $0.kind.rawValue == kind })
    }
  }

  @Test("no two edges between objects run in the same place", arguments: GraphTests.scenarios)
  func gutters(_ name: String) throws {
    let run = try GraphTests.run(name)
    let layout = GraphLayout(GraphCourse(run).union)
    let rows = layout.objectRows
    let inner = layout.edges.filter { layout.isInner($0) && $0.kind != .depends }
    for (index, edge) in inner.enumerated() {
      let span = span(edge, rows)
      for other in inner[(index + 1)...] where layout.gutters[edge.id] == layout.gutters[other.id] {
        #expect(!span.overlaps(self.span(other, rows)), "\(edge.id) and \(other.id)")
      }
    }
    for id in layout.columns[1].ids {
      let place = layout.place(id)
      for edge in layout.leftEdges[id] ?? [] where edge.from == id {
        #expect((1..<place.height).contains(layout.ports[edge.id] ?? -1))
      }
    }
  }

  private func span(_ edge: Graph.Edge, _ rows: [String: Int]) -> ClosedRange<Int> {
    let ends = [edge.from, edge.to].compactMap { rows[$0] }.sorted()
    return ends[0]...ends[1]
  }

  @Test("the legend explains the kinds of lines that are there, in rows that fit every width")
  func legend() throws {
    let plain = try graph("ada.first = \"Ada\"")
    let text = GraphLegend(plain.edges, .english).group(at: 0, width: 600)
    #expect(text.contains("superclass") && !text.contains("forwarder"))
    let all = try graph("ada.home = london\nobserve ada.letter as reader")
    let legend = GraphLegend(all.edges, .english)
    #expect(legend.caption().contains("dependent key"))
    for width in [240, 400, 1200] {
      let group = try Element.parsed(legend.group(at: 0, width: width))
      let ends = group.all.filter { $0.name == "text" }.map {
        (Int($0["x"]) ?? 0) + $0.text.columns * 7
      }
      #expect(ends.count == 7 && ends.allSatisfy { $0 <= width - GraphLayout.Measure.margin })
    }
  }
}
