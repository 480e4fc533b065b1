internal import IsaRuntime

#if !canImport(ObjectiveC)
  internal import IsaKVO

  /// How a value changed, in the numbers of a change dictionary's `kindKey`.
  public enum NSKeyValueChange: UInt, Sendable {
    /// It was set.
    case setting = 1
    /// Elements were inserted.
    case insertion = 2
    /// Elements were removed.
    case removal = 3
    /// Elements were replaced.
    case replacement = 4

    init(_ kind: ChangeKind) {
      self =
        switch kind {
        case .setting: .setting
        case .insertion: .insertion
        case .removal: .removal
        case .replacement: .replacement
        }
    }

    var kind: ChangeKind {
      switch self {
      case .setting: .setting
      case .insertion: .insertion
      case .removal: .removal
      case .replacement: .replacement
      }
    }
  }
#endif
