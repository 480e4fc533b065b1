// The product IsaKVOCombine: the values of a property as a publisher, and a property set by one.
import IsaKVO
import IsaKVOCombine

final class Basket: KVObject, ObservableKVObject {
  @Dynamic var prices: [Int] = []
  @Dynamic var total = "empty"
}

let basket = Basket()
basket.publisher(for: \.prices, options: .new)
  .map { "\($0.count) for \($0.reduce(0, +))" }
  .assign(to: \.total, of: basket)
let totals = basket.publisher(for: \.total).removeDuplicates().sink { print($0) }

basket.prices.append(3)
basket.prices.append(4)
basket.prices = [3, 4]
let redraw = basket.objectWillChange.prefix(1).sink { print("about to change:", basket.prices) }
basket.prices = []
