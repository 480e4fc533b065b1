extension RuntimeClassBuilder {
  /// Makes instances observers: `handler` is the method that is told of changes.
  ///
  ///     let watcher = try RuntimeClassBuilder("Watcher")
  ///       .observer { watcher, change in print(change.keyPath) }
  ///       .register().allocate()
  ///     try person.addObserver(watcher, forKeyPath: "age", options: .new)
  ///
  /// - Parameter handler: Takes the observer and the change; runs on the changing thread.
  /// - Throws: As ``method(_:_:_:)-(_,_,(RuntimeMethodCall)->RuntimeValue)``.
  @discardableResult
  public func observer(
    _ handler: @escaping @Sendable (RuntimeObject, RuntimeChange) -> Void
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    try method(.observeValue, "v@:*@^v^v") { call in
      guard let change = RuntimeChange(observedIn: call) else { return }
      if let scope = DeliveryScope.current,
        scope.mutes(change.object.address, call.receiver, isInitial: change.isInitial)
      {
        return LoggedNotification.mute()
      }
      LoggedNotification.proceed()
      handler(call.receiver, change)
    }
  }
}

extension RuntimeSelector {
  /// The message that tells an observer of a change.
  public static let observeValue: RuntimeSelector =
    "observeValueForKeyPath:ofObject:change:context:"
}
