import IsaKVO
import IsaKVOTestSupport
import Testing

private final class Order: KVObject {
  @Dynamic var name = "old"
  @Dynamic var lines: [String] = []
  @Dynamic var next: Order?
  @Dynamic var number = 1
  let place = Place()
  var plain = ""

  override class var keys: [KeyDeclaration] { [.key("plain", \Order.plain)] }
}

@Suite(.serialized, .leavesNoObjects)
struct PrimitiveValueTests {
  @Test("a value that is set as a primitive value is there, and nobody is told")
  func untold() {
    let order = Order(), lines = Recorder<String>()
    order.next = Order()
    let tokens = [
      order.observe(\.name) { _, _ in lines.add("name") },
      order.observe(\.lines) { _, _ in lines.add("lines") },
      order.observe(\.number) { _, _ in lines.add("number") },
      order.observe(\.next!.name) { _, _ in lines.add("next") },
    ]
    order.setPrimitiveValue("new", for: \.name)
    order.setPrimitiveValue(["one"], for: \.lines)
    order.setPrimitiveValue(2, for: \.number)
    order.setPrimitiveValue("new", for: \.next!.name)
    tokens.forEach { $0.invalidate() }
    #expect(order.name == "new" && order.lines == ["one"] && order.number == 2)
    #expect(order.next?.name == "new")
    #expect(lines.all.isEmpty)
  }

  @Test("a key path leads through constants to the property, whose changes are announced so too")
  func constants() {
    let order = Order(), told = Recorder<String>()
    order.next = Order()
    let token = order.observe(\.place.city, options: .new) { told.add($1.newValue!) }
    order.setPrimitiveValue("Rome", for: \.place.city)
    order.setPrimitiveValue("Oslo", for: \.next!.place.city)
    #expect(order.place.city == "Rome" && order.next?.place.city == "Oslo" && told.all.isEmpty)
    order.willChangeValue(for: \.place.city)
    order.didChangeValue(for: \.place.city)
    #expect(told.all == ["Rome"])
    token.invalidate()
  }

  @Test("a property without storage of the library's has no primitive value")
  func noStorage() {
    let order = Order()
    let misuses = reports { order.setPrimitiveValue("new", for: \.plain) }
    #expect(order.plain == "")
    #expect(misuses.map(\.exception) == ["NSUnknownKeyException"])
    #expect(misuses.first?.reason.contains("PrimitiveValueTests.swift:") == true)
  }

  @Test("values by key are of the declared type, and all are set or none")
  func byKey() throws {
    let order = Order(), next = Order()
    try order.setPrimitiveValues(["name": "new", "number": 5, "next": next, "lines": ["a"]])
    #expect(order.name == "new" && order.number == 5 && order.next === next && order.lines == ["a"])
    #expect(try order.primitiveValue(forKey: "lines") as? [String] == ["a"])
    #expect(try order.primitiveValue(forKey: "next") as? Order === next)
    try order.setPrimitiveValue(nil, forKey: "next")
    #expect(try order.primitiveValue(forKey: "next") == nil)
    #expect(order.primitiveValue(for: \.number) == 5)
    expectError(.nilValue, key: "number") { try order.setPrimitiveValue(nil, forKey: "number") }
    expectError(.incompatible, key: "number") {
      try order.setPrimitiveValues(["number": "five", "name": "other", "lines": ["b"]])
    }
    expectError(.undefinedKey, key: "plain") { try order.setPrimitiveValue("p", forKey: "plain") }
    expectError(.undefinedKey, key: "none") { try order.primitiveValue(forKey: "none") }
    #expect(order.name == "new" && order.number == 5 && order.lines == ["a"])
  }

  @Test(
    "what leads on from a primitive value, or is computed from it, follows it; unless it is not to")
  func following() throws {
    let order = Order(), first = Order(), second = Order(), told = Recorder<String>()
    order.next = first
    let tokens = [
      order.observe(\.next!.name, options: .new) { told.add("typed \($1.newValue!)") },
      try order.observe(keyPath: "next.number") { _, _ in told.add("named") },
      order.observe(\.nextLines, options: .new) { told.add("computed \($1.newValue!)") },
    ]
    order.setPrimitiveValue(second, for: \.next)
    #expect(told.all.isEmpty)
    first.name = "no more"
    first.number = 2
    first.lines = ["a"]
    #expect(told.all.isEmpty)
    second.name = "n"
    second.number = 3
    second.lines = ["a"]
    #expect(told.all == ["typed n", "named", "computed 1"])
    order.setPrimitiveValue(first, for: \.next, following: false)
    second.name = "still"
    #expect(told.all.last == "typed still")
    try order.followPrimitiveValues(forKeys: ["next"])
    first.name = "now"
    second.name = "not"
    #expect(told.all.last == "typed now")
    tokens.forEach { $0.invalidate() }
  }

  @Test("keys and types of a class: wrapped ones in order, then declared ones; a subclass has more")
  func properties() throws {
    let all = try Order.keyValueProperties()
    #expect(all.map(\.key) == ["name", "lines", "next", "number", "plain"])
    #expect(
      all.map { "\($0.type)" } == ["String", "Array<String>", "Optional<Order>", "Int", "String"])
    #expect(all.map(\.isStored) == [true, true, true, true, false])
    #expect(all.allSatisfy { !$0.isReadOnly && $0.owner == Order.self })
    let more = try Special.keyValueProperties()
    #expect(more.map(\.key) == ["base", "extra", "weakly", "half"] && more[3].isReadOnly)
    #expect(more[0].owner == Base.self && more[1].owner == Special.self)
    #expect("\(more[2].type)" == "Optional<Base>")
    #expect(try KVObject.keyValueProperties().isEmpty)
  }
}

extension Order {
  fileprivate var nextLines: Int { next?.lines.count ?? 0 }
}

private class Base: KVObject { @Dynamic var base = 0 }
private final class Special: Base {
  @LazyDynamic var extra = ""
  @WeakDynamic var weakly: Base?
  var half: Int { base / 2 }
  override class var keys: [KeyDeclaration] {
    [.key("half", \Special.half, affectedBy: [\Special.base])]
  }
}
