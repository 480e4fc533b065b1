#if !canImport(ObjectiveC)
  import Foundation
  internal import IsaKVO

  /// A to-many key as an `NSMutableSet`, which looks at the object anew each time.
  final class KeyedSet: NSMutableSet {
    // Optional, and set once, because the superclass's initialisers are inherited.
    private var proxy: MutableSetProxy?

    convenience init(_ proxy: MutableSetProxy) {
      self.init(capacity: 0)
      self.proxy = proxy
    }

    override var count: Int { proxy?.count ?? 0 }

    override func member(_ object: Any) -> Any? {
      guard let proxy, proxy.contains(RuntimeValue(any: swiftElement(object))) else { return nil }
      return object
    }

    override func objectEnumerator() -> NSEnumerator {
      let elements = proxy?.elements.map { foundationValue($0.any) ?? NSNull() } ?? []
      return NSArray(array: elements).objectEnumerator()
    }

    override func add(_ object: Any) {
      change { proxy throws(KeyValueError) in
        try proxy.insert(RuntimeValue(any: swiftElement(object)))
      }
    }

    override func remove(_ object: Any) {
      change { proxy throws(KeyValueError) in
        try proxy.remove(RuntimeValue(any: swiftElement(object)))
      }
    }

    // Several members are one change.

    override func union(_ otherSet: Set<AnyHashable>) {
      change { proxy throws(KeyValueError) in try proxy.formUnion(values(otherSet)) }
    }

    override func minus(_ otherSet: Set<AnyHashable>) {
      change { proxy throws(KeyValueError) in try proxy.subtract(values(otherSet)) }
    }

    override func intersect(_ otherSet: Set<AnyHashable>) {
      change { proxy throws(KeyValueError) in try proxy.formIntersection(values(otherSet)) }
    }

    override func setSet(_ otherSet: Set<AnyHashable>) {
      change { proxy throws(KeyValueError) in try proxy.setElements(values(otherSet)) }
    }

    override func removeAllObjects() {
      change { proxy throws(KeyValueError) in try proxy.removeAll() }
    }

    private func change(_ body: (MutableSetProxy) throws(KeyValueError) -> Void) {
      guard let proxy else { return }
      endingMisuse(()) { () throws(KeyValueError) in try body(proxy) }
    }

    private func values(_ set: Set<AnyHashable>) -> [RuntimeValue] {
      set.map { RuntimeValue(any: swiftElement($0.base)) }
    }
  }
#endif
