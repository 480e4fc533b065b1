package import CIsa

/// The owner that keeps the object in an ivar or property alive.
public enum RuntimeOwnership: String, CaseIterable, Sendable {
  /// Nobody; also for all that is not an object.
  case none
  /// The ivar: a counted reference, given up at deallocation.
  case retain
  /// The ivar; the setter stores a copy.
  case copy
  /// Nobody, and the ivar reads nil once the object is gone.
  case weak
}

extension RuntimeOwnership: CoreEnum {
  package typealias Constant = isa_ownership
}
