extension RuntimeObject {
  /// Runs `body`; a change of this object in it, on this thread, is never told to anybody: neither to
  /// those who observe this object, nor to those whose key paths lead through it.
  ///
  /// Shared observers are not told either, nor keys that depend on the change. Key paths lead to the
  /// new values from then on. Functions that C code has registered are told.
  public func muting<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try DeliveryScope.with(muted: [address], body)
  }

  /// Runs `body`; a closure that observes is told of what changed in it, on this thread, once at its
  /// end.
  ///
  /// - The merged change has the first old value and the last new one. Insertions, removals and
  ///   replacements cannot be told as one: each is told, in order, at the end.
  /// - With `ObservationOptions.prior`, the first notification before a change is told before it,
  ///   and no other. An initial notification is told at once.
  /// - Closures are told in the order in which their first changes came, also when `body` throws. One
  ///   whose observation has ended meanwhile is not told.
  /// - A change that a handler makes is told at once, but not before what the same observation has
  ///   not been told yet: it is added to that.
  /// - A transaction inside another one is part of the outer one.
  /// - Observer objects take no part: they are told before the setter returns, as ever.
  public static func transaction<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try DeliveryScope.collecting(body)
  }
}
