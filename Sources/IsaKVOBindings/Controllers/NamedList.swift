internal import IsaKVO
internal import IsaKeyValue

/// A list that a key path leads to, possibly of objects that a controller has selected.
struct NamedList<Element: KVObject> {
  let keyPath: String
  /// Whether the lists of several selected objects are one.
  let unites: Bool

  /// The last key.
  private var key: String { keyPath.split(separator: ".").last.map(String.init) ?? keyPath }

  /// The elements at this moment; none where there is no list.
  ///
  /// - Parameter transform: Makes the list of the value that there is.
  func elements(of model: KVObject, _ transform: (Any?) -> Any? = { $0 }) -> [Element] {
    guard let proxy = selection(of: model), proxy.objects.count > 1 else {
      let value = read(keyPath, of: model)
      return value is BindingMarker ? [] : elements(in: transform(value))
    }
    if !unites { return [] }
    var known: Set<ObjectIdentifier> = []
    return proxy.objects.flatMap { elements(in: read(key, of: $0)) }
      .filter { known.insert(ObjectIdentifier($0)).inserted }
  }

  /// Changes the list.
  ///
  /// - Throws: `KeyValueError.Code.notFound` where there is no list, or there are several.
  func change(
    _ model: KVObject, _ change: (CollectionHandle<Any?>) throws(KeyValueError) -> Void
  ) throws(KeyValueError) {
    try check(model)
    guard let owner = selection(of: model)?.objects[0] else {
      return try change(try model.arrayHandle(atKeyPath: keyPath))
    }
    // The selected object's own, which tells what comes and goes.
    try change(try owner.arrayHandle(atKeyPath: key))
  }

  /// Sets the list.
  ///
  /// - Throws: As ``change(_:_:)``.
  func set(_ elements: [Element], of model: KVObject) throws(KeyValueError) {
    try check(model)
    try model.setValue(elements, forKeyPath: keyPath)
  }

  func check(_ model: KVObject) throws(KeyValueError) {
    let count = selection(of: model)?.objects.count ?? 1
    if count == 1 { return }
    throw KeyValueError(
      .notFound, key: key, className: model.className,
      reason:
        "“\(keyPath)” of \(model.className) is the list of one object, and \(count) are selected",
      keyPath: keyPath)
  }

  /// The proxy that has the last key, if a controller's selection has it.
  private func selection(of model: KVObject) -> SelectionProxy? {
    (try? model.owner(of: keyPath)) as? SelectionProxy
  }

  /// Nil too where nothing answers to the key path.
  private func read(_ keyPath: String, of object: KVObject) -> Any? {
    do { return try object.value(forKeyPath: keyPath) } catch { return nil }
  }

  private func elements(in value: Any?) -> [Element] { Self.elements(in: value) }

  /// The elements that a value is a list of.
  static func elements(in value: Any?) -> [Element] {
    func list(_ values: some Sequence) -> [Element] { values.compactMap { $0 as? Element } }
    return (value as? any Sequence).map { list($0) } ?? []
  }

  /// The list as a source that a content is bound to. A failure is a misuse.
  func source(in model: KVObject) -> ContentSource<Element> {
    let attempt = {
      [weak model] (_ body: (KVObject) throws(KeyValueError) -> Void) in
      endingMisuse(()) { () throws(KeyValueError) in if let model { try body(model) } }
    }
    return ContentSource(
      insert: { objects, index in
        attempt { model throws(KeyValueError) in
          try change(model) { proxy throws(KeyValueError) in
            let start = min(index ?? .max, proxy.count)
            for object in objects { _ = try object.runtimeAddress() }
            try proxy.insert(contentsOf: objects, at: Array(start..<(start + objects.count)))
          }
        }
      },
      remove: { objects, indexes in
        attempt { model throws(KeyValueError) in
          try change(model) { proxy throws(KeyValueError) in
            let now = elements(of: model)
            try proxy.remove(at: ContentSource.places(of: objects, at: indexes, in: now))
          }
        }
      },
      set: { objects in
        attempt { model throws(KeyValueError) in try set(objects, of: model) }
      }, read: { [weak model] in model.map { elements(of: $0) } })
  }
}
