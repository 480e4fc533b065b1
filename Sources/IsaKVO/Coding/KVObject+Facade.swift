// Parts of the module with Apple's names: its own functions hide the throwing ones of the same names.

package import IsaRuntime

extension KVObject {
  /// The array for a key or at the end of a key path.
  package final func arrayProxy(atKeyPath path: String) throws(KeyValueError) -> MutableArrayProxy {
    try coded().mutableArrayValue(forKeyPath: path)
  }

  /// The set for a key or at the end of a key path.
  package final func setProxy(atKeyPath path: String) throws(KeyValueError) -> MutableSetProxy {
    try coded().mutableSetValue(forKeyPath: path)
  }
}

extension KVObject {
  /// The keys of wrapped and declared properties, in the order of their names.
  package final var knownKeys: [String] {
    guard (try? runtimeID()) != nil, let registration else { return [] }
    return registration.fieldsByKey.keys.map(\.text).sorted()
  }
}

extension RuntimeValue {
  /// The value that stands for a Swift value of any type.
  package init(any value: Any?) {
    let id = copyObject(value)
    self.init(id.map { RuntimeObject(adopting: $0) })
  }

  /// The Swift value; nil for nil.
  package var any: Any? { (try? boxedObject()).flatMap { IsaKVO.anyValue($0.id) } }
}
