import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

/// The object of a case, of either kind: a case acts on it by the kind's own means, and looks
/// afterwards at the runtime's object that both are.
@dynamicMemberLookup
enum Subject: @unchecked Sendable {
  // Sendable because the cases about threads share their objects, whose properties are numbers.
  case made(RuntimeObject)
  case swift(any TypedObject)

  init(_ object: RuntimeObject) {
    self = (object.unsafeSwiftObject as? any TypedObject).map(Subject.swift) ?? .made(object)
  }

  /// The object as the runtime knows it.
  var object: RuntimeObject {
    switch self {
    case .made(let object): object
    case .swift(let object): adopted(object)
    }
  }

  subscript<Value>(dynamicMember member: KeyPath<RuntimeObject, Value>) -> Value {
    object[keyPath: member]
  }
}

/// A Swift object as the runtime's.
func adopted(_ object: KVObject) -> RuntimeObject {
  do { return try RuntimeObject(object) } catch { fatalError("\(type(of: object)): \(error)") }
}

extension Subject: Hashable {
  static func == (first: Subject, second: Subject) -> Bool { first.object == second.object }
  func hash(into hasher: inout Hasher) { hasher.combine(object.address) }
}

extension Subject: CustomStringConvertible {
  var description: String { object.description }
}

extension RuntimeValue {
  init(_ subject: Subject) { self.init(subject.object) }
}

// MARK: - Setting and reading

extension Subject {
  /// Sends `set<Key>:`; sets the Swift property.
  func assign(_ key: String, _ value: RuntimeValue) throws {
    switch self {
    case .made(let object): try object.assign(key, value)
    case .swift(let object): try object.property(key).set(object, value)
    }
  }

  /// Assigns a collection that is an object.
  func assign(_ key: String, _ object: RuntimeObject) throws {
    try assign(key, RuntimeValue(object))
  }

  /// Assigns an object.
  func assign(_ key: String, _ subject: Subject) throws { try assign(key, RuntimeValue(subject)) }

  /// The getter's answer; the Swift property's value.
  func get(_ key: String) throws -> RuntimeValue {
    switch self {
    case .made(let object): try object.get(key)
    case .swift(let object): try object.property(key).get(object)
    }
  }

  func get(_ key: String, as type: Int.Type) throws -> Int { try #require(get(key).int) }

  func value(forKey key: String) throws -> RuntimeValue {
    switch self {
    case .made(let object): try object.value(forKey: key)
    case .swift(let object): RuntimeValue(any: try object.value(forKey: key))
    }
  }

  func value(forKeyPath keyPath: String) throws -> RuntimeValue {
    switch self {
    case .made(let object): try object.value(forKeyPath: keyPath)
    case .swift(let object): RuntimeValue(any: try object.value(forKeyPath: keyPath))
    }
  }

  func setValue(_ value: RuntimeValue, forKey key: String) throws {
    switch self {
    case .made(let object): try object.setValue(value, forKey: key)
    case .swift(let object): try object.setValue(value.any, forKey: key)
    }
  }

  func setValue(_ value: RuntimeValue, forKeyPath keyPath: String) throws {
    switch self {
    case .made(let object): try object.setValue(value, forKeyPath: keyPath)
    case .swift(let object): try object.setValue(value.any, forKeyPath: keyPath)
    }
  }

  func mutableArrayValue(forKey key: String) throws -> MutableArrayProxy {
    switch self {
    case .made(let object): try object.mutableArrayValue(forKey: key)
    case .swift(let object): try object.mutableArrayValue(forKey: key)
    }
  }

  /// The integer at the end of a key path; 0 for nil.
  func number(_ keyPath: String) -> Int { (try? value(forKeyPath: keyPath))?.int ?? 0 }
}

extension Subject {
  /// Writes the ivar, or the Swift property without a wrapper: nobody is told.
  func write(_ key: String, _ value: RuntimeValue) throws {
    switch self {
    case .made(let object): try object.poke(ivar: "_\(key)", value)
    case .swift(let object):
      let write = try #require(object.property(key).write)
      try write(object, value)
    }
  }

  func write(_ key: String, _ subject: Subject) throws { try write(key, RuntimeValue(subject)) }
}

// MARK: - Observing

extension Subject {
  func add(
    _ watcher: Watcher, _ key: String, _ options: ObservationOptions = [],
    context: ObservationContext = .none
  ) throws(KeyValueError) {
    watcher.isBeingAdded.value = true
    defer { watcher.isBeingAdded.value = false }
    try addObserver(watcher.observer, forKeyPath: key, options: options, context: context)
  }

  /// Removes without naming a context.
  func remove(_ watcher: Watcher, _ key: String) throws(KeyValueError) {
    try removeObserver(watcher.observer, forKeyPath: key)
  }

  func remove(_ watcher: Watcher, _ key: String, context: ObservationContext) throws(KeyValueError)
  {
    switch self {
    case .made(let object):
      try object.removeObserver(watcher.observer.object, forKeyPath: key, context: context)
    case .swift(let object):
      try object.removeObserver(
        watcher.observer.swiftObject, forKeyPath: key, context: context.pointer)
    }
  }

  func addObserver(
    _ observer: Observer, forKeyPath key: String, options: ObservationOptions = [],
    context: ObservationContext = .none
  ) throws(KeyValueError) {
    switch self {
    case .made(let object):
      try object.addObserver(
        observer.object, forKeyPath: key, options: options, context: context)
    case .swift(let object):
      try object.addObserver(
        observer.swiftObject, forKeyPath: key, options: options, context: context.pointer)
    }
  }

  func removeObserver(_ observer: Observer, forKeyPath key: String) throws(KeyValueError) {
    switch self {
    case .made(let object): try object.removeObserver(observer.object, forKeyPath: key)
    case .swift(let object):
      try object.removeObserver(observer.swiftObject, forKeyPath: key)
    }
  }

  /// Observes by a closure: by name, or by the Swift property's key path.
  func observe(
    _ key: String, options: ObservationOptions = [], handler: @escaping @Sendable (Told) -> Void
  ) throws -> KeyValueObservation {
    switch self {
    case .made(let object):
      return try object.observe(key, options: options) { handler(Told($0)) }
    case .swift(let object):
      guard let property = object.properties[key] else {
        return try observeByName(object, key, options, handler)
      }
      return try property.observe(object, options, handler)
    }
  }

  private func observeByName(
    _ object: some TypedObject, _ key: String, _ options: ObservationOptions,
    _ handler: @escaping (Told) -> Void
  ) throws -> KeyValueObservation {
    try object.observe(key, as: Any?.self, options: options) { object, change in
      handler(Told(change, of: object))
    }
  }
}

extension ObservationContext {
  /// The context as a Swift class is given it.
  fileprivate var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: address) }
}

// MARK: - Announcing

extension Subject {
  func willChangeValue(forKey key: String) throws {
    switch self {
    case .made(let object): try object.willChangeValue(forKey: key)
    case .swift(let object): object.willChangeValue(forKey: key)
    }
  }

  func didChangeValue(forKey key: String) throws {
    switch self {
    case .made(let object): try object.didChangeValue(forKey: key)
    case .swift(let object): object.didChangeValue(forKey: key)
    }
  }

  /// Runs `body` between will and did.
  func change(_ key: String, _ body: () throws -> Void) throws {
    try willChangeValue(forKey: key)
    try body()
    try didChangeValue(forKey: key)
  }

  func willChange(_ kind: ChangeKind, at indexes: [Int], _ key: String) throws {
    switch self {
    case .made(let object): try object.willChange(kind, valuesAt: indexes, forKey: key)
    case .swift(let object): object.willChange(kind, valuesAt: indexes, forKey: key)
    }
  }

  func didChange(_ kind: ChangeKind, at indexes: [Int], _ key: String) throws {
    switch self {
    case .made(let object): try object.didChange(kind, valuesAt: indexes, forKey: key)
    case .swift(let object): object.didChange(kind, valuesAt: indexes, forKey: key)
    }
  }

  /// Runs `body` between will and did of elements.
  func change(
    _ key: String, _ kind: ChangeKind, at indexes: [Int], _ body: () throws -> Void
  ) throws {
    try willChange(kind, at: indexes, key)
    try body()
    try didChange(kind, at: indexes, key)
  }
}

// MARK: - For classes made at run time

extension Subject {
  @discardableResult
  func send(_ selector: RuntimeSelector, _ arguments: RuntimeValue...) throws(KeyValueError)
    -> RuntimeValue
  {
    try object.send(selector, arguments: arguments)
  }

  func poke(ivar name: String, _ value: RuntimeValue) throws(KeyValueError) {
    try object.poke(ivar: name, value)
  }

  @discardableResult
  func setIsa(_ newClass: RuntimeClass) throws(KeyValueError) -> RuntimeClass {
    try object.setIsa(newClass)
  }

  func set(_ key: String, _ value: RuntimeValue) throws(KeyValueError) {
    try object.set(key, value)
  }

  func isKind(of other: RuntimeClass) -> Bool { object.isKind(of: other) }
  func responds(to selector: RuntimeSelector) -> Bool { object.responds(to: selector) }
  func ivar(named name: String) -> RuntimeValue? { object.ivar(named: name) }
}

extension RuntimeObject {
  /// Sends `set<Key>:` with an object.
  func assign(_ key: String, _ subject: Subject) throws { try assign(key, subject.object) }

  func add(
    _ watcher: Watcher, _ key: String, _ options: ObservationOptions = [],
    context: ObservationContext = .none
  ) throws(KeyValueError) {
    try Subject(self).add(watcher, key, options, context: context)
  }

  func remove(_ watcher: Watcher, _ key: String) throws(KeyValueError) {
    try Subject(self).remove(watcher, key)
  }

  func remove(_ watcher: Watcher, _ key: String, context: ObservationContext) throws(KeyValueError)
  {
    try Subject(self).remove(watcher, key, context: context)
  }
}
