/// Follows key paths by evaluating them, while the properties that are read report themselves.
///
/// A key path cannot be turned into names. But the objects that it leads through can be marked
/// before it is evaluated: then reading a wrapped property of one of them tells the probe which it
/// was, and marks the object that it leads to.
final class KeyPathProbe {
  /// One property that was read.
  struct Read {
    let object: KVObject
    let field: Field
    /// The property's own key path, of the class that declares it.
    let keyPath: AnyKeyPath
    /// The object that the value is, if it is an observable one.
    let value: KVObject?
    /// The object that the value is, if it is one of any class.
    let anyObject: AnyObject?
  }

  private(set) var reads: [Read] = []
  private var marked: [ObjectIdentifier: KVObject] = [:]

  /// The probe that the calling thread evaluates for.
  static var current: KeyPathProbe? { DeliveryScope.current?.probe }

  /// Runs `body`, which reads properties of `root` and of what they lead to.
  static func run<Result>(
    on root: KVObject, _ body: () -> Result
  ) -> (result: Result, reads: [Read]) {
    let probe = KeyPathProbe()
    probe.mark(root)
    defer { probe.unmark() }
    let result = DeliveryScope.with(probe: probe, body)
    return (result, probe.reads)
  }

  /// Runs `body`, whose reads are its own affair.
  static func pauseIfCurrent<Result>(_ body: () -> Result) -> Result {
    current == nil ? body() : DeliveryScope.with(probe: nil, body)
  }

  /// Follows a key path of any type.
  static func follow(_ keyPath: AnyKeyPath, from root: KVObject) -> [Read] {
    run(on: root) { _ = (root as Any)[keyPath: keyPath] }.reads
  }

  /// Notes that a property was read.
  func note<Value>(
    _ object: KVObject, _ field: Field?, _ keyPath: AnyKeyPath, _ value: Value
  ) {
    guard let field, marked[ObjectIdentifier(object)] != nil else { return }
    let end = instance(value)
    let next = end as? KVObject
    reads.append(
      Read(object: object, field: field, keyPath: keyPath, value: next, anyObject: end))
    if let next { return mark(next) }
    forEachHeldObject(in: value, mark)
  }

  private func mark(_ object: KVObject) {
    guard marked[ObjectIdentifier(object)] == nil, watch(object) else { return }
    marked[ObjectIdentifier(object)] = object
    // A constant has no getter that could report it, so what it leads to is marked at once.
    for constant in object.registration?.constants ?? [] {
      forEachHeldObject(in: constantValue(of: object, constant), mark)
    }
  }

  private func unmark() { marked.values.forEach(unwatch) }
}

/// The object that a value, or what an optional holds, is; nil for what is no class instance.
private func instance<Value>(_ value: Value) -> AnyObject? {
  if Value.self is AnyObject.Type { return value as AnyObject }
  guard Value.self is any AnyOptional.Type,
    let wrapped = Mirror(reflecting: value).children.first?.value
  else { return nil }
  return type(of: wrapped) is AnyObject.Type ? wrapped as AnyObject : nil
}

extension Array<KeyPathProbe.Read> {
  /// The key paths, as far as they begin at `root`, that lead to what was read.
  func paths(from root: KVObject) -> [String] {
    var prefixes: [ObjectIdentifier: String] = [ObjectIdentifier(root): ""]
    var paths: [String] = []
    for read in self {
      guard let prefix = prefixes[ObjectIdentifier(read.object)] else { continue }
      let path = prefix + read.field.key
      paths.removeAll { $0 + "." == prefix }
      paths.append(path)
      if let value = read.value, prefixes[ObjectIdentifier(value)] == nil {
        prefixes[ObjectIdentifier(value)] = path + "."
      }
    }
    return paths
  }
}
