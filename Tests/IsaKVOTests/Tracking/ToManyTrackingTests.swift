import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Observation
import Testing

@Suite("Trackings of what proxies read", .serialized, .oneAtATime)
struct ToManyTrackingTests {
  /// An object with a property of each kind that a proxy finds in its own way.
  private final class Group: KVObject {
    @Dynamic var members = ["a", "b"]
    @Dynamic var tags: Set<String> = ["x"]
    @Dynamic var other = 0
    private var storedNotes = ["n"]
    private var storedMarks: Set<String> = ["m"]

    override class var keys: [KeyDeclaration] {
      [.key("notes", \Group.notes), .key("marks", \Group.marks)]
    }

    var notes: [String] {
      get { storedNotes }
      set { storedNotes = newValue }
    }
    var marks: Set<String> {
      get { storedMarks }
      set { storedMarks = newValue }
    }

    /// Announces a change of those that have no wrapper.
    func change(_ body: (Group) -> Void) {
      withChanges(of: [\Group.notes, \Group.marks]) { body(self) }
    }
  }

  private struct Reading<Proxy>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let read: @Sendable (Proxy) -> Void

    init(_ name: String, _ read: @escaping @Sendable (Proxy) -> Void) {
      testDescription = name
      self.read = read
    }
  }

  private static let ofArrays: [Reading<ArrayProxy<String>>] = [
    Reading("elements") { _ = $0.elements },
    Reading("count") { _ = $0.count },
    Reading("isEmpty") { _ = $0.isEmpty },
    Reading("an index") { _ = $0[0] },
    Reading("a range") { _ = $0[0..<1] },
    Reading("a range without an end") { _ = $0[0...] },
    Reading("first") { _ = $0.first },
    Reading("a loop") { for _ in $0 {} },
    Reading("map") { _ = $0.map(\.count) },
    Reading("filter") { _ = $0.filter { _ in true } },
    Reading("contains") { _ = $0.contains("a") },
    Reading("text") { _ = $0.description },
  ]

  private static let ofSets: [Reading<SetProxy<String>>] = [
    Reading("elements") { _ = $0.elements },
    Reading("count") { _ = $0.count },
    Reading("isEmpty") { _ = $0.isEmpty },
    Reading("contains") { _ = $0.contains("x") },
    Reading("a loop") { for _ in $0 {} },
    Reading("text") { _ = $0.description },
  ]

  @Test("reads of an array are tracked", arguments: ofArrays)
  private func arrays(reading: Reading<ArrayProxy<String>>) {
    let group = Group()
    let members = group.mutableArrayValue(for: \.members)
    let notes = group.mutableArrayValue(for: \.notes)
    #expect(
      fires {
        reading.read(members)
      } while: {
        group.members.append("c")
      } == 1)
    #expect(
      fires {
        reading.read(members)
      } while: {
        members.append("d")
      } == 1)
    #expect(
      fires {
        reading.read(members)
      } while: {
        group.other = 1
      } == 0)
    #expect(
      fires {
        reading.read(notes)
      } while: {
        group.change { $0.notes = ["o", "p"] }
      } == 1)
    #expect(
      fires {
        reading.read(notes)
      } while: {
        notes.append("q")
      } == 1)
    #expect(
      fires {
        reading.read(notes)
      } while: {
        group.members = ["z"]
      } == 0)
  }

  @Test("reads of a set are tracked", arguments: ofSets)
  private func sets(reading: Reading<SetProxy<String>>) {
    let group = Group()
    let tags = group.mutableSetValue(for: \.tags), marks = group.mutableSetValue(for: \.marks)
    #expect(
      fires {
        reading.read(tags)
      } while: {
        group.tags.insert("y")
      } == 1)
    #expect(
      fires {
        reading.read(tags)
      } while: {
        tags.insert("z")
      } == 1)
    #expect(
      fires {
        reading.read(tags)
      } while: {
        group.other = 1
      } == 0)
    #expect(
      fires {
        reading.read(marks)
      } while: {
        group.change { $0.marks = ["o"] }
      } == 1)
    #expect(
      fires {
        reading.read(marks)
      } while: {
        marks.insert("p")
      } == 1)
    #expect(
      fires {
        reading.read(marks)
      } while: {
        group.tags = ["z"]
      } == 0)
  }

  @Test("reads by name are tracked: arrays and sets")
  func named() throws {
    let group = Group()
    let members = try group.mutableArrayValue(forKey: "members")
    let tags = try group.mutableSetValue(forKey: "tags")
    #expect(
      fires {
        _ = members.elements
      } while: {
        group.members.append("c")
      } == 1)
    #expect(
      fires {
        _ = try? members.element(at: 0)
      } while: {
        group.members[0] = "d"
      } == 1)
    #expect(
      fires {
        _ = members.contains("d")
      } while: {
        group.members[0] = "e"
      } == 1)
    #expect(
      fires {
        _ = tags.elements
      } while: {
        group.tags.insert("y")
      } == 1)
    #expect(
      fires {
        _ = tags.contains("y")
      } while: {
        group.tags.remove("y")
      } == 1)
    #expect(
      fires {
        _ = members.elements
      } while: {
        group.tags = []
      } == 0)
  }

  @Test("a change through a proxy is no read of it")
  func changes() {
    let group = Group()
    let members = group.mutableArrayValue(for: \.members)
    let tags = group.mutableSetValue(for: \.tags)
    let changing = Fires()
    changing.track {
      members.append("c")
      members.append(contentsOf: ["d"])
      members.insert("e", at: 0)
      members[0] = "f"
      members.swapAt(0, 1)
      members.sort()
      members.removeAll { $0 == "f" }
      members.removeLast()
      members.removeSubrange(1...)
      members.replaceSubrange(0..<1, with: ["g", "h"])
      members.setElements(["i"])
      tags.insert("y")
      tags.formUnion(["z"])
      tags.remove("z")
      tags.setElements(["w"])
    }
    members.append("j")
    tags.insert("v")
    #expect(changing.value == 0)
    #expect(group.members == ["i", "j"] && group.tags == ["w", "v"])
  }

  @Test("a proxy that is read in a tracking leaves nothing behind once nobody reads it")
  func ends() throws {
    let group = Group()
    let members = group.mutableArrayValue(for: \.members)
    #expect(
      fires {
        _ = members.count
      } while: {
        members.append("c")
      } == 1)
    members.append("d")
    #expect(try RuntimeObject(group).registrations.isEmpty)
  }
}
