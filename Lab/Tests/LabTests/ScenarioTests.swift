import Foundation
import Testing

@testable import isalab

@Suite("Scenarios", .serialized, .oneAtATime)
struct ScenarioTests {
  static let examples =
    ((try? FileManager.default.contentsOfDirectory(atPath: Folder.scenarios.path)) ?? [])
    .filter { $0.hasSuffix(".kvo") }.sorted()

  @Test("the examples are there")
  func present() {
    let names = [
      "bulk", "changes", "dependent-keys", "key-paths", "lifetimes", "manual", "message",
      "operators",
      "order", "ordered", "person", "poke", "profile", "proxies", "reading", "reentrancy",
      "registration", "removal", "shared", "swap-back", "threads", "unordered", "writing",
    ]
    #expect(Set(names.map { $0 + ".kvo" }).isSubset(of: ScenarioTests.examples))
  }

  @Test("each example meets its expectations and reads as recorded", arguments: examples)
  func example(_ name: String) throws {
    let before = liveCounts()
    let file = Folder.scenarios.appendingPathComponent(name)
    let text = try String(contentsOf: file, encoding: .utf8)
    let (code, output) = runScenario(text, file: name)
    #expect(code == 0)
    #expect(output.err == [])
    #expect(try matchesTranscript(output.text, String(name.dropLast(4))))
    #expect(liveCounts() == before)
  }

  @Test("a second run says the same as the first, the event log included", arguments: examples)
  func deterministic(_ name: String) throws {
    let file = Folder.scenarios.appendingPathComponent(name)
    let text = try String(contentsOf: file, encoding: .utf8)
    let options = TextOptions(showsTrace: true)
    #expect(runScenario(text, options).output.text == runScenario(text, options).output.text)
  }

  @Test("the event log tells what caused what")
  func trace() throws {
    let lines = "class K { x: int }\nlet c = K()\nobserve c.x as t\nc.x = 1\n"
    let events = try #require(try steps(lines).last).events
    let kinds = events.map(\.kind)
    let expected: [Event.Kind] = [
      .message, .wrapperEntered, .willChange, .notification, .didChange,
    ]
    for kind in expected { #expect(kinds.contains(kind)) }
    let notification = try #require(events.first { $0.kind == .notification })
    #expect(events.contains { $0.id == notification.cause })
  }

  @Test("objects that hold each other do not outlive the scenario")
  func cycle() {
    let before = liveCounts()
    let lines = """
      class K { other: object }
      let a = K()
      let b = K()
      a.other = b
      b.other = a
      observe a.other as t
      release b
      expect alive b == true
      release a
      expect alive a == true
      """
    #expect(runScenario(lines).code == 0)
    #expect(liveCounts() == before)
  }

  @Test("a weak property is empty once its object is gone")
  func weakProperty() {
    let lines = """
      class K { other: object weak }
      let a = K()
      let b = K()
      a.other = b
      expect a.other == b
      release b
      expect alive b == false
      expect a.other == nil
      """
    #expect(runScenario(lines).code == 0)
  }

  @Test("poking an object keeps it alive as the setter would")
  func pokeObject() {
    let before = liveCounts()
    let lines = """
      class K { other: object, name: string }
      let a = K()
      let b = K()
      poke a.other = b
      poke a.name = "text"
      poke a.name = "another"
      expect a.name == "another"
      expect retain-count b == 2
      poke a.other = nil
      expect retain-count b == 1
      """
    #expect(runScenario(lines).code == 0)
    #expect(liveCounts() == before)
  }

  @Test("an observer that does not handle the message is a misuse that an expectation can name")
  func unhandled() {
    let lines = """
      class K { x: int }
      let c = K()
      let deaf = K()
      observe c.x by deaf
      c.x = 1
      expect error NSInternalInconsistencyException
      expect c.x == 1
      """
    #expect(runScenario(lines).code == 0)
  }

  @Test("an observer may end its registration inside its own initial notification")
  func endInInitial() {
    let lines = """
      class K { x: int }
      let k = K()
      when once hears: remove once
      observe k.x options(initial, new) as once
      expect once count 1
      expect isa k == K
      k.x = 1
      expect once count 1
      remove once
      """
    let (code, output) = runScenario(lines)
    #expect(code == 0)
    #expect(output.err == [])
    #expect(output.text.contains("once had ended already"))
  }

  @Test("who is told inside a callback must be named somewhere")
  func neverNamed() {
    let lines = """
      class K { x: int }
      let k = K()
      observe k.x as t
      when nobody hears: remove t
      when t hears: remove nobody
      """
    let (code, output) = runScenario(lines)
    #expect(code == 2)
    #expect(output.err.joined().contains("test.kvo:4:6: unknown observer 'nobody'"))
    #expect(output.err.joined().contains("test.kvo:5:22: unknown observer 'nobody'"))
  }

  @Test("a number at the end of a path may be missing, and is shown as what it is")
  func numberOnPath() {
    let lines = """
      struct Point { x: double, y: double }
      class K { weight: double, at: Point, next: K, name: string }
      let k = K()
      let n = K()
      observe k.next.weight as t
      observe k.next.at as u
      n.weight = 2.5
      n.at = (1, 2)
      k.next = n
      expect t last old nil new 2.5
      expect u last old nil new (1, 2)
      n.weight = 3
      expect t last of k old 2.5 new 3
      expect k.next.weight == 3
      expect k.next.at == (x: 1, y: 2)
      expect k.next.next.weight == nil
      k.next = nil
      expect t last old 3 new nil
      expect u last old (x: 1, y: 2) new nil
      """
    let (code, output) = runScenario(lines)
    #expect(code == 0)
    #expect(output.err == [])
    #expect(output.text.contains("old nil, new (x: 1, y: 2)"))
  }
}
