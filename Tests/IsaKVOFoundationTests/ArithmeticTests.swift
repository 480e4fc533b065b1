import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

private final class Item: KVObject {
  @Dynamic var decimal: Decimal
  @Dynamic var object: NSDecimalNumber
  @Dynamic var number: NSNumber
  @Dynamic var float: CGFloat
  @Dynamic var double: Double
  @Dynamic var count: Int
  @Dynamic var date: NSDate

  init(_ price: String, _ count: Int) {
    decimal = Decimal(string: price)!
    object = NSDecimalNumber(string: price)
    number = NSDecimalNumber(string: price)
    float = CGFloat(Double(price)!)
    double = Double(price)!
    self.count = count
    date = NSDate(timeIntervalSince1970: Double(count))
  }
}

private final class Order: KVObject {
  @Dynamic var items = [Item("0.10", 1), Item("0.20", 2), Item("1000000000000000000.05", 3)]
  @Dynamic var cheap = [Item("0.10", 1), Item("0.20", 2)]
  @Dynamic var objects = NSArray(array: [Item("0.10", 1), Item("0.20", 2)])
}

@Suite("Arithmetic with Foundation's numbers", .serialized, .leavesNoObjects)
struct ArithmeticTests {
  @Test("@sum over decimals of any type is exact", arguments: ["decimal", "object", "number"])
  func sums(_ key: String) {
    let order = Order()
    let sum = order.value(forKeyPath: "items.@sum.\(key)")
    #expect((sum as? NSDecimalNumber)?.stringValue == "1000000000000000000.35")
    let average = order.value(forKeyPath: "cheap.@avg.\(key)") as? NSDecimalNumber
    #expect(average?.stringValue == "0.15")
    let greatest = order.value(forKeyPath: "items.@max.\(key)") as? NSNumber
    #expect(greatest?.stringValue == "1000000000000000000.05")
    #expect((order.value(forKeyPath: "items.@min.\(key)") as? NSNumber)?.stringValue == "0.1")
  }

  @Test("@sum and @avg are decimal numbers whatever is added up, and cast as on Apple systems")
  func oneKind() {
    let order = Order()
    let paths = [
      "cheap.@sum.count", "cheap.@avg.count", "cheap.@sum.double", "objects.@sum.float",
    ]
    for path in paths {
      #expect(order.value(forKeyPath: path) is NSDecimalNumber, "\(path)")
    }
    let count = order.value(forKeyPath: "cheap.@sum.count")
    #expect(count as? Int == 3 && count as? Double == 3 && count as? NSNumber == 3)
    let sum = order.value(forKeyPath: "cheap.@sum.float")
    #expect(sum as? Double == 0.3 && sum as? NSNumber == 0.3 && sum as? Int == nil)
    #expect(order.value(forKeyPath: "cheap.@count") as? Int == 2)
  }

  @Test("under the library's own names the result is of the kind that was added up")
  func neutral() throws {
    let order = Order()
    #expect(try neutrallyRead(path: "cheap.@sum.count", of: order) as? Int == 3)
    #expect(try neutrallyRead(path: "cheap.@avg.count", of: order) as? Double == 1.5)
    #expect(try neutrallyRead(path: "cheap.@sum.double", of: order) as? Double == 0.3)
    #expect(try neutrallyRead(path: "cheap.@sum.decimal", of: order) as? Decimal == 0.3)
    #expect(try neutrallyRead(path: "cheap.@count", of: order) as? Int == 2)
  }

  @Test("dates of Foundation's class are compared, by whatever class")
  func dates() {
    let order = Order()
    let last = order.value(forKeyPath: "items.@max.date") as? NSDate
    #expect(last?.timeIntervalSince1970 == 3)
  }

  @Test("decimals that one double stands for are told apart")
  func distinct() {
    final class Prices: KVObject {
      @Dynamic var list = [
        Decimal(string: "10000000000000000.1")!, Decimal(string: "10000000000000000.2")!,
      ]
    }
    let prices = Prices()
    let distinct = prices.value(forKeyPath: "list.@distinctUnionOfObjects.self") as? [Any]
    #expect(distinct?.count == 2)
    let greatest = prices.value(forKeyPath: "list.@max.self") as? NSDecimalNumber
    #expect(greatest?.stringValue == "10000000000000000.2")
  }
}

@Suite("Foundation's collections as properties", .serialized, .leavesNoObjects)
struct CollectionPropertyTests {
  private final class Shelf: KVObject {
    @Dynamic var array = NSMutableArray(array: ["a", "b"])
    @Dynamic var maybe: NSArray? = NSArray(array: [1])
    @Dynamic var set = NSMutableSet(array: ["a"])
    @Dynamic var ordered = NSOrderedSet(array: [3, 1])
    @Dynamic var map = NSDictionary(dictionary: ["k": Item("0.5", 7), "n": 3])
    @Dynamic var items = NSArray(array: [Item("0.5", 7), Item("0.25", 8)])
  }

  @Test("a proxy reads and edits an NSMutableArray, and tells the indexes")
  func array() {
    let shelf = Shelf(), watcher = Watcher()
    shelf.addObserver(watcher, forKeyPath: "array", options: [.old, .new], context: nil)
    let array = shelf.mutableArrayValue(forKey: "array")
    #expect(array.count == 2 && array[0] as? String == "a")
    array.insert("c", at: 1)
    array.removeObject(at: 0)
    shelf.removeObserver(watcher, forKeyPath: "array")
    #expect(shelf.array.isEqual(to: ["c", "b"]))
    #expect(watcher.changes.map { $0[.kindKey] as? UInt } == [2, 3])
    #expect(watcher.changes.map { $0[.indexesKey] as? IndexSet } == [[1], [0]])
    #expect(watcher.changes[0][.newKey] as? [String] == ["c"])
    #expect(watcher.changes[1][.oldKey] as? [String] == ["a"])
  }

  @Test("an optional NSArray and an NSMutableSet are edited by name too")
  func others() {
    let shelf = Shelf(), watcher = Watcher()
    shelf.mutableArrayValue(forKey: "maybe").add(2)
    #expect(shelf.maybe == NSArray(array: [1, 2]))
    shelf.addObserver(watcher, forKeyPath: "set", options: .new, context: nil)
    shelf.mutableSetValue(forKey: "set").add("b")
    shelf.removeObserver(watcher, forKeyPath: "set")
    #expect(shelf.set.isEqual(to: ["a", "b"]))
    #expect(watcher.changes.map { $0[.kindKey] as? UInt } == [2])
  }

  /// Changes of an array proxy of the ordered set [2, 1, 3], and what it comes to.
  private static let edits: [(edit: @Sendable (NSMutableArray) -> Void, result: [Int])] = [
    ({ $0.replaceObject(at: 0, with: 1) }, [1, 3]),
    ({ $0.replaceObject(at: 1, with: 1) }, [2, 1, 3]),
    ({ $0.replaceObject(at: 1, with: 9) }, [2, 9, 3]), ({ $0.add(2) }, [2, 1, 3]),
    ({ $0.insert(3, at: 0) }, [2, 1, 3]), ({ $0.insert([2, 7], at: [0, 1]) }, [2, 7, 1, 3]),
    ({ $0.replaceObjects(at: [0, 1], with: [1, 3]) }, [1, 3]),
    ({ $0.replaceObjects(at: [0, 1], with: [1, 2]) }, [1, 2, 3]),
    ({ $0.exchangeObject(at: 0, withObjectAt: 2) }, [3, 1, 2]),
    ({ $0.setArray([5, 5, 2]) }, [5, 2]), ({ $0.addObjects(from: [4, 4]) }, [2, 1, 3, 4]),
  ]

  @Test("an array proxy of an ordered set tells what came of each change", arguments: edits.indices)
  func orderedSet(_ index: Int) throws {
    let shelf = Shelf(), watcher = Watcher(), followed = NSMutableArray(array: [2, 1, 3])
    shelf.ordered = NSOrderedSet(array: [2, 1, 3])
    shelf.addObserver(watcher, forKeyPath: "ordered", options: [.old, .new], context: nil)
    Self.edits[index].edit(shelf.mutableArrayValue(forKey: "ordered"))
    shelf.removeObserver(watcher, forKeyPath: "ordered")
    for change in watcher.changes {
      let indexes = try #require(change[.indexesKey] as? IndexSet)
      let old = change[.oldKey] as? [Int], new = change[.newKey] as? [Int]
      if let old { #expect(followed.objects(at: indexes) as? [Int] == old) }
      switch change[.kindKey] as? UInt {
      case 2: followed.insert(try #require(new), at: indexes)
      case 3: followed.removeObjects(at: indexes)
      default: followed.replaceObjects(at: indexes, with: try #require(new))
      }
    }
    #expect(shelf.ordered.array as? [Int] == Self.edits[index].result)
    #expect(followed as? [Int] == Self.edits[index].result)
  }

  @Test("an entry of an NSMutableDictionary is set and removed by a key path, and told")
  func entries() {
    final class Owner: KVObject {
      @Dynamic var map = NSMutableDictionary(dictionary: ["a": 1])
      @Dynamic var fixed = NSDictionary(dictionary: ["a": 1])
    }
    let owner = Owner(), map = owner.map, watcher = Watcher()
    owner.addObserver(watcher, forKeyPath: "map.a", options: [.old, .new], context: nil)
    owner.setValue(2, forKeyPath: "map.a")
    #expect(owner.map === map && map["a"] as? Int == 2)
    owner.setValue(nil, forKeyPath: "map.a")
    #expect(map["a"] == nil)
    owner.removeObserver(watcher, forKeyPath: "map.a")
    #expect(watcher.changes.map { $0[.oldKey] as? Int } == [1, 2])
    #expect(watcher.changes.first?[.newKey] as? Int == 2)
    #expect(watcher.changes.last?[.newKey] is NSNull)
    let misuses = reports {
      owner.setValue(2, forKeyPath: "fixed.a")
      // Foundation hands a dictionary in another one out as a Swift value.
      map["deep"] = NSMutableDictionary(dictionary: ["a": 1])
      owner.setValue(2, forKeyPath: "map.deep.a")
    }
    #expect(misuses.count == 2 && owner.fixed["a"] as? Int == 1)
  }

  @Test("key paths lead through NSDictionary, NSArray and NSOrderedSet")
  func paths() {
    let shelf = Shelf()
    #expect(shelf.value(forKeyPath: "map.k.count") as? Int == 7)
    #expect(shelf.value(forKeyPath: "map.n") as? Int == 3)
    #expect(shelf.value(forKeyPath: "map.none") == nil)
    #expect(shelf.value(forKeyPath: "items.count") as? [Int] == [7, 8])
    #expect(shelf.value(forKeyPath: "items.@count") as? Int == 2)
    #expect(shelf.value(forKeyPath: "ordered.@max.self") as? Int == 3)
    shelf.setValue(9, forKeyPath: "items.count")
    #expect((shelf.items[1] as? Item)?.count == 9)
  }
}
