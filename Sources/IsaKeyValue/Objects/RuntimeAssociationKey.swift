/// The key under which a value is associated with an object. Each key made is different from all
/// others.
public struct RuntimeAssociationKey: Hashable, Sendable {
  package let number: UInt

  /// Makes a key.
  public init() { number = nextNumber() }
}
