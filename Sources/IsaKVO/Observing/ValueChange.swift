internal import CIsa

/// What a typed observer is told.
public struct ValueChange<Value> {
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
  let handle: RegistrationHandle?

  /// Makes a change that nobody was told of, to try a handler with.
  public init(
    kind: ChangeKind = .setting, isPrior: Bool = false, isInitial: Bool = false,
    indexes: [Int]? = nil, oldValue: Value? = nil, newValue: Value? = nil
  ) {
    self.kind = kind
    self.isPrior = isPrior
    self.isInitial = isInitial
    self.indexes = indexes
    self.oldValue = oldValue
    self.newValue = newValue
    handle = nil
  }

  init(_ record: kvo_change, old: Value?, new: Value?, handle: RegistrationHandle) {
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
