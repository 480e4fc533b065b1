/// The keys of the dictionary that ``KVObject/observeValue(forKeyPath:of:change:context:)`` gets.
public struct ChangeKey: RawRepresentable, Hashable, Sendable {
  /// The key's text, as Foundation has it.
  public let rawValue: String

  /// A key by its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// How the value changed: the raw value of a `ChangeKind` in Foundation's numbers, a `UInt`.
  public static let kindKey = ChangeKey(rawValue: "kind")
  /// The value after the change; `NSNull`'s place is taken by ``KeyValueNull``.
  public static let newKey = ChangeKey(rawValue: "new")
  /// The value before the change.
  public static let oldKey = ChangeKey(rawValue: "old")
  /// Where elements were inserted, removed or replaced: an `[Int]`.
  public static let indexesKey = ChangeKey(rawValue: "indexes")
  /// `true` in the notification before the change.
  public static let notificationIsPriorKey = ChangeKey(rawValue: "notificationIsPrior")
}

/// The value that stands for nil in a dictionary of a change.
public struct KeyValueNull: Hashable, Sendable, CustomStringConvertible {
  /// Nothing.
  public init() {}

  /// `<null>`.
  public var description: String { "<null>" }
}
