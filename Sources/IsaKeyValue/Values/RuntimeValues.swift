package import CIsa

/// The module whose types stand for objects and values that no other Swift type stands for: classes,
/// objects made at run time, structs of C. A program that does not link it sees ``KeptObject``.
package protocol RuntimeValues {
  /// The type of references to objects.
  static var objectType: Any.Type { get }
  /// A reference to an object, a class, or the value in a box.
  static func reference(to id: isa_id) -> Any
  /// The value that stands at an address, of a type that has no box; nil for nil.
  static func value(_ value: kvc_value) -> Any?
  /// How values of a type of the module's, or of a type that its user converts, become objects and
  /// back.
  static func coder<Value>(
    for type: Value.Type
  ) -> (copy: (Value) -> isa_id?, read: (isa_id?) -> Value?)?
}

package nonisolated(unsafe) let runtimeValues =
  KeptObject.self as Any.Type as? any RuntimeValues.Type
