public import IsaKVO
public import IsaKeyValue

/// All that one observer observes, in one object that the observer owns.
///
///     final class ClockView {
///       private lazy var observing = ObservationController(observer: self)
///
///       func show(_ clock: Clock) {
///         observing.observe(clock, \.date) { view, clock, change in view.draw(clock.date) }
///         observing.observe(clock, \.zone, action: ClockView.zoneChanged)
///       }
///     }
///
/// Everything ends with the controller, hence with the observer that owns it. The observer is held
/// weakly. Each key path of an object is observed once: the same registration again changes
/// nothing, one with other options is refused.
///
/// `Sendable` where the observer is. Its own acts are synchronised: while one thread observes,
/// others may end.
public final class ObservationController<Observer: AnyObject> {
  private struct Key: Hashable {
    let object: ObjectIdentifier
    let path: PathName
  }

  private let reference: Weak<Observer>
  private let table = ObservationTable<Key>()

  /// Whether observed objects are kept as long as they are observed.
  ///
  /// If not, an object that goes takes its observations along. If they are, the observer must not
  /// be among them, nor be kept by one of them: it would never go.
  public let retainsObserved: Bool

  /// The observer; nil once it has gone.
  public var observer: Observer? { reference.object }

  /// A controller that observes nothing yet.
  public init(observer: Observer, retainsObserved: Bool = true) {
    reference = Weak(observer)
    self.retainsObserved = retainsObserved
  }

  deinit { table.removeAll() }
}

extension ObservationController: @unchecked Sendable where Observer: Sendable {}

// MARK: - Observing

extension ObservationController {
  /// Observes a property with a closure.
  ///
  /// The closure is handed the observer, so that it need not capture it. It is not called once the
  /// observer has gone.
  ///
  /// A misuse of `KeyValueObservable.observe(_:options:suppressing:changeHandler:file:line:)` is one
  /// here too, and so is a property that is observed with other options, which stay.
  ///
  /// - Returns: Whether it was not observed before, and is now.
  @discardableResult
  public func observe<Root: KeyValueObservable, Value>(
    _ object: Root, _ keyPath: KeyPath<Root, Value>, options: ObservationOptions = [],
    changeHandler: @escaping (Observer, Root, ValueChange<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Bool {
    let reference = reference
    return endingMisuse(false, file, line) { () throws(KeyValueError) in
      try add(object, try object.name(of: keyPath), options) { () throws(KeyValueError) in
        try object.register(keyPath, options) { object, change in
          guard let observer = reference.object else { return change.stopObserving() }
          changeHandler(observer, object, change)
        }
      }
    }
  }

  /// Observes a property with a method of the observer.
  ///
  ///     observing.observe(clock, \.zone, action: ClockView.zoneChanged)
  ///
  /// - Returns: As with a closure.
  @discardableResult
  public func observe<Root: KeyValueObservable, Value>(
    _ object: Root, _ keyPath: KeyPath<Root, Value>, options: ObservationOptions = [],
    action: @escaping (Observer) -> (Root, ValueChange<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Bool {
    observe(
      object, keyPath, options: options,
      changeHandler: { action($0)($1, $2) }, file: file, line: line)
  }

  /// Observes a property with a method of the observer that wants to know nothing more.
  ///
  /// - Returns: As with a closure.
  @discardableResult
  public func observe<Root: KeyValueObservable, Value>(
    _ object: Root, _ keyPath: KeyPath<Root, Value>, options: ObservationOptions = [],
    action: @escaping (Observer) -> () -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> Bool {
    observe(
      object, keyPath, options: options,
      changeHandler: { observer, _, _ in action(observer)() }, file: file, line: line)
  }

  /// Observes several properties with one closure, as if one after the other. The closure is handed the
  /// key path that changed.
  ///
  /// A property that is a misuse ends the call: the properties before it are observed.
  public func observe<Root: KeyValueObservable>(
    _ object: Root, anyOf keyPaths: [PartialKeyPath<Root>], options: ObservationOptions = [],
    changeHandler: @escaping (Observer, Root, PartialKeyPath<Root>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    let reference = reference
    endingMisuse((), file, line) { () throws(KeyValueError) in
      for keyPath in keyPaths {
        _ = try add(object, try object.pathName(of: keyPath), options) {
          () throws(KeyValueError) in
          try object.register(partial: keyPath, options) { object in
            if let observer = reference.object { changeHandler(observer, object, keyPath) }
          }
        }
      }
    }
  }

  private func add(
    _ object: KVObject, _ path: PathName, _ options: ObservationOptions,
    _ register: () throws(KeyValueError) -> any RegistrationControl
  ) throws(KeyValueError) -> Bool {
    let kept = retainsObserved ? object : nil
    return try table.add(key(object, path), "\(path)", options, keeping: kept, register)
  }

  private func key(_ object: KVObject, _ path: PathName) -> Key {
    Key(object: ObjectIdentifier(object), path: path)
  }
}

extension ObservationController where Observer: KVObject {
  /// Observes a property by name; the observer is told by its
  /// `KVObject.observeValue(forKeyPath:of:change:context:)`.
  ///
  /// - Returns: Whether it was not observed before.
  /// - Throws: `KeyValueError.Code.alreadyObserved` if the property is observed
  ///   with other options, which stay; `KeyValueError.Code.notObservable` for a key
  ///   that the class does not know; `KeyValueError.Code.invalidOptions`.
  @discardableResult
  public func observe(
    _ object: KVObject, _ keyPath: String, options: ObservationOptions = [],
    context: ObservationContext = .none, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Bool {
    guard let observer else { return false }
    return try add(object, .keys(keyPath), options) { () throws(KeyValueError) in
      try registering(file, line) { () throws(KeyValueError) in
        try object.register(keyPath, options, telling: observer, context)
      }
    }
  }
}

// MARK: - Ending

extension ObservationController {
  /// Ends the observation of a property; nothing happens if it is not observed.
  ///
  /// - Returns: Whether it was observed.
  @discardableResult
  public func unobserve<Root: KeyValueObservable, Value>(
    _ object: Root, _ keyPath: KeyPath<Root, Value>
  ) -> Bool {
    // A key path without a name cannot have been observed.
    guard let path = try? object.name(of: keyPath) else { return false }
    let key = key(object, path)
    return table.remove { $0 == key } > 0
  }

  /// Ends the observation of a property that is known by name; nothing happens if it is not
  /// observed.
  ///
  /// - Returns: Whether it was observed.
  @discardableResult
  public func unobserve(_ object: KVObject, _ keyPath: String) -> Bool {
    let key = key(object, .keys(keyPath))
    return table.remove { $0 == key } > 0
  }

  /// Ends all observations of an object; nothing happens if there are none.
  public func unobserve(_ object: KVObject) {
    let object = ObjectIdentifier(object)
    table.remove { $0.object == object }
  }

  /// Ends all observations.
  public func unobserveAll() { table.removeAll() }
}
