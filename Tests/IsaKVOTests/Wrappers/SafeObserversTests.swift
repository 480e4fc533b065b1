import IsaKVO
import IsaKVOTestSupport
import IsaKVOWrappers
import Testing

private final class Watcher: KVObject {
  let notes = Recorder<String>()
  var work: (Watcher) -> Void = { _ in }
  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    notes.add(keyPath ?? "")
    work(self)
  }
}

@Suite(.serialized, .leavesNoObjects)
struct SafeObserversTests {
  @Test("a removal too many and the same registration twice do no harm")
  func balance() throws {
    let human = Human(), watcher = Watcher()
    #expect(!human.safeObservers.removeObserver(watcher, forKeyPath: "age"))
    #expect(try human.safeObservers.addObserver(watcher, forKeyPath: "age"))
    #expect(try !human.safeObservers.addObserver(watcher, forKeyPath: "age"))
    human.age = 2
    #expect(watcher.notes.all == ["age"])
    #expect(human.safeObservers.removeObserver(watcher, forKeyPath: "age"))
    #expect(!human.safeObservers.removeObserver(watcher, forKeyPath: "age"))
    human.age = 3
    #expect(watcher.notes.all == ["age"])
  }

  @Test("registrations with different contexts are two, and removed by theirs or all at once")
  func contexts() throws {
    let human = Human(), watcher = Watcher(), context = ObservationContext()
    try human.safeObservers.addObserver(watcher, forKeyPath: "age")
    try human.safeObservers.addObserver(watcher, forKeyPath: "age", context: context)
    human.age = 2
    #expect(watcher.notes.count == 2)
    #expect(human.safeObservers.removeObserver(watcher, forKeyPath: "age", context: context))
    human.age = 3
    #expect(watcher.notes.count == 3)
    try human.safeObservers.addObserver(watcher, forKeyPath: "name")
    #expect(human.safeObservers.removeObserver(watcher))
    #expect(!human.safeObservers.removeObserver(watcher))
    human.age = 4
    #expect(watcher.notes.count == 3)
  }

  @Test("other options the second time, an unknown key and no options at all are refused")
  func refused() throws {
    let human = Human(), watcher = Watcher()
    try human.safeObservers.addObserver(watcher, forKeyPath: "age", options: .new)
    expectError(.alreadyObserved, key: "age") {
      try human.safeObservers.addObserver(watcher, forKeyPath: "age", options: .old)
    }
    #expect(throws: KeyValueError.self) {
      try human.safeObservers.addObserver(watcher, forKeyPath: "nothing")
    }
    #expect(throws: KeyValueError.self) {
      let options = ObservationOptions(rawValue: 1 << 30)
      try human.safeObservers.addObserver(watcher, forKeyPath: "name", options: options)
    }
    #expect(try human.safeObservers.addObserver(watcher, forKeyPath: "name"))
  }

  @Test("an observer that goes, and an observed object that goes, do no harm")
  func deaths() throws {
    let human = Human()
    // An observer that takes the place of one that has gone is not taken for it.
    for age in 2...50 {
      var watcher: Watcher? = Watcher()
      weak let reference = watcher
      #expect(try human.safeObservers.addObserver(watcher!, forKeyPath: "age"))
      human.age = age
      #expect(watcher?.notes.count == 1)
      watcher = nil
      #expect(reference == nil)
    }
    human.age = 1
    let watcher = Watcher()
    var other: Human? = Human()
    try other?.safeObservers.addObserver(watcher, forKeyPath: "age")
    other = nil
    #expect(try human.safeObservers.addObserver(watcher, forKeyPath: "age"))
  }

  @Test("SafeKVO's bug: an initial notification may add and remove observers")
  func initial() throws {
    let human = Human(), watcher = Watcher(), second = Watcher()
    watcher.work = { watcher in
      watcher.work = { _ in }
      _ = try? human.safeObservers.addObserver(second, forKeyPath: "age", options: .initial)
      human.safeObservers.removeObserver(watcher, forKeyPath: "age")
    }
    try human.safeObservers.addObserver(watcher, forKeyPath: "age", options: .initial)
    human.age = 2
    #expect(watcher.notes.count == 1)
    #expect(second.notes.count == 2)
  }
}
