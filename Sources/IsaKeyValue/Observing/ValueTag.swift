// The tags by which values in place are known to be of a Swift type.
package import CIsa

/// The letter that types of values in place begin with, instead of an encoding's.
package let inPlaceLetter: CChar = 1

extension kvo_form_tag {
  /// The tag in the place of an encoding: a letter that none begins with, and the Swift type.
  package init(type: UnsafeRawPointer, form: UnsafePointer<kvo_form>) {
    self.init()
    letter.0 = inPlaceLetter
    self.type = type
    self.form = form
  }
}

/// Whether values of these types are in place, as the Swift type has them.
@inline(__always)
package func isForm(_ types: EncodingText, of type: UnsafeRawPointer?) -> Bool {
  UnsafeRawPointer(types).assumingMemoryBound(to: kvo_form_tag.self).pointee.type == type
}

/// The proof that a value in place is of an observer's type.
package struct ValueTag: @unchecked Sendable {
  // Sendable because metadata never changes.
  /// The letter of the encoding whose bytes are the value, or that of values in place, and a zero.
  private let letters: UInt16
  private let type: UnsafeRawPointer?

  package init(letter: CChar, type: UnsafeRawPointer?) {
    letters = UInt16(UInt8(bitPattern: letter)).littleEndian
    self.type = letter == inPlaceLetter ? type : nil
  }

  @inline(__always)
  package func fits(_ types: EncodingText) -> Bool {
    // An encoding is a letter and a zero, read as one number.
    UnsafeRawPointer(types).loadUnaligned(as: UInt16.self) == letters
      && (type == nil || isForm(types, of: type))
  }

  /// Whether there is no value, or one of the type.
  package func fits(_ value: kvc_value) -> Bool { value.address == nil || fits(value.types!) }
}
