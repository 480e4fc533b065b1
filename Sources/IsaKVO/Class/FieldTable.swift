// The wrapped properties of a class by where they stand, for accesses to an object that is watched.
//
// Owns:  its memory and the fields, for the life of the process, as the class's registration does.
// Locks: none; complete before the class is registered, and never changed.
internal import CIsa
internal import IsaKeyValue

/// The facts that setting a property needs.
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
    slots.initialize(
      repeating: FieldSlot(field: nil, setter: nil, letter: 0, form: nil), count: size)
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

  func slot(at offset: Int) -> UnsafePointer<FieldSlot>? {
    offset >= 0 && offset < count ? UnsafePointer(slots + offset) : nil
  }

  func field(at offset: Int) -> Field? {
    slot(at: offset)?.pointee.field?.takeUnretainedValue()
  }
}

/// Properties by the selector of a message. Selectors are interned, so an address tells them apart.
struct SelectorTable: @unchecked Sendable {
  // Sendable as the table of fields is, which holds these.
  private typealias Slot = (sel: isa_sel?, field: Unmanaged<Field>?)

  private let slots: UnsafeMutablePointer<Slot>
  private let mask: Int

  /// The fields by their selectors, each in the place of one before it that has the same.
  init(_ fields: [Field], by selector: KeyPath<Field, RuntimeSelector>) {
    var count = 8
    while count < 2 * (fields.count + 1) { count *= 2 }
    slots = .allocate(capacity: count)
    slots.initialize(repeating: (nil, nil), count: count)
    mask = count - 1
    for field in fields {
      let sel = field[keyPath: selector].sel
      slots[place(of: sel)] = (sel, .passUnretained(field))
    }
  }

  func free() { slots.deallocate() }

  func find(_ sel: isa_sel) -> Unmanaged<Field>? { slots[place(of: sel)].field }

  private func place(of sel: isa_sel) -> Int {
    // A selector is a record in memory: the lowest bits are the same for all.
    var at = Int(bitPattern: sel) >> 4 & mask
    while let other = slots[at].sel, other != sel { at = (at + 1) & mask }
    return at
  }
}

// MARK: - Accesses to an object that is watched

/// Whether the object is of a class made at run time that has an accessor of its own for the
/// property.
@usableFromInline
func isAsked(_ object: KVObject, _ storage: UnsafeRawPointer) -> Bool {
  guard object.isAsked, let id = object.adoptedID else { return false }
  return object.field(at: storage)?.isAsked(id) ?? false
}

/// The answer of the getter of a class made at run time; nil if the class has none of its own.
func ask<Value>(_ object: KVObject, _ storage: UnsafeRawPointer, _ type: Value.Type) -> Value? {
  guard object.isAsked, let id = object.adoptedID, let field = object.field(at: storage),
    field.isAsked(id), KeyPathProbe.current?.leavesUnasked != true
  else { return nil }
  let answer = copyAnswer(to: field.getter.sel, of: id)
  defer { isa_object_release(answer) }
  if let value: Value = knownCoder(for: Value.self).read(answer) { return value }
  let name = String(cString: isa_class_name(isa_object_get_class(id)))
  let reason =
    "-[\(name) \(field.getter)]: \(answer.map { describe($0) } ?? "nil") is no \(field.typeName)"
  isa_report_misuse(KVC_ERR_TYPE, nil, reason)
  return nil
}

/// What an object answers a getter's message, with a +1; nil for nil and for what has no box.
private func copyAnswer(to sel: isa_sel, of id: isa_id) -> isa_id? {
  var size = 0
  guard let method = isa_class_find_method(isa_object_get_class(id), sel),
    let types = isa_method_types(method),
    isa_encoding_measure(types, &size, nil, nil) == ISA_OK
  else { return nil }
  var box: isa_id?
  withUnsafeTemporaryAllocation(byteCount: max(size, 16), alignment: 16) { room in
    let address = room.baseAddress
    _ = withAnswers {
      let status = isa_invoke_message(id, sel, nil, address)
      return status == ISA_OK ? kvc_box(kvc_value(types: types, address: address), &box) : status
    }
  }
  return box
}

/// Sets a wrapped property by its message; false if nobody knows of the object, and then nothing
/// was done.
///
/// Serves all types, so that those who use properties need not hand over what a type is. The value
/// is the caller's; it may be another one afterwards.
@usableFromInline @inline(never)
func sendSetter(
  _ object: KVObject, _ storage: UnsafeMutableRawPointer, _ value: UnsafeMutableRawPointer
) -> Bool {
  guard let id = object.adoptedID else { return false }
  guard let slot = ClassRegistration.fields(of: id).slot(at: storage - UnsafeMutableRawPointer(id)),
    slot.pointee.field != nil
  else { return false }
  if isCovered(storage) { return false }
  let letter = slot.pointee.letter
  if letter == 0 {
    setInPlace(object, storage, value, slot)
  } else {
    withAnswers { isa_send_value(id, slot.pointee.setter, letter, value) }
  }
  return true
}

/// Whether the change of a property is part of a change that somebody announces.
@usableFromInline @inline(__always)
func isCovered(_ storage: UnsafeRawPointer) -> Bool {
  _slowPath(DeliveryScope.isAny) && DeliveryScope.covers(UInt(bitPattern: storage))
}

/// Sets a property that has no encoding of C's own: where it stands, or by an object. Apart, so that
/// a number's setter need not save the registers that this takes.
@inline(never)
private func setInPlace(
  _ object: KVObject, _ storage: UnsafeMutableRawPointer, _ value: UnsafeMutableRawPointer,
  _ slot: UnsafePointer<FieldSlot>
) {
  // A key that depends on this one is read in its course, and answered by objects.
  if let id = object.adoptedID, let form = slot.pointee.form,
    withAnswers({ kvo_set_in_place(id, slot.pointee.setter, form, storage, value) })
  {
    return
  }
  slot.pointee.field?._withUnsafeGuaranteedRef { $0.send(at: value, to: object) }
}
