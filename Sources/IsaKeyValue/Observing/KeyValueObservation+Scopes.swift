extension KeyValueObservation {
  /// Runs `body`; a change in it, on this thread, is never told to this observation.
  ///
  ///     text.muting { model.text = field.text }    // what the user types is not put back
  ///
  /// Other threads' changes are told as ever. Scopes may be nested.
  public func muting<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try DeliveryScope.with(muted: handle.identities, body)
  }
}
