package import CIsa

/// The library whose behaviour key-value coding and observing have where Foundation and GNUstep
/// differ.
public enum KeyValueProfile: String, CaseIterable, Sendable {
  /// Foundation's on Apple's systems.
  case apple
  /// GNUstep's.
  case gnustep

  package init(_ profile: isa_profile) { self = profile == ISA_PROFILE_GNUSTEP ? .gnustep : .apple }

  package var constant: isa_profile {
    switch self {
    case .apple: ISA_PROFILE_APPLE
    case .gnustep: ISA_PROFILE_GNUSTEP
    }
  }
}
