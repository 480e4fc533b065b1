// Values that have no encoding of C's, where they stand. The core gets their form, so that it can
// set them in place and show them to observers that know their type.
//
// Owns:  the memory that the core keeps addresses of.
// Lives: as long as the property, which lives as long as the process.
// Locks: none; it never changes.
internal import CIsa
internal import IsaKeyValue

private typealias SetInPlace =
  @convention(c) (
    UnsafePointer<kvo_form>?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Bool
  ) -> Void
private typealias CopyInPlace =
  @convention(c) (UnsafePointer<kvo_form>?, UnsafeRawPointer?) -> isa_id?

/// How the values of a wrapped property stand in their objects.
struct ValueForm {
  let address: UnsafePointer<kvo_form>
  private let tag: UnsafeMutablePointer<FormTag>

  init<Value>(_ field: Field, _ type: Value.Type) {
    self.init(
      field, type, size: _isBitwiseTakable(type) ? MemoryLayout<Value>.size : 0,
      set: { form, place, value, keepsOld in
        owner(of: form).set(place!, to: value!, keepsOld: keepsOld)
      },
      copy: { form, value in owner(of: form).copyObject(at: value!) })
  }

  /// How elements of an array that come and go are shown: as arrays of their own.
  init(elementsOf field: Field, _ type: Any.Type) {
    self.init(
      field, type, size: 0, set: { _, _, _, _ in fatalError("elements are not set") },
      copy: { form, value in owner(of: form).copyElements(at: value!) })
  }

  private init(
    _ field: Field, _ type: Any.Type, size: Int, set: @escaping SetInPlace,
    copy: @escaping CopyInPlace
  ) {
    let form = UnsafeMutablePointer<kvo_form>.allocate(capacity: 1)
    address = UnsafePointer(form)
    tag = .allocate(capacity: 1)
    tag.initialize(
      to: FormTag(type: metadata(type), form: address))
    form.initialize(
      to: kvo_form(
        setter: code(setObject), getter: code(getObject), callback: receiveInPlace,
        types: UnsafeRawPointer(tag).assumingMemoryBound(to: CChar.self), size: size,
        set: set, copy_object: copy,
        info: UnsafeRawPointer(Unmanaged.passUnretained(field).toOpaque())))
  }

  func deallocate() {
    address.deallocate()
    tag.deallocate()
  }

  /// The object for a value in place, with a +1; nil for nil.
  static func copyObject(_ types: EncodingText, at address: UnsafeRawPointer) -> isa_id? {
    let form = UnsafeRawPointer(types).assumingMemoryBound(to: FormTag.self).pointee.form
    return form.pointee.copy_object(form, address)
  }
}

/// The address that tells a type from all others.
func metadata(_ type: Any.Type) -> UnsafeRawPointer {
  unsafeBitCast(type, to: UnsafeRawPointer.self)
}

private func owner(of form: UnsafePointer<kvo_form>?) -> Field {
  Unmanaged<Field>.fromOpaque(form!.pointee.info).takeUnretainedValue()
}
