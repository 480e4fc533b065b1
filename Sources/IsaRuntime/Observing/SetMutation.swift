package import CIsa

/// How an unordered to-many key changes by a set of objects.
public enum SetMutation: String, CaseIterable, Sendable {
  /// The objects are added.
  case union
  /// The objects are removed.
  case minus
  /// All but the objects are removed.
  case intersect
  /// The objects take the place of those that were there.
  case set

  package var constant: kvo_set_mutation {
    switch self {
    case .union: KVO_SET_UNION
    case .minus: KVO_SET_MINUS
    case .intersect: KVO_SET_INTERSECT
    case .set: KVO_SET_SET
    }
  }
}
