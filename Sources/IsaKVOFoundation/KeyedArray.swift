#if !canImport(ObjectiveC)
  import Foundation
  internal import IsaKVO

  /// A to-many key as an `NSMutableArray`, which looks at the object anew each time.
  final class KeyedArray: NSMutableArray {
    // Optional, and set once, because the superclass's initialisers are inherited.
    private var proxy: MutableArrayProxy?

    convenience init(_ proxy: MutableArrayProxy) {
      self.init(capacity: 0)
      self.proxy = proxy
    }

    override var count: Int { proxy?.count ?? 0 }

    override func object(at index: Int) -> Any {
      precondition(index >= 0 && index < count, "KeyedArray: no element \(index) of \(count)")
      return foundationValue(proxy?[index].any) ?? NSNull()
    }

    override func insert(_ anObject: Any, at index: Int) {
      change { proxy throws(KeyValueError) in
        try proxy.insert(RuntimeValue(any: swiftElement(anObject)), at: index)
      }
    }

    override func removeObject(at index: Int) {
      change { proxy throws(KeyValueError) in try proxy.remove(at: index) }
    }

    override func replaceObject(at index: Int, with anObject: Any) {
      change { proxy throws(KeyValueError) in
        try proxy.replace(at: index, with: RuntimeValue(any: swiftElement(anObject)))
      }
    }

    // Several elements are one change.

    override func insert(_ objects: [Any], at indexes: IndexSet) {
      change { proxy throws(KeyValueError) in
        let values = objects.map { RuntimeValue(any: swiftElement($0)) }
        try proxy.insert(contentsOf: values, at: Array(indexes))
      }
    }

    override func removeObjects(at indexes: IndexSet) {
      change { proxy throws(KeyValueError) in try proxy.remove(at: Array(indexes)) }
    }

    override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
      change { proxy throws(KeyValueError) in
        let values = objects.map { RuntimeValue(any: swiftElement($0)) }
        try proxy.replace(at: Array(indexes), with: values)
      }
    }

    private func change(_ body: (MutableArrayProxy) throws(KeyValueError) -> Void) {
      guard let proxy else { return }
      endingMisuse(()) { () throws(KeyValueError) in try body(proxy) }
    }
  }
#endif
