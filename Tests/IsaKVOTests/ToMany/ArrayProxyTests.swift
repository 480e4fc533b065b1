import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .leavesNoObjects)
struct ArrayProxyTests {
  /// The notifications while `change` changes a list that is `[1, 2, 3]`.
  private func told(
    _ options: ObservationOptions = [.old, .new], _ change: (ArrayProxy<Int>) throws -> Void
  ) throws -> (lines: [String], list: [Int]) {
    let human = Human(), lines = Recorder<String>()
    human.list = [1, 2, 3]
    let token = human.observe(\.list, options: options) { _, change in lines.add(words(change))
    }
    try change(human.mutableArrayValue(for: \.list))
    token.invalidate()
    return (lines.all, human.list)
  }

  @Test("appending, inserting, removing and replacing one element tell it with its index")
  func one() throws {
    #expect(
      try told { $0.append(4) } == (["insertion [3]: absent → [4]"], [1, 2, 3, 4]))
    #expect(
      try told { $0.insert(9, at: 1) } == (["insertion [1]: absent → [9]"], [1, 9, 2, 3]))
    #expect(
      try told { $0.remove(at: 0) }
        == (["removal [0]: [1] → absent"], [2, 3]))
    #expect(
      try told { $0[2] = 7 } == (["replacement [2]: [3] → [7]"], [1, 2, 7]))
    #expect(
      try told { _ = $0.popLast() } == (["removal [2]: [3] → absent"], [1, 2]))
    #expect(try told { $0.append($0.remove(at: 0)) }.list == [2, 3, 1])
    #expect(
      try told { $0[0] += 5 } == (["replacement [0]: [1] → [6]"], [6, 2, 3]))
  }

  @Test("many elements at once are one change")
  func many() throws {
    #expect(
      try told { $0.append(contentsOf: [4, 5]) }
        == (["insertion [3, 4]: absent → [4, 5]"], [1, 2, 3, 4, 5]))
    #expect(
      try told { $0.insert(contentsOf: 8...9, at: 0) }
        == (["insertion [0, 1]: absent → [8, 9]"], [8, 9, 1, 2, 3]))
    #expect(
      try told { $0.removeSubrange(1...) } == (["removal [1, 2]: [2, 3] → absent"], [1]))
    #expect(
      try told { $0.removeAll { $0 != 2 } } == (["removal [0, 2]: [1, 3] → absent"], [2]))
    #expect(
      try told { $0.removeAll() } == (["removal [0, 1, 2]: [1, 2, 3] → absent"], []))
    #expect(
      try told { $0.swapAt(2, 0) } == (["replacement [0, 2]: [1, 3] → [3, 1]"], [3, 2, 1]))
    #expect(
      try told { $0.sort(by: >) }
        == (["replacement [0, 1, 2]: [1, 2, 3] → [3, 2, 1]"], [3, 2, 1]))
    #expect(
      try told { $0.reverse() }
        == (["replacement [0, 1, 2]: [1, 2, 3] → [3, 2, 1]"], [3, 2, 1]))
    #expect(
      try told { $0.removeFirst(2) } == (["removal [0, 1]: [1, 2] → absent"], [3]))
    #expect(
      try told { $0.removeLast(2) } == (["removal [1, 2]: [2, 3] → absent"], [1]))
  }

  @Test("replacing a range by another number of elements is two changes")
  func replaceRange() throws {
    #expect(
      try told { $0.replaceSubrange(0..<2, with: [7, 8, 9]) }
        == (
          ["replacement [0, 1]: [1, 2] → [7, 8]", "insertion [2]: absent → [9]"], [7, 8, 9, 3]
        ))
    #expect(
      try told { $0.replaceSubrange(0..<3, with: [7]) }
        == (["replacement [0]: [1] → [7]", "removal [1, 2]: [2, 3] → absent"], [7]))
    #expect(
      try told { $0[1...1] = [5] } == (["replacement [1]: [2] → [5]"], [1, 5, 3]))
    #expect(
      try told { $0.setElements([4, 5, 6]) }
        == (["replacement [0, 1, 2]: [1, 2, 3] → [4, 5, 6]"], [4, 5, 6]))
  }

  @Test("what changes no element tells nobody")
  func nothing() throws {
    #expect(
      try told {
        $0.append(contentsOf: [])
        $0.removeSubrange(1..<1)
        $0.removeAll { $0 > 9 }
        $0.swapAt(1, 1)
        $0.replaceSubrange(3..<3, with: [])
      } == ([], [1, 2, 3]))
  }

  @Test("an observer that asks for it is told before, with what is to go")
  func prior() throws {
    #expect(
      try told([.old, .new, .prior]) { $0.remove(at: 1) }
        == (["removal [1]: [2] → absent (prior)", "removal [1]: [2] → absent"], [1, 3]))
    #expect(
      try told([.old, .new, .prior]) { $0.append(4) }
        == (
          ["insertion [3]: absent → absent (prior)", "insertion [3]: absent → [4]"],
          [1, 2, 3, 4]
        ))
  }

  @Test("it is an array like any other to algorithms")
  func collection() throws {
    let human = Human()
    var list = human.mutableArrayValue(for: \.list)
    list += [5, 3, 4]
    #expect(list.sorted() == [1, 3, 4, 5] && list.max() == 5 && list.count == 4)
    #expect(Array(list[1...2]) == [5, 3] && list.firstIndex(of: 4) == 3)
    #expect(list.filter { $0 > 3 } == [5, 4] && list.map { $0 * 2 } == [2, 10, 6, 8])
    list.sort()
    #expect(human.list == [1, 3, 4, 5] && "\(list)" == "[1, 3, 4, 5]")
    #expect(list.partition { $0 < 4 } == 2)
    #expect(Set(human.list[2...]) == [1, 3])
    list.shuffle()
    #expect(Set(human.list) == [1, 3, 4, 5])
    #expect(list.dropFirst().count == 3 && list.reversed().count == 4)
    let own = ArrayProxy(repeating: 7, count: 2)
    own.append(8)
    #expect(own.elements == [7, 7, 8])
  }

  @Test("a walk sees the elements that were there when it began")
  func walk() throws {
    let human = Human()
    human.list = [1, 2, 3]
    let list = human.mutableArrayValue(for: \.list)
    for element in list { list.append(element * 10) }
    #expect(human.list == [1, 2, 3, 10, 20, 30])
  }

  @Test("an unobserved array is changed where it is, without copies")
  func inPlace() throws {
    let human = Human(), list = human.mutableArrayValue(for: \.list)
    human.list.reserveCapacity(100)
    let address = human.list.withUnsafeBufferPointer { $0.baseAddress }
    for i in 0..<50 { list.append(i) }
    list[0] = 5
    list.remove(at: 1)
    list.insert(6, at: 0)
    #expect(human.list.withUnsafeBufferPointer { $0.baseAddress } == address)
    #expect(human.list.count == 51 && human.list[..<2] == [6, 5])
  }

  @Test(
    "an observed array is changed where it is, whatever the options",
    arguments: [
      [], .new, .old, [.old, .new], [.old, .new, .prior],
    ] as [ObservationOptions])
  func observedInPlace(options: ObservationOptions) throws {
    let human = Human(), list = human.mutableArrayValue(for: \.list)
    human.list.reserveCapacity(100)
    let token = human.observe(\.list, options: options) { _, _ in }
    let address = human.list.withUnsafeBufferPointer { $0.baseAddress }
    for i in 0..<50 { list.append(i) }
    list[3] = 5
    list.remove(at: 1)
    #expect(human.list.withUnsafeBufferPointer { $0.baseAddress } == address)
    token.invalidate()
  }

  @Test("a proxy from before the first observer announces too")
  func early() throws {
    let human = Human(), lines = Recorder<String>()
    let list = human.mutableArrayValue(for: \.list)
    list.append(2)
    let token = human.observe(\.list, options: .new) { _, change in lines.add(words(change)) }
    list.append(3)
    token.invalidate()
    list.append(4)
    #expect(lines.all == ["insertion [2]: absent → [3]"] && human.list == [1, 2, 3, 4])
  }

  @Test("arrays of objects, of optionals and of other values change likewise")
  func elements() throws {
    final class Box: KVObject {
      @Dynamic var people: [Human] = []
      @Dynamic var maybe: [Int?] = [nil]
      @Dynamic var spots: [Spot] = []
      @Dynamic var rows: [[Int]] = []
    }
    let box = Box(), lines = Recorder<String>(), ann = Human()
    let people = box.observe(\.people, options: [.old, .new]) { _, change in
      #expect(change.newValue.map { $0[0] === ann } ?? (change.oldValue?[0] === ann))
      lines.add("\(change.kind)")
    }
    let maybe = box.observe(\.maybe, options: [.old, .new]) { lines.add(words($1)) }
    let spots = box.observe(\.spots, options: [.old, .new]) { lines.add(words($1)) }
    let rows = box.observe(\.rows, options: [.old, .new]) { lines.add(words($1)) }
    box.mutableArrayValue(for: \.people).append(ann)
    box.mutableArrayValue(for: \.people).removeFirst()
    box.mutableArrayValue(for: \.maybe)[0] = 1
    box.mutableArrayValue(for: \.maybe).append(nil)
    box.mutableArrayValue(for: \.spots).append(Spot())
    box.mutableArrayValue(for: \.rows).append([1, 2])
    box.mutableArrayValue(for: \.rows)[0].append(3)
    #expect(
      lines.all == [
        "insertion", "removal", "replacement [0]: [nil] → [Optional(1)]",
        "insertion [1]: absent → [nil]", "insertion [0]: absent → \([Spot()])",
        "insertion [0]: absent → [[1, 2]]", "replacement [0]: [[1, 2]] → [[1, 2, 3]]",
      ])
    [people, maybe, spots, rows].forEach { $0.invalidate() }
  }

  @Test("a key path through objects changes the array at its end")
  func nested() throws {
    let human = Human(), boss = Human(), lines = Recorder<String>()
    human.friends = [boss]
    human.boss = boss
    let holder = Cell(human)
    let token = human.observe(\.list, options: .new) { lines.add(words($1)) }
    holder.mutableArrayValue(for: \.value.list).append(4)
    #expect(lines.all == ["insertion [1]: absent → [4]"] && human.list == [1, 4])
    token.invalidate()
  }

  @Test("a property that the class has declared is set through its Swift setter")
  func declared() throws {
    final class Log: KVObject {
      @Dynamic var lines: [String] = [] { didSet { sets += 1 } }
      var sets = 0
      var upper: [String] {
        get { lines.map { $0.uppercased() } }
        set { lines = newValue.map { $0.lowercased() } }
      }
      override class var keys: [KeyDeclaration] {
        [.key("lines", \Log.lines), .key("upper", \Log.upper, affectedBy: [\Log.lines])]
      }
    }
    let log = Log(), told = Recorder<String>()
    let token = log.observe(\.lines, options: [.old, .new]) { told.add(words($1)) }
    let lines = log.mutableArrayValue(for: \.lines)
    lines.append("a")
    #expect(log.sets == 1 && log.lines == ["a"] && lines.elements == ["a"])
    lines[0] = "b"
    #expect(
      told.all == [
        "insertion [0]: absent → [\"a\"]", "replacement [0]: [\"a\"] → [\"b\"]",
      ])
    log.mutableArrayValue(for: \.upper).append("C")
    #expect(log.lines == ["b", "c"] && log.upper == ["B", "C"] && log.sets == 3)
    token.invalidate()
  }

  @Test("a property without a wrapper has no proxy")
  func undefined() throws {
    final class Bare: KVObject {
      var list = [1]
      @Dynamic var numbers = [1, 2]
      var even: [Int] {
        get { numbers.filter { $0 % 2 == 0 } }
        set { numbers = newValue }
      }
    }
    expectMisuse { Bare().mutableArrayValue(for: \.list).append(1) }
    expectMisuse { #expect(Bare().mutableArrayValue(for: \.even).isEmpty) }
  }

  @Test("what goes may look at the array in its end")
  func ends() throws {
    final class Member: KVObject {
      weak var team: Team?
      deinit { team?.counts.append(team?.members.count ?? -1) }
    }
    final class Team: KVObject {
      @Dynamic var members: [Member] = []
      var counts: [Int] = []
      func fill() {
        members = (0..<3).map { _ in Member() }
        members.forEach { $0.team = self }
      }
    }
    let team = Team(), members = team.mutableArrayValue(for: \.members)
    team.fill()
    members.removeSubrange(1...2)
    members[0] = Member()
    #expect(team.counts == [1, 1, 1])
    team.counts = []
    team.fill()
    let token = team.observe(\.members, options: [.old, .new]) { _, _ in }
    members.removeAll { _ in true }
    #expect(team.counts == [0, 0, 0])
    token.invalidate()
  }

  @Test("an observer that changes the array meanwhile is told of its own change too")
  func reentrant() throws {
    let human = Human(), lines = Recorder<String>()
    let list = human.mutableArrayValue(for: \.list)
    let token = human.observe(\.list, options: [.old, .new]) { _, change in
      lines.add(words(change))
      if list.count < 4 { list.append(list.count) }
    }
    list.append(9)
    #expect(human.list == [1, 9, 2, 3])
    #expect(
      lines.all == [
        "insertion [1]: absent → [9]", "insertion [2]: absent → [2]",
        "insertion [3]: absent → [3]",
      ])
    token.invalidate()
  }

  @Test("a class that does not notify by itself is changed in silence")
  func manual() throws {
    final class Quiet: KVObject {
      @Dynamic var list = [1]
      override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
    }
    let quiet = Quiet(), told = Recorder<Void>()
    let token = quiet.observe(\.list) { _, _ in told.add(()) }
    quiet.mutableArrayValue(for: \.list).append(2)
    #expect(told.count == 0 && quiet.list == [1, 2])
    token.invalidate()
  }

  @Test("an override of the announcement is called")
  func overridden() throws {
    final class Loud: KVObject {
      @Dynamic var list = [1]
      var calls: [String] = []
      override func willChange(_ kind: ChangeKind, valuesAt indexes: [Int], forKey key: String) {
        calls.append("will \(kind) \(indexes) \(key)")
        super.willChange(kind, valuesAt: indexes, forKey: key)
      }
      override func didChange(_ kind: ChangeKind, valuesAt indexes: [Int], forKey key: String) {
        calls.append("did \(kind) \(indexes) \(key)")
        super.didChange(kind, valuesAt: indexes, forKey: key)
      }
    }
    let loud = Loud(), lines = Recorder<String>()
    let token = loud.observe(\.list, options: .new) { lines.add(words($1)) }
    loud.mutableArrayValue(for: \.list).append(2)
    #expect(loud.calls == ["will insertion [1] list", "did insertion [1] list"])
    #expect(lines.all == ["insertion [1]: absent → [2]"])
    token.invalidate()
  }

  @Test("an index beyond the end stops the process")
  func beyond() async {
    await #expect(processExitsWith: .failure) {
      Human().mutableArrayValue(for: \.list).insert(1, at: 5)
    }
    await #expect(processExitsWith: .failure) {
      let human = Human()
      let token = human.observe(\.list) { _, _ in }
      human.mutableArrayValue(for: \.list).remove(at: 1)
      token.invalidate()
    }
    await #expect(processExitsWith: .failure) {
      let human = Human()
      let token = human.observe(\.list, options: .prior) { human, change in
        if change.kind == .removal { human.list = [] }
      }
      human.mutableArrayValue(for: \.list).remove(at: 0)
      token.invalidate()
    }
    await #expect(processExitsWith: .failure) {
      let human = Human()
      let token = human.observe(\.list) { _, _ in }
      human.mutableArrayValue(for: \.list)[-1] = 2
      token.invalidate()
    }
  }
}
