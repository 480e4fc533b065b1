import Foundation
import Testing

@testable import isalab

@Suite("A crowd of objects", .serialized, .oneAtATime)
struct CrowdTests {
  private static let count = 100

  /// A hundred people, some of whom are observed and change.
  private static let lines = """
    class Person {
      name: string
      age: int
      friend: Person
    }

    """
    + (1...count).map { "let p\($0) = Person()\n" }.joined()
    + (1...10).map { "p\($0 * 10).friend = p\($0)\n" }.joined()
    + (1...10).map { "observe p\($0 * 10).age options(old, new) as w\($0 * 10)\n" }.joined()
    + (1...10).map { "p\($0 * 10).age = \($0)\n" }.joined()

  @Test("makes a page of less than two megabytes, and each step shows what it touches")
  func page() throws {
    let run = try GraphTests.run(lines: CrowdTests.lines)
    #expect(run.stopped == nil)
    let html = Page(run: run, title: "crowd").html()
    #expect(html.utf8.count < 2_000_000)
    let page = try ParsedPage(html)
    #expect(page.steps.count == run.steps.count + 1)
    let last = try #require(page.moments.last?["drawing"] as? [String: Any])
    #expect((last["nodes"] as? [String: Any])?.count == page.nodes(at: run.steps.count).count)
    let touched = try #require(last["touched"] as? [String])
    #expect(
      Set(touched).isSuperset(of: ["obj#100", "observer w100", "class NSKVONotifying_Person"]))
    #expect(!touched.contains("obj#99"))
    let close = try #require(last["close"] as? [String: Any])
    #expect(Set((close["tops"] as? [String: Int] ?? [:]).keys) == Set(touched))
    #expect((close["height"] as? Int ?? .max) < 1000)
  }

  @Test("a step touches what its line names, what its events are about, and what it changes")
  func touched() throws {
    let run = try GraphTests.run(
      lines: """
        class Person { age: int, friend: Person }
        let ada = Person()
        let bob = Person()
        let eve = Person()
        ada.friend = bob
        observe ada.friend.age as watcher
        bob.age = 3
        expect watcher count 1
        """)
    let sets = Touched(run: run, graphs: Graph.all(of: run)).all().map { ids in
      ids.filter { !$0.contains("class ") }.sorted()
    }
    #expect(sets[0] == [])
    #expect(sets[2] == ["obj#1"])
    #expect(sets[5] == ["obj#1", "obj#2"])
    #expect(sets[6] == ["obj#1", "obj#2", "observer watcher"])
    #expect(sets[7] == ["obj#1", "obj#2", "observer watcher"])
    #expect(sets[8] == ["observer watcher"])
  }
}

@Suite("Packed JSON")
struct PackedJSONTests {
  @Test("reads as what was packed, whatever changes from one element to the next")
  func round() throws {
    let many = Dictionary(uniqueKeysWithValues: (0..<20).map { ("k\($0)", $0) })
    var fewer = many
    fewer["k3"] = nil
    fewer["k4"] = -4
    fewer["new"] = 7
    let elements: [[String: Any]] = [
      ["text": "a", "list": ["x", "y", "z"], "map": many, "flag": true, "none": NSNull()],
      ["text": "a", "list": ["x", "q", "r", "z"], "map": fewer, "flag": false, "none": NSNull()],
      ["text": "<b>", "list": [], "map": fewer, "flag": false, "none": 1],
      ["text": "<b>", "list": [["a": 1], ["a": 2, "b": [3]]], "map": [:] as [String: Int]],
    ]
    let whole: [String: Any] = ["words": ["isa": "isa"], "moments": elements]
    let data = try JSONSerialization.data(withJSONObject: whole)
    let packed = try #require(PackedJSON.packed(data, list: "moments"))
    let read = try JSONSerialization.jsonObject(with: Data(packed.utf8))
    let unpacked = Unpacked(try #require(read as? [String: Any])).data
    #expect(try text(unpacked) == text(whole))
  }

  private func text(_ value: [String: Any]) throws -> String {
    let data = try JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
    return String(decoding: data, as: UTF8.self)
  }

  @Test("is nothing where there is no such list")
  func malformed() {
    #expect(PackedJSON.packed(Data("[1]".utf8), list: "moments") == nil)
    #expect(PackedJSON.packed(Data("{\"moments\":1}".utf8), list: "moments") == nil)
  }
}
