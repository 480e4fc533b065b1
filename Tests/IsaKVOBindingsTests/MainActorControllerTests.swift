import IsaKVO
import IsaKVOBindings
import IsaKVOTestSupport
import Testing

/// A model of the main actor, as a program with windows has it.
private final class Item: KVObject, MainActorObject {
  @Dynamic var name = ""
  @Dynamic var price = 0.0

  init(_ name: String, _ price: Double) {
    super.init()
    self.name = name
    self.price = price
  }
}

private final class Store: KVObject, MainActorObject {
  @Dynamic var items: [Item] = []
}

/// A subclass with a property and an action of its own.
private final class Items: ArrayController<Item>, MainActorObject {
  @Dynamic var limit = 100.0
  var shown = 0

  func showCheap() {
    filter = .where(\.price, <, limit)
    shown += 1
  }

  func observeNames(_ log: @escaping @MainActor (String) -> Void) -> KeyValueObservation {
    observe(\.arrangedObjects, delivery: .mainActor) { items, change in
      log("\(change.kind) \(items.arrangedObjects.map(\.name)) \(items.limit)")
    }
  }
}

/// A generic subclass.
private class Sorted<Element: KVObject>: ArrayController<Element> {
  override func arrange(_ objects: [Element]) -> [Element] { super.arrange(objects).reversed() }
}

@MainActor
private final class PriceField: @MainActor Editor {
  let items: Items
  var text = ""

  init(_ items: Items) { self.items = items }

  func type(_ text: String) {
    self.text = text
    items.objectDidBeginEditing(self)
  }

  func commitEditing() throws(KeyValueError) {
    guard let price = Double(text) else { throw KeyValueError(.invalid, key: "price") }
    try items.setValue(price, forKeyPath: "selection.price")
    items.objectDidEndEditing(self)
  }

  func discardEditing() { items.objectDidEndEditing(self) }
}

@Suite(.serialized, .oneAtATime) @MainActor struct MainActorControllerTests {
  @Test(
    "BND-131: a program of the main actor subclasses a controller, binds, edits and observes it")
  func program() throws {
    let store = Store(), items = Items(), field = PriceField(items)
    store.items = [Item("lamp", 30), Item("desk", 300), Item("chair", 80)]
    items.bindContent(to: store, \.items)
    items.sort = [.ascending(\.name)]
    items.automaticallyRearranges = true
    items.makeObject = { Item("new", 1) }
    var lines: [String] = []
    let token = items.observeNames { lines.append($0) }
    items.showCheap()
    #expect(lines == ["removal [\"chair\", \"lamp\"] 100.0"])
    items.select(0)
    field.type("expensive")
    #expect(!items.select(1))
    field.type("90")
    #expect(items.select(1) && store.items[2].price == 90)
    items.add()
    #expect(store.items.count == 4 && items.selectedObjects.first?.name == "new")
    store.items[0].price = 1000
    #expect(items.arrangedObjects.map(\.name) == ["chair", "desk", "lamp", "new"])
    #expect(items.shown == 1)
    #expect(try items.value(forKeyPath: "selection.name", as: String.self) == "new")
    token.invalidate()
  }

  @Test("BND-58: a generic subclass arranges in its own way")
  func generic() {
    let items = Sorted<Item>()
    items.content = [Item("a", 1), Item("b", 2)]
    #expect(items.arrangedObjects.map(\.name) == ["b", "a"])
    items.add(Item("c", 3))
    #expect(items.arrangedObjects.map(\.name) == ["c", "b", "a"])
  }
}
