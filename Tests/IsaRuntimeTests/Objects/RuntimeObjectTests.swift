import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct RuntimeObjectTests {
  @Test("references are equal when they lead to the same object")
  func identity() throws {
    try withPerson { person in
      let other = try person.isa.allocate()
      #expect(person != other)
      try person.set("friend", RuntimeValue(other))
      #expect(try person.get("friend").object == other)
      #expect(Set([person, other, other]).count == 2)
    }
  }

  @Test("a new object has zero in all its ivars and one reference")
  func fresh() throws {
    try withPerson { person in
      #expect(person.retainCount == 1)
      #expect(person.ivar(named: "_age") == 0)
      #expect(person.ivar(named: "_friend") == nil as RuntimeValue)
      #expect(person.ivar(named: "_name")?.isNil == true)
      #expect(person.ivar(named: "_none") == nil)
    }
  }

  @Test("a message that nobody answers is refused in the core's words")
  func unanswered() throws {
    try withPerson { person in
      let error = expectError(.unrecognizedSelector, key: "fly") { try person.send("fly") }
      #expect(error?.reason == "\(person.isa) does not respond to the selector fly")
    }
  }

  @Test("an object claims to be of the class that its `class` answers")
  func claims() throws {
    try withClass {
      try $0.method("class", "#@:") { _ in RuntimeValue(RuntimeClass.root) }
    } body: { made in
      let object = try made.allocate()
      #expect(object.class == .root)
      #expect(object.isa == made)
    }
  }

  @Test("arguments are converted to what the method takes")
  func converts() throws {
    try withPerson { person in
      try person.send("setHeight:", 2)
      #expect(try person.send("height").double == 2)
      expectError(.incompatible) {
        try person.send("setHeight:", "x")
      }
      #expect(try person.send("height").double == 2)
    }
  }

  @Test("a message that nobody answers throws")
  func unrecognized() throws {
    try withPerson { person in
      let name = person.isa.name
      expectError(.unrecognizedSelector, key: "fly", className: name) { try person.send("fly") }
      #expect(!person.responds(to: "fly"))
    }
  }

  @Test("a message with too few or too many arguments throws")
  func argumentCount() throws {
    try withPerson { person in
      expectError(.invalidArgument, key: "setAge:") {
        try person.send("setAge:")
      }
      expectError(.invalidArgument, key: "age") {
        try person.send("age", 1)
      }
    }
  }

  @Test("the isa is swapped to a class of the same layout, and to no other")
  func setsIsa() throws {
    try withPerson { person in
      let original = person.isa
      try withClass(superclass: original) {
        try $0.method("tell", "q@:") { _ in 1 }
      } body: { made in
        #expect(try person.setIsa(made) == original)
        #expect(person.isa == made)
        #expect(try person.send("tell").int == 1)
        try person.setIsa(original)
      }
      expectError(.layout, className: original.name) { try person.setIsa(.root) }
      #expect(person.isa == original)
    }
  }

  @Test("an observed object that is given another class keeps its observers")
  func setsIsaWhileObserved() throws {
    try withPerson { person in
      let original = person.isa, told = Recorder<Int?>()
      let token = try person.observe("age", options: .new) { told.add($0.newValue?.int) }
      try withClass(superclass: original) {
        try $0.method("getAge", "q@:") { _ in 77 }
      } body: { made in
        try person.setIsa(made)
        #expect(person.class == made && person.isa != made)
        try person.setValue(1, forKey: "age")
        try person.setIsa(original)
        try person.setValue(2, forKey: "age")
      }
      #expect(told.all == [77, 2])
      token.invalidate()
      #expect(person.isa == original)
    }
  }

  @Test("an observed object claims to be what it was")
  func claimsClass() throws {
    try withPerson { person in
      let original = person.isa
      let token = try person.observe("age") { _ in }
      #expect(person.class == original)
      #expect(person.isa != original)
      #expect(person.isKind(of: original))
      token.invalidate()
      #expect(person.isa == original)
    }
  }

  @Test("poking an ivar changes it past the setter, and notifies nobody")
  func pokes() throws {
    try withPerson { person in
      let told = Recorder<RuntimeChange>()
      let token = try person.observe("age") { told.add($0) }
      try person.poke(ivar: "_age", 42)
      #expect(try person.send("age").int == 42)
      #expect(told.count == 0)
      token.invalidate()
      expectError(.notFound, key: "_none") {
        try person.poke(ivar: "_none", 1)
      }
      expectError(.incompatible) {
        try person.poke(ivar: "_age", "x")
      }
    }
  }

  @Test("poking an ivar that owns its object keeps the counts")
  func pokesObjects() throws {
    try withPerson { person in
      let friend = try person.isa.allocate()
      try person.poke(ivar: "_friend", RuntimeValue(friend))
      #expect(friend.retainCount == 2)
      try person.poke(ivar: "_friend", nil)
      #expect(friend.retainCount == 1)
    }
  }

  @Test("a weak ivar reads nil once its object is gone")
  func weakIvars() throws {
    try withClass {
      try $0.property("other", .object, ownership: .weak)
    } body: { made in
      let object = try made.allocate()
      do {
        let other = try made.allocate()
        try object.poke(ivar: "_other", RuntimeValue(other))
        #expect(object.ivar(named: "_other")?.object == other)
      }
      #expect(object.ivar(named: "_other") == nil as RuntimeValue)
    }
  }

  @Test("an object is shown by its original class, a class by its name")
  func description() throws {
    try withPerson { person in
      let name = person.isa.name
      let token = try person.observe("age") { _ in }
      #expect(person.description.hasPrefix("<\(name) 0x"))
      #expect(person.class.object.description == name)
      token.invalidate()
    }
  }

  @Test("a primitive value is told to nobody; paths lead on from it, unless they are not to follow")
  func primitive() throws {
    try withPerson { person in
      let told = Recorder<String>()
      let friends = [try person.isa.allocate(), try person.isa.allocate()]
      try person.set("friend", RuntimeValue(friends[0]))
      let tokens = [
        try person.observe("age") { _ in told.add("age") },
        try person.observe("friend.age") { _ in told.add("friend") },
      ]
      try person.setPrimitiveValue(7, forKey: "age")
      try person.setPrimitiveValue(RuntimeValue(friends[1]), forKey: "friend")
      #expect(try told.all.isEmpty && person.get("age").int == 7)
      #expect(try person.primitiveValue(forKey: "friend").object == friends[1])
      try friends[0].set("age", 1)
      #expect(told.all.isEmpty)
      try friends[1].set("age", 1)
      #expect(told.all == ["friend"])
      try person.setPrimitiveValue(RuntimeValue(friends[0]), forKey: "friend", following: false)
      try friends[1].set("age", 2)
      #expect(told.all == ["friend", "friend"])
      try person.setPrimitiveValue(RuntimeValue(friends[0]), forKey: "friend")
      expectError(.undefinedKey, key: "none") { try person.setPrimitiveValue(1, forKey: "none") }
      expectError(.incompatible) { try person.setPrimitiveValue("x", forKey: "age") }
      #expect(try person.get("age").int == 7)
      tokens.forEach { $0.invalidate() }
    }
  }
}
