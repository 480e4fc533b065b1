internal import IsaKVO
package import IsaRuntime

extension RuntimeValue {
  /// The value that stands for a Swift value of any type.
  package init(any value: Any?) {
    let id = copyObject(value)
    self.init(id.map { RuntimeObject(adopting: $0) })
  }

  /// The Swift value, as key-value coding answers it; nil for nil.
  package var any: Any? { (try? boxedObject()).flatMap { anyValue($0.id) } }
}
