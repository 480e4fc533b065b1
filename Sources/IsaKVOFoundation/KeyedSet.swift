internal import IsaKeyValue

#if !canImport(ObjectiveC)
  import Foundation
  internal import IsaKVO

  /// A to-many key as an `NSMutableSet`, which looks at the object anew each time.
  final class KeyedSet: NSMutableSet {
    // Optional, and set once, because the superclass's initialisers are inherited.
    private var proxy: CollectionHandle<Any?>?

    convenience init(_ proxy: CollectionHandle<Any?>) {
      self.init(capacity: 0)
      self.proxy = proxy
    }

    // MARK: Reading

    override var count: Int { proxy?.count ?? 0 }
    override var allObjects: [Any] {
      proxy?.elements.map { foundationElement($0) } ?? []
    }

    override func member(_ object: Any) -> Any? { allObjects.first { areEqual($0, object) } }
    override func contains(_ anObject: Any) -> Bool { member(anObject) != nil }
    override func anyObject() -> Any? { allObjects.first }

    override func objectEnumerator() -> NSEnumerator {
      NSArray(array: allObjects).objectEnumerator()
    }

    // By an array, whose elements need no hash.
    override var description: String { "{\(NSArray(array: allObjects).description)}" }

    override func description(withLocale locale: Locale?) -> String {
      "{\(NSArray(array: allObjects).description(withLocale: locale))}"
    }

    override func isEqual(_ value: Any?) -> Bool {
      value as AnyObject === self || now.isEqual(value)
    }

    override func isEqual(to otherSet: Set<AnyHashable>) -> Bool {
      count == otherSet.count && isSubset(of: otherSet)
    }
    override var hash: Int { now.hash }

    override func intersects(_ otherSet: Set<AnyHashable>) -> Bool {
      allObjects.contains { otherSet.has($0) }
    }

    override func isSubset(of otherSet: Set<AnyHashable>) -> Bool {
      allObjects.allSatisfy { otherSet.has($0) }
    }

    override func adding(_ anObject: Any) -> Set<AnyHashable> {
      now.adding(hashable(anObject))
    }

    override func addingObjects(from other: Set<AnyHashable>) -> Set<AnyHashable> {
      now.addingObjects(from: other)
    }

    override func addingObjects(from other: [Any]) -> Set<AnyHashable> {
      now.addingObjects(from: other)
    }

    override func copy(with zone: NSZone? = nil) -> Any { now }
    override func mutableCopy(with zone: NSZone? = nil) -> Any { now.mutableCopy() }

    // MARK: Changing

    override func add(_ object: Any) {
      change { proxy throws(KeyValueError) in
        try proxy.add(object)
      }
    }

    override func remove(_ object: Any) {
      change { proxy throws(KeyValueError) in
        try proxy.remove(object)
      }
    }

    // Several members are one change.

    override func addObjects(from array: [Any]) {
      change { proxy throws(KeyValueError) in
        try proxy.formUnion(array)
      }
    }

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

    /// The set at this moment. A decimal that no other number is equal to is the nearest.
    private var now: NSSet { NSSet(array: allObjects.map(hashable)) }

    private func hashable(_ member: Any) -> Any {
      foundationMember(member) ?? NSNumber(value: (member as? NSNumber)?.doubleValue ?? .nan)
    }

    private func change(_ body: (CollectionHandle<Any?>) throws(KeyValueError) -> Void) {
      guard let proxy else { return }
      endingMisuse(()) { () throws(KeyValueError) in try body(proxy) }
    }

    private func values(_ set: Set<AnyHashable>) -> [Any?] { set.map(\.base) }
  }

  extension Set<AnyHashable> {
    /// Whether a member is equal to an element, as `isEqual:` has it.
    fileprivate func has(_ element: Any) -> Bool { contains { areEqual($0.base, element) } }
  }
#endif
