import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import IsaRuntime
import Testing

private final class Shelf: KVObject {
  @Dynamic var numbers = [3, 1, 2]
}

/// A call with a range or an element that the array does not have.
private struct Mistake: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let make: @Sendable (NSMutableArray) -> Void

  init(_ name: String, _ make: @escaping @Sendable (NSMutableArray) -> Void) {
    testDescription = name
    self.make = make
  }
}

private let mistakes: [Mistake] = [
  Mistake("remove(_:in:)") { $0.remove(1, in: NSRange(location: 1, length: 9)) },
  Mistake("removeObject(identicalTo:in:)") {
    $0.removeObject(identicalTo: 1, in: NSRange(location: 1, length: 9))
  },
  Mistake("removeObjects(in:)") { $0.removeObjects(in: NSRange(location: 1, length: .max)) },
  Mistake("index(of:in:)") {
    #expect($0.index(of: 1, in: NSRange(location: 0, length: 99)) == NSNotFound)
  },
  Mistake("index(of:in:) of a negative range") {
    #expect($0.index(of: 1, in: NSRange(location: -1, length: 1)) == NSNotFound)
  },
  Mistake("subscript") { #expect($0[9] is NSNull) },
  Mistake("subscript set") { $0[9] = 1 },
  Mistake("exchangeObject") { $0.exchangeObject(at: 0, withObjectAt: 9) },
  Mistake("replaceObjects(in:withObjectsFrom:), a range") {
    $0.replaceObjects(in: NSRange(location: 2, length: 9), withObjectsFrom: [9])
  },
  Mistake("replaceObjects(in:withObjectsFrom:), an element") {
    $0.replaceObjects(in: NSRange(location: 0, length: 1), withObjectsFrom: [9, "x"])
  },
  Mistake("replaceObjects(in:withObjectsFrom:range:)") {
    $0.replaceObjects(
      in: NSRange(location: 0, length: 1), withObjectsFrom: [9],
      range: NSRange(location: 0, length: 2))
  },
  Mistake("setArray") { $0.setArray([5, 6, 7, "x"]) },
]

@Suite("Mistakes with the proxies", .serialized, .leavesNoObjects)
struct ProxyMistakeTests {
  @Test("a mistake is reported once, tells nothing and leaves the array", arguments: mistakes)
  private func reported(_ mistake: Mistake) {
    let shelf = Shelf(), watcher = Watcher()
    shelf.addObserver(watcher, forKeyPath: "numbers", options: [.old, .new], context: nil)
    let misuses = reports { mistake.make(shelf.mutableArrayValue(forKey: "numbers")) }
    shelf.removeObserver(watcher, forKeyPath: "numbers")
    #expect(misuses.count == 1 && shelf.numbers == [3, 1, 2] && watcher.changes.isEmpty)
  }

  @Test("a refused element of new elements by name leaves the array")
  func setElements() throws {
    let shelf = Shelf()
    let numbers: MutableArrayProxy = try shelf.mutableArrayValue(forKey: "numbers")
    #expect(throws: KeyValueError.self) { try numbers.setElements([5, 6, 7, "x"]) }
    #expect(shelf.numbers == [3, 1, 2])
  }

  @Test("an array keeps the elements that an observer of its first change has left room for")
  func fewerPlaces() throws {
    let shelf = Shelf()
    var isFirst = true
    let token = shelf.observe(\.numbers) { shelf, _ in
      guard isFirst else { return }
      isFirst = false
      shelf.numbers.removeLast()
    }
    let numbers = shelf.mutableArrayValue(forKey: "numbers")
    numbers.setArray([4, 5, 6, 7, 8])
    #expect(shelf.numbers == [4, 5, 7, 8])
    isFirst = true
    numbers.setArray([9, 8])
    #expect(shelf.numbers == [9, 8])
    token.invalidate()
  }
}
