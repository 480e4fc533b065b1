import Foundation
internal import IsaKVO

/// A to-many key as an `NSMutableOrderedSet`, which looks at the object anew each time.
final class KeyedOrderedSet: NSMutableOrderedSet {
  // Optional, and set once, because the superclass's initialisers are inherited.
  private var proxy: MutableOrderedSetProxy?

  convenience init(_ proxy: MutableOrderedSetProxy) {
    self.init(capacity: 0)
    self.proxy = proxy
  }

  override var count: Int { proxy?.count ?? 0 }

  override func object(at idx: Int) -> Any {
    precondition(idx >= 0 && idx < count, "KeyedOrderedSet: no element \(idx) of \(count)")
    return foundationValue(proxy?[idx].any) ?? NSNull()
  }

  override func index(of object: Any) -> Int {
    proxy?.firstIndex(of: RuntimeValue(any: swiftElement(object))) ?? NSNotFound
  }

  override func contains(_ object: Any) -> Bool { index(of: object) != NSNotFound }

  override func insert(_ object: Any, at idx: Int) {
    change { proxy throws(CodingError) in
      try proxy.insert(RuntimeValue(any: swiftElement(object)), at: idx)
    }
  }

  override func removeObject(at idx: Int) {
    change { proxy throws(CodingError) in try proxy.remove(at: idx) }
  }

  override func replaceObject(at idx: Int, with object: Any) {
    change { proxy throws(CodingError) in
      try proxy.replace(at: idx, with: RuntimeValue(any: swiftElement(object)))
    }
  }

  private func change(_ body: (MutableOrderedSetProxy) throws(CodingError) -> Void) {
    guard let proxy else { return }
    endingMisuse(()) { () throws(CodingError) in try body(proxy) }
  }
}
