// Ivars, where they stand in an object.
internal import CIsa

/// The value of an ivar, where it stands.
func readIvar(_ ivar: isa_ivar, of id: isa_id) -> RuntimeValue {
  let address = isa_object_ivar_address(id, ivar)!
  guard isa_ivar_ownership(ivar) == ISA_OWNERSHIP_WEAK else {
    return RuntimeValue(types: isa_ivar_types(ivar), at: address)
  }
  let object = isa_weak_copy(address.assumingMemoryBound(to: isa_weak.self))
  return RuntimeValue(object.map { RuntimeObject(adopting: $0) })
}

/// Writes an ivar, where it stands, with a value of its type.
func writeIvar(_ ivar: isa_ivar, of id: isa_id, _ value: RuntimeValue) throws(KeyValueError) {
  let address = isa_object_ivar_address(id, ivar)!
  switch isa_ivar_ownership(ivar) {
  case ISA_OWNERSHIP_WEAK:
    let slot = address.assumingMemoryBound(to: isa_weak.self)
    let status = isa_weak_store(slot, value.object?.id)
    try KeyValueError.check(status, className: value.object?.isa.name ?? "nil")
  case ISA_OWNERSHIP_NONE:
    value.store(at: address)
  default:
    let old = address.load(as: isa_id?.self)
    isa_object_retain(value.object?.id)
    value.store(at: address)
    isa_object_release(old)
  }
}
