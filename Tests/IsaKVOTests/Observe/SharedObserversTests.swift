import IsaKVO
import IsaKVOTestSupport
import Testing

private class Card: KVObject {
  @Dynamic var title = ""
  @Dynamic var rank = 0
  @Dynamic var note: String?
}

@Suite(.serialized, .leavesNoObjects)
struct SharedObserversTests {
  @Test("a key and a type name a property as a key path does; another type is refused")
  func byKey() {
    let card = Card(), told = Recorder<String>()
    let shared = KeyValueSharedObservers<Card>()
    shared.observe(forKey: "rank", as: Int.self, options: [.old, .new]) { _, change in
      told.add("rank \(change.oldValue!)-\(change.newValue!)")
    }
    shared.observe(forKey: "note", as: String?.self, options: [.old, .new]) { _, change in
      told.add("note \((change.oldValue ?? nil) ?? "nil")-\((change.newValue ?? nil) ?? "nil")")
    }
    card.setSharedObservers(shared)
    card.rank = 1
    card.note = "n"
    card.note = nil
    #expect(told.all == ["rank 0-1", "note nil-n", "note n-nil"])
    for (key, expected) in [("rank", "rank, of type Int,"), ("none", "none, of type no property,")]
    {
      let wrong = KeyValueSharedObservers<Card>()
      wrong.observe(forKey: key, as: String.self) { _, _ in }
      #expect(reports { card.setSharedObservers(wrong) }.first?.reason.contains(expected) == true)
    }
    card.rank = 2
    #expect(told.all.last == "rank 1-2")
    card.setSharedObservers(nil)
  }

  @Test("an observer that does not wait hears at once of changes in a transaction")
  func atOnce() {
    let card = Card(), told = Recorder<String>()
    let shared = KeyValueSharedObservers<Card>()
    shared.observe(\.rank, options: [.old, .new], waitsForTransactions: false) { _, change in
      told.add("at once \(change.oldValue!)-\(change.newValue!)")
    }
    shared.observe(\.rank, options: [.old, .new]) { _, change in
      told.add("later \(change.oldValue!)-\(change.newValue!)")
    }
    card.setSharedObservers(shared)
    KVObject.transaction {
      card.rank = 1
      card.rank = 2
      #expect(told.all == ["at once 0-1", "at once 1-2"])
    }
    #expect(told.all == ["at once 0-1", "at once 1-2", "later 0-2"])
    card.muting { card.rank = 3 }
    card.rank = 4
    #expect(told.all.suffix(2) == ["later 3-4", "at once 3-4"] && told.all.count == 5)
    card.setSharedObservers(nil)
  }

  @Test("a layer's shared observers stand beside the program's, whoever comes first or goes")
  func layers() {
    let card = Card(), told = Recorder<String>()
    func make(_ name: String) -> KeyValueSharedObservers<Card> {
      let shared = KeyValueSharedObservers<Card>()
      shared.observe(\.rank) { _, _ in told.add(name) }
      return shared
    }
    let layer = KeyValueSharedObservers<KVObject>()
    layer.observe(finding: { _ in "rank" }) { _ in told.add("layer") }
    func expect(_ names: String..., sourceLocation: SourceLocation = #_sourceLocation) {
      let before = told.all.count
      card.rank += 1
      let new = Set(told.all.dropFirst(before))
      #expect(
        new == Set(names) && told.all.count - before == names.count, sourceLocation: sourceLocation)
    }
    let first = make("first")
    card.setSharedObservers(first)
    expect("first")
    card.setLayerObservers(layer)
    expect("first", "layer")
    card.setSharedObservers(make("second"))
    expect("second", "layer")
    card.setLayerObservers(nil)
    expect("second")
    card.setLayerObservers(layer)
    card.setSharedObservers(nil)
    expect("layer")
    first.observe(\.title) { _, _ in told.add("title") }
    card.setSharedObservers(first)
    expect("first", "layer")
    card.title = "t"
    #expect(told.all.last == "title")
    card.setLayerObservers(nil)
    card.setSharedObservers(nil)
    expect()
  }
  @Test("a layer that outlives a program's collections keeps few of their handlers")
  func keepsFew() {
    final class Token: Sendable {
      let ended: Recorder<Void>
      init(_ ended: Recorder<Void>) { self.ended = ended }
      deinit { ended.add(()) }
    }
    let ended = Recorder<Void>()
    let layer = KeyValueSharedObservers<KVObject>(), told = Recorder<Void>()
    layer.observe(finding: { _ in "rank" }) { _ in told.add(()) }
    for _ in 0..<1000 {
      let card = Card(), own = KeyValueSharedObservers<Card>(), token = Token(ended)
      own.observe(\.rank) { _, _ in withExtendedLifetime(token) {} }
      card.setSharedObservers(own)
      card.setLayerObservers(layer)
      card.rank = 1
    }
    #expect(told.count == 1000)
    #expect(ended.count > 900)
    layer.observe(finding: { _ in "title" }) { _ in }
    #expect(ended.count == 1000)
  }
}
