package import CIsa

/// How a value changed.
public enum ChangeKind: String, CaseIterable, Sendable {
  /// It was set.
  case setting
  /// Elements were inserted.
  case insertion
  /// Elements were removed.
  case removal
  /// Elements were replaced.
  case replacement

  package init(_ kind: kvo_change_kind) {
    self =
      switch kind {
      case KVO_CHANGE_INSERTION: .insertion
      case KVO_CHANGE_REMOVAL: .removal
      case KVO_CHANGE_REPLACEMENT: .replacement
      default: .setting
      }
  }

  package var constant: kvo_change_kind {
    switch self {
    case .setting: KVO_CHANGE_SETTING
    case .insertion: KVO_CHANGE_INSERTION
    case .removal: KVO_CHANGE_REMOVAL
    case .replacement: KVO_CHANGE_REPLACEMENT
    }
  }
}
