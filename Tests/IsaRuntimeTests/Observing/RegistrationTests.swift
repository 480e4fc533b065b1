import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct RegistrationTests {
  @Test("a registration says through which path it came, and from where")
  func forwarders() throws {
    try withPerson { person in
      let friend = try person.isa.allocate()
      try person.set("friend", friend)
      let token = try person.observe("friend.age", options: .new) { _ in }
      let own = try #require(person.registrations.first)
      #expect(own.keyPath == "friend.age" && !own.isForwarder && own.root == person.address)
      let forwarder = try #require(friend.registrations.first)
      #expect(forwarder.isForwarder && forwarder.keyPath == "age")
      #expect(forwarder.root == person.address && forwarder.rootKeyPath == "friend.age")
      #expect(friend.affected(by: "age").map(\.rootKeyPath) == ["friend.age"])
      #expect(person.affected(by: "friend").map(\.rootKeyPath) == ["friend.age"])
      #expect(person.affected(by: "age") == [])
      token.invalidate()
      #expect(friend.registrations == [])
      try person.set("friend", nil as RuntimeObject?)
    }
  }

  @Test("a registration notes when it was made, if asked to")
  func times() throws {
    try withPerson { person in
      let before = try person.observe("age") { _ in }
      KeyValueSettings.recordTimes(true)
      defer { KeyValueSettings.recordTimes(false) }
      let after = try person.observe("age") { _ in }
      #expect(person.registrations.map { $0.since != nil } == [false, true])
      before.invalidate()
      after.invalidate()
    }
  }

  @Test("what is registered is one value that changes, and nil ends all of it")
  func observationInfo() throws {
    try withPerson { person in
      #expect(person.observationInfo == nil)
      let first = try person.observe("age") { _ in }
      let info = person.observationInfo
      #expect(info != nil)
      let second = try person.observe("height") { _ in }
      #expect(person.observationInfo != info)
      try person.setObservationInfo(person.observationInfo)
      #expect(first.isValid && second.isValid)
      try person.setObservationInfo(nil)
      #expect(!first.isValid && !second.isValid && person.observationInfo == nil)
    }
  }

  @Test("a class has the profile that it is given, and those below it inherit it")
  func profiles() throws {
    let base = try RuntimeClassBuilder(uniqueName("Base"), profile: .gnustep).register()
    try withClass(superclass: base) { below in
      #expect(base.profile == .gnustep && below.profile == .gnustep)
      #expect(RuntimeClass.root.profile == .apple)
    }
    try base.dispose()
  }
}
