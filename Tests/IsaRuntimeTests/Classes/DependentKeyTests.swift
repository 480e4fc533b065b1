import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct DependentKeyTests {
  @Test("a dependent key is told of when a key that affects it is set")
  func tells() throws {
    try withName {
      try $0.key("full", affectedBy: ["first", "last"])
    } body: { name in
      let told = Recorder<String>()
      let token = try name.observe("full", options: [.old, .new]) { told.add("\($0)") }
      try name.set("first", "Ann")
      try name.setValue("Lee", forKey: "last")
      #expect(
        told.all == [
          "full: \"nil nil\" → \"Ann nil\"", "full: \"Ann nil\" → \"Ann Lee\"",
        ])
      token.invalidate()
    }
  }

  @Test("what affects a key is observed in the order given, a set by name")
  func order() throws {
    for (keys, expected) in [(["last", "first"], ["last", "first"]), ([], ["first", "last"])] {
      try withName {
        if keys.isEmpty {
          try $0.key("full", affectedBy: Set(["last", "first"]))
        } else {
          try $0.key("full", affectedBy: keys)
        }
      } body: { name in
        let token = try name.observe("full") { _ in }
        let wrapped = name.isa.wrappedSetters.map(\.key)
        #expect(wrapped == expected)
        token.invalidate()
      }
    }
  }

  @Test("what affects a key is asked of a closure, of the superclass, and of legacy declarations")
  func declarations() throws {
    try withName { builder in
      try builder.setKeys(["first", "a.b"], triggering: "initials")
        .keyPathsForValuesAffecting { made, key, inherited in
          key == "full" || key == "initials" ? inherited.union(["last"]) : inherited
        }
        .key("full") { _ in ["first"] }
        .key("address") { made in [made.name] }
    } body: { name in
      let made = name.isa
      #expect(try made.keyPathsAffecting("full") == ["first", "last"])
      #expect(try made.keyPathsAffecting("initials") == ["first", "last"])
      #expect(try made.keyPathsAffecting("address") == [made.name])
      #expect(try made.keyPathsAffecting("first") == [])
      try made.setKeys(["last"], triggering: "initials")
      #expect(try made.keyPathsAffecting("initials") == ["last"])
    }
  }

  @Test("the closure of dependencies is transitive, and a key on itself is refused")
  func closures() throws {
    try withName { builder in
      try builder.key("a", affectedBy: ["b"]).key("b", affectedBy: ["c", "a"])
        .key("loop", affectedBy: ["loop"])
    } body: { name in
      let closure = try name.isa.dependencyClosure(of: "a")
      #expect(closure == ["b", "c"])
      let error = #expect(throws: KeyValueError.self) {
        try name.isa.dependencyClosure(of: "loop")
      }
      #expect(error?.code == .selfDependent && error?.key == "loop")
      #expect(error?.exceptionName == "NSInternalInconsistencyException")
    }
  }

  @Test("a key that does not notify by itself says nothing until it is changed by hand")
  func automatic() throws {
    try withName { builder in
      try builder.automaticallyNotifies("first", false)
    } body: { name in
      let told = Recorder<Void>()
      let token = try name.observe("first") { _ in told.add(()) }
      try name.set("first", "Ann")
      #expect(told.count == 0)
      try name.change("first") { try name.set("first", "Bob") }
      #expect(told.count == 1)
      token.invalidate()
    }
    try withName { builder in
      try builder.automaticallyNotifies { key in key == "last" ? false : nil }
    } body: { name in
      let told = Recorder<String>()
      let first = try name.observe("first") { told.add($0.keyPath) }
      let last = try name.observe("last") { told.add($0.keyPath) }
      try name.set("first", "Ann")
      try name.set("last", "Lee")
      #expect(told.all == ["first"])
      first.invalidate()
      last.invalidate()
    }
  }
}

private func withName(
  _ describe: (RuntimeClassBuilder) throws -> Void, body: (RuntimeObject) throws -> Void
) throws {
  try withClass("Name") { builder in
    try builder.property("first", .object).property("last", .object)
      .method("full", "@@:") { call in
        let parts = ["first", "last"].map { key in
          (try? call.receiver.get(key, as: String?.self)).flatMap { $0 } ?? "nil"
        }
        return RuntimeValue(parts.joined(separator: " "))
      }
    try describe(builder)
  } body: { made in
    try body(made.allocate())
  }
}
