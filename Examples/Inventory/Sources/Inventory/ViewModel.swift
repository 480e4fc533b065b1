// The filter and the status line: computed properties, which follow the properties that they read.
import Foundation
import IsaKVO
import IsaKVOBindings

final class ViewModel: KVObject {
  /// The text in the search field.
  @Dynamic var search = ""
  /// Preferences.
  @Dynamic var hidesSoldOut = false
  @Dynamic var currency = ""
  /// The items that are shown.
  @Dynamic var shown: [Item] = []

  /// The items to show.
  var filter: Filter<Item>? {
    let found = Filter<Item>.containing(\.name, search)
    return hidesSoldOut ? found && .where(\.isInStock, ==, true) : found
  }

  /// The line below the table.
  var status: String {
    let total = shown.reduce(0) { $0 + $1.price }
    let count = shown.count == 1 ? "1 item" : "\(shown.count) items"
    return "\(count), \(currency) \(String(format: "%.2f", total))"
  }
}
