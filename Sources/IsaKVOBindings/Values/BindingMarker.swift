package import IsaKVO

/// A mark in the place of a selection's value, where there is none to show.
///
/// Markers are told apart by the case, never by the text that is shown for them. A key path that goes on
/// behind a marker has it as its value, too.
///
/// - Note: Source `NSBindingSelectionMarker`, NSKeyValueBinding.h.
public enum BindingMarker: Sendable, Hashable, CaseIterable {
  /// Several objects are selected, and their values differ.
  case multipleValues
  /// Nothing is selected.
  case noSelection
  /// A selected object has no such key.
  case notApplicable
}

extension BindingMarker: ForeignValue {
  package var foreignForm: ForeignForm { .everyKey }
}
