internal import CIsa

/// A weak reference's storage, at an address of its own.
final class WeakSlot: @unchecked Sendable {
  // Sendable because the slot is only read between its making and its end.
  private let slot = UnsafeMutablePointer<isa_weak>.allocate(capacity: 1)

  init(_ object: RuntimeObject) throws(KeyValueError) {
    slot.initialize(to: isa_weak())
    try KeyValueError.check(isa_weak_init(slot, object.id), className: object.isa.name)
  }

  deinit {
    isa_weak_destroy(slot)
    slot.deallocate()
  }

  /// The object, or nil once it is being deallocated.
  func copyObject() -> RuntimeObject? { isa_weak_copy(slot).map { RuntimeObject(adopting: $0) } }
}
