internal import CIsa

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

  init(_ ownership: isa_ownership) {
    self =
      switch ownership {
      case ISA_OWNERSHIP_RETAIN: .retain
      case ISA_OWNERSHIP_COPY: .copy
      case ISA_OWNERSHIP_WEAK: .weak
      default: .none
      }
  }

  var constant: isa_ownership {
    switch self {
    case .none: ISA_OWNERSHIP_NONE
    case .retain: ISA_OWNERSHIP_RETAIN
    case .copy: ISA_OWNERSHIP_COPY
    case .weak: ISA_OWNERSHIP_WEAK
    }
  }
}
