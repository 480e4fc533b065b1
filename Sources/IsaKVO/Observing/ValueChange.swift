internal import CIsa

/// What a typed observer is told.
public struct ValueChange<Value> {
  /// The key path that is observed: as it was registered, or as the keys that it was found to be
  /// made of.
  public let keyPath: String
  /// The key whose change this is: the last of the key path, one on the way, or one that the value
  /// depends on. Nil while registering.
  public var cause: String? { causeText?.string }
  private let causeText: LastingText?
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
  let handle: (any RegistrationControl)?

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
    self.keyPath = keyPath
    causeText = cause.map { LastingText($0) }
    self.kind = kind
    self.isPrior = isPrior
    self.isInitial = isInitial
    self.indexes = indexes
    self.oldValue = oldValue
    self.newValue = newValue
    self.handle = handle
  }

  init(
    _ record: kvo_change, keyPath: String, old: Value?, new: Value?, handle: RegistrationHandle
  ) {
    self.keyPath = keyPath
    causeText = LastingText(record.cause)
    kind = ChangeKind(record.kind)
    isPrior = record.is_prior
    isInitial = record.is_initial
    indexes = IsaKVO.indexes(in: record.indexes)
    oldValue = old
    newValue = new
    self.handle = handle
  }

  /// Ends the registration that this change was told to, also from inside its handler, the initial
  /// notification included.
  public func stopObserving() { handle?.invalidate() }
}

extension ValueChange: Sendable where Value: Sendable {}
