import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

/// A property, an optional one and an array of one type.
private final class Holder<Value>: KVObject {
  @Dynamic var item: Value
  @Dynamic var maybe: Value?
  @Dynamic var list: [Value]
  @Dynamic var inner: Holder<Value>?
  @Dynamic var others: [Holder<Value>] = []

  init(_ value: Value) {
    item = value
    maybe = value
    list = [value]
  }
}

/// One type: two of its values, what else stands for the second, and when two are the same.
private struct Row<Value> {
  let first: Value
  let second: Value
  let given: [Any]
  let same: (Value, Value) -> Bool

  /// A type of objects, which stay the same ones.
  init(objects first: Value, _ second: Value) where Value: AnyObject {
    self.init(first, second, given: [], same: { $0 === $1 })
  }

  /// A type of values.
  init(_ first: Value, _ second: Value, given: [Any] = []) where Value: Equatable {
    self.init(first, second, given: given, same: { $0 == $1 })
  }

  private init(
    _ first: Value, _ second: Value, given: [Any], same: @escaping (Value, Value) -> Bool
  ) {
    self.first = first
    self.second = second
    self.given = given
    self.same = same
  }

  private func isSecond(_ value: Any?) -> Bool {
    guard let value, let typed = value as? Value else { return false }
    return same(typed, second)
  }

  func setByName() {
    for value in given + [second as Any] {
      let holder = Holder(first)
      holder.setValue(value, forKey: "item")
      #expect(isSecond(holder.item), "item set to a \(type(of: value))")
      holder.setValue(value, forKey: "maybe")
      #expect(isSecond(holder.maybe), "maybe set to a \(type(of: value))")
    }
  }

  func readByName() {
    let holder = Holder(second)
    #expect(isSecond(holder.value(forKey: "item")))
    #expect(isSecond(holder.value(forKey: "maybe")))
    #expect(isSecond(holder.dictionaryWithValues(forKeys: ["item"])["item"]))
    let elements = holder.value(forKey: "list") as? [Any]
    #expect(elements?.count == 1 && isSecond(elements?.first))
  }

  func byPath() {
    let holder = Holder(first)
    holder.inner = Holder(first)
    holder.setValue(second, forKeyPath: "inner.item")
    #expect(isSecond(holder.inner?.item))
    #expect(isSecond(holder.value(forKeyPath: "inner.item")))
    holder.setValuesForKeys(["item": second])
    #expect(isSecond(holder.item))
  }

  func operators() {
    let holder = Holder(first)
    holder.others = [first, second, second].map { Holder($0) }
    #expect(holder.value(forKeyPath: "others.item.@count") as? Int == 3)
    let united = holder.value(forKeyPath: "others.@unionOfObjects.item") as? [Any]
    #expect(united?.count == 3 && isSecond(united?.last))
    let distinct = holder.value(forKeyPath: "others.@distinctUnionOfObjects.item") as? [Any]
    #expect(distinct?.count == 2 && isSecond(distinct?.last))
  }

  func changes() {
    let holder = Holder(second), watcher = Watcher()
    holder.addObserver(watcher, forKeyPath: "item", options: [.old, .new], context: nil)
    holder.item = second
    holder.setValue(second, forKey: "item")
    holder.removeObserver(watcher, forKeyPath: "item")
    #expect(watcher.changes.count == 2)
    for change in watcher.changes {
      #expect(isSecond(change[.oldKey]) && isSecond(change[.newKey]))
    }
  }

  func proxy() {
    let holder = Holder(first), watcher = Watcher()
    holder.addObserver(watcher, forKeyPath: "list", options: [.old, .new], context: nil)
    let list = holder.mutableArrayValue(forKey: "list")
    list.add(second)
    #expect(holder.list.count == 2 && isSecond(holder.list.last))
    #expect(isSecond(list[1]) && list.contains(second) && list.index(of: second) == 1)
    list.remove(second)
    #expect(holder.list.count == 1)
    holder.removeObserver(watcher, forKeyPath: "list")
    #expect(watcher.changes.count == 2)
    #expect(isSecond((watcher.changes.first?[.newKey] as? [Any])?.first))
    #expect(isSecond((watcher.changes.last?[.oldKey] as? [Any])?.first))
  }

  func validation() throws {
    var value: Any? = second
    try Holder(first).validateValue(&value, forKey: "item")
    #expect(isSecond(value))
  }

  func nils() {
    let holder = Holder(first), watcher = Watcher()
    holder.addObserver(watcher, forKeyPath: "maybe", options: [.old, .new], context: nil)
    holder.setValue(nil, forKey: "maybe")
    #expect(holder.maybe == nil && holder.value(forKey: "maybe") == nil)
    #expect(watcher.changes.first?[.newKey] is NSNull)
    holder.setValuesForKeys(["maybe": second])
    #expect(isSecond(holder.maybe) && watcher.changes.last?[.oldKey] is NSNull)
    holder.removeObserver(watcher, forKeyPath: "maybe")
    let misuses = reports { holder.setValue(nil, forKey: "item") }
    #expect(misuses.map(\.exception) == ["NSInvalidArgumentException"])
  }
}

/// A row, whatever its type is.
private protocol AnyRow {
  func setByName()
  func readByName()
  func byPath()
  func operators()
  func changes()
  func proxy()
  func validation() throws
  func nils()
}

extension Row: AnyRow {}

private let digits = "12345678901234567890.123456789"

/// The types. Made anew for each test, since objects among them are held.
private func row(_ name: String) -> any AnyRow {
  switch name {
  case "NSNumber": Row(objects: NSNumber(value: 1), NSNumber(value: 1.5))
  case "NSNumber of 64 bits": Row(objects: NSNumber(value: 1), NSNumber(value: UInt64.max))
  case "NSNumber with decimals":
    Row(objects: NSNumber(value: 1), NSDecimalNumber(string: digits) as NSNumber)
  case "NSDecimalNumber": Row(objects: NSDecimalNumber.one, NSDecimalNumber(string: digits))
  case "Decimal":
    Row(Decimal(1), Decimal(string: digits)!, given: [NSDecimalNumber(string: digits), digits])
  case "CGFloat":
    Row(CGFloat(1), CGFloat(0.5), given: [0.5, Float(0.5), NSNumber(value: 0.5), "0.5"])
  case "Double": Row(1.0, 0.1, given: [NSNumber(value: 0.1), NSDecimalNumber(string: "0.1")])
  case "Int": Row(1, Int.max, given: [NSNumber(value: Int.max), NSDecimalNumber(value: Int.max)])
  case "NSString": Row(objects: NSString(string: "a"), NSMutableString(string: "b") as NSString)
  case "NSMutableString": Row(objects: NSMutableString(string: "a"), NSMutableString(string: "b"))
  case "String": Row("a", "b", given: [NSString(string: "b"), NSMutableString(string: "b")])
  case "NSDate": Row(objects: NSDate(timeIntervalSince1970: 0), NSDate(timeIntervalSince1970: 9.5))
  case "Date":
    Row(
      Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 9.5),
      given: [NSDate(timeIntervalSince1970: 9.5)])
  case "NSArray": Row(objects: NSArray(), NSArray(array: [1, "a", NSNull()]))
  case "NSMutableArray": Row(objects: NSMutableArray(), NSMutableArray(array: [1, 2]))
  case "NSSet": Row(objects: NSSet(), NSSet(array: [1, "a"]))
  case "NSMutableSet": Row(objects: NSMutableSet(), NSMutableSet(array: [1, 2]))
  case "NSOrderedSet": Row(objects: NSOrderedSet(), NSOrderedSet(array: [2, 1]))
  case "NSDictionary": Row(objects: NSDictionary(), NSDictionary(dictionary: ["a": 1]))
  case "NSMutableDictionary":
    Row(objects: NSMutableDictionary(), NSMutableDictionary(dictionary: ["a": 1]))
  case "[Int]": Row([0], [1, 2], given: [NSArray(array: [1, 2]), NSOrderedSet(array: [1, 2])])
  case "Set<Int>": Row([0] as Set, [1, 2] as Set, given: [NSSet(array: [1, 2])])
  case "[String: Int]": Row([:], ["a": 1], given: [NSDictionary(dictionary: ["a": 1])])
  case "NSValue":
    Row(objects: NSValue(rect: .zero), NSValue(range: NSRange(location: 1, length: 2)))
  case "CGRect":
    Row(CGRect.zero, CGRect(x: 1, y: 2, width: 3, height: 4), given: [NSValue(rect: rectangle)])
  case "CGSize":
    Row(CGSize.zero, rectangle.size, given: [NSValue(size: rectangle.size)])
  case "CGPoint":
    Row(CGPoint.zero, rectangle.origin, given: [NSValue(point: rectangle.origin)])
  case "NSRange":
    Row(
      NSRange(location: 0, length: 0), NSRange(location: 1, length: 2),
      given: [NSValue(range: NSRange(location: 1, length: 2))])
  case "URL":
    Row(
      URL(string: "http://a")!, URL(string: "http://b")!, given: [NSURL(string: "http://b")!])
  case "Data": Row(Data(), Data([1, 2]), given: [NSData(data: Data([1, 2]))])
  case "IndexSet":
    Row(IndexSet(), IndexSet([1, 5]), given: [NSIndexSet(indexSet: IndexSet([1, 5]))])
  default: fatalError("no row \(name)")
  }
}

private let rectangle = CGRect(x: 1, y: 2, width: 3, height: 4)

private let names = [
  "NSNumber", "NSNumber of 64 bits", "NSNumber with decimals", "NSDecimalNumber", "Decimal",
  "CGFloat", "Double", "Int", "NSString", "NSMutableString", "String", "NSDate", "Date", "NSArray",
  "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSDictionary", "NSMutableDictionary",
  "[Int]", "Set<Int>", "[String: Int]", "NSValue", "CGRect", "CGSize", "CGPoint", "NSRange", "URL",
  "Data", "IndexSet",
]

@Suite("Foundation's values under Apple's names", .serialized, .leavesNoObjects)
struct ValueMatrixTests {
  @Test("what is set by name comes as it was given", arguments: names)
  func setByName(_ name: String) { row(name).setByName() }

  @Test("what is read by name is the value", arguments: names)
  func readByName(_ name: String) { row(name).readByName() }

  @Test("key paths set and read the value", arguments: names)
  func byPath(_ name: String) { row(name).byPath() }

  @Test("operators count, unite and tell values apart", arguments: names)
  func operators(_ name: String) { row(name).operators() }

  @Test("old and new of a change are the values", arguments: names)
  func changes(_ name: String) { row(name).changes() }

  @Test("an array proxy adds, finds and removes the value, and tells it", arguments: names)
  func proxy(_ name: String) { row(name).proxy() }

  @Test("validation hands the value through", arguments: names)
  func validation(_ name: String) throws { try row(name).validation() }

  @Test("nil is nil where it may be, NSNull in changes, and a misuse elsewhere", arguments: names)
  func nils(_ name: String) { row(name).nils() }

  @Test("NSNull is a value where anything may stand, and nil where its type cannot")
  func null() {
    final class Bag: KVObject {
      @Dynamic var any: Any = 1
      @Dynamic var null = NSNull()
      @Dynamic var name: String? = "a"
      @Dynamic var names: [String?] = []
    }
    let bag = Bag()
    for key in ["any", "null"] {
      bag.setValue(NSNull(), forKey: key)
      #expect(bag.value(forKey: key) is NSNull)
    }
    bag.setValue(NSNull(), forKey: "name")
    #expect(bag.name == nil)
    bag.setValue(NSArray(array: ["x", NSNull()]), forKey: "names")
    #expect(bag.names == ["x", nil])
    #expect(bag.value(forKeyPath: "null.any.key") is NSNull)
  }

  @Test("a decimal keeps its digits in a property of any type that has room for them")
  func lossless() {
    final class Bag: KVObject {
      @Dynamic var any: Any = 1
      @Dynamic var object: NSObject = NSNull()
      @Dynamic var number: NSNumber = 0
      @Dynamic var decimal: NSDecimalNumber = .zero
      @Dynamic var value: Decimal = 0
    }
    let bag = Bag(), given = NSDecimalNumber(string: digits)
    for key in ["any", "object", "number", "decimal", "value"] {
      bag.setValue(given, forKey: key)
      #expect((bag.value(forKey: key) as? NSDecimalNumber)?.stringValue == digits, "\(key)")
    }
    #expect(bag.any as AnyObject === given && bag.number === given && bag.decimal === given)
    bag.setValue(NSNumber(value: 5), forKey: "decimal")
    #expect(bag.decimal == NSDecimalNumber(value: 5))
  }

  @Test("a CGFloat casts to Double, NSNumber and CGFloat, out of a property and a change")
  func floats() {
    final class Shape: KVObject {
      @Dynamic var width: CGFloat = 1
    }
    let shape = Shape(), watcher = Watcher()
    shape.addObserver(watcher, forKeyPath: "width", options: .new, context: nil)
    shape.setValue(0.5, forKey: "width")
    shape.removeObserver(watcher, forKeyPath: "width")
    for value in [shape.value(forKey: "width"), watcher.changes[0][.newKey]] {
      #expect(value as? Double == 0.5 && value as? NSNumber == 0.5 && value as? CGFloat == 0.5)
    }
  }

  @Test("rectangles, points, sizes and ranges come as NSValue, and cast to what they are")
  func structures() {
    let holder = Holder(rectangle), range = Holder(NSRange(location: 1, length: 2))
    let value = holder.value(forKey: "item")
    #expect((value as? NSValue)?.rectValue == rectangle && value as? CGRect == rectangle)
    #expect(value as? CGPoint == nil && value as? NSRange == nil)
    #expect((range.value(forKey: "item") as? NSValue)?.rangeValue.length == 2)
  }
}
