import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .leavesNoObjects)
struct InPlaceChangeTests {
  private func told(
    _ options: ObservationOptions = [.old, .new], _ change: (Human) -> Void
  ) throws -> [String] {
    let human = Human(), lines = Recorder<String>()
    human.list = [3, 1, 2]
    let token = human.observe(\.list, options: options) { lines.add(words($1)) }
    change(human)
    token.invalidate()
    return lines.all
  }

  @Test("a change of an observed array in place is one setting, with old and new")
  func array() throws {
    #expect(try told { $0.list.append(4) } == ["setting: [3, 1, 2] → [3, 1, 2, 4]"])
    #expect(try told { $0.list.remove(at: 0) } == ["setting: [3, 1, 2] → [1, 2]"])
    #expect(try told { $0.list[1] = 9 } == ["setting: [3, 1, 2] → [3, 9, 2]"])
    #expect(try told { $0.list[1] += 9 } == ["setting: [3, 1, 2] → [3, 10, 2]"])
    #expect(try told { $0.list.swapAt(0, 1) } == ["setting: [3, 1, 2] → [1, 3, 2]"])
    #expect(try told { $0.list.sort() } == ["setting: [3, 1, 2] → [1, 2, 3]"])
    #expect(try told { $0.list += [5, 6] } == ["setting: [3, 1, 2] → [3, 1, 2, 5, 6]"])
    #expect(try told { $0.list[0..<2].reverse() } == ["setting: [3, 1, 2] → [1, 3, 2]"])
    #expect(try told { $0.list.removeAll() } == ["setting: [3, 1, 2] → []"])
  }

  @Test("an observer that asks for it is told before as well, while the array is as it was")
  func prior() throws {
    #expect(
      try told([.old, .new, .prior]) { $0.list.append(4) }
        == ["setting: [3, 1, 2] → absent (prior)", "setting: [3, 1, 2] → [3, 1, 2, 4]"])
  }

  @Test("a struct's field, a set and a dictionary change in place likewise")
  func others() throws {
    final class Box: KVObject {
      @Dynamic var spots = [Spot(), Spot()]
      @Dynamic var spot = Spot()
    }
    let box = Box(), human = Human(), lines = Recorder<String>()
    let tokens = [
      box.observe(\.spots, options: [.old, .new]) {
        lines.add("\($1.oldValue!.map(\.x)) → \($1.newValue!.map(\.x))")
      },
      box.observe(\.spot, options: [.old, .new]) {
        lines.add("\($1.oldValue!.y) → \($1.newValue!.y)")
      },
      human.observe(\.tags, options: [.old, .new]) { lines.add(words($1)) },
      human.observe(\.info, options: [.old, .new]) { lines.add(words($1)) },
    ]
    box.spots[0].x = 5
    box.spot.y = 6
    human.tags.insert("a")
    human.info["a"] = 1
    human.info["a", default: 0] += 1
    #expect(
      lines.all == [
        "[1.0, 1.0] → [5.0, 1.0]", "2.0 → 6.0", "setting: [] → [\"a\"]",
        "setting: [:] → [\"a\": 1]", "setting: [\"a\": 1] → [\"a\": 2]",
      ])
    tokens.forEach { $0.invalidate() }
  }

  @Test("through a protocol, a generic class and a class that is open, it is told likewise")
  func notInlined() {
    let form = Form(), generic = Sized<Int>(0), lines = Recorder<String>()
    let tokens = [
      form.observe(\.count, options: [.old, .new]) { lines.add(words($1)) },
      form.observe(\.name, options: [.old, .new]) { lines.add(words($1)) },
      form.observe(\.area, options: [.old, .new]) {
        lines.add("\($1.oldValue!.corner) → \($1.newValue!.corner)")
      },
      generic.observe(\.size, options: [.old, .new]) { lines.add(words($1)) },
      generic.observe(\.list, options: [.old, .new]) { lines.add(words($1)) },
    ]
    change(form)
    generic.size += 3
    generic.list.append(4)
    #expect(
      lines.all == [
        "setting: 0 → 1", "setting: a → ab", "1 → 2", "setting: 0 → 3", "setting: [] → [4]",
      ])
    tokens.forEach { $0.invalidate() }
    change(form)
    generic.size += 3
    #expect(lines.all.count == 5)
    #expect(form.count == 2 && form.name == "abb" && form.area.corner == 3 && generic.size == 6)
  }

  @Test("the handler may read and change the array, before and after")
  func reentrant() throws {
    let human = Human(), lines = Recorder<String>()
    var depth = 0
    let token = human.observe(\.list, options: [.old, .new, .prior]) { human, change in
      lines.add(words(change))
      depth += 1
      if depth == 1 { human.list.append(change.isPrior ? 7 : human.list.count) }
      depth -= 1
    }
    human.list.append(9)
    #expect(human.list == [1, 7, 9, 3])
    #expect(
      lines.all == [
        "setting: [1] → absent (prior)",
        "setting: [1] → absent (prior)", "setting: [1] → [1, 7]",
        "setting: [1] → [1, 7, 9]",
        "setting: [1, 7, 9] → absent (prior)", "setting: [1, 7, 9] → [1, 7, 9, 3]",
      ])
    token.invalidate()
  }

  @Test("a change in place that throws is told as far as it came")
  func throwing() throws {
    struct Stop: Error {}
    func fail(_ list: inout [Int]) throws {
      list.append(5)
      throw Stop()
    }
    #expect(
      try told { human in #expect(throws: Stop.self) { try fail(&human.list) } }
        == ["setting: [3, 1, 2] → [3, 1, 2, 5]"])
  }

  @Test(
    "appending copies nothing where no old value is asked for",
    arguments: [
      [], .new, .prior,
    ] as [ObservationOptions])
  func withoutCopies(options: ObservationOptions) throws {
    let human = Human()
    human.list.reserveCapacity(100)
    let token = human.observe(\.list, options: options) { _, _ in }
    let address = human.list.withUnsafeBufferPointer { $0.baseAddress }
    for i in 0..<50 { human.list.append(i) }
    #expect(human.list.withUnsafeBufferPointer { $0.baseAddress } == address)
    token.invalidate()
  }

  @Test("what a change took from an observed array is gone when the change is over")
  func lifetimes() throws {
    let human = Human()
    let token = human.observe(\.friends, options: [.old, .new]) { _, _ in }
    human.friends = [Human(), Human()]
    weak let first = human.friends[0]
    weak let second = human.friends[1]
    human.friends.removeFirst()
    #expect(first == nil && second != nil)
    human.friends = []
    #expect(second == nil)
    token.invalidate()
  }
}

private protocol Formed: AnyObject {
  var count: Int { get set }
  var name: String { get set }
  var area: Area { get set }
}

/// More than a change keeps beside it.
private struct Area {
  var corner = 1, other = 2, width = 3, height = 4
}

private class Form: KVObject, Formed {
  @Dynamic var count = 0
  @Dynamic var name = "a"
  @Dynamic var area = Area()
}

private final class Sized<Size: Equatable>: KVObject {
  @Dynamic var size: Size
  @Dynamic var list: [Size] = []

  init(_ size: Size) { self.size = size }
}

@inline(never)
private func change(_ form: some Formed) {
  form.count += 1
  form.name += "b"
  form.area.corner += 1
}
