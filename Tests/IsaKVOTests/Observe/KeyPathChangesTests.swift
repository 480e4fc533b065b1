import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite(.serialized, .leavesNoObjects)
struct KeyPathChangesTests {
  /// A class whose properties notify by hand.
  final class Store: KVObject {
    var count = 0
    var names: [String] = []
    var tags: Set<String> = []
    @Dynamic var next: Store?
    override class var keys: [KeyDeclaration] {
      [.key("count", \Store.count), .key("names", \Store.names), .key("tags", \Store.tags)]
    }
  }

  struct Stop: Error {}

  @Test("a property is announced by its key path")
  func value() throws {
    let store = Store(), told = Recorder<String>()
    let token = store.observe(\.count, options: [.old, .new]) { told.add(words($1)) }
    store.willChangeValue(for: \.count)
    store.count = 1
    store.didChangeValue(for: \.count)
    let answer = store.withChange(of: \.count) {
      store.count = 2
      return "done"
    }
    #expect(answer == "done")
    #expect(throws: Stop.self) {
      try store.withChange(of: \.count) {
        store.count = 3
        throw Stop()
      }
    }
    #expect(told.all == ["setting: 0 → 1", "setting: 1 → 2", "setting: 2 → 3"])
    token.invalidate()
  }

  @Test("elements in order are announced by the key path and their indexes")
  func ordered() throws {
    let store = Store(), told = Recorder<String>()
    let token = store.observe(\.names, options: [.old, .new]) { told.add(words($1)) }
    store.willChange(.insertion, valuesAt: [0], for: \.names)
    store.names = ["a"]
    store.didChange(.insertion, valuesAt: [0], for: \.names)
    store.withChange(of: \.names, .insertion, at: [1, 2]) { store.names += ["b", "c"] }
    store.withChange(of: \.names, .replacement, at: [1]) { store.names[1] = "x" }
    store.withChange(of: \.names, .removal, at: [0]) { _ = store.names.removeFirst() }
    #expect(
      told.all == [
        "insertion [0]: absent → [\"a\"]", "insertion [1, 2]: absent → [\"b\", \"c\"]",
        "replacement [1]: [\"b\"] → [\"x\"]", "removal [0]: [\"a\"] → absent",
      ])
    token.invalidate()
  }

  @Test("elements without order are announced by the key path and the mutation")
  func unordered() throws {
    let store = Store(), told = Recorder<String>()
    let token = store.observe(\.tags, options: [.old, .new]) { told.add(words($1)) }
    store.willChangeValue(for: \.tags, withSetMutation: .union, using: ["a"])
    store.tags = ["a"]
    store.didChangeValue(for: \.tags, withSetMutation: .union, using: ["a"])
    store.withChange(of: \.tags, .set, by: ["b"]) { store.tags = ["b"] }
    store.withChange(of: \.tags, .minus, by: ["b", "c"]) { store.tags = [] }
    store.willChangeValue(forKey: "tags", withSetMutation: .union, using: ["q"])
    store.tags = ["q"]
    store.didChangeValue(forKey: "tags", withSetMutation: .union, using: ["q"])
    #expect(
      told.all == [
        "insertion: absent → [\"a\"]", "replacement: [\"a\"] → [\"b\"]",
        "removal: [\"b\"] → absent", "insertion: absent → [\"q\"]",
      ])
    token.invalidate()
  }

  @Test("a key path through objects announces on the last")
  func nested() throws {
    let holder = Cell(Store()), told = Recorder<String>()
    let token = holder.value.observe(\.count, options: .new) { told.add(words($1)) }
    holder.withChange(of: \.value.count) { holder.value.count = 4 }
    #expect(told.all == ["setting: absent → 4"])
    token.invalidate()
  }

  @Test("a change of anything else is a misuse: it is made, and not announced")
  func refused() {
    let human = Human()
    expectMisuse { human.willChangeValue(for: \.unwrapped) }
    expectMisuse { human.withChange(of: \.unwrapped) { human.unwrapped = 7 } }
    #expect(human.unwrapped == 7)
  }

  @Test("overrides of the set announcements are called, by the runtime too")
  func overridden() throws {
    final class Loud: KVObject {
      @Dynamic var tags: Set<String> = []
      var calls: [String] = []
      override func willChangeValue(
        forKey key: String, withSetMutation mutation: SetMutation, using objects: Set<AnyHashable>
      ) {
        calls.append("will \(mutation) \(objects)")
        super.willChangeValue(forKey: key, withSetMutation: mutation, using: objects)
      }
      override func didChangeValue(
        forKey key: String, withSetMutation mutation: SetMutation, using objects: Set<AnyHashable>
      ) {
        calls.append("did \(mutation) \(objects)")
        super.didChangeValue(forKey: key, withSetMutation: mutation, using: objects)
      }
    }
    let loud = Loud(), told = Recorder<String>()
    let token = loud.observe(\.tags, options: .new) { told.add(words($1)) }
    loud.mutableSetValue(for: \.tags).insert("a")
    #expect(loud.calls == ["will union [AnyHashable(\"a\")]", "did union [AnyHashable(\"a\")]"])
    #expect(told.all == ["insertion: absent → [\"a\"]"])
    token.invalidate()
  }
}
