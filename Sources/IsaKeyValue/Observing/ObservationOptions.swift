internal import CIsa

/// The contents of a notification that an observer wants.
public struct ObservationOptions: OptionSet, Hashable, Sendable {
  /// The options' bits, as Foundation has them.
  public let rawValue: UInt

  /// Options by their bits, as Foundation has them.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Options as the C core tells them.
  package init(bits: UInt32) { self.init(rawValue: UInt(bits)) }

  /// The bits for the C core; more than it has are some that it refuses.
  package var bits: UInt32 { UInt32(exactly: rawValue) ?? .max }

  /// The change carries the value after it.
  public static let new = ObservationOptions(rawValue: 1)
  /// The change carries the value before it.
  public static let old = ObservationOptions(rawValue: 2)
  /// One notification before the registering call returns.
  public static let initial = ObservationOptions(rawValue: 4)
  /// One more notification, before each change.
  public static let prior = ObservationOptions(rawValue: 8)
  /// An observer object is held strongly; of no meaning for closures.
  public static let retainObserver = ObservationOptions(rawValue: 1 << 16)
  /// A closure is told of changes of the key alone, not of what affects it.
  package static let own = ObservationOptions(rawValue: UInt(KVO_OPTION_OWN))
}

extension ObservationOptions: CustomStringConvertible {
  /// The options by name, such as `[old, new]`.
  public var description: String {
    let names: [(ObservationOptions, String)] = [
      (.old, "old"), (.new, "new"), (.initial, "initial"), (.prior, "prior"),
      (.retainObserver, "retainObserver"),
    ]
    return "[\(names.filter { contains($0.0) }.map(\.1).joined(separator: ", "))]"
  }
}
