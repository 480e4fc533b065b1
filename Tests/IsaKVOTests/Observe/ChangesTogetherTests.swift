import IsaKVO
import IsaKVOTestSupport
import Testing

private class Rows: KVObject {
  @Dynamic var rows = ["a", "b", "c"]
  @Dynamic var selected = 2
  @Dynamic var other = 0
  var shown: String { rows[selected] }
  var plain = 0

  override class var keys: [KeyDeclaration] {
    [.key("plain", \Rows.plain, notifiesAutomatically: false)]
  }
}

private struct Stop: Error {}

@Suite(.serialized, .oneAtATime) struct ChangesTogetherTests {
  @Test("no observer is told of one property before all have changed")
  func together() {
    let list = Rows()
    var told: [String] = []
    let rows = list.observe(\.rows, options: [.old, .new]) { list, change in
      told.append("rows \(change.oldValue!.count) \(change.newValue!.count) at \(list.selected)")
    }
    let selected = list.observe(\.selected, options: [.old, .new]) { list, change in
      told.append("selected \(change.oldValue!) \(change.newValue!) of \(list.rows.count)")
    }
    list.withChanges(of: [\.rows, \.selected]) {
      list.rows.removeLast()
      list.rows = Array(list.rows)
      list.selected = 5
      list.selected = 1
    }
    #expect(told == ["selected 2 1 of 2", "rows 3 2 at 1"])
    withExtendedLifetime((rows, selected)) {}
  }

  @Test("a property that is computed from both is computed behind the change, and does not trap")
  func computed() {
    let list = Rows()
    var shown: [String] = []
    let token = list.observe(\.shown, options: [.initial, .new]) { _, change in
      shown.append(change.newValue ?? "none")
    }
    list.withChanges(of: [\.rows, \.selected]) {
      list.rows = ["x"]
      list.selected = 0
    }
    #expect(shown.first == "c" && shown.last == "x" && Set(shown) == ["c", "x"])
    token.invalidate()
  }

  @Test("what is not announced together is told as ever, also behind the change")
  func others() {
    let list = Rows()
    var told: [Int] = []
    let other = list.observe(\.other, options: .new) { _, change in told.append(change.newValue!) }
    list.withChanges(of: [\.rows]) {
      list.other = 1
      list.withChanges(of: [\.other]) {
        list.other = 2
        list.other = 3
      }
      list.other = 4
    }
    list.other = 5
    #expect(told == [1, 3, 4, 5])
    other.invalidate()
  }

  @Test("it ends where the body throws, and a property twice is told once")
  func thrown() {
    let list = Rows()
    var told: [Int] = []
    let token = list.observe(\.selected, options: .new) { _, change in told.append(change.newValue!)
    }
    #expect(throws: Stop.self) {
      try list.withChanges(of: [\.selected, \.selected]) { () throws(Stop) in
        list.selected = 0
        throw Stop()
      }
    }
    list.selected = 1
    #expect(told == [0, 1])
    token.invalidate()
  }

  @Test("keys are announced together by name, declared ones and those without an accessor too")
  func byName() throws {
    let list = Rows()
    var told: [String] = []
    let observer = Teller { told.append($0) }
    try list.addObserver(observer, forKeyPath: "plain", options: .new)
    try list.addObserver(observer, forKeyPath: "selected", options: .new)
    list.withChanges(ofKeys: ["plain", "selected"]) {
      list.plain = 7
      list.selected = 0
    }
    #expect(told == ["selected 0 plain 7", "plain 7"] || told == ["selected 0", "plain 7"])
    try list.removeObserver(observer, forKeyPath: "plain")
    try list.removeObserver(observer, forKeyPath: "selected")
  }

  @Test("a key path that cannot be observed is a misuse, and the body runs")
  func misuse() {
    let list = Rows()
    var ran = false
    let misuses = reports { list.withChanges(of: [\Rows.rows.count]) { ran = true } }
    #expect(ran && misuses.count == 1)
  }
}

private final class Teller: KVObject {
  let tell: (String) -> Void
  init(_ tell: @escaping (String) -> Void) { self.tell = tell }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) { tell("\(keyPath!) \(change![.newKey]!)") }
}
