// Values that the C core takes and gives as addresses: code and keys.
package import CIsa

/// Where code stands.
package func codeAddress(_ imp: isa_imp) -> UInt { unsafeBitCast(imp, to: UInt.self) }

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
package func pointer(_ address: UInt) -> UnsafeMutableRawPointer? {
  UnsafeMutableRawPointer(bitPattern: address)
}

/// The object of a change, as a number.
package func objectAddress(in record: kvo_change) -> UInt { UInt(bitPattern: record.object) }

/// The name of the class that an object was made as.
package func className(of id: isa_id) -> String {
  String(cString: isa_class_name(kvo_class_original(isa_object_get_class(id))))
}
