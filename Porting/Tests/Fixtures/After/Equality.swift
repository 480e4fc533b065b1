import Foundation
import IsaKVO
import IsaKVOFoundation

final class Coin: KVObject, NSCopying {
  @Dynamic var cents: Int

  init(_ cents: Int) {
    self.cents = cents
    super.init()
  }

  override func isEqual(_ object: Any?) -> Bool { (object as? Coin)?.cents == cents }
  override var hash: Int { cents }
  override var description: String { "\(cents) cents" }

  func copy(with zone: NSZone? = nil) -> Any { Coin(cents) }
}

func showEquality() {
  let coin = Coin(5)
  print(coin == Coin(5), [Coin(1), Coin(5)].contains(coin), Set([coin, Coin(5)]).count, coin)
  print(coin.responds(toKey: "cents"))
  print((coin.copy() as! Coin) == coin)
}
