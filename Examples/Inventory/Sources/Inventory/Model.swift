// The model: plain properties, which are Codable, observable, and known by name.
import IsaKVO

enum Category: String, Codable, CaseIterable {
  case tools, paper, food, toys
}

/// The reason why the user's value is not taken.
struct Refusal: Error, CustomStringConvertible {
  let description: String
}

final class Item: KVObject, Codable {
  @Dynamic var name: String
  @Dynamic var category: Category
  @Dynamic var quantity: Int
  @Dynamic var price: Double
  @Dynamic var isInStock: Bool

  init(_ name: String, _ category: Category, quantity: Int = 1, price: Double = 0) {
    self.name = name
    self.category = category
    self.quantity = quantity
    self.price = price
    isInStock = quantity > 0
    super.init()
  }

  /// The rules for what the user enters; code that sets a property need not ask for them.
  override class var keys: [KeyDeclaration] {
    [
      .key(
        "name", \Item.name,
        validate: { _, name in
          if name.isEmpty { throw Refusal(description: "An item needs a name.") }
        }),
      .key(
        "quantity", \Item.quantity,
        validate: { _, quantity in
          if quantity < 0 { throw Refusal(description: "A quantity is 0 or more.") }
          quantity = min(quantity, 999)
        }),
    ]
  }
}

final class Inventory: KVObject, Codable {
  @Dynamic var items: [Item] = []
}
