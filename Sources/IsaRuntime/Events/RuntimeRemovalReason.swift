internal import CIsa

/// Why a registration ended.
public enum RuntimeRemovalReason: String, CaseIterable, Sendable {
  /// It was removed, or its observation ended.
  case call
  /// Its observer was deallocated.
  case observerDied
  /// The observed object was deallocated.
  case objectDied

  init?(_ reason: isa_removal_reason) {
    switch reason {
    case ISA_REMOVED_BY_CALL: self = .call
    case ISA_REMOVED_OBSERVER_DIED: self = .observerDied
    case ISA_REMOVED_OBJECT_DIED: self = .objectDied
    default: return nil
    }
  }
}
