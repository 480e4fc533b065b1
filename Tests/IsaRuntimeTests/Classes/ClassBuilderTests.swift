import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNothing)
struct ClassBuilderTests {
  @Test("a registered class is found by name and has what it was given")
  func registers() throws {
    try withClass { builder in
      try builder.ivar("_tag", .uint16).property("age", .int64).method("twice:", "q@:q") { call in
        RuntimeValue((call.arguments[0].int ?? 0) * 2)
      }
    } body: { made throws in
      #expect(RuntimeClass.find(named: made.name) == made)
      #expect(made.ivars.map(\.name) == ["_tag", "_age"])
      #expect(made.properties.map(\.name) == ["age"])
      #expect(try made.allocate().send("twice:", 21).int == 42)
    }
  }

  @Test("a builder that goes unregistered leaves the name free")
  func abandoned() throws {
    let name = uniqueName()
    do { _ = try RuntimeClassBuilder(name).property("age", .int64).method("f", "v@:") { _ in } }
    #expect(RuntimeClass.find(named: name) == nil)
    try RuntimeClassBuilder(name).register().dispose()
  }

  @Test("a name that is taken is refused")
  func nameTaken() throws {
    try withClass { made in
      expectError(.exists, key: made.name) { try RuntimeClassBuilder(made.name) }
    }
  }

  @Test("an empty name is refused")
  func emptyName() {
    #expect(throws: KeyValueError.self) { try RuntimeClassBuilder("") }
  }

  @Test("the layout is final and registering is once")
  func registered() throws {
    let builder = try RuntimeClassBuilder(uniqueName())
    let made = try builder.register()
    expectError(.classRegistered, className: made.name) { try builder.ivar("x", .int8) }
    expectError(.classRegistered, className: made.name) { try builder.register() }
    try made.dispose()
  }

  @Test("an ivar or property is declared once")
  func declaredTwice() throws {
    let builder = try RuntimeClassBuilder(uniqueName()).property("age", .int64)
    expectError(.exists, key: "age") { try builder.property("age", .int64) }
    expectError(.exists, key: "_age") { try builder.ivar("_age", .int64) }
  }

  @Test("a type that cannot be parsed or passed is refused")
  func badEncodings() throws {
    let builder = try RuntimeClassBuilder(uniqueName())
    #expect(throws: KeyValueError.self) { try builder.ivar("x", "{P=d") }
    #expect(throws: KeyValueError.self) { try builder.property("x", "%") }
    expectError(.notPassable, key: "x") { try builder.property("x", "(U=i)") }
    #expect(throws: KeyValueError.self) { try builder.method("f:", "v@:(U=i)") { _ in } }
    #expect(throws: KeyValueError.self) { try builder.method("f:", "v@:") { _ in } }
    #expect(throws: KeyValueError.self) { try builder.method("f:g:", "v@:q") { _ in } }
  }

  @Test("a method of another encoding than the library sends is refused")
  func sentEncodings() throws {
    let builder = try RuntimeClassBuilder(uniqueName())
    let methods: [(RuntimeSelector, RuntimeTypeEncoding)] = [
      ("valueForKey:", "@@:@"), ("setValue:forKey:", "v@:@@"),
      ("addObserver:forKeyPath:options:context:", "v@:@@Q^v"), ("observationInfo", "@@:"),
    ]
    for (selector, encoding) in methods {
      expectError(.invalidArgument, key: selector.name) {
        try builder.method(selector, encoding) { _ in }
      }
    }
    expectError(.invalidArgument, key: "automaticallyNotifiesObserversForKey:") {
      try builder.classMethod("automaticallyNotifiesObserversForKey:", "B@:@") { _ in false }
    }
  }

  @Test("a method may take more arguments than its selector has colons")
  func unannouncedArguments() throws {
    try withClass {
      try $0.method("sum:", "q@:qq") { call in
        RuntimeValue(call.arguments.reduce(0) { $0 + ($1.int ?? 0) })
      }
    } body: { made throws in
      #expect(try made.allocate().send("sum:", 2, 3).int == 5)
    }
  }

  @Test("a read-only property has no setter, a named one its own accessors")
  func accessors() throws {
    try withClass { builder in
      try builder.property("id", .int64, isReadOnly: true)
        .property("on", .bool, getter: "isOn", setter: "switch:", ivar: "_state")
    } body: { made in
      #expect(!made.responds(to: "setId:"))
      let object = try made.allocate()
      try object.send("switch:", true)
      #expect(try object.send("isOn").bool == true)
      #expect(object.ivar(named: "_state") == true)
      #expect(made.property(named: "on")?.setter == "switch:")
      #expect(made.property(named: "id")?.isReadOnly == true)
    }
  }

  @Test(
    "a synthesised property of each type keeps its value",
    arguments: [
      (.int8, -8), (.int16, -16), (.int32, -32), (.int64, -64), (.uint8, 8), (.uint16, 16),
      (.uint32, 32), (.uint64, 64), (.float, 0.5), (.double, 0.25), (.longDouble, 0.125),
      (.bool, true), (.cString, "text"), (.selector, RuntimeValue("age" as RuntimeSelector)),
      (.classObject, RuntimeValue(RuntimeClass.root)), (.pointer, .pointer(address: 16)),
    ] as [(RuntimeTypeEncoding, RuntimeValue)])
  func propertyTypes(encoding: RuntimeTypeEncoding, value: RuntimeValue) throws {
    try withClass {
      try $0.property("x", encoding)
    } body: { made in
      let object = try made.allocate()
      try object.send("setX:", value)
      #expect(try object.send("x") == value.converted(to: encoding))
    }
  }

  @Test("structs of any size are passed and returned by value", arguments: [1, 2, 3, 5, 16, 64])
  func structs(words: Int) throws {
    let encoding = RuntimeTypeEncoding("{S=\(String(repeating: "q", count: words))}")
    let value = try RuntimeValue(encoding, members: (0..<words).map { RuntimeValue($0) })
    try withClass { builder in
      let types = RuntimeTypeEncoding.method(returning: encoding, taking: [encoding])
      try builder.method("echo:", types) { $0.arguments[0] }
    } body: { made throws in
      #expect(try made.allocate().send("echo:", value) == value)
    }
  }

  @Test("a method calls the one of its superclass")
  func callsSuper() throws {
    try withClass {
      try $0.method("tell", "q@:") { _ in 20 }
    } body: { base in
      try withClass(superclass: base) { builder in
        try builder.method("tell", "q@:") { call in
          RuntimeValue(((try? call.callSuper().int) ?? 0) + 1)
        }
      } body: { derived throws in
        #expect(try derived.allocate().send("tell").int == 21)
      }
    }
  }

  @Test("calling super where no superclass answers throws")
  func callsNoSuper() throws {
    let failure = Recorder<KeyValueError>()
    try withClass { builder in
      try builder.method("tell", "v@:") { call -> Void in
        do throws(KeyValueError) { try call.callSuper() } catch { failure.add(error) }
      }
    } body: { made in
      try made.allocate().send("tell")
      #expect(failure.all.map(\.code) == [.unrecognizedSelector])
      #expect(failure.all.map(\.className) == [RuntimeClass.root.name])
    }
  }

  @Test("a class method is sent to the class")
  func classMethods() throws {
    try withClass {
      try $0.classMethod("make", "q@:") { _ in 7 }
    } body: { made throws in
      #expect(try made.object.send("make").int == 7)
      #expect(!made.responds(to: "make"))
      #expect(made.metaclass.responds(to: "make"))
    }
  }

  @Test("an object that a method makes outlives the call", arguments: ["make", "copy", "newOne"])
  func returnsFreshObjects(name: String) throws {
    try withClass { made in
      try withClass { builder in
        try builder.method(RuntimeSelector(name), "@@:") { _ in RuntimeValue(try? made.allocate()) }
      } body: { maker in
        let object = try #require(try maker.allocate().send(RuntimeSelector(name)).object)
        #expect(object.isa == made)
        #expect(object.retainCount == 1)
      }
    }
  }

  @Test("an object that a class method or a getter makes outlives the call, and no longer")
  func returnsFreshObjectsByOtherWays() throws {
    try withClass { made in
      try made.metaclass.addMethod("make", "@@:") { call in
        RuntimeValue(try? call.receiver.asClass?.allocate())
      }
      try made.addMethod("other", "@@:") { _ in RuntimeValue(try? made.allocate()) }
      let object = try #require(try made.object.send("make").object)
      #expect(object.retainCount == 1)
      for other in [try object.value(forKey: "other"), try object.get("other")] {
        #expect(other.object?.retainCount == 1)
      }
    }
  }

  @Test("an object that somebody owns lives no longer for having been returned")
  func returnsOwnedObjects() throws {
    try withClass { builder in
      try builder.property("friend", .object).method("partner", "@@:") { call in
        (try? call.receiver.get("friend")) ?? nil
      }
    } body: { made in
      let (one, two) = (try made.allocate(), try made.allocate())
      try one.set("friend", two)
      #expect(try one.send("partner").object == two)
      #expect(two.retainCount == 2)
      try one.setValue(nil, forKey: "friend")
      #expect(two.retainCount == 1)
    }
  }

  @Test("a dealloc method runs once, as the object goes")
  func dealloc() throws {
    let ran = Recorder<UInt>()
    try withClass { builder in
      try builder.method("dealloc", "v@:") { ran.add($0.receiver.address) }
    } body: { made in
      let address = try made.allocate().address
      #expect(ran.all == [address])
    }
  }

  @Test("a method's closure is released with its class")
  func releasesClosures() throws {
    final class Token: Sendable {}
    weak var held: Token?
    try withClass { builder in
      let token = Token()
      held = token
      try builder.method("f", "v@:") { _ in withExtendedLifetime(token) {} }
    } body: { _ in
      #expect(held != nil)
    }
    #expect(held == nil)
  }

  @Test("a method that could not be added releases its closure")
  func releasesRefusedClosures() throws {
    final class Token: Sendable {}
    weak var held: Token?
    let builder = try RuntimeClassBuilder(uniqueName()).method("f", "v@:") { _ in }
    do {
      let token = Token()
      held = token
      expectError(.exists, key: "f") {
        try builder.method("f", "v@:") { _ in withExtendedLifetime(token) {} }
      }
    }
    #expect(held == nil)
  }

  @Test("a method that returns another type than it says stops the process")
  func wrongResult() async {
    await #expect(processExitsWith: .failure) {
      let builder = try RuntimeClassBuilder("Wrong").method("f", "q@:") { _ in "text" }
      try builder.register().allocate().send("f")
    }
  }
}
