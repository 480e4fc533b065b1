import IsaRuntime
import Testing

@testable import isalab

/// How much a run and its page do, by counts: the same for each thing that is added.
@Suite("The work of a run grows with what happens", .serialized, .oneAtATime)
struct GrowthTests {
  /// Looks at objects, parts of drawings made anew, and bytes of a page.
  private struct Work {
    var looks = 0
    var parts = 0
    var bytes = 0
    var events = 0
  }

  private func work(_ lines: String) throws -> Work {
    let program = try ScenarioFile.program(of: lines, file: "test.kvo")
    var work = Work()
    let run = Runner.run(program, limit: 100_000) { world, _ in work.looks = world.watch.looks }
    #expect(run.stopped == nil)
    work.events = run.steps.map(\.events.count).reduce(0, +)
    var graph = Graph(program.symbols, in: .english)
    for number in 0...run.steps.count {
      for state in run.states(ofStep: number) {
        let changes = graph.follow(state)
        work.parts += changes.nodes.count + changes.edges.count
      }
    }
    work.bytes = Page(run: run, title: "growth").html().utf8.count
    return work
  }

  enum Growing: CaseIterable {
    case objects, classes, events

    func lines(_ count: Int) -> String {
      let each = 1...count
      switch self {
      case .objects:
        return "class Person {\n  name: string\n  age: int\n}\n"
          + each.map { "let p\($0) = Person()\n" }.joined()
          + each.map { "observe p\($0).age options(old, new) as w\($0)\n" }.joined()
          + each.map { "p\($0).age = \($0)\n" }.joined()
      case .classes:
        return each.map {
          "class C\($0) { x: int }\nlet a\($0) = C\($0)()\nobserve a\($0).x as w\($0)\na\($0).x = 4\n"
        }.joined()
      case .events:
        return "class P { x: int }\nlet a = P()\nobserve a.x options(old, new) as w\n"
          + each.map { "a.x = \($0)\n" }.joined()
      }
    }
  }

  @Test(
    "as many objects, classes or events more are as much work more",
    arguments: Growing.allCases)
  func growth(_ kind: Growing) throws {
    let works = try [36, 48, 60].map { try work(kind.lines($0)) }
    for count in [\Work.looks, \.parts, \.bytes, \.events] {
      let counts = works.map { $0[keyPath: count] }
      let (first, second) = (counts[1] - counts[0], counts[2] - counts[1])
      #expect(first > 0 && Double(second) < 1.1 * Double(first), "\(first), \(second)")
    }
  }

  @Test("a page of a hundred objects has no more than a kilobyte for each event")
  func page() throws {
    let work = try work(Growing.objects.lines(100))
    #expect(work.bytes / work.events < 1024)
  }

  @Test("classes far below each other are run and drawn; a page says where its limit is")
  func depth() throws {
    let classes = (1...300).map { "class C\($0): C\($0 - 1) { x\($0): int }\n" }.joined()
    let lines = "class C0 { x: int }\n" + classes + "let a = C300()\nobserve a.x as w\na.x = 3\n"
    let run = try GraphTests.run(lines: lines)
    #expect(run.stopped == nil && run.steps.last?.deliveries.count == 1)
    #expect(Graph(run, at: run.steps.count).nodes.count { $0.role.isClass } == 303)
    let output = Output()
    let code = ExportRun(console: output.console).page(of: lines, file: "deep.kvo", to: "-")
    #expect(code == 2 && output.out.isEmpty)
    #expect(
      output.err == [
        "deep.kvo:257:1: C256 stands below more classes than a page shows, "
          + "expected at most 256 classes above one"
      ])
  }
}
