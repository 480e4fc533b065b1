// The wrapped properties of a class by where they stand, for accesses to an object that is watched.
//
// Owns:  its memory and the fields, for the life of the process, as the class's registration does.
// Locks: none; complete before the class is registered, and never changed.
internal import CIsa

/// What setting a property needs.
struct FieldSlot {
  /// The property; nil where none begins.
  let field: Unmanaged<Field>?
  let setter: isa_sel?
  /// Of the encoding whose bytes are the property's value; 0 if none is.
  let letter: CChar
  /// How a value without such an encoding is set where it stands; nil if it is not.
  let form: UnsafePointer<kvo_form>?
}

/// Properties by the distance of their storage from the object's header.
struct FieldTable: @unchecked Sendable {
  // Sendable because it never changes once it is shared.
  private let slots: UnsafeMutablePointer<FieldSlot>
  private let count: Int

  init(size: Int) {
    slots = .allocate(capacity: size)
    slots.initialize(repeating: FieldSlot(field: nil, setter: nil, letter: 0, form: nil), count: size)
    count = size
  }

  func add(_ field: Field) {
    slots[field.offset] = FieldSlot(
      field: .passRetained(field), setter: field.setter.sel, letter: field.letter,
      form: field.form?.address)
  }

  /// Gives everything up, for a class that could not be registered.
  func free() {
    for slot in UnsafeBufferPointer(start: slots, count: count) { slot.field?.release() }
    slots.deallocate()
  }

  func slot(at offset: Int) -> FieldSlot? {
    offset >= 0 && offset < count ? slots[offset] : nil
  }

  func field(at offset: Int) -> Field? { slot(at: offset)?.field?.takeUnretainedValue() }
}

// MARK: - Accesses to an object that is watched

/// Sets a wrapped property by its message; false if nobody knows of it, and then nothing was done.
///
/// Serves all types, so that those who use properties need not hand over what a type is. The value
/// is the caller's; it may be another one afterwards.
@usableFromInline @inline(never)
func sendSetter(
  _ object: KVObject, _ storage: UnsafeMutableRawPointer, _ value: UnsafeMutableRawPointer
) -> Bool {
  guard let id = object.adoptedID else { return false }
  guard let slot = ClassRegistration.fields(of: id).slot(at: storage - UnsafeMutableRawPointer(id)),
    let field = slot.field
  else { return false }
  if slot.letter != 0 {
    withAnswers { isa_send_value(id, slot.setter, slot.letter, value) }
  } else if slot.form == nil || !kvo_set_in_place(id, slot.setter, slot.form, storage, value) {
    field._withUnsafeGuaranteedRef { $0.send(at: value, to: object) }
  }
  return true
}
