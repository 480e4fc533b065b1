public import IsaKVO
public import IsaKeyValue

extension KeyValueObservable {
  /// Observes a property by a method of `target`, without selectors.
  ///
  ///     token = person.observe(\.age, target: self, action: View.ageChanged)
  ///
  ///     func ageChanged(_ person: Person, _ change: ValueChange<Int>) { … }
  ///
  /// The target is held weakly. The observation ends with it, or with the returned owner,
  /// whichever goes first.
  ///
  /// - Returns: The only owner of the observation; dropping it ends the observation.
  public func observe<Value, Target: AnyObject>(
    _ keyPath: KeyPath<Self, Value>, options: ObservationOptions = [], target: Target,
    action: @escaping (Target) -> (Self, ValueChange<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> KeyValueObservation {
    observing(file, line) { () throws(KeyValueError) in
      try register(keyPath, options, until: target) { target, object, change in
        action(target)(object, change)
      }
    }
  }

  /// The same, by a method that wants to know the change only.
  public func observe<Value, Target: AnyObject>(
    _ keyPath: KeyPath<Self, Value>, options: ObservationOptions = [], target: Target,
    action: @escaping (Target) -> (ValueChange<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> KeyValueObservation {
    observing(file, line) { () throws(KeyValueError) in
      try register(keyPath, options, until: target) { target, _, change in action(target)(change) }
    }
  }

  /// The same, by a method that wants to know nothing more.
  public func observe<Value, Target: AnyObject>(
    _ keyPath: KeyPath<Self, Value>, options: ObservationOptions = [], target: Target,
    action: @escaping (Target) -> () -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> KeyValueObservation {
    observing(file, line) { () throws(KeyValueError) in
      try register(keyPath, options, until: target) { target, _, _ in action(target)() }
    }
  }

  /// Registers a closure until `owner` goes, which is held weakly and handed to the closure.
  func register<Value, Owner: AnyObject>(
    _ keyPath: KeyPath<Self, Value>, _ options: ObservationOptions, until owner: Owner,
    _ handler: @escaping (Owner, Self, ValueChange<Value>) -> Void
  ) throws(KeyValueError) -> any RegistrationControl {
    let reference = Weak(owner)
    let control = try register(keyPath, options) { object, change in
      guard let owner = reference.object else { return change.stopObserving() }
      handler(owner, object, change)
    }
    return try tied(control, to: owner)
  }
}
