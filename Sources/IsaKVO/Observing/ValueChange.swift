internal import CIsa

/// Where changes come from: what all that are told to one registration have in common.
@usableFromInline
final class ChangeSource: Sendable {
  let keyPath: String
  /// What ends the registration; nil for a change that nobody was told of.
  let control: (any RegistrationControl)?

  init(_ keyPath: String, _ control: (any RegistrationControl)?) {
    self.keyPath = keyPath
    self.control = control
  }
}

/// What a typed observer is told.
public struct ValueChange<Value> {
  /// The key path that is observed: as it was registered, or as the keys that it was found to be
  /// made of.
  public var keyPath: String { source.keyPath }
  @usableFromInline let source: ChangeSource
  /// The key whose change this is: the last of the key path, one on the way, or one that the value
  /// depends on. Nil while registering.
  public var cause: String? { causeText?.string }
  @usableFromInline let causeText: LastingText?
  /// How the value changed.
  public let kind: ChangeKind
  /// Whether this is told before the change; there is no new value then.
  public let isPrior: Bool
  /// Whether this is told while registering; there is no old value then.
  public let isInitial: Bool
  /// Where elements were inserted, removed or replaced, upwards; nil for any other change.
  public let indexes: [Int]?
  /// The value before, if it was asked for.
  public let oldValue: Value?
  /// The value after, if it was asked for.
  public let newValue: Value?
  var handle: (any RegistrationControl)? { source.control }

  /// Makes a change that nobody was told of, to try a handler with.
  public init(
    keyPath: String = "", cause: String? = nil, kind: ChangeKind = .setting, isPrior: Bool = false,
    isInitial: Bool = false, indexes: [Int]? = nil, oldValue: Value? = nil, newValue: Value? = nil
  ) {
    self.init(
      keyPath: keyPath, cause: cause, kind: kind, isPrior: isPrior, isInitial: isInitial,
      indexes: indexes, oldValue: oldValue, newValue: newValue, handle: nil)
  }

  init(
    keyPath: String, cause: String?, kind: ChangeKind, isPrior: Bool, isInitial: Bool,
    indexes: [Int]?, oldValue: Value?, newValue: Value?, handle: (any RegistrationControl)?
  ) {
    source = ChangeSource(keyPath, handle)
    causeText = cause.map { LastingText($0) }
    self.kind = kind
    self.isPrior = isPrior
    self.isInitial = isInitial
    self.indexes = indexes
    self.oldValue = oldValue
    self.newValue = newValue
  }

  init(_ record: kvo_change, from source: ChangeSource, old: Value?, new: Value?) {
    self.source = source
    causeText = LastingText(record.cause)
    kind = ChangeKind(record.kind)
    isPrior = record.is_prior
    isInitial = record.is_initial
    indexes = IsaKVO.indexes(in: record.indexes)
    oldValue = old
    newValue = new
  }

  /// A value that was set.
  @inlinable
  init(source: ChangeSource, cause: LastingText?, old: Value?, new: Value?) {
    self.source = source
    causeText = cause
    kind = .setting
    isPrior = false
    isInitial = false
    indexes = nil
    oldValue = old
    newValue = new
  }

  /// Ends the registration that this change was told to, also from inside its handler, the initial
  /// notification included.
  public func stopObserving() { handle?.invalidate() }
}

extension ValueChange: Sendable where Value: Sendable {}
