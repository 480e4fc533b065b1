import Foundation

let longDigits = "12345678901234567890.123456789"

/// The types. Made anew for each test, since objects among them are held.
func valueRow(_ name: String) -> any AnyValueRow {
  numberRow(name) ?? textRow(name) ?? collectionRow(name) ?? plainRow(name)
}

private func numberRow(_ name: String) -> (any AnyValueRow)? {
  switch name {
  case "NSNumber":
    ValueRow(
      objects: NSNumber(value: 1), NSNumber(value: 1.5),
      adds: .exact(sum: "2.5", average: "1.25"))
  case "NSNumber of 64 bits":
    ValueRow(
      objects: NSNumber(value: 1), NSNumber(value: UInt64.max),
      adds: .exact(sum: "18446744073709551616", average: "9223372036854775808"))
  case "NSNumber with decimals":
    ValueRow(
      objects: NSNumber(value: 1), NSDecimalNumber(string: longDigits) as NSNumber,
      adds: ofLongDigits)
  case "NSDecimalNumber":
    ValueRow(
      objects: NSDecimalNumber.one, NSDecimalNumber(string: longDigits), adds: ofLongDigits)
  case "Decimal":
    ValueRow(
      Decimal(1), Decimal(string: longDigits)!,
      given: [NSDecimalNumber(string: longDigits), longDigits], adds: ofLongDigits,
      setKeys: ["set"])
  case "CGFloat":
    ValueRow(
      CGFloat(0.25), CGFloat(0.5), given: [0.5, Float(0.5), NSNumber(value: 0.5), "0.5"],
      adds: .exact(sum: "0.75", average: "0.375"))
  case "Double":
    ValueRow(
      0.1, 0.2, given: [NSNumber(value: 0.2), NSDecimalNumber(string: "0.2")],
      adds: .exact(sum: "0.3", average: "0.15"))
  case "Int":
    ValueRow(
      1, Int.max, given: [NSNumber(value: Int.max), NSDecimalNumber(value: Int.max)],
      adds: .exact(sum: "9223372036854775808", average: "4611686018427387904"))
  default: nil
  }
}

/// Of one and the long number.
private let ofLongDigits = ValueArithmetic.exact(
  sum: "12345678901234567891.123456789", average: "6172839450617283945.5617283945")

private func textRow(_ name: String) -> (any AnyValueRow)? {
  switch name {
  case "NSString":
    ValueRow(
      objects: NSString(string: "a"), NSMutableString(string: "b") as NSString,
      adds: .notNumeric)
  case "NSMutableString":
    ValueRow(
      objects: NSMutableString(string: "a"), NSMutableString(string: "b"), adds: .notNumeric)
  case "String":
    ValueRow(
      "a", "b", given: [NSString(string: "b"), NSMutableString(string: "b")], adds: .notNumeric)
  default: nil
  }
}

private func collectionRow(_ name: String) -> (any AnyValueRow)? {
  switch name {
  case "NSArray":
    ValueRow(objects: NSArray(), NSArray(array: [1, "a", NSNull()]), order: .noMessage)
  case "NSMutableArray":
    ValueRow(objects: NSMutableArray(), NSMutableArray(array: [1, 2]), order: .noMessage)
  case "NSSet": ValueRow(objects: NSSet(), NSSet(array: [1, "a"]), order: .noMessage)
  case "NSMutableSet":
    ValueRow(objects: NSMutableSet(), NSMutableSet(array: [1, 2]), order: .noMessage)
  case "NSOrderedSet":
    ValueRow(objects: NSOrderedSet(), NSOrderedSet(array: [2, 1]), order: .noMessage)
  case "NSDictionary":
    ValueRow(objects: NSDictionary(), NSDictionary(dictionary: ["a": 1]), order: .noMessage)
  case "NSMutableDictionary":
    ValueRow(
      objects: NSMutableDictionary(), NSMutableDictionary(dictionary: ["a": 1]), order: .noMessage)
  case "[Int]":
    ValueRow(
      [0], [1, 2], given: [NSArray(array: [1, 2]), NSOrderedSet(array: [1, 2])], order: .noMessage)
  case "Set<Int>":
    ValueRow([0] as Set, [1, 2] as Set, given: [NSSet(array: [1, 2])], order: .noMessage)
  case "[String: Int]":
    ValueRow([:], ["a": 1], given: [NSDictionary(dictionary: ["a": 1])], order: .noMessage)
  default: nil
  }
}

private func plainRow(_ name: String) -> any AnyValueRow {
  switch name {
  case "NSDate":
    ValueRow(
      objects: NSDate(timeIntervalSince1970: 0), NSDate(timeIntervalSince1970: 9.5))
  case "Date":
    ValueRow(
      Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 9.5),
      given: [NSDate(timeIntervalSince1970: 9.5)])
  case "NSValue":
    ValueRow(
      objects: NSValue(rect: .zero), NSValue(range: NSRange(location: 1, length: 2)),
      order: .incomparable)
  case "CGRect":
    ValueRow(
      CGRect.zero, someRectangle, given: [NSValue(rect: someRectangle)], order: .incomparable)
  case "CGSize":
    ValueRow(
      CGSize.zero, someRectangle.size, given: [NSValue(size: someRectangle.size)],
      order: .incomparable)
  case "CGPoint":
    ValueRow(
      CGPoint.zero, someRectangle.origin, given: [NSValue(point: someRectangle.origin)],
      order: .incomparable)
  case "NSRange":
    ValueRow(
      NSRange(location: 0, length: 0), NSRange(location: 1, length: 2),
      given: [NSValue(range: NSRange(location: 1, length: 2))], order: .incomparable)
  case "URL":
    ValueRow(
      URL(string: "http://a")!, URL(string: "http://b")!, given: [NSURL(string: "http://b")!],
      order: .incomparable)
  case "Data":
    ValueRow(Data(), Data([1, 2]), given: [NSData(data: Data([1, 2]))], order: .incomparable)
  case "IndexSet":
    ValueRow(
      IndexSet(), IndexSet([1, 5]), given: [NSIndexSet(indexSet: IndexSet([1, 5]))],
      order: .incomparable)
  case "NSNull": NullRow()
  default: fatalError("no row \(name)")
  }
}

let someRectangle = CGRect(x: 1, y: 2, width: 3, height: 4)

let valueRowNames = [
  "NSNumber", "NSNumber of 64 bits", "NSNumber with decimals", "NSDecimalNumber", "Decimal",
  "CGFloat", "Double", "Int", "NSString", "NSMutableString", "String", "NSDate", "Date", "NSArray",
  "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSDictionary", "NSMutableDictionary",
  "[Int]", "Set<Int>", "[String: Int]", "NSValue", "CGRect", "CGSize", "CGPoint", "NSRange", "URL",
  "Data", "IndexSet", "NSNull",
]

/// The types whose values Foundation can hash on Linux: a decimal number object runs out of stack
/// there, and nulls that are equal have hashes of their own, by which sets find one by chance only.
let hashableRowNames = valueRowNames.filter {
  !["NSNumber with decimals", "NSDecimalNumber", "NSNull"].contains($0)
}

/// Types of objects that Foundation gives out as Swift values.
let sisterNames = [
  "NSNumber", "NSString", "NSDate", "NSArray", "NSSet", "NSDictionary", "NSURL", "NSData",
  "NSIndexSet",
]

/// An object of the type and the Swift value that is equal to it.
func sisters(of name: String) -> (object: Any, value: Any) {
  switch name {
  case "NSNumber": (NSNumber(value: 1.5), 1.5)
  case "NSString": (NSMutableString(string: "b"), "b")
  case "NSDate": (NSDate(timeIntervalSince1970: 9.5), Date(timeIntervalSince1970: 9.5))
  case "NSArray": (NSArray(array: [1, "a"]), [1, "a"] as [Any])
  case "NSSet": (NSSet(array: [1, "a"]), [1, "a"] as Set<AnyHashable>)
  case "NSDictionary": (NSDictionary(dictionary: ["a": 1]), ["a": 1] as [AnyHashable: Any])
  case "NSURL": (NSURL(string: "http://b")!, URL(string: "http://b")!)
  case "NSData": (NSData(data: Data([1, 2])), Data([1, 2]))
  case "NSIndexSet": (NSIndexSet(indexSet: IndexSet([1, 5])), IndexSet([1, 5]))
  default: fatalError("no type \(name)")
  }
}
