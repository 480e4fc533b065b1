/// The contents of a notification that an observer wants.
public struct ObservationOptions: OptionSet, Hashable, Sendable {
  /// The options' bits, as in C.
  public let rawValue: UInt32

  /// Options by their bits, as in C.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

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
