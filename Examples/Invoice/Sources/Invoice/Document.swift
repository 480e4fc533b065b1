// The document: plain properties, which are Codable, observable, and known by name.
import Foundation
import IsaKVO
import IsaKVOFoundation

final class Item: KVObject, Codable {
  @Dynamic var name: String
  @Dynamic var price: Decimal

  init(_ name: String, _ price: String) {
    self.name = name
    self.price = Decimal(string: price)!
    super.init()
  }
}

final class Document: KVObject, Codable {
  @Dynamic var customer = ""
  @Dynamic var items: [Item] = []

  /// Observable as any property: what it reads is found out.
  var total: Decimal { items.reduce(0) { $0 + $1.price } }

  /// Any number of the items, summed in decimals: no cent is lost to binary fractions.
  func sum(of key: String) -> NSDecimalNumber? {
    value(forKeyPath: "items.@sum.\(key)") as? NSDecimalNumber
  }

  /// The items, to be changed one by one: each change is told with its indexes.
  var lines: NSMutableArray { mutableArrayValue(forKey: "items") }
}
