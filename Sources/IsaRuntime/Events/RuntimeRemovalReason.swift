package import CIsa

/// Why a registration ended.
public enum RuntimeRemovalReason: String, CaseIterable, Sendable {
  /// It was removed, or its observation ended.
  case call
  /// Its observer was deallocated.
  case observerDied
  /// The observed object was deallocated.
  case objectDied
}

extension RuntimeRemovalReason: CoreEnum {
  package typealias Constant = isa_removal_reason
  package static var first: Int { 1 }
}
