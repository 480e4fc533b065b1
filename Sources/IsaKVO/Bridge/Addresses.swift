// What the C core takes and gives as addresses: code, contexts, keys, slots.
internal import CIsa

/// Where code stands.
func codeAddress(_ imp: isa_imp) -> UInt { unsafeBitCast(imp, to: UInt.self) }

/// Associates an object under a number.
func setAssociation(
  of id: isa_id, _ key: UInt, _ value: isa_id?, _ policy: isa_association_policy
) -> isa_status {
  isa_object_set_associated(id, UnsafeRawPointer(bitPattern: key), value, policy)
}

/// The object associated under a number, with a +1.
func copyAssociation(of id: isa_id, _ key: UInt) -> isa_id? {
  isa_object_copy_associated(id, UnsafeRawPointer(bitPattern: key))
}

/// A weak reference's storage, at an address of its own.
final class WeakSlot: @unchecked Sendable {
  // Sendable because the slot is only read between its making and its end.
  private let slot = UnsafeMutablePointer<isa_weak>.allocate(capacity: 1)

  init(_ object: RuntimeObject) throws(RuntimeError) {
    slot.initialize(to: isa_weak())
    try RuntimeError.check(isa_weak_init(slot, object.id), Subject(className: object.isa.name))
  }

  deinit {
    isa_weak_destroy(slot)
    slot.deallocate()
  }

  /// The object, or nil once it is being deallocated.
  func copyObject() -> RuntimeObject? { isa_weak_copy(slot).map { RuntimeObject(adopting: $0) } }
}

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
func writeIvar(_ ivar: isa_ivar, of id: isa_id, _ value: RuntimeValue) throws(RuntimeError) {
  let address = isa_object_ivar_address(id, ivar)!
  switch isa_ivar_ownership(ivar) {
  case ISA_OWNERSHIP_WEAK:
    let slot = address.assumingMemoryBound(to: isa_weak.self)
    let status = isa_weak_store(slot, value.object?.id)
    try RuntimeError.check(status, Subject(className: value.object?.isa.name ?? "nil"))
  case ISA_OWNERSHIP_NONE:
    value.store(at: address)
  default:
    let old = address.load(as: isa_id?.self)
    isa_object_retain(value.object?.id)
    value.store(at: address)
    isa_object_release(old)
  }
}

/// A property's description in C's texts.
struct PropertyText {
  var name: String
  var types: String
  var getter: String?
  var setter: String?
  var ivar: String?
  var ownership: isa_ownership
  var isReadOnly: Bool

  /// Declares the property on `cls` and gives it accessors.
  func synthesize(on cls: isa_class) -> isa_status {
    withText(name) { name in
      withText(types) { types in
        withText(getter) { getter in
          withText(setter) { setter in
            withText(ivar) { ivar in
              var info = isa_property_info(
                name: name, types: types, getter: getter, setter: setter, ivar: ivar,
                ownership: ownership, readonly: isReadOnly)
              return isa_class_synthesize(cls, &info)
            }
          }
        }
      }
    }
  }

  private func withText<Result>(
    _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
  ) -> Result {
    guard let text else { return body(nil) }
    return text.withCString { body($0) }
  }
}
