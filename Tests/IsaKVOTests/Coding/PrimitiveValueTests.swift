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
}
