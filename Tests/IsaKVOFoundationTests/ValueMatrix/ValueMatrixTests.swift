import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("Foundation's values under Apple's names", .serialized, .leavesNoObjects)
struct ValueMatrixTests {
  @Test("what is set by name comes as it was given", arguments: valueRowNames)
  func setByName(_ name: String) { valueRow(name).setByName() }

  @Test("what is read by name is the value", arguments: valueRowNames)
  func readByName(_ name: String) { valueRow(name).readByName() }

  @Test("key paths set and read the value", arguments: valueRowNames)
  func byPath(_ name: String) { valueRow(name).byPath() }

  @Test("operators count, unite and tell values apart", arguments: valueRowNames)
  func operators(_ name: String) { valueRow(name).operators() }

  @Test(
    "@sum and @avg of numbers are exact, of others refused, by `.self` and by property",
    arguments: valueRowNames)
  func sums(_ name: String) { valueRow(name).sums() }

  @Test(
    "@min and @max are values that have an order, of others refused", arguments: valueRowNames)
  func extremes(_ name: String) { valueRow(name).extremes() }

  @Test("old and new of a change are the values", arguments: valueRowNames)
  func changes(_ name: String) { valueRow(name).changes() }

  @Test("an array proxy adds, finds and removes the value, and tells it", arguments: valueRowNames)
  func arrayProxy(_ name: String) { valueRow(name).arrayProxy() }

  @Test("a set of the value is set and read by name", arguments: hashableRowNames)
  func setsByName(_ name: String) { valueRow(name).setsByName() }

  @Test("a set proxy adds, finds and removes the value, and tells it", arguments: hashableRowNames)
  func setProxy(_ name: String) { valueRow(name).setProxy() }

  @Test("operators over sets do what they do over arrays", arguments: hashableRowNames)
  func setOperators(_ name: String) { valueRow(name).setOperators() }

  @Test("Foundation on Linux cannot hash a decimal number object: no set of its can have one")
  func unhashable() async {
    await #expect(processExitsWith: .failure) { _ = NSDecimalNumber.one.hash }
  }

  @Test("Foundation on Linux hashes nulls that are equal differently: sets find one by chance")
  func unequalHashes() {
    let first = NSNull(), second = NSNull()
    #expect(first == second && first.hash != second.hash)
  }

  @Test("validation hands the value through", arguments: valueRowNames)
  func validation(_ name: String) throws { try valueRow(name).validation() }

  @Test(
    "nil is nil where it may be, NSNull in changes, and a misuse elsewhere",
    arguments: valueRowNames)
  func nils(_ name: String) { valueRow(name).nils() }

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

  @Test(
    "an object and the Swift value that it stands for are equal to the runtime, with one hash",
    arguments: sisterNames)
  func equalToRuntime(_ name: String) {
    let (object, value) = sisters(of: name)
    let one = RuntimeValue(any: object), other = RuntimeValue(any: value)
    #expect(one == other)
    #expect(other == one)
    #expect(one.hashValue == other.hashValue)
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
    let bag = Bag(), given = NSDecimalNumber(string: longDigits)
    for key in ["any", "object", "number", "decimal", "value"] {
      bag.setValue(given, forKey: key)
      #expect((bag.value(forKey: key) as? NSDecimalNumber)?.stringValue == longDigits, "\(key)")
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
    let holder = ValueHolder(someRectangle), range = ValueHolder(NSRange(location: 1, length: 2))
    let value = holder.value(forKey: "item")
    #expect((value as? NSValue)?.rectValue == someRectangle && value as? CGRect == someRectangle)
    #expect(value as? CGPoint == nil && value as? NSRange == nil)
    #expect((range.value(forKey: "item") as? NSValue)?.rangeValue.length == 2)
  }
}
