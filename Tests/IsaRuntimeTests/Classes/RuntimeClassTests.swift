import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct RuntimeClassTests {
  @Test("an unknown class is not found")
  func unknown() { #expect(RuntimeClass.find(named: "Nobody") == nil) }

  @Test("the list of classes has each registered one")
  func all() throws {
    #expect(RuntimeClass.all.contains(.root))
    try withClass { #expect(RuntimeClass.all.contains($0)) }
  }

  @Test("superclass, metaclass and their loop")
  func hierarchy() throws {
    try withClass { base in
      try withClass(superclass: base) { derived in
        #expect(derived.superclass == base)
        #expect(base.superclass == .root)
        #expect(RuntimeClass.root.superclass == nil)
        #expect(derived.isSubclass(of: base))
        #expect(!base.isSubclass(of: derived))
        #expect(derived.metaclass.isMetaclass)
        #expect(derived.metaclass.superclass == base.metaclass)
        #expect(RuntimeClass.root.metaclass.superclass == .root)
        #expect(derived.object.isa == derived.metaclass)
      }
    }
  }

  @Test("ivars tell their place, size and owner")
  func ivars() throws {
    try withClass { builder in
      try builder.ivar("a", .int8).ivar("b", .double).ivar("c", .object, ownership: .retain)
    } body: { made in
      #expect(made.ivars.map(\.offset) == [16, 24, 32])
      #expect(made.ivars.map(\.size) == [1, 8, 8])
      #expect(made.ivars.map(\.ownership) == [.none, .none, .retain])
      #expect(made.instanceSize == 40)
      #expect(made.ivar(named: "b")?.encoding == .double)
      #expect(made.ivar(named: "z") == nil)
    }
  }

  @Test("a class, and an object that lives, are had back from their addresses")
  func addresses() throws {
    try withClass { made in
      let object = try made.allocate()
      #expect(RuntimeClass(unsafeAddress: made.address) == made)
      #expect(RuntimeObject(unsafeAddress: object.address) == object)
      #expect(object.retainCount == 1)
    }
  }

  @Test("only an interned name has a selector to find")
  func interned() {
    #expect(RuntimeSelector.find(named: "neverNamedByAnybody:") == nil)
    #expect(RuntimeSelector.find(named: "class") == "class")
  }

  @Test("selectors have places of their own; a class has a page of its own where it has a method")
  func dispatchPages() throws {
    try withClass { base in
      try withClass(superclass: base) { derived in
        #expect(RuntimeSelector("class").dispatchPlace != RuntimeSelector("isEqual:").dispatchPlace)
        #expect(derived.ownDispatchPages == [])
        try derived.addMethod("self", "@@:") { RuntimeValue($0.receiver) }
        #expect(derived.ownDispatchPages == [RuntimeSelector("self").dispatchPlace.page])
        #expect(base.ownDispatchPages == [])
        #expect(!RuntimeClass.root.ownDispatchPages.isEmpty)
      }
    }
  }

  @Test("a method added later reaches instances and subclasses that exist")
  func addsLater() throws {
    try withClass { base in
      try withClass(superclass: base) { derived in
        let object = try derived.allocate()
        #expect(!object.responds(to: "late"))
        try base.addMethod("late", "q@:") { _ in 1 }
        #expect(try object.send("late").int == 1)
        #expect(derived.method("late")?.declaringClass == base)
      }
    }
  }

  @Test("adding a method that exists throws and keeps the old one")
  func addsTwice() throws {
    try withClass {
      try $0.method("f", "q@:") { _ in 1 }
    } body: { made throws in
      expectError(.exists, key: "f") { try made.addMethod("f", "q@:") { _ in 2 } }
      #expect(try made.allocate().send("f").int == 1)
    }
  }

  @Test("replacing answers the code before and runs the new one")
  func replaces() throws {
    try withClass {
      try $0.method("f", "q@:") { _ in 1 }
    } body: { made throws in
      let before = made.implementation(of: "f")
      #expect(try made.replaceMethod("f", "q@:") { _ in 2 } == before)
      #expect(try made.allocate().send("f").int == 2)
      #expect(made.implementation(of: "f") != before)
      #expect(try made.replaceMethod("g", "q@:") { _ in 3 } == nil)
      #expect(try made.allocate().send("g").int == 3)
    }
  }

  @Test("a replacement's closure is released with the class")
  func releasesReplacements() throws {
    final class Token: Sendable {}
    weak var held: Token?
    try withClass { made in
      let token = Token()
      held = token
      try made.replaceMethod("f", "v@:") { _ in withExtendedLifetime(token) {} }
      #expect(throws: KeyValueError.self) {
        try made.replaceMethod("f", "nonsense") { _ in withExtendedLifetime(token) {} }
      }
    }
    #expect(held == nil)
  }

  @Test("exchanging swaps the code of two methods")
  func exchanges() throws {
    try withClass { builder in
      try builder.method("one", "q@:") { _ in 1 }.method("two", "q@:") { _ in 2 }
        .method("three:", "v@:q") { _ in }
    } body: { made in
      try made.exchangeMethods("one", "two")
      let object = try made.allocate()
      #expect(try object.send("one").int == 2)
      #expect(try object.send("two").int == 1)
      #expect(throws: KeyValueError.self) { try made.exchangeMethods("one", "three:") }
      expectError(.notFound, key: "four") {
        try made.exchangeMethods("one", "four")
      }
    }
  }

  @Test("a class in use, and the root class, are not disposed of")
  func inUse() throws {
    try withClass { made in
      let object = try made.allocate()
      expectError(.inUse, className: made.name) { try made.dispose() }
      withExtendedLifetime(object) {}
      try withClass(superclass: made) { _ in
        expectError(.inUse, className: made.name) { try made.dispose() }
      }
      #expect(RuntimeClass.find(named: made.name) == made)
    }
    #expect(throws: KeyValueError.self) { try RuntimeClass.root.dispose() }
  }

  @Test("a metaclass has no instances")
  func metaclassInstances() throws {
    try withClass { made in
      #expect(throws: KeyValueError.self) { try made.metaclass.allocate() }
    }
  }

  @Test("a notifying class names its original and the setters that it wraps")
  func notifying() throws {
    try withPerson { person in
      let original = person.isa
      #expect(!original.isNotifying)
      #expect(original.wrappedSetters.isEmpty)
      let token = try person.observe("age") { _ in }
      #expect(person.isa.isNotifying)
      #expect(person.isa.name == "NSKVONotifying_\(original.name)")
      #expect(person.isa.original == original)
      #expect(person.isa.superclass == original)
      let setter = try #require(person.isa.wrappedSetters.first)
      #expect(setter.selector == "setAge:")
      #expect(setter.key == "age")
      #expect(setter.original == original.implementation(of: "setAge:"))
      #expect(setter.wrapper == person.isa.implementation(of: "setAge:"))
      token.invalidate()
    }
  }
}
