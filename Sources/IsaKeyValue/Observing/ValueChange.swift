package import CIsa

/// Where changes come from: the facts that the tag of a value that was set leads to, and facts that
/// few changes have beside them.
@usableFromInline
package class ChangeSource: @unchecked Sendable {
  // Sendable because it never changes, and a registration says why it is.
  var keyPath: String { "" }
  var cause: String? { nil }
  /// The control that ends the registration; nil for a change that nobody was told of.
  package var control: (any RegistrationControl)? { nil }
  /// Of one change of elements.
  var indexes: [Int]? { nil }
}

/// Where one change comes from that is told as the C core has it.
final class RecordSource: ChangeSource, @unchecked Sendable {
  private let source: ChangeSource
  private let keyText: LastingText?
  private let causeText: LastingText?
  private let places: Places?

  init(_ source: ChangeSource, _ record: kvo_change) {
    self.source = source
    keyText = LastingText(record.key_path)
    causeText = LastingText(record.cause)
    places = Places(record.indexes)
  }

  override var keyPath: String { keyText?.string ?? "" }
  override var cause: String? { causeText?.string }
  override var control: (any RegistrationControl)? { source.control }
  override var indexes: [Int]? { places?.indexes }
}

/// Where a change comes from that is not told as the C core has it.
package final class NamedSource: ChangeSource, @unchecked Sendable {
  private let path: String
  private let causingKey: String?
  private let owner: (any RegistrationControl)?
  private let places: [Int]?

  package init(
    _ keyPath: String, cause: String? = nil, _ control: (any RegistrationControl)?,
    indexes: [Int]? = nil
  ) {
    path = keyPath
    causingKey = cause
    owner = control
    places = indexes
  }

  override var keyPath: String { path }
  override var cause: String? { causingKey }
  package override var control: (any RegistrationControl)? { owner }
  override var indexes: [Int]? { places }
}

/// How a value changed, when that is told, to whom, and which key caused it, as one number: the
/// compiler handles structures of more than six fields by way of their metadata, which would cost
/// more than all that is done to tell a change.
@frozen @usableFromInline
package struct ChangeTag: Sendable {
  @usableFromInline package let number: UInt64

  /// A value that was set, told of afterwards to the registration of that number.
  ///
  /// - Parameter cause: The place of the key among the keys that have caused changes of the key
  ///   path.
  init(registration: UInt64, cause: Int) { number = registration << 16 | UInt64(cause) << 8 }

  @inline(__always)
  init(number: UInt64) { self.number = number }

  /// Tags of changes not read: a change that the C core has to tell, a change that has been made,
  /// and values with a source of their own.
  static let record = ChangeTag(number: 16)
  static let made = ChangeTag(number: 32)
  static let sourced = ChangeTag(number: 48)

  /// Whether a value was set, and is told of afterwards.
  @inlinable @inline(__always)
  package var isSet: Bool { number & 0xFF == 0 }
  @inlinable
  package var isSourced: Bool { number == 48 }
  package var isMade: Bool { number == Self.made.number }

  package init(_ kind: ChangeKind, isPrior: Bool, isInitial: Bool) {
    number = UInt64((kind.rawValue - 1) << 2) | (isPrior ? 1 : 0) | (isInitial ? 2 : 0)
  }

  var kind: ChangeKind { ChangeKind(rawValue: UInt(number >> 2) & 3 + 1)! }
  var isPrior: Bool { number & 1 != 0 }
  var isInitial: Bool { number & 2 != 0 }
  var registration: UInt64 { number >> 16 }
  var cause: Int { Int(number >> 8) & 0xFF }
}

/// A change, as a typed observer is told.
@frozen
public struct ValueChange<Value> {
  /// The key path that is observed: as it was registered, or as the keys that it was found to be
  /// made of.
  public var keyPath: String { source?.keyPath ?? texts(of: tag).keyPath.string }
  // Nil in the usual case, where the tag says what is needed: a reference is not counted then.
  @usableFromInline let source: ChangeSource?
  @usableFromInline let tag: ChangeTag
  /// The key whose change this is: the last of the key path, a key on the way, or a key that the
  /// value depends on. Nil while registering.
  public var cause: String? { source.map { $0.cause } ?? texts(of: tag).cause?.string }
  /// How the value changed.
  public var kind: ChangeKind { tag.kind }
  /// Whether this is told before the change; there is no new value then.
  public var isPrior: Bool { tag.isPrior }
  /// Whether this is told while registering; there is no old value then.
  public var isInitial: Bool { tag.isInitial }
  /// Where elements were inserted, removed or replaced, upwards; nil for any other change.
  @_disfavoredOverload
  public var indexes: [Int]? { places }
  /// The same, where a module has ``indexes`` of another type.
  package var places: [Int]? { source?.indexes }
  /// The value before, if it was asked for.
  public let oldValue: Value?
  /// The value after, if it was asked for.
  public let newValue: Value?
  package var handle: (any RegistrationControl)? {
    source == nil ? findControl(tag) : source?.control
  }

  /// Makes a change that nobody was told of, to try a handler with.
  public init(
    keyPath: String = "", cause: String? = nil, kind: ChangeKind = .setting, isPrior: Bool = false,
    isInitial: Bool = false, indexes: [Int]? = nil, oldValue: Value? = nil, newValue: Value? = nil
  ) {
    self.init(
      keyPath: keyPath, cause: cause, kind: kind, isPrior: isPrior, isInitial: isInitial,
      indexes: indexes, oldValue: oldValue, newValue: newValue, handle: nil)
  }

  package init(
    keyPath: String, cause: String?, kind: ChangeKind, isPrior: Bool, isInitial: Bool,
    indexes: [Int]?, oldValue: Value?, newValue: Value?, handle: (any RegistrationControl)?
  ) {
    source = NamedSource(keyPath, cause: cause, handle, indexes: indexes)
    tag = ChangeTag(kind, isPrior: isPrior, isInitial: isInitial)
    self.oldValue = oldValue
    self.newValue = newValue
  }

  package init(_ record: kvo_change, from source: ChangeSource, old: Value?, new: Value?) {
    self.source = RecordSource(source, record)
    tag = ChangeTag(
      ChangeKind(record.kind), isPrior: record.is_prior, isInitial: record.is_initial)
    oldValue = old
    newValue = new
  }

  /// The change that code compiled for its types tells a closure; no source if a value was set.
  @inlinable
  package init(from source: ChangeSource?, tag: ChangeTag, old: Value?, new: Value?) {
    self.source = source
    self.tag = tag
    oldValue = old
    newValue = new
  }

  /// Ends the registration that this change was told to, also from inside its handler, the initial
  /// notification included.
  public func stopObserving() { handle?.invalidate() }
}

extension ValueChange: Sendable where Value: Sendable {}

extension ValueChange: CustomStringConvertible, CustomReflectable {
  /// The change in one line, with the values that were asked for: `age: setting, old 30, new 31`.
  public var description: String {
    let parts: [String?] = [
      "\(kind)", isPrior ? "prior" : nil, isInitial ? "initial" : nil, places.map { "at \($0)" },
      oldValue.map { "old \($0)" }, newValue.map { "new \($0)" },
    ]
    return "\(keyPath): " + parts.compactMap { $0 }.joined(separator: ", ")
  }

  /// What the change says, by the names that it says it by.
  public var customMirror: Mirror {
    let children: KeyValuePairs<String, Any> = [
      "keyPath": keyPath, "cause": cause as Any, "kind": kind, "isPrior": isPrior,
      "isInitial": isInitial, "indexes": places as Any, "oldValue": oldValue as Any,
      "newValue": newValue as Any,
    ]
    return Mirror(self, children: children, displayStyle: .struct)
  }
}
