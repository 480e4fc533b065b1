package import CIsa

/// How a value changed, in Foundation's numbers.
public enum ChangeKind: UInt, CaseIterable, Sendable {
  /// It was set.
  case setting = 1
  /// Elements were inserted.
  case insertion
  /// Elements were removed.
  case removal
  /// Elements were replaced.
  case replacement

  package init(_ kind: kvo_change_kind) {
    self = ChangeKind(rawValue: UInt(kind.rawValue)) ?? .setting
  }

  package var constant: kvo_change_kind { kvo_change_kind(UInt32(rawValue)) }
}
