extension ClassBuilder {
  /// Makes instances observers: `handler` is the method that is told of changes.
  ///
  ///     let watcher = try ClassBuilder("Watcher")
  ///       .observer { watcher, change in print(change.keyPath) }
  ///       .register().allocate()
  ///     try person.addObserver(watcher, forKeyPath: "age", options: .new)
  ///
  /// - Parameter handler: Takes the observer and the change; runs on the changing thread.
  /// - Throws: As ``method(_:_:_:)-(_,_,(MethodCall)->RuntimeValue)``.
  @discardableResult
  public func observer(
    _ handler: @escaping @Sendable (RuntimeObject, Change) -> Void
  ) throws(RuntimeError) -> ClassBuilder {
    try method(.observeValue, "v@:*@^v^v") { call in
      guard let change = Change(observedIn: call) else { return }
      handler(call.receiver, change)
    }
  }
}

extension Selector {
  /// The message that tells an observer of a change.
  public static let observeValue: Selector = "observeValueForKeyPath:ofObject:change:context:"
}
