// Values that the C core takes and gives as addresses: code and keys.
package import CIsa

/// Where code stands.
func codeAddress(_ imp: isa_imp) -> UInt { unsafeBitCast(imp, to: UInt.self) }

/// Associates an object under a number.
package func setAssociation(
  of id: isa_id, _ key: UInt, _ value: isa_id?, _ policy: isa_association_policy
) -> isa_status {
  isa_object_set_associated(id, UnsafeRawPointer(bitPattern: key), value, policy)
}

/// The object associated under a number, with a +1.
package func copyAssociation(of id: isa_id, _ key: UInt) -> isa_id? {
  isa_object_copy_associated(id, UnsafeRawPointer(bitPattern: key))
}

/// The pointer of an address; nil for 0.
func pointer(_ address: UInt) -> UnsafeMutableRawPointer? {
  UnsafeMutableRawPointer(bitPattern: address)
}

/// The object of a change, as a number.
func objectAddress(in record: kvo_change) -> UInt { UInt(bitPattern: record.object) }

extension RuntimeObject {
  /// Whether the object is being deallocated, so that it must not be kept.
  var isGoing: Bool {
    guard isa_object_try_retain(id) else { return true }
    isa_object_release(id)
    return false
  }
}
