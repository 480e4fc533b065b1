package import CIsa

/// The library whose behaviour key-value coding and observing have where Foundation and GNUstep
/// differ.
public enum KeyValueProfile: String, CaseIterable, Sendable {
  /// Foundation's on Apple's systems.
  case apple
  /// GNUstep's.
  case gnustep
}

extension KeyValueProfile: CoreEnum {
  package typealias Constant = isa_profile
}
