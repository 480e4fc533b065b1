// Classes of Swift's in the runtime: the answers of the module that adopts their objects, and the
// addresses of such an object.
//
// Owns:      nothing.
// Locks:     none.
// Invariant: the adopter is set before the first class has an info, and never again; a class is asked
//            about only if it has one.

package import CIsa

/// The source of the runtime's answers about classes of Swift's.
package protocol ClassAdopter {
  /// The step that may be taken about an error with a key of the class; nil where nobody knows.
  static func cure(for code: KeyValueError.Code, _ key: String, of cls: isa_class) -> String?
  /// The Swift object that an object is; nil if it is none.
  static func object(_ id: isa_id) -> AnyObject?
  /// Whether an object has a value for the key by what its class overrides.
  static func answers(_ key: String, _ object: isa_id) -> Bool
}

/// The module that adopts Swift objects, for the runtime to ask.
package enum AdoptedClasses {
  nonisolated(unsafe) package static var adopter: (any ClassAdopter.Type)?

  /// The adopter that tells of a class; nil for one made at run time.
  package static func adopter(of cls: isa_class?) -> (any ClassAdopter.Type)? {
    cls.flatMap { isa_class_find_info($0) } == nil ? nil : adopter
  }
}

/// A Swift object that is an object of the runtime, too: one of `KVObject`.
public protocol RuntimeAdopted: AnyObject {
  /// Where the object stands for the runtime, in which this registers its class.
  ///
  /// - Throws: ``KeyValueError/Code/unsupported`` if the class cannot be registered.
  func runtimeAddress() throws(KeyValueError) -> UInt
}

/// The header stands behind the two words that every Swift object begins with.
@inlinable @inline(__always)
package var headerOffset: Int { 2 * MemoryLayout<UInt>.size }

/// The identity of the Swift object whose header stands at an address, and the other way round. The
/// object may be gone.
package func swiftIdentity(ofHeader header: UnsafeRawPointer) -> ObjectIdentifier {
  unsafeBitCast(header - headerOffset, to: ObjectIdentifier.self)
}
package func header(of identity: ObjectIdentifier) -> UnsafeRawPointer {
  unsafeBitCast(identity, to: UnsafeRawPointer.self) + headerOffset
}

/// An optional of any type.
package protocol AnyOptional {
  static var wrappedType: Any.Type { get }
  var isNil: Bool { get }
  var any: Any? { get }
}
extension Optional: AnyOptional {
  package static var wrappedType: Any.Type { Wrapped.self }
  package var isNil: Bool { self == nil }
  package var any: Any? { self }
}
