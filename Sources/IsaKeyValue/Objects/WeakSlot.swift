package import CIsa

/// A weak reference's storage, at an address of its own.
package final class WeakSlot: @unchecked Sendable {
  // Sendable because the slot is only read between its making and its end.
  private let slot = UnsafeMutablePointer<isa_weak>.allocate(capacity: 1)

  package init(_ id: isa_id) throws(KeyValueError) {
    slot.initialize(to: isa_weak())
    try KeyValueError.check(isa_weak_init(slot, id), className: className(of: id))
  }

  deinit {
    isa_weak_destroy(slot)
    slot.deallocate()
  }

  /// The object, or nil once it is being deallocated.
  package func copyObject() -> isa_id? { isa_weak_copy(slot) }
}
