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
    let sets = GraphCourse(run).touched.map { ids in
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
  private static let many = Dictionary(
    uniqueKeysWithValues: (0..<20).map { ("k\($0)", JSON.number($0)) })

  /// What a moment of a page may have: values of each kind, some of which come and go.
  private static let moments: [JSON] = {
    var fewer = many
    fewer["k3"] = nil
    (fewer["k4"], fewer["new"]) = (.number(-4), .number(7))
    return [
      [
        "text": .text("a"), "list": .texts(["x", "y", "z"]), "map": .map(many), "flag": .flag(true),
      ],
      [
        "text": .text("a"), "list": .texts(["x", "q", "r", "z"]), "map": .map(fewer),
        "flag": .flag(false),
      ],
      ["text": .text("<b>"), "list": .list([]), "map": .map(fewer), "flag": .flag(false)],
      [
        "text": .text("<b>"), "list": .list([["a": .number(1)], ["b": .list([])]]),
        "map": .map([:]),
      ],
    ]
  }()

  private func unpacked(_ packer: PackedJSON, _ root: String, _ moments: [String]) throws -> [Any] {
    let whole = packer.whole(root: root, "moments", moments)
    #expect(!whole.contains("<"))
    let read = try JSONSerialization.jsonObject(with: Data(whole.utf8))
    let data = Unpacked(try #require(read as? [String: Any])).data
    return try #require(data["moments"] as? [Any])
  }

  private func same(_ one: Any, _ json: JSON) throws -> Bool {
    func text(_ value: Any) throws -> Data {
      try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
    }
    return try text(one) == text(json.plain)
  }

  @Test("reads as what was packed, whatever changes from one element to the next")
  func values() throws {
    var packer = PackedJSON(), value = PackedValue(), written: [String] = []
    for moment in PackedJSONTests.moments {
      value.now = moment
      written.append(written.isEmpty ? value.whole(&packer) : value.takeDelta(&packer))
    }
    let root = packer.value(["words": .map([:])])
    let read = try unpacked(packer, root, written)
    for (one, json) in zip(read, PackedJSONTests.moments) { #expect(try same(one, json)) }
    #expect(value.takeDelta(&packer) == "0")
  }

  @Test("reads as what was put into rows and maps, one at a time, in whatever order")
  func parts() throws {
    // A congruential generator's upper bits.
    var seed: UInt32 = 7
    func random(below limit: Int) -> Int {
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return Int(seed >> 16) % limit
    }
    var packer = PackedJSON(), rows = PackedRows(), map = PackedMap()
    var model: [Int: Int] = [:], expected: [JSON] = [], written: [String] = []
    for moment in 0..<200 {
      // A map's key is put once a moment; a row any number of times.
      var keys: Set<Int> = []
      for _ in 0..<random(below: 4) {
        let number = random(below: 9), value = random(below: 3)
        model[number] = value == 0 ? nil : value
        rows.put(model[number].map { ["v": .number($0)] }, at: number, &packer)
        keys.insert(number)
      }
      for key in keys { map.put(model[key].map { .number($0) }, at: "k\(key)", &packer) }
      written.append(
        moment == 0
          ? packer.record(["map", "rows"], [map.whole(&packer), rows.whole(&packer)])
          : PackedJSON.recordDelta([map.takeDelta(), rows.takeDelta()]))
      expected.append([
        "map": .map(Dictionary(uniqueKeysWithValues: model.map { ("k\($0)", .number($1)) })),
        "rows": .list(model.sorted { $0.key < $1.key }.map { ["v": .number($0.value)] }),
      ])
    }
    let root = packer.value([:])
    let read = try unpacked(packer, root, written)
    for (one, json) in zip(read, expected) { #expect(try same(one, json)) }
    #expect(read.count == 200)
  }
}

extension JSON {
  /// As Foundation has it.
  fileprivate var plain: Any {
    switch self {
    case .number(let number): number
    case .flag(let flag): flag
    case .text(let text): text
    case .list(let items): items.map(\.plain)
    case .record(let keys, let values):
      Dictionary(uniqueKeysWithValues: zip(keys, values.map(\.plain)))
    case .map(let map): map.mapValues(\.plain)
    }
  }
}
