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
