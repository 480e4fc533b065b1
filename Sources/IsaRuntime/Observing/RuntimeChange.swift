internal import CIsa

/// A change, as an observer is told. It stays valid for as long as it is kept.
public struct RuntimeChange: Sendable {
  /// The registered key path.
  public let keyPath: String
  /// The object that the registration was made on. During its deallocation it must not be kept.
  public let object: RuntimeObject
  /// How the value changed.
  public let kind: ChangeKind
  /// Whether this is told before the change; there is no new value then.
  public let isPrior: Bool
  /// Whether this is told while registering; there is no old value then.
  public let isInitial: Bool
  /// Where elements were inserted, removed or replaced, upwards; nil for any other change.
  public let indexes: [Int]?
  /// The value before, if it was asked for; ``RuntimeValue/isNil`` tells nil from absent. Where
  /// elements changed, an array or a set of the elements that went.
  public let oldValue: RuntimeValue?
  /// The value after, if it was asked for. Where elements changed, an array or a set of the
  /// elements that came.
  public let newValue: RuntimeValue?
  /// The context of the registration.
  public let context: ObservationContext
  /// The key, of any object, whose change this is: the last of the key path, a key on the way, or a
  /// key that the value depends on. Nil while registering.
  public let cause: String?
  var ending: RegistrationEnding?

  /// Makes a change that nobody was told of, to try a handler with.
  public init(
    keyPath: String, object: RuntimeObject, kind: ChangeKind = .setting, isPrior: Bool = false,
    isInitial: Bool = false, indexes: [Int]? = nil, oldValue: RuntimeValue? = nil,
    newValue: RuntimeValue? = nil, context: ObservationContext = .none, cause: String? = nil
  ) {
    self.keyPath = keyPath
    self.object = object
    self.kind = kind
    self.isPrior = isPrior
    self.isInitial = isInitial
    self.indexes = indexes
    self.oldValue = oldValue
    self.newValue = newValue
    self.context = context
    self.cause = cause
  }

  init(_ record: kvo_change, keyPath: String? = nil, ending: RegistrationEnding?) {
    self.init(
      keyPath: keyPath ?? String(cString: record.key_path),
      object: RuntimeObject(retaining: record.object),
      kind: ChangeKind(record.kind), isPrior: record.is_prior, isInitial: record.is_initial,
      indexes: IsaRuntime.indexes(in: record.indexes), oldValue: RuntimeValue(record.old_value),
      newValue: RuntimeValue(record.new_value),
      context: ObservationContext(record.context),
      cause: record.cause.map { String(cString: $0) })
    self.ending = ending
  }

  /// Ends the registration that this change was told to, also from inside its handler, the initial
  /// notification included.
  ///
  /// Ends nothing the second time, nor on a change that was made by hand or told to shared
  /// observers.
  public func stopObserving() { ending?.end(self) }
}

extension RuntimeChange {
  /// The change that an observer object is told of by `observeValueForKeyPath:…`.
  init?(observedIn call: RuntimeMethodCall) {
    guard call.arguments.count == 4, let address = call.arguments[2].address,
      let record = UnsafePointer<kvo_change>(bitPattern: address)?.pointee
    else { return nil }
    self.init(record, ending: .observer(call.receiver))
  }

  /// The change whose record, a `kvo_change`, a function or method in C was handed at an address; it
  /// has no observation to end.
  public init(unsafeAddress address: UInt) {
    self.init(UnsafePointer<kvo_change>(bitPattern: address)!.pointee, ending: nil)
  }
}

extension RuntimeChange: MergeableChange {
  package func merged(with later: RuntimeChange) -> RuntimeChange? {
    guard kind == .setting, later.kind == .setting else { return nil }
    var merged = RuntimeChange(
      keyPath: keyPath, object: object, oldValue: oldValue, newValue: later.newValue,
      context: context, cause: cause == later.cause ? cause : nil)
    merged.ending = ending
    return merged
  }
}

extension RuntimeChange: CustomStringConvertible {
  /// The change for people: `age: 40 → 41`, `names: insertion at [0] → ("Ann")`.
  public var description: String {
    let old = oldValue.map { " \($0)" } ?? ""
    let new = newValue.map { " → \($0)" } ?? ""
    let changed = kind == .setting ? "" : " \(kind)"
    let places = indexes.map { " at \($0)" } ?? ""
    let moment = isPrior ? " (prior)" : isInitial ? " (initial)" : ""
    return "\(keyPath):\(changed)\(places)\(old)\(new)\(moment)"
  }
}
