internal import IsaKeyValue

/// Tells an observer of a typed change, as the calling thread's scopes allow.
///
/// An object that is being deallocated, which no weak reference can be made to, cannot wait.
@inline(__always)
func deliver<Root: KVObject, Change: MergeableChange>(
  _ change: Change, of object: Root, by control: any RegistrationControl, waits: Bool = true,
  to handler: @escaping (Root, Change) -> Void
) {
  guard let scope = DeliveryScope.current else { return handler(object, change) }
  scope.deliver(
    change, of: object.scopeIdentity, by: control, canWait: { waits && Weak(object).object != nil },
    to: { handler(object, $0) })
}

extension KVObject {
  /// Runs `body`; a change of this object in it, on this thread, is never told to anybody: a write of
  /// a property of any type that is no news.
  ///
  ///     person.muting { person.address = fetched }
  ///
  /// Neither those who observe this object are told, nor those whose key paths lead through it, nor
  /// keys that depend on the change, nor shared observers. Key paths lead to the new value from then
  /// on, and what depends on it is computed from it. Changes on other threads are told, and so are
  /// changes of other objects to those who do not observe this one. Scopes may be nested.
  ///
  /// Functions that C code has registered are told.
  public func muting<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    SourceRegistration.addToLog
    return try DeliveryScope.with(muted: [scopeIdentity], body)
  }
}

extension KVObject {
  /// Runs `body`; an observation is told of what changed in it, on this thread, once at its end.
  ///
  ///     KVObject.transaction {
  ///       person.age = 40
  ///       person.age = 41          // one delivery: from what age was before to 41
  ///     }
  ///
  /// - The merged change has the first old value and the last new one. Insertions, removals and
  ///   replacements cannot be told as one: each is told, in order, at the end.
  /// - With `ObservationOptions.prior`, the first notification before a change is told before it,
  ///   and no other. An initial notification is told at once.
  /// - Observations are told in the order in which their first changes came, also when `body`
  ///   throws. An observation that has ended meanwhile is not told.
  /// - A change that a handler makes is told at once, but not before what the same observation has
  ///   not been told yet: it is added to that.
  /// - A transaction inside another one is part of the outer one.
  /// - Objects that are told by ``observeValue(forKeyPath:of:change:context:)`` take no part: they
  ///   are told before the setter returns, as ever.
  public static func transaction<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    SourceRegistration.addToLog
    return try DeliveryScope.collecting(body)
  }
}

extension KVObject {
  /// The number that tells the object from all others, also as the runtime's.
  final var scopeIdentity: UInt { UInt(bitPattern: headerAddress) }
}
