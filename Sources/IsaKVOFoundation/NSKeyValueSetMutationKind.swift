internal import IsaRuntime

#if !canImport(ObjectiveC)
  internal import IsaKVO

  /// How an unordered to-many key changes by a set of objects.
  public enum NSKeyValueSetMutationKind: UInt, Sendable {
    /// The objects are added.
    case union = 1
    /// The objects are removed.
    case minus = 2
    /// All but the objects are removed.
    case intersect = 3
    /// The objects take the place of those that were there.
    case set = 4

    var mutation: SetMutation {
      switch self {
      case .union: .union
      case .minus: .minus
      case .intersect: .intersect
      case .set: .set
      }
    }
  }
#endif
