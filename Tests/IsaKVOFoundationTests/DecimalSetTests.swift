import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

private final class Shop: KVObject {
  @Dynamic var prices: Set<Decimal> = [1, 2]
  @Dynamic var stock: [Decimal: Int] = [1: 10]
  @Dynamic var any: Set<AnyHashable> = [Decimal(1), "a"]
  @Dynamic var set = NSSet(array: [1])
  @Dynamic var dictionary = NSDictionary(dictionary: [1: 2])
  @Dynamic var ordered = NSOrderedSet(array: [1])
}

/// Foundation's own NSDecimalNumber ends the process when something asks for its hash.
@Suite("Decimals in sets and as keys", .serialized, .leavesNoObjects)
struct DecimalSetTests {
  @Test("an observer is told of a set of decimals, and of decimals as keys")
  func observing() throws {
    let shop = Shop(), watcher = Watcher()
    for key in ["prices", "any", "stock"] {
      shop.addObserver(watcher, forKeyPath: key, options: [.old, .new], context: nil)
    }
    shop.prices = [7]
    shop.any = [Decimal(7)]
    shop.stock = [3: 30]
    shop.mutableSetValue(forKey: "prices").add(Decimal(4))
    for key in ["prices", "any", "stock"] { shop.removeObserver(watcher, forKeyPath: key) }
    let told = try watcher.changes.map { try #require($0[.newKey]) }
    #expect(told[0] as? Set<Decimal> == [7] && told[1] as? Set<Decimal> == [7])
    #expect(told[2] as? [Decimal: Int] == [3: 30] && told[3] as? Set<Decimal> == [4])
  }

  @Test("what is read of its proxy is what is read of a plain set")
  func proxy() throws {
    let shop = Shop(), prices = shop.mutableSetValue(forKey: "prices")
    #expect(prices.description.contains("1") && prices.copy() as? Set<Int> == [1, 2])
    #expect(prices.isEqual(NSSet(array: [1, 2])) && !prices.isEqual(NSSet(array: [1])))
    #expect(prices.hash == NSSet(array: [1, 2]).hash)
    #expect(prices.contains(Decimal(1)) && prices.contains(NSNumber(value: 1)))
    #expect(prices.adding(Decimal(3)).count == 3)
    for price in prices.allObjects { prices.remove(price) }
    #expect(shop.prices.isEmpty)
  }

  @Test("decimals set by key are members and keys of Foundation's collections")
  func foundation() throws {
    let shop = Shop(), half = Decimal(1.5)
    shop.setValue([half] as [Decimal], forKey: "set")
    #expect(shop.set.contains(NSNumber(value: 1.5)) && shop.set as? Set<Double> == [1.5])
    shop.setValue([half] as Set<Decimal>, forKey: "set")
    #expect(shop.set.contains(NSNumber(value: 1.5)) && shop.set as? Set<Double> == [1.5])
    let members = shop.mutableSetValue(forKey: "set")
    members.add(Decimal(2.5))
    members.remove(half)
    #expect(shop.set as? Set<Double> == [2.5])
    shop.setValue([half: 3] as [Decimal: Int], forKey: "dictionary")
    #expect(shop.dictionary[NSNumber(value: 1.5)] as? Int == 3)
    shop.setValue([half] as [Decimal], forKey: "ordered")
    #expect(shop.ordered.index(of: NSNumber(value: 1.5)) == 0)
  }

  @Test("a decimal is read and described to the last digit")
  func digits() throws {
    let shop = Shop(), amounts: Set<Decimal> = [0.1, 3.133, 19.99, -3, Decimal(UInt64.max)]
    shop.prices = amounts
    #expect(shop.value(forKey: "prices") as? Set<Decimal> == amounts)
    let long = try #require(Decimal(string: "12345678901234567890.123456789"))
    shop.prices = [long]
    #expect(shop.value(forKey: "prices") as? Set<Decimal> == [long])
    let prices = shop.mutableSetValue(forKey: "prices")
    #expect(prices.description.contains("12345678901234567890.123456789"))
    #expect(prices.allObjects.first as? Decimal == long && prices.contains(long))
    #expect(prices.count == 1 && (prices.copy() as? NSSet)?.count == 1)
  }

  @Test("a set of Foundation's refuses a decimal that it cannot have, and stays as it is")
  func refusing() throws {
    let shop = Shop(), long = try #require(Decimal(string: "12345678901234567890.123456789"))
    let misuses = reports {
      shop.setValue([long] as Set<Decimal>, forKey: "set")
      shop.setValue([long] as [Decimal], forKey: "set")
      shop.setValue([long: 1] as [Decimal: Int], forKey: "dictionary")
    }
    #expect(misuses.count == 3 && shop.set as? Set<Int> == [1])
    #expect(shop.dictionary as? [Int: Int] == [1: 2])
  }
}
