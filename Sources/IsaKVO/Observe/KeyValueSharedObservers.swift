public import IsaKeyValue

/// Observers registered once, and assigned to many objects of a class.
///
///     let shared = KeyValueSharedObservers<Card>()
///     shared.observe(\.title, options: .new) { card, change in … }
///     for card in cards { card.setSharedObservers(shared) }
///
/// Objects that have only shared observers cost no registration of their own, and telling one takes
/// as long as telling an observation of the object's own.
///
/// An observer added later concerns later assignments only, and objects keep what they were assigned
/// after this is gone. There is nothing to end: `ValueChange.stopObserving()` does nothing, and
/// ``KeyValueObservable/setSharedObservers(_:file:line:)`` with nil takes all away from an object.
///
/// It may be used on several threads, as a static property of the class, too.
///
/// - Note: Source `NSKeyValueSharedObservers`, 2024.
public final class KeyValueSharedObservers<Object: KVObject>: Sendable {
  let list = SharedList()

  /// Makes an empty collection for objects of the class and of its subclasses.
  public init() {}

  /// Adds a closure.
  ///
  /// - Parameters:
  ///   - keyPath: A property of the object itself, which no other affects: wrapped, or declared in
  ///     `keys`. Any other is a misuse of the calls that assign.
  ///   - options: Of new, old and prior; others are such a misuse.
  ///   - changeHandler: Runs on the thread that changes the value, before the setter returns:
  ///     `@Sendable`, as the objects may belong to several threads.
  @inlinable
  public func observe<Value>(
    _ keyPath: KeyPath<Object, Value>, options: ObservationOptions = [],
    changeHandler: @escaping @Sendable (Object, ValueChange<Value>) -> Void
  ) {
    // The second closure is compiled where the types are known.
    let sink = Sink { object, old, new, tag in
      ChangeInPlace(object, old, new, tag).notify(changeHandler)
    }
    observe(keyPath, options, sink)
  }

  @usableFromInline
  func observe<Value>(
    _ keyPath: KeyPath<Object, Value>, _ options: ObservationOptions, _ sink: Sink
  ) {
    list.add(
      SharedEntry(sink, options) { object throws(KeyValueError) in
        // The collection is assigned to such objects only.
        let object = object as! Object
        switch try object.name(of: keyPath) {
        case .keys(let keys): return keys
        case .path: throw object.notShareable(keyPath)
        }
      })
  }
}

// MARK: - Of any type

extension KeyValueSharedObservers {
  /// Adds a closure that is told of changes of a key, and not of its values.
  ///
  /// - Parameter findKey: Finds the key that is observed, by an object of the class.
  package func observe(
    finding findKey: @escaping (Object) throws(KeyValueError) -> String,
    notify: @escaping @Sendable (Object) -> Void
  ) {
    let handler = { (object: Object, _: ValueChange<Any?>) in notify(object) }
    list.add(
      SharedEntry(Sink(handler, isPart: false), []) { object throws(KeyValueError) in
        // The collection is assigned to such objects only.
        try findKey(object as! Object)
      })
  }

  /// Whether these observers can be assigned to an object.
  package func fit(_ object: Object) -> Bool {
    do throws(KeyValueError) {
      _ = try list.observers(for: object)
      return true
    } catch {
      return false
    }
  }
}

extension KeyValueObservable {
  /// Assigns shared observers as they are now, in place of the object's former ones; nil takes
  /// these away.
  ///
  ///     card.setSharedObservers(shared)
  ///     (ace as Card).setSharedObservers(shared)    // a superclass's observers
  ///
  /// They come before the object's own observers in the order of registration. Observers that cannot
  /// be shared by objects of this class are a misuse, and nothing is assigned then.
  ///
  /// - Complexity: O(1) for an object without observers of its own, once one of its class has had
  ///   them; else O(*n*) in the number of both.
  /// - Note: Source `setSharedObservers:`, 2024.
  public func setSharedObservers(
    _ shared: KeyValueSharedObservers<Self>?, file: StaticString = #fileID, line: UInt = #line
  ) {
    endingMisuse((), file, line) { () throws(KeyValueError) in
      if shared == nil, adoptedID == nil { return }
      let id = try observedID()
      let made = try shared?.list.observers(for: self)
      let outcome = SharedRegistrations.assign(made?.shared, to: id)
      try KeyValueError.check(outcome, key: "", className: className)
      try observeApart(made?.apart ?? [])
    }
  }

  /// Registers, instead of those before, the observers of keys that the core cannot share.
  private func observeApart(_ entries: [SharedEntry]) throws(KeyValueError) {
    if entries.isEmpty, alreadyKept(ApartObservers.self) == nil { return }
    let all = try kept { ApartObservers() }
    all.end()
    for entry in entries { all.add(try entry.register(on: self)) }
  }

  fileprivate func notShareable(_ keyPath: AnyKeyPath) -> KeyValueError {
    KeyValueError(
      .notObservable, key: keyPath.text, className: className,
      reason: "\(keyPath.text) of \(className) cannot have shared observers: a property of the "
        + "object itself, that no other affects, was expected")
  }
}

// MARK: - Code that does not know the class

/// One of shared observers.
final class SharedEntry: @unchecked Sendable {
  // Sendable because key paths without captured values never change, and handlers are Sendable.
  private let sink: Sink
  private let options: ObservationOptions
  private let findKey: (KVObject) throws(KeyValueError) -> String

  /// - Parameter findKey: Finds the key that is observed, by an object of the class.
  init(
    _ sink: Sink, _ options: ObservationOptions,
    _ findKey: @escaping (KVObject) throws(KeyValueError) -> String
  ) {
    self.sink = sink
    self.options = options
    self.findKey = findKey
  }

  /// Adds it to shared observers of the object's class; false if what affects its key takes a
  /// registration of each object's own.
  func add(
    to shared: SharedRegistrations, on object: KVObject, _ registration: ClassRegistration
  ) throws(KeyValueError) -> Bool {
    let key = try findKey(object)
    guard registration.forwardedPaths(key).isEmpty else { return false }
    try shared.observe(key, options, knowsForms: true, sink)
    return true
  }

  func register(on object: KVObject) throws(KeyValueError) -> any RegistrationControl {
    try object.register(try findKey(object), options, sink)
  }
}

/// The registrations of one object, which keeps this, in the place of shared ones.
private final class ApartObservers: Sendable {
  private let controls = Locked<[any RegistrationControl]>([])

  deinit { end() }

  func add(_ control: any RegistrationControl) { controls.withLock { $0.append(control) } }

  func end() {
    let ended = controls.withLock { controls in
      defer { controls = [] }
      return controls
    }
    ended.forEach { $0.invalidate() }
  }
}

/// The observers for objects of one class.
struct MadeObservers {
  let shared: SharedRegistrations
  /// The observers that take a registration of each object's own.
  var apart: [SharedEntry] = []
}

/// Shared observers, and what they have been made into for each class whose objects they were
/// assigned to: a key may be another there, or depend on others.
final class SharedList: Sendable {
  private struct State {
    var entries: [SharedEntry] = []
    var made: [ObjectIdentifier: MadeObservers] = [:]
  }

  private let state = Locked(State())

  func add(_ entry: SharedEntry) {
    let outdated = state.withLock { state in
      state.entries.append(entry)
      defer { state.made = [:] }
      return state.made
    }
    // They may let go of handlers, which is not to be under the lock.
    withExtendedLifetime(outdated) {}
  }

  /// The observers for objects of the class that `object` is of.
  func observers(for object: KVObject) throws(KeyValueError) -> MadeObservers {
    let type = ObjectIdentifier(type(of: object))
    while true {
      let (entries, known) = state.withLock { ($0.entries, $0.made[type]) }
      if let known { return known }
      // Without the lock, since classes are asked, and getters run.
      let made = try make(entries, object)
      let isKept = state.withLock { state in
        guard state.entries.count == entries.count, state.made[type] == nil else { return false }
        state.made[type] = made
        return true
      }
      if isKept { return made }
    }
  }

  private func make(
    _ entries: [SharedEntry], _ object: KVObject
  ) throws(KeyValueError) -> MadeObservers {
    let registration = try ClassRegistration.of(type(of: object))
    var made = MadeObservers(shared: try SharedRegistrations(for: registration.cls))
    for entry in entries where try !entry.add(to: made.shared, on: object, registration) {
      made.apart.append(entry)
    }
    return made
  }
}
