package import CIsa

/// How an unordered to-many key changes by a set of objects, in Foundation's numbers.
public enum SetMutation: UInt, CaseIterable, Sendable {
  /// The objects are added.
  case union = 1
  /// The objects are removed.
  case minus
  /// All but the objects are removed.
  case intersect
  /// The objects take the place of the former objects.
  case set

  package var constant: kvo_set_mutation { kvo_set_mutation(UInt32(rawValue)) }
}
