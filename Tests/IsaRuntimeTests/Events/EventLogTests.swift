import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct EventLogTests {
  @Test("an observed assignment is recorded in order, each event with its cause")
  func recordsAssignment() throws {
    try withPerson { person in
      let token = try person.observe("age", options: .new) { _ in }
      let log = try RuntimeEventLog()
      try person.send("setAge:", 40)
      log.stop()
      let expected: [RuntimeEventKind] = [
        .message, .wrapperEntered, .willChange, .originalCalled, .ivarWritten, .originalReturned,
        .didChange, .valueRead, .notification, .notificationEnded, .wrapperLeft,
      ]
      #expect(log.events.map(\.kind) == expected)
      let first = try #require(log.events.first).id
      #expect(log.events.map { $0.id - first } == Array(0...10))
      #expect(log.events.first?.cause == nil)
      #expect(log.events[1].cause == log.events[0].id)
      #expect(log.events.allSatisfy { $0.object == person.address })
      #expect(log.events[2].name == "age")
      #expect(log.events[1].selector == "setAge:")
      #expect(log.events[1].className == person.isa.name)
      token.invalidate()
    }
  }

  @Test("the values that are read and written are told, with how many asked for them")
  func values() throws {
    try withPerson { person in
      try person.set("age", 36)
      let first = try person.observe("age", options: [.old, .new]) { _ in }
      let second = try person.observe("age", options: .new) { _ in }
      let log = try RuntimeEventLog()
      try person.send("setAge:", 40)
      log.stop()
      let read = log.events.filter { $0.kind == .valueRead }
      #expect(read.map(\.value) == [36, 40])
      #expect(read.map(\.isOld) == [true, false])
      #expect(read.map(\.count) == [1, 2])
      let written = try #require(log.events.first { $0.kind == .ivarWritten })
      #expect(written.value == 40)
      #expect(written.className == person.isa.original.name)
      let called = try #require(log.events.first { $0.kind == .originalCalled })
      #expect(written.cause == called.id)
      #expect(called.implementation == person.isa.original.method("setAge:")?.implementation)
      first.invalidate()
      second.invalidate()
    }
  }

  @Test("an ivar that its synthesised setter sets to the value that it has is written, too")
  func writtenAgain() throws {
    try withPerson { person in
      try person.set("age", 40)
      let token = try person.observe("age") { _ in }
      let log = try RuntimeEventLog()
      try person.send("setAge:", 40)
      log.stop()
      #expect(log.events.filter { $0.kind == .ivarWritten }.map(\.value) == [40])
      token.invalidate()
    }
  }

  @Test("an object that is read is told by its address, and the log keeps none alive")
  func objects() throws {
    try withPerson { person in
      let log: RuntimeEventLog
      let address: UInt
      let gone: RuntimeWeakReference
      let token = try person.observe("friend", options: [.old, .new]) { _ in }
      do {
        let friend = try person.isa.original.allocate()
        (address, gone) = try (friend.address, RuntimeWeakReference(to: friend))
        log = try RuntimeEventLog()
        try person.set("friend", RuntimeValue(friend))
      }
      log.stop()
      let read = log.events.filter { $0.kind == .valueRead }
      #expect(read.map(\.valueObject) == [0, address])
      #expect(read.allSatisfy { $0.value == nil })
      try person.set("friend", .nilObject)
      #expect(gone.object == nil)
      token.invalidate()
    }
  }

  @Test("a key path that is reached, and a forwarder that is told, are in the course of the change")
  func paths() throws {
    try withPerson { person in
      try person.set("friend", RuntimeValue(person.isa.allocate()))
      let token = try person.observe("friend.age", options: .new) { _ in }
      let friend = try #require(try person.get("friend").object)
      let log = try RuntimeEventLog()
      try friend.send("setAge:", 7)
      try person.set("friend", RuntimeValue(person.isa.original.allocate()))
      log.stop()
      let forwarded = log.events.filter { $0.kind == .notification && $0.isForwarder }
      #expect(forwarded.map(\.name) == ["age"])
      let told = log.events.filter { $0.kind == .notification && !$0.isForwarder }
      #expect(told.map(\.name) == ["friend.age", "friend.age"])
      #expect(told[0].cause == forwarded[0].id)
      let reached = log.events.filter { $0.kind == .dependentReached && !$0.isPrior }
      #expect(reached.map(\.name) == ["friend.age"])
      #expect(told[1].cause == reached[0].id)
      token.invalidate()
    }
  }

  @Test("registering and its end are recorded, with the isa swap and the reason")
  func recordsRegistration() throws {
    try withPerson { person in
      let log = try RuntimeEventLog()
      let token = try person.observe("age", options: .new) { _ in }
      token.invalidate()
      log.stop()
      let added = try #require(log.events.first { $0.kind == .observerAdded })
      #expect(added.options == .new)
      #expect(added.name == "age")
      let removed = try #require(log.events.first { $0.kind == .observerRemoved })
      #expect(removed.reason == .call)
      #expect(removed.observer == added.observer)
      let swaps = log.events.filter { $0.kind == .isaSwapped }
      #expect(swaps.first?.otherClassName == person.isa.name)
      #expect(swaps.first?.className == "NSKVONotifying_\(person.isa.name)")
      #expect(swaps.last?.className == person.isa.name)
    }
  }

  @Test("a handler gets the events, and none is recorded")
  func handler() throws {
    try withPerson { person in
      let kinds = Recorder<RuntimeEventKind>()
      let log = try RuntimeEventLog { kinds.add($0.kind) }
      try person.send("setAge:", 1)
      log.stop()
      try person.send("setAge:", 2)
      #expect(kinds.all == [.message])
      #expect(log.events.isEmpty)
    }
  }

  @Test("registrations that only serve another are told from those that somebody made")
  func forwarders() throws {
    try withPerson { person in
      try person.set("friend", RuntimeValue(person.isa.allocate()))
      let log = try RuntimeEventLog()
      let token = try person.observe("friend.age", options: [.old, .new]) { _ in }
      token.invalidate()
      log.stop()
      for kind in [RuntimeEventKind.observerAdded, .observerRemoved] {
        let told = log.events.filter { $0.kind == kind }
        #expect(told.filter { !$0.isForwarder }.map(\.name) == ["friend.age"])
        #expect(told.contains { $0.isForwarder && $0.name == "age" })
      }
      let added = log.events.filter { $0.kind == .observerAdded && !$0.isForwarder }
      #expect(added.map(\.options) == [[.old, .new]])
      #expect(log.events.compactMap(\.options).allSatisfy { $0.rawValue < 256 })
    }
  }

  @Test("a class method is told from an instance method of the same class")
  func metaclasses() throws {
    let log = try RuntimeEventLog()
    try withClass {
      try $0.method("size", "q@:") { _ in 1 }.classMethod("kinds", "q@:") { _ in 2 }
    } body: { _ in
    }
    log.stop()
    let added = log.events.filter { $0.kind == .methodAdded }
    #expect(added.map(\.selector) == ["size", "kinds"])
    #expect(added.map(\.isMetaclass) == [false, true])
    #expect(Set(added.map(\.className)).count == 1)
  }

  @Test("asking an object for its class leaves no event")
  func looks() throws {
    try withPerson { person in
      let token = try person.observe("age") { _ in }
      let log = try RuntimeEventLog()
      #expect(person.class == person.isa.original)
      log.stop()
      #expect(log.events.isEmpty)
      token.invalidate()
    }
  }

  @Test("several logs record at once, each the kinds it wants; one more than fit is refused")
  func severalLogs() throws {
    let first = try RuntimeEventLog([.message]), second = try RuntimeEventLog()
    try withPerson { try $0.send("setAge:", 1) }
    first.stop()
    first.stop()
    try withPerson { try $0.send("setAge:", 1) }
    second.stop()
    #expect(first.events.map(\.kind) == [.message])
    #expect(second.events.filter { $0.kind == .message }.count == 2)
    #expect(second.events.contains { $0.kind == .objectAllocated })
    second.clear()
    #expect(second.events.isEmpty)
    var logs: [RuntimeEventLog] = []
    while let log = try? RuntimeEventLog() { logs.append(log) }
    #expect(logs.count >= 8)
    expectError(.inUse) { try RuntimeEventLog() }
  }

  @Test("a log that goes ends recording")
  func ends() throws {
    do { _ = try RuntimeEventLog() }
    try RuntimeEventLog().stop()
  }

  @Test("every kind has a name", arguments: RuntimeEventKind.allCases)
  func names(kind: RuntimeEventKind) { #expect(!kind.name.isEmpty) }
}
