import Foundation
import Testing

@testable import isalab

@Suite("The graph of a step", .serialized, .oneAtATime)
struct GraphTests {
  static let scenarios = [
    "person", "key-paths", "controller", "lifetimes", "swap-back", "shared", "profile",
    "registration",
  ]

  static func run(_ name: String) throws -> Run {
    let file = Folder.scenarios.appendingPathComponent(name + ".kvo")
    let text = try String(contentsOf: file, encoding: .utf8)
    return Runner.run(try ScenarioFile.program(of: text, file: name + ".kvo"))
  }

  static func run(lines: String) throws -> Run {
    Runner.run(try ScenarioFile.program(of: lines, file: "test.kvo"))
  }

  // MARK: The model

  @Test("each object's isa goes to the class that the state says", arguments: scenarios)
  func isas(_ name: String) throws {
    let run = try GraphTests.run(name)
    for step in 0...run.steps.count {
      let graph = Graph(run, at: step)
      let isas = graph.edges(.isa).filter { graph.node($0.from)?.role == .object }
      let state = run.state(at: step)
      #expect(isas.map(\.from) == state.objects.map(\.symbol))
      #expect(isas.map(\.to) == state.objects.map { "class \($0.isa)" })
      for (edge, object) in zip(isas, state.objects)
      where state.cls(object.isa)?.isNotifying == true {
        #expect(edge.isSwapped, "\(object.name) at step \(step)")
      }
    }
  }

  @Test("who observes is who is registered", arguments: scenarios)
  func observers(_ name: String) throws {
    let run = try GraphTests.run(name)
    for step in 0...run.steps.count {
      let graph = Graph(run, at: step)
      var drawn: Set<String> = []
      for edge in graph.edges(.observes) {
        drawn.insert("\(graph.node(edge.from)?.name ?? "?") \(graph.node(edge.to)?.name ?? "?")")
      }
      let registrations = run.state(at: step).objects.flatMap { object in
        object.registrations.filter { $0.root == nil }.map { "\($0.observer) \(object.name)" }
      }
      #expect(drawn == Set(registrations), "step \(step)")
    }
  }

  @Test("every edge leads from a node to a node", arguments: scenarios)
  func complete(_ name: String) throws {
    let run = try GraphTests.run(name)
    let state = try #require(run.steps.last?.state)
    let graph = Graph(run, at: run.steps.count)
    for cls in state.classes where !cls.isBuiltIn {
      let up = graph.edges(.superclass).filter { $0.from == "class \(cls.name)" }
      #expect(up.map(\.to) == cls.superclass.map { ["class \($0)"] })
      #expect(graph.edges.contains { $0.kind == .isa && $0.to == "metaclass \(cls.name)" })
    }
    #expect(Set(graph.nodes.map(\.id)).count == graph.nodes.count)
    #expect(Set(graph.edges.map(\.id)).count == graph.edges.count)
  }

  @Test("the start has the root class and nothing else")
  func start() throws {
    let graph = Graph(try GraphTests.run("key-paths"), at: 0)
    #expect(graph.nodes.map(\.id) == ["class IsaObject", "metaclass IsaObject"])
    #expect(graph.edges(.superclass).map(\.from) == ["metaclass IsaObject"])
    #expect(graph.edges(.superclass).map(\.to) == ["class IsaObject"])
  }

  @Test("a built-in class is there once an object of the scenario has it, with those above it")
  func builtIn() throws {
    let run = try GraphTests.run(lines: "class Person { x: int }\nlet list = [1]\nobserver o\n")
    let classes = (0...3).map { step in
      Graph(run, at: step).nodes.filter { $0.role.isClass }.map(\.name)
    }
    #expect(classes[1] == ["IsaObject", "Person"])
    #expect(classes[2].contains("IsaArray") && !classes[2].contains("Observer"))
    #expect(classes[3].contains("Observer"))
    let graph = Graph(run, at: 2)
    #expect(graph.edges(.superclass).contains { $0.from == "class IsaArray" })
  }

  @Test("an isa that was set by hand is swapped, and one that was put back is not")
  func byHand() throws {
    let run = try GraphTests.run(
      lines: """
        class Person { x: int }
        class Child : Person {}
        let ada = Person()
        isa ada = Child
        isa ada = Person
        """)
    let swapped = (3...5).map { Graph(run, at: $0).edges.first?.isSwapped }
    #expect(swapped == [false, true, false])
  }

  // MARK: The layout

  @Test(
    "objects are left of classes and these of metaclasses; nothing overlaps", arguments: scenarios)
  func places(_ name: String) throws {
    let run = try GraphTests.run(name)
    let layout = GraphLayout(GraphCourse(run).union)
    let places = layout.nodes.map { layout.place($0.id) }
    for (index, place) in places.enumerated() {
      #expect(place.x >= 0 && place.y >= 0)
      #expect(place.right <= layout.width && place.bottom <= layout.height)
      for other in places[(index + 1)...] {
        let overlaps =
          place.x < other.right && other.x < place.right && place.y < other.bottom
          && other.y < place.bottom
        #expect(!overlaps)
      }
    }
    func right(_ isMember: (Graph.Role) -> Bool) -> Int {
      layout.nodes.filter { isMember($0.role) }.map { layout.place($0.id).right }.max() ?? 0
    }
    func left(_ isMember: (Graph.Role) -> Bool) -> Int {
      layout.nodes.filter { isMember($0.role) }.map { layout.place($0.id).x }.min() ?? Int.max
    }
    #expect(right { $0 == .object || $0 == .observer } < left(\.isClass))
    #expect(right(\.isClass) < left(\.isMetaclass))
  }

  @Test("labels stand apart from each other and from nodes", arguments: scenarios)
  func labels(_ name: String) throws {
    let run = try GraphTests.run(name)
    let layout = GraphLayout(GraphCourse(run).union)
    let boxes = layout.edges.compactMap { edge -> (Int, Int, Int, Int)? in
      guard let label = layout.path(of: edge).label else { return nil }
      let half = edge.kind == .isa ? 38 : (layout.labelWidth(of: edge) ?? 0) / 2
      return (label.x - half, label.x + half, label.y - 11, label.y + 11)
    }
    let nodes = layout.nodes.map { layout.place($0.id) }.map { ($0.x, $0.right, $0.y, $0.bottom) }
    for (index, box) in boxes.enumerated() {
      for other in nodes + boxes[(index + 1)...].map({ ($0.0, $0.1, $0.2 + 4, $0.3 - 4) }) {
        let overlaps = box.0 < other.1 && other.0 < box.1 && box.2 < other.3 && other.2 < box.3
        #expect(!overlaps, "\(box) and \(other)")
      }
    }
  }

  @Test("a long name is broken into lines that fit")
  func longNames() throws {
    let name = "A" + String(repeating: "_very_long", count: 9)
    let run = try GraphTests.run(
      lines: "class \(name) { x: int }\nlet a = \(name)()\nobserve a.x as t\n")
    let layout = GraphLayout(Graph(run, at: 3))
    let place = layout.place("class NSKVONotifying_\(name)")
    #expect(place.lines.joined() == "NSKVONotifying_\(name)")
    #expect(place.lines.allSatisfy { $0.count <= GraphLayout.Measure.longestName })
    #expect(place.lines.count * GraphLayout.Measure.lineHeight < place.height)
  }
}
