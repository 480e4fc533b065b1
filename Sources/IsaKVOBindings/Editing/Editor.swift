public import IsaKVO

/// An object that lets its user change something before the model has it, such as a text field.
///
/// - Note: Source `NSEditor`, AppKit.
public protocol Editor: AnyObject {
  /// Puts the changes into the model.
  ///
  /// - Throws: The reason why the model does not take them; the editor then keeps them.
  func commitEditing() throws(KeyValueError)

  /// Drops the changes, and shows what the model has.
  func discardEditing()
}
