// Names of 0.1 that have another one now, by which the compiler says so.

extension Misuse {
  /// Not available: set ``KeyValueSettings/misuseHandler``.
  @available(*, unavailable, message: "set KeyValueSettings.misuseHandler")
  public static func setHandler(_ handler: (@Sendable (Misuse) -> Void)?) {
    fatalError("unavailable")
  }
}

extension MisusePolicy {
  /// Not available: ``KeyValueSettings/misusePolicy``.
  @available(*, unavailable, renamed: "KeyValueSettings.misusePolicy")
  public static var current: MisusePolicy {
    get { fatalError("unavailable") }
    set { fatalError("unavailable") }
  }
}

extension WrappingPolicy {
  /// Not available: ``KeyValueSettings/wrapping``.
  @available(*, unavailable, renamed: "KeyValueSettings.wrapping")
  public static var current: WrappingPolicy {
    get { fatalError("unavailable") }
    set { fatalError("unavailable") }
  }
}

extension KeyValueObservation {
  /// Not available: `KVObject.transaction(_:)`.
  @available(*, unavailable, renamed: "KVObject.transaction(_:)")
  public static func transaction<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    fatalError("unavailable")
  }
}

extension RuntimeRegistration {
  /// Not available: ``KeyValueSettings/recordTimes(_:)``.
  @available(*, unavailable, renamed: "KeyValueSettings.recordTimes(_:)")
  public static func recordTimes(_ isOn: Bool) { fatalError("unavailable") }
}

extension RuntimeEventKind {
  /// Not available: ``wrapperEntered``.
  @available(*, unavailable, renamed: "wrapperEntered")
  public static var trampolineEntered: RuntimeEventKind { fatalError("unavailable") }
  /// Not available: ``wrapperLeft``.
  @available(*, unavailable, renamed: "wrapperLeft")
  public static var trampolineLeft: RuntimeEventKind { fatalError("unavailable") }
}
