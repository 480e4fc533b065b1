/// An object that editors tell of changes that are not yet in the model, such as a controller.
///
/// - Note: Source `NSEditorRegistration`, AppKit.
public protocol EditorRegistry: AnyObject {
  /// Notes that an editor has such changes; once, however often it is told.
  func objectDidBeginEditing(_ editor: any Editor)

  /// Notes that an editor has them no more.
  func objectDidEndEditing(_ editor: any Editor)
}
