internal import CIsa

/// How an associated object is kept.
public enum RuntimeAssociationPolicy: String, CaseIterable, Sendable {
  /// Kept alive until it is replaced, removed, or its owner dies.
  case retain
  /// The same with the answer to the message `copy`.
  case copy
  /// Not kept alive, and nil once it is gone.
  case weak

  var constant: isa_association_policy {
    switch self {
    case .retain: ISA_ASSOCIATION_RETAIN
    case .copy: ISA_ASSOCIATION_COPY
    case .weak: ISA_ASSOCIATION_WEAK
    }
  }
}
