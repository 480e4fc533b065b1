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
  ///   - waitsForTransactions: False has the closure told of changes in a transaction at once: for
  ///     code that keeps something else in step, and itself is not seen to be late.
  ///   - changeHandler: Runs on the thread that changes the value, before the setter returns:
  ///     `@Sendable`, as the objects may belong to several threads.
  @inlinable
  public func observe<Value>(
    _ keyPath: KeyPath<Object, Value>, options: ObservationOptions = [],
    waitsForTransactions: Bool = true,
    changeHandler: @escaping @Sendable (Object, ValueChange<Value>) -> Void
  ) {
    observe(keyPath, options, sink(waitsForTransactions, changeHandler))
  }

  /// Adds a closure for a key whose type is known otherwise than by a key path, as of
  /// ``KVObject/keyValueProperties()``.
  ///
  /// - Parameters:
  ///   - key: As that of a key path. A property of another type than `Value` is such a misuse, too.
  ///   - type: The type that the property was declared with.
  ///   - options: As for a key path.
  ///   - waitsForTransactions: As for a key path.
  ///   - changeHandler: As for a key path.
  @inlinable
  public func observe<Value>(
    forKey key: String, as type: Value.Type, options: ObservationOptions = [],
    waitsForTransactions: Bool = true,
    changeHandler: @escaping @Sendable (Object, ValueChange<Value>) -> Void
  ) {
    observe(key, type, options, sink(waitsForTransactions, changeHandler))
  }

  // The closures are compiled where the types are known.
  @inlinable @inline(__always)
  func sink<Value>(
    _ waits: Bool, _ changeHandler: @escaping @Sendable (Object, ValueChange<Value>) -> Void
  ) -> Sink {
    if waits {
      return Sink { object, old, new, tag in
        ChangeInPlace(object, old, new, tag).notify(changeHandler)
      }
    }
    return Sink { object, old, new, tag in
      ChangeInPlace(object, old, new, tag).notifyAtOnce(changeHandler)
    }
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
        case .path: throw object.notShareable(keyPath.text)
        }
      })
  }

  @usableFromInline
  func observe<Value>(
    _ key: String, _ type: Value.Type, _ options: ObservationOptions, _ sink: Sink
  ) {
    list.add(
      SharedEntry(sink, options) { object throws(KeyValueError) in
        let field = object.registration?.fieldsByKey[key]
        guard let field, field.valueType == type else {
          throw object.notShareable("\(key), of type \(field?.typeName ?? "no property"),")
        }
        return key
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
      _ = try SharedParts(own: list.part, layer: nil).observers(for: object)
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
      let made = try assign(SharedParts(own: shared?.list.part, layer: presentShared.layer))
      try observeApart(made?.apart.own ?? [], \.own)
    }
  }
}

extension KVObject {
  /// Assigns shared observers of a layer's, such as a controller's, in place of the layer's former ones.
  /// They stand beside those that the program has assigned.
  package final func setLayerObservers(_ shared: KeyValueSharedObservers<KVObject>?) {
    endingMisuse((), #fileID, #line) { () throws(KeyValueError) in
      if shared == nil, adoptedID == nil { return }
      let made = try assign(SharedParts(own: presentShared.own, layer: shared?.list.part))
      try observeApart(made?.apart.layer ?? [], \.layer)
    }
  }

  /// The shared observers that the object has.
  fileprivate final var presentShared: SharedParts {
    let origin = adoptedID.flatMap { SharedRegistrations.origin(of: $0) }
    return origin as? SharedParts ?? SharedParts(own: nil, layer: nil)
  }

  fileprivate final func assign(_ parts: SharedParts) throws(KeyValueError) -> MadeObservers? {
    let id = try observedID()
    let made = try parts.observers(for: self)
    let outcome = SharedRegistrations.assign(made?.shared, to: id)
    try KeyValueError.check(outcome, key: "", className: className)
    return made
  }

  /// Registers, instead of those before, the observers of keys that the core cannot share.
  fileprivate final func observeApart(
    _ entries: [SharedEntry],
    _ part: WritableKeyPath<ApartObservers.Controls, [any RegistrationControl]>
  ) throws(KeyValueError) {
    if entries.isEmpty, alreadyKept(ApartObservers.self) == nil { return }
    let all = try kept { ApartObservers() }
    all.end(part)
    for entry in entries { all.add(try entry.register(on: self), part) }
  }

  fileprivate final func notShareable(_ text: String) -> KeyValueError {
    KeyValueError(
      .notObservable, key: text, className: className,
      reason: "\(text) of \(className) cannot have shared observers: a property of the object "
        + "itself, that no other affects, was expected")
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
    to shared: SharedRegistrations, on object: KVObject, _ registration: ClassRegistration,
    _ origin: SharedParts
  ) throws(KeyValueError) -> Bool {
    let key = try findKey(object)
    guard registration.forwardedPaths(key).isEmpty else { return false }
    try shared.observe(key, options, knowsForms: true, origin: origin, sink)
    return true
  }

  func register(on object: KVObject) throws(KeyValueError) -> any RegistrationControl {
    try object.register(try findKey(object), options, sink)
  }
}

/// The registrations of one object, which keeps this, in the place of shared ones.
private final class ApartObservers: Sendable {
  struct Controls {
    var own: [any RegistrationControl] = []
    var layer: [any RegistrationControl] = []
  }

  private let controls = Locked(Controls())

  deinit {
    end(\.own)
    end(\.layer)
  }

  func add(
    _ control: any RegistrationControl, _ part: WritableKeyPath<Controls, [any RegistrationControl]>
  ) {
    controls.withLock { $0[keyPath: part].append(control) }
  }

  func end(_ part: WritableKeyPath<Controls, [any RegistrationControl]>) {
    let ended = controls.withLock { controls in
      defer { controls[keyPath: part] = [] }
      return controls[keyPath: part]
    }
    ended.forEach { $0.invalidate() }
  }
}

/// The observers for objects of one class.
struct MadeObservers {
  let shared: SharedRegistrations
  /// The observers that take a registration of each object's own.
  let apart: (own: [SharedEntry], layer: [SharedEntry])

  /// - Parameter parts: What they are made of, which objects that have them know them by.
  fileprivate init(_ parts: SharedParts, for object: KVObject) throws(KeyValueError) {
    let registration = try ClassRegistration.of(type(of: object))
    let shared = try SharedRegistrations(for: registration.cls)
    func add(_ part: SharedPart?) throws(KeyValueError) -> [SharedEntry] {
      var apart: [SharedEntry] = []
      for entry in part?.entries ?? []
      where try !entry.add(to: shared, on: object, registration, parts) { apart.append(entry) }
      return apart
    }
    self.shared = shared
    apart = (try add(parts.own), try add(parts.layer))
  }
}

/// What a collection of shared observers was at one time.
final class SharedPart: Sendable {
  let entries: [SharedEntry]
  private let maker: Weak<SharedList>

  init(_ entries: [SharedEntry], of list: SharedList) {
    self.entries = entries
    maker = Weak(list)
  }

  /// The collection; nil if it is gone, or other observers have come.
  var list: SharedList? { maker.object.flatMap { $0.part === self ? $0 : nil } }
}

/// What an object has: the observers that the program has assigned, and a layer's.
final class SharedParts: Sendable {
  let own: SharedPart?
  let layer: SharedPart?

  init(own: SharedPart?, layer: SharedPart?) { (self.own, self.layer) = (own, layer) }

  /// The observers for objects of the class that `object` is of; nil for none. The last collection among
  /// them keeps what was made.
  func observers(for object: KVObject) throws(KeyValueError) -> MadeObservers? {
    guard let last = layer ?? own else { return nil }
    guard let list = last.list else { return try MadeObservers(self, for: object) }
    return try list.observers(self, for: object)
  }
}

/// Shared observers, and what they have been made into for each class whose objects they were
/// assigned to: a key may be another there, or depend on others.
final class SharedList: Sendable {
  /// What was made, and of what, which is held so that no other has its identity.
  private struct Known {
    let parts: SharedParts
    let made: MadeObservers
  }

  private struct Use: Hashable {
    let type: ObjectIdentifier
    let own: ObjectIdentifier?
  }

  /// For how many uses what was made is kept.
  private static let most = 64

  private struct State {
    var entries: [SharedEntry] = []
    var part: SharedPart?
    var made: [Use: Known] = [:]
  }

  private let state = Locked(State())

  func add(_ entry: SharedEntry) {
    let outdated = state.withLock { state in
      defer { (state.part, state.made) = (nil, [:]) }
      state.entries.append(entry)
      return (state.part, state.made)
    }
    // They may let go of handlers, which is not to be under the lock.
    withExtendedLifetime(outdated) {}
  }

  /// What it is at this time.
  var part: SharedPart {
    state.withLock { state in
      if let known = state.part { return known }
      let made = SharedPart(state.entries, of: self)
      state.part = made
      return made
    }
  }

  fileprivate func observers(
    _ parts: SharedParts, for object: KVObject
  ) throws(KeyValueError) -> MadeObservers {
    let use = Use(
      type: ObjectIdentifier(type(of: object)), own: parts.own.map { ObjectIdentifier($0) })
    if let known = state.withLock({ $0.made[use] }) { return known.made }
    // Without the lock, since classes are asked, and getters run.
    let made = try MadeObservers(parts, for: object)
    let (present, outdated) = state.withLock { state in
      if let known = state.made[use] { return (known.made, [:]) }
      var outdated: [Use: Known] = [:]
      let isPresent = state.part === parts.layer || state.part === parts.own
      if isPresent {
        // A program may make a collection for each object, beside a layer's.
        if state.made.count == Self.most { swap(&outdated, &state.made) }
        state.made[use] = Known(parts: parts, made: made)
      }
      return (made, outdated)
    }
    withExtendedLifetime(outdated) {}
    return present
  }
}
