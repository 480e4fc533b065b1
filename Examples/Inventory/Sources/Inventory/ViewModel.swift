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
  /// How many items are shown, and the sum of their prices.
  @Dynamic var count = 0
  @Dynamic var total = 0.0

  /// The items to show.
  var filter: Filter<Item>? {
    let found = Filter<Item>.containing(\.name, search)
    return hidesSoldOut ? found && .where(\.isInStock, ==, true) : found
  }

  /// The line below the table.
  var status: String {
    let items = count == 1 ? "1 item" : "\(count) items"
    return "\(items), \(currency) \(String(format: "%.2f", total))"
  }
}
