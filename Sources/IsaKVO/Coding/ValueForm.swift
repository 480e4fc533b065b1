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
private typealias CopyText =
  @convention(c) (
    UnsafePointer<kvo_form>?, UnsafeRawPointer?, UnsafeMutablePointer<CChar>?, Int
  ) -> Int

/// How the values of a wrapped property stand in their objects.
struct ValueForm {
  let address: UnsafePointer<kvo_form>
  private let tag: UnsafeMutablePointer<kvo_form_tag>

  init<Value>(_ field: Field, _ type: Value.Type) {
    self.init(
      field, type, size: _isBitwiseTakable(type) ? MemoryLayout<Value>.size : 0,
      set: { form, place, value, keepsOld in
        owner(of: form).set(place!, to: value!, keepsOld: keepsOld)
      },
      copy: { form, value in owner(of: form).copyObject(at: value!) }, text: textCopier(type))
  }

  /// How elements of an array that come and go are shown: as arrays of their own.
  init(elementsOf field: Field, _ type: Any.Type) {
    self.init(
      field, type, size: 0, set: { _, _, _, _ in fatalError("elements are not set") },
      copy: { form, value in owner(of: form).copyElements(at: value!) }, text: nil)
  }

  private init(
    _ field: Field, _ type: Any.Type, size: Int, set: @escaping SetInPlace,
    copy: @escaping CopyInPlace, text: CopyText?
  ) {
    let form = UnsafeMutablePointer<kvo_form>.allocate(capacity: 1)
    address = UnsafePointer(form)
    tag = .allocate(capacity: 1)
    tag.initialize(to: kvo_form_tag(type: metadata(type), form: address))
    form.initialize(
      to: kvo_form(
        setter: code(setObject), getter: code(getObject), callback: receiveInPlace,
        types: UnsafeRawPointer(tag).assumingMemoryBound(to: CChar.self), size: size,
        set: set, copy_object: copy,
        info: UnsafeRawPointer(Unmanaged.passUnretained(field).toOpaque()), copy_text: text))
  }

  func deallocate() {
    address.deallocate()
    tag.deallocate()
  }

  /// The object for a value in place, with a +1; nil for nil.
  static func copyObject(_ types: EncodingText, at address: UnsafeRawPointer) -> isa_id? {
    let form = UnsafeRawPointer(types).assumingMemoryBound(to: kvo_form_tag.self).pointee.form!
    return form.pointee.copy_object(form, address)
  }
}

/// The address that tells a type from all others.
func metadata(_ type: Any.Type) -> UnsafeRawPointer {
  unsafeBitCast(type, to: UnsafeRawPointer.self)
}

/// How values are written into the event log, if they are texts.
private func textCopier(_ type: Any.Type) -> CopyText? {
  switch type {
  case is String.Type: { copyText($1!.assumingMemoryBound(to: String.self).pointee, $2, $3) }
  case is String?.Type: { copyText($1!.assumingMemoryBound(to: String?.self).pointee, $2, $3) }
  default: nil
  }
}

/// Copies the text, ended by 0, as far as it fits; answers its length, that of nil being the largest.
private func copyText(
  _ text: String?, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
  guard let text else { return -1 }
  guard size > 0, let buffer else { return text.utf8.count }
  var end = 0
  for unit in text.utf8.prefix(size - 1) {
    buffer[end] = CChar(bitPattern: unit)
    end += 1
  }
  buffer[end] = 0
  return text.utf8.count
}

private func owner(of form: UnsafePointer<kvo_form>?) -> Field {
  Unmanaged<Field>.fromOpaque(form!.pointee.info).takeUnretainedValue()
}
