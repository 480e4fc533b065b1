import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct AssociatedObjectTests {
  @Test("an associated object is kept under its key until removed")
  func retains() throws {
    try withPerson { person in
      let key = RuntimeAssociationKey()
      let value = try person.isa.allocate()
      try person.setAssociated(value, forKey: key)
      #expect(person.associated(forKey: key) == value)
      #expect(person.associated(forKey: RuntimeAssociationKey()) == nil)
      #expect(value.retainCount == 2)
      try person.setAssociated(nil, forKey: key)
      #expect(person.associated(forKey: key) == nil)
      #expect(value.retainCount == 1)
    }
  }

  @Test("an associated object goes with its owner")
  func goesWithOwner() throws {
    try withClass { made in
      let value = try made.allocate()
      try made.allocate().setAssociated(value, forKey: RuntimeAssociationKey())
      #expect(value.retainCount == 1)
    }
  }

  @Test("a weakly associated object is nil once it is gone")
  func weak() throws {
    try withClass { made in
      let key = RuntimeAssociationKey()
      let owner = try made.allocate()
      do {
        let value = try made.allocate()
        try owner.setAssociated(value, forKey: key, policy: .weak)
        #expect(owner.associated(forKey: key) == value)
      }
      #expect(owner.associated(forKey: key) == nil)
    }
  }

  @Test("the copy policy keeps a copy, and refuses what cannot be copied")
  func copies() throws {
    try withClass { made in
      let key = RuntimeAssociationKey()
      let owner = try made.allocate()
      expectError(.unrecognizedSelector, className: made.name) {
        try owner.setAssociated(made.allocate(), forKey: key, policy: .copy)
      }
      try made.addMethod("copy", "@@:") { _ in RuntimeValue(try? made.allocate()) }
      let value = try made.allocate()
      try owner.setAssociated(value, forKey: key, policy: .copy)
      let copy = try #require(owner.associated(forKey: key))
      #expect(copy != value)
      #expect(copy.retainCount == 2)
      owner.removeAssociated()
      #expect(owner.associated(forKey: key) == nil)
    }
  }
}

/// An object that others observe, and keep observers with.
private final class Watched: KVObject {
  @Dynamic var count = 0
}

/// An observer that removes itself from the object that keeps it when that goes.
private final class Keeper: KVObject {
  private unowned(unsafe) let watched: Watched
  private let log: Recorder<String>

  init(_ watched: Watched, _ log: Recorder<String>) throws {
    (self.watched, self.log) = (watched, log)
    super.init()
    try watched.addObserver(self, forKeyPath: "count", options: .new)
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) { log.add("\(change?[.newKey] ?? "nothing")") }

  deinit {
    do { try watched.removeObserver(self, forKeyPath: "count") } catch { log.add("\(error)") }
    do {
      try watched.removeObserver(self, forKeyPath: "count")
    } catch { log.add("\(error.code)") }
  }
}

@Suite(.serialized, .leavesNoObjects)
struct AssociatedObserverTests {
  @Test("an observer that an object keeps removes itself while the object goes, once")
  func removesItself() throws {
    let log = Recorder<String>()
    let told = try reports {
      let watched = Watched()
      try watched.setAssociated(Keeper(watched, log), forKey: RuntimeAssociationKey())
      watched.count = 3
    }
    #expect(log.all == ["3", "notRegistered"])
    #expect(told.isEmpty)
  }
}
