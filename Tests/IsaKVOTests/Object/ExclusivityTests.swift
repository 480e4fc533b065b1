import Foundation
import IsaKVO
import IsaKVOTestModels
import IsaKVOTestSupport
import IsaRuntime
import Testing

/// Swift forbids typed accesses that overlap; the library forbids those by name and by proxy.
@Suite(.serialized, .leavesNoObjects)
struct ExclusivityTests {
  @Test("a property is not set by name while an access to it is open")
  func settingByName() async {
    await #expect(processExitsWith: .success) {
      expectStops { row, object in try object.setValue(row.value, forKey: row.key) }
      expectStops { row, object in try object.setValuesForKeys([row.key: row.value]) }
    }
  }

  @Test("a property is not read by name while it is being modified")
  func readingByName() async {
    await #expect(processExitsWith: .success) {
      expectStops { row, object in _ = try object.value(forKey: row.key) }
      expectStops { row, object in _ = try object.dictionaryWithValues(forKeys: [row.key]) }
      expectStops { row, object in _ = try RuntimeObject(object).value(forKey: row.key) }
    }
  }

  @Test("a key path neither sets nor reads at its end what an access is open to")
  func paths() async {
    await #expect(processExitsWith: .success) {
      expectStops { row, object in
        try Slot(object).setValue(row.value, forKeyPath: "content.\(row.key)")
      }
      expectStops { row, object in
        _ = try Slot(object).value(forKeyPath: "content.\(row.key)")
      }
      expectStops(["list", "scalar", "set"]) { row, object in
        _ = try Slot([object]).value(forKeyPath: "content.\(row.key)")
      }
      expectStops(["object"]) { _, object in
        _ = try Slot(object).value(forKeyPath: "content.object.text")
      }
      expectStops(["object"]) { _, object in
        var value: Any? = "b"
        try Slot(object).validateValue(&value, forKeyPath: "content.object.text")
      }
    }
  }

  @Test("what an observed path leaves or enters is not read while it is being modified")
  func observedPaths() async {
    await #expect(processExitsWith: .success) {
      for isLeaving in [true, false] {
        expectStops { row, object in
          let slot = Slot(isLeaving ? object : nil)
          let token = try slot.observe(
            "content.\(row.key)", as: Any?.self, options: [.old, .new]
          ) { _, _ in }
          slot.content = isLeaving ? nil : object
          token.invalidate()
        }
      }
    }
  }

  @Test("an array's proxy is neither changed nor read while an access to the array is open")
  func arrayProxies() async {
    await #expect(processExitsWith: .success) {
      for change: @Sendable (ArrayProxy<Int>) -> Void in [
        { $0.append(1) }, { $0.insert(1, at: 0) }, { $0[0] = 1 }, { $0.removeLast() },
        { $0.sort() }, { _ = $0.count }, { _ = $0[0] }, { _ = $0.elements },
      ] {
        expectStops(["list"]) { _, object in change(object.mutableArrayValue(for: \.list)) }
      }
      expectStops(["list"]) { _, object in
        try object.mutableArrayValue(forKey: "list").append(1)
      }
      expectStops(["list"]) { _, object in
        _ = try object.mutableArrayValue(forKey: "list").count
      }
      expectStops(["declared"]) { _, object in
        object.mutableArrayValue(for: \.declared).append("b")
      }
    }
  }

  @Test("a set's proxy is neither changed nor read while an access to the set is open")
  func setProxies() async {
    await #expect(processExitsWith: .success) {
      for change: @Sendable (SetProxy<Int>) -> Void in [
        { $0.insert(7) }, { $0.remove(1) }, { $0.formUnion([7]) }, { $0.removeAll() },
        { _ = $0.count }, { _ = $0.contains(1) },
      ] {
        expectStops(["set"]) { _, object in change(object.mutableSetValue(for: \.set)) }
      }
      expectStops(["set"]) { _, object in try object.mutableSetValue(forKey: "set").insert(7) }
    }
  }

  @Test("the content of a generic class is neither set nor read while an access to it is open")
  func generics() async {
    await #expect(processExitsWith: .success) {
      expectStops(Slot([3, 1, 2]), [7]) { try $0.setValue([7], forKey: "content") }
      expectStops(Slot([3, 1, 2]), [7]) { _ = try $0.value(forKey: "content") }
      expectStops(Slot([3, 1, 2]), [7]) { $0.mutableArrayValue(for: \.content).append(7) }
      expectStops(Slot("a"), "b") { try $0.setValue("b", forKey: "content") }
      expectStops(Slot(1), 2) { try $0.setValue(2, forKey: "content") }
      expectStops(Slot(1), 2) { _ = try $0.value(forKey: "content") }
    }
  }

  @Test("sorting with a comparison that sets the array by name stops, as setting it there does")
  func sorting() async {
    await #expect(processExitsWith: .success) {
      for isObserved in [false, true] {
        for set: @Sendable (Overlap) throws -> Void in [
          { try $0.setValue([7, 8], forKey: "list") }, { $0.list = [7, 8] },
          { $0.mutableArrayValue(for: \.list).append(7) },
        ] {
          let object = Overlap()
          let token = isObserved ? object.observe(\.list) { _, _ in } : nil
          let end = runInChild {
            try? object.list.sort {
              try set(object)
              return $0 < $1
            }
          }
          #expect(end.isExclusivityReport, "observed: \(isObserved): \(end)")
          token?.invalidate()
        }
      }
    }
  }

  @Test("a modification through a protocol is open until it is over, also where it throws")
  func throughProtocols() async {
    struct Stop: Error {}
    await #expect(processExitsWith: .success) {
      for isObserved in [false, true] {
        for act: @Sendable (any Listing) throws -> Void in [
          { $0.list = [7, 8] }, { $0.list.append(7) }, { $0.list.removeAll() },
          { _ = $0.list.count }, { try ($0 as! Overlap).setValue([7, 8], forKey: "list") },
        ] {
          let object = Overlap(), listing: any Listing = object
          let token = isObserved ? object.observe(\.list) { _, _ in } : nil
          let end = runInChild {
            try? listing.list.sort {
              try act(listing)
              return $0 < $1
            }
          }
          #expect(end.isExclusivityReport, "observed: \(isObserved): \(end)")
          #expect(throws: Stop.self) { try listing.list.sort { _, _ in throw Stop() } }
          #expect(throws: Never.self) { try act(listing) }
          token?.invalidate()
        }
      }
    }
  }

  @Test("code that an array's proxy asks about its elements neither changes nor reads the array")
  func asking() async {
    await #expect(processExitsWith: .success) {
      for ask in asks {
        expectStops(["list"]) { _, object in
          try ask(object.mutableArrayValue(for: \.list)) {}
        }
        for act: @Sendable (Overlap) throws -> Void in [
          { $0.mutableArrayValue(for: \.list).removeLast() }, { $0.list.removeLast() },
          { try $0.setValue([7], forKey: "list") }, { _ = $0.list },
        ] {
          for isObserved in [false, true] {
            let object = Overlap()
            let token = isObserved ? object.observe(\.list) { _, _ in } : nil
            let end = runInChild {
              try? ask(object.mutableArrayValue(for: \.list)) { try act(object) }
            }
            #expect(end.isExclusivityReport, "observed: \(isObserved): \(end)")
            token?.invalidate()
          }
        }
      }
    }
  }

  @Test("a declared array that changes while its proxy asks about its elements stops by a sentence")
  func askingDeclared() async {
    await #expect(processExitsWith: .success) {
      let object = Overlap()
      object.declared = ["c", "a", "b"]
      let list = object.mutableArrayValue(for: \.declared)
      list.sort()
      #expect(object.declared == ["a", "b", "c"])
      let end = runInChild {
        list.removeAll { _ in
          object.declared.removeLast()
          return true
        }
      }
      #expect(end.errors.contains("code that was asked about its elements has changed"), "\(end)")
    }
  }

  @Test("elements whose hashes look at the set are not put into it by its proxy")
  func hashing() async {
    await #expect(processExitsWith: .success) {
      let box = OddBox(), odds = box.mutableSetValue(for: \.odds)
      #expect(runInChild { box.odds.insert(Odd(box)) }.isExclusivityReport)
      #expect(runInChild { odds.insert(Odd(box)) }.isExclusivityReport)
      let token = box.observe(\.odds) { _, _ in }
      #expect(runInChild { odds.insert(Odd(box)) }.isExclusivityReport)
      token.invalidate()
    }
  }

  @Test("the end of an old value may set the property by name", arguments: [false, true])
  func endings(isObserved: Bool) throws {
    let object = Slot<[Ending]>([]), choice = Slot<Held>(.one(Ending {}))
    var tokens: [KeyValueObservation] = []
    if isObserved {
      tokens = [
        object.observe(\.content) { _, _ in }, choice.observe(\.content) { _, _ in },
      ]
    }
    var ends = 0
    try object.setValue(
      [
        Ending {
          try object.setValue([Ending](), forKey: "content")
          ends += 1
        }
      ],
      forKey: "content")
    try object.setValue([Ending {}], forKey: "content")
    #expect(ends == 1 && object.content.isEmpty)
    for isTyped in [false, true] {
      choice.content = .one(
        Ending {
          let seen = try choice.value(forKey: "content", as: Held.self)
          if case .many(let endings) = seen, endings.count == 2 { ends += 1 }
          try choice.setValue(Held.many([]), forKey: "content")
        })
      let next = Held.many([Ending {}, Ending {}])
      if isTyped, isObserved {
        choice.content = next
      } else {
        try choice.setValue(next, forKey: "content")
      }
      if case .many(let endings) = choice.content {
        #expect(endings.isEmpty)
      } else {
        Issue.record("\(choice.content)")
      }
    }
    #expect(ends == 3)
    tokens.forEach { $0.invalidate() }
    choice.content = .one(Ending {})
  }

  @Test("code that computes a late value may set the property by name")
  func late() throws {
    final class Report: KVObject {
      @LazyDynamic var text = Report.render()
      nonisolated(unsafe) static weak var current: Report?
      static func render() -> [String] {
        #expect(throws: Never.self) { try current?.setValue(["set"], forKey: "text") }
        return ["computed"]
      }
    }
    let report = Report()
    Report.current = report
    #expect(try report.value(forKey: "text", as: [String].self) == ["computed"])
    #expect(report.text == ["computed"])
  }
}

// MARK: - Rows

/// A property of ``SubOverlap``, and a value that it may be set to.
private struct Row: Sendable {
  let key: String
  let value: any Sendable

  static let all = [
    Row(key: "scalar", value: 2), Row(key: "text", value: "b"), Row(key: "parts", value: Parts()),
    Row(key: "maybe", value: "b"), Row(key: "list", value: [7]),
    Row(key: "set", value: Set([7])), Row(key: "dictionary", value: ["b": 2]),
    Row(key: "object", value: KeyValueNull()), Row(key: "choice", value: Choice.texts(["b"])),
    Row(key: "late", value: ["b"]), Row(key: "weak", value: KeyValueNull()),
    Row(key: "declared", value: ["b"]), Row(key: "own", value: ["b"]),
  ]
}

/// Expects that `act` does what it does, and stops with Swift's report while an access to the row's
/// property is open; on an object that is observed and on one that is not.
private func expectStops(
  _ keys: [String] = Row.all.map(\.key), sourceLocation: SourceLocation = #_sourceLocation,
  _ act: (Row, SubOverlap) throws -> Void
) {
  for row in Row.all where keys.contains(row.key) {
    for isObserved in [false, true] {
      let object = SubOverlap()
      object.object = Overlap()
      let token = isObserved ? try? object.observe(row.key, as: Any.self) { _, _ in } : nil
      #expect(throws: Never.self, "\(row.key)", sourceLocation: sourceLocation) {
        try act(row, object)
      }
      object.object = Overlap()
      object.list = [3, 1, 2]
      object.set = [1, 2]
      let end = runInChild { object.hold(row.key) { try? act(row, object) } }
      #expect(
        end.isExclusivityReport, "\(row.key), observed: \(isObserved): \(end)",
        sourceLocation: sourceLocation)
      token?.invalidate()
    }
  }
}

/// The same, of a generic class.
private func expectStops<Content>(
  _ slot: Slot<Content>, _ value: Content, sourceLocation: SourceLocation = #_sourceLocation,
  _ act: (Slot<Content>) throws -> Void
) {
  for isObserved in [false, true] {
    let token = isObserved ? slot.observe(\.content) { _, _ in } : nil
    slot.content = value
    #expect(throws: Never.self, sourceLocation: sourceLocation) { try act(slot) }
    let end = runInChild { slot.hold { try? act(slot) } }
    #expect(
      end.isExclusivityReport, "observed: \(isObserved): \(end)", sourceLocation: sourceLocation)
    token?.invalidate()
  }
}

/// A call that asks code about the elements of an array.
private typealias Ask = @Sendable (ArrayProxy<Int>, () throws -> Void) throws -> Void

private let asks: [Ask] = [
  { list, act in
    try list.sort {
      try act()
      return $0 < $1
    }
  },
  { list, act in
    try list.removeAll {
      try act()
      return $0 > 1
    }
  },
  { list, act in
    _ = try list.partition {
      try act()
      return $0 > 1
    }
  },
  { list, act in
    withoutActuallyEscaping(act) { act in
      var numbers = Numbers { #expect(throws: Never.self) { try act() } }
      list.shuffle(using: &numbers)
    }
  },
]

/// Random numbers that do something when they are asked for.
private struct Numbers: RandomNumberGenerator {
  let act: () -> Void
  private var numbers = SystemRandomNumberGenerator()

  init(_ act: @escaping () -> Void) { self.act = act }

  mutating func next() -> UInt64 {
    act()
    return numbers.next()
  }
}

/// An element whose hash looks at the set that it is put into.
private final class Odd: Hashable {
  unowned let box: OddBox
  init(_ box: OddBox) { self.box = box }
  static func == (first: Odd, second: Odd) -> Bool { first === second }
  func hash(into hasher: inout Hasher) { hasher.combine(box.odds.count) }
}

private final class OddBox: KVObject {
  @Dynamic var odds: Set<Odd> = []
}

/// Does something when it ends.
private final class Ending {
  let end: () throws -> Void
  init(_ end: @escaping () throws -> Void) { self.end = end }
  deinit { #expect(throws: Never.self) { try end() } }
}

/// Holds endings in one way or another.
private enum Held {
  case one(Ending)
  case many([Ending])
}

private protocol Listing: AnyObject {
  var list: [Int] { get set }
}

extension Overlap: Listing {}
