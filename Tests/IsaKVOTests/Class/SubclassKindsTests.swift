import Foundation
import IsaKVO
import IsaKVOTestSupport
import Observation
import Testing

private final class Document: KVObject, Codable {
  @Dynamic var title = "untitled"
  @Dynamic var pages = 1
  @Dynamic var note: String?
}

private final class Version: KVObject, Comparable, Identifiable {
  @Dynamic var number: Int
  let id: String

  init(_ number: Int) {
    self.number = number
    id = "v\(number)"
  }

  static func < (first: Version, second: Version) -> Bool { first.number < second.number }
  override func isEqual(_ object: Any?) -> Bool { (object as? Version)?.number == number }
  override var hash: Int { number }
}

private final class Pair<Value: Hashable>: KVObject {
  @Dynamic var value: Value

  init(_ value: Value) { self.value = value }

  override func isEqual(_ object: Any?) -> Bool { (object as? Pair)?.value == value }
  override var hash: Int { value.hashValue }
  override var description: String { "pair of \(value)" }
}

@Observable
private final class Beside: KVObject {
  @ObservationIgnored @Dynamic var name = ""
  var note = ""
}

@MainActor
private final class Screen: KVObject, Sendable {
  @Dynamic var title = ""
  nonisolated let number: Int

  init(_ number: Int) { self.number = number }

  nonisolated override func isEqual(_ object: Any?) -> Bool {
    (object as? Screen)?.number == number
  }
  nonisolated override var hash: Int { number }
  nonisolated override var description: String { "screen \(number)" }
}

@Suite(.serialized, .leavesNoObjects)
struct SubclassKindsTests {
  @Test("a Codable class is coded by its properties, and nothing of the base class's")
  func codable() throws {
    let document = Document()
    document.title = "a"
    document.note = "b"
    let token = document.observe(\.title) { _, _ in }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(document)
    #expect(String(decoding: data, as: UTF8.self).contains("\"a\""))
    #expect(!String(decoding: data, as: UTF8.self).contains("hash"))
    let copy = try JSONDecoder().decode(Document.self, from: data)
    #expect(copy.title == "a" && copy.pages == 1 && copy.note == "b" && copy != document)
    token.invalidate()
  }

  @Test("a Comparable and Identifiable class is sorted and told apart by its own")
  func comparable() {
    let versions = [Version(2), Version(1)]
    #expect(versions.sorted().map(\.id) == ["v1", "v2"] && versions.max() == Version(2))
    #expect(Version(1) <= Version(1) && Version(1) < Version(2))
  }

  @Test("a generic class states equality by what it holds")
  func generic() {
    #expect(Pair("a") == Pair("a") && Pair("a") != Pair("b"))
    #expect(!Pair("1").isEqual(Pair(1)))
    #expect(Set([Pair(1), Pair(1)]).count == 1 && "\(Pair(3))" == "pair of 3")
  }

  @Test("a class of the standard library's @Observable is observed by both")
  func observable() throws {
    let beside = Beside(), told = Recorder<String>()
    let token = beside.observe(\.name, options: .new) { told.add($1.newValue!) }
    withObservationTracking {
      _ = beside.note
    } onChange: {
      told.add("note")
    }
    beside.name = "a"
    beside.note = "b"
    #expect(told.all == ["a", "note"] && beside == beside && [beside].contains(beside))
    token.invalidate()
  }

  @Test("a class of the main actor says anywhere what its objects are equal to")
  func mainActor() async {
    let one = await Screen(1), same = await Screen(1)
    #expect(one == same && Set([one, same]).count == 1 && "\(one)" == "screen 1")
    await MainActor.run {
      one.title = "a"
      #expect([one].firstIndex(of: same) == 0)
    }
  }
}
