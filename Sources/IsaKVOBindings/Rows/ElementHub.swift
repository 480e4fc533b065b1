internal import IsaKVO
internal import IsaRuntime

/// The watches of elements of one class, which have shared observers in common: an object has one
/// collection of these, and may be an element of several controllers.
///
/// Any thread may use it; an element is added and removed on the thread that it belongs to.
final class ElementHub: Sendable {
  private struct State {
    var shared = KeyValueSharedObservers<KVObject>()
    /// The properties that the shared observers observe.
    var keys: Set<ElementKey> = []
    var watches: [ObjectIdentifier: WeakWatch] = [:]
    /// The elements that have the shared observers, and for how many watches.
    var elements: [ObjectIdentifier: (element: KVObject, count: Int)] = [:]
  }

  private struct WeakWatch {
    weak var watch: ElementWatch?
  }

  private let state = Locked(State())

  /// The hub of the elements that are of the class of this one.
  static func hub(of element: KVObject) -> ElementHub {
    let type = ObjectIdentifier(type(of: element))
    let hub = hubs.withLock { hubs in
      if let hub = hubs[type] { return hub }
      let hub = ElementHub()
      hubs[type] = hub
      return hub
    }
    return hub
  }

  /// Has a watch told of properties of elements that it adds.
  ///
  /// - Parameter sample: An element of the class.
  /// - Returns: The properties that cannot be shared, since they are paths, or depend on others.
  func join(
    _ watch: ElementWatch, _ sample: KVObject
  ) -> Set<ElementKey> {
    let wanted = Set(watch.keys).subtracting(state.withLock { $0.keys })
    // Without the lock, since classes are asked.
    let own = wanted.filter { !makeShared([$0]).fit(sample) }
    let sharable = wanted.subtracting(own)
    let (keys, elements) = state.withLock { state in
      state.watches[ObjectIdentifier(watch)] = WeakWatch(watch: watch)
      state.keys.formUnion(sharable)
      return (state.keys, sharable.isEmpty ? [] : state.elements.values.map(\.element))
    }
    if sharable.isEmpty { return own }
    let shared = makeShared(keys)
    state.withLock { $0.shared = shared }
    for element in elements { element.setSharedObservers(shared) }
    return own
  }

  /// Shared observers of properties.
  private func makeShared(_ keys: Set<ElementKey>) -> KeyValueSharedObservers<KVObject> {
    let shared = KeyValueSharedObservers<KVObject>()
    for key in keys {
      let watched = Unchecked(key)
      let tell = { @Sendable [weak self] (element: KVObject) -> Void in
        self?.tell(element, watched.value)
      }
      shared.observe(finding: key.find, tell: tell)
    }
    return shared
  }

  /// Tells those who watch the property; each of them knows its elements.
  private func tell(_ element: KVObject, _ key: ElementKey) {
    let watches = state.withLock { $0.watches.values.map { $0 } }
    for case let watch? in watches.map(\.watch) where watch.keys.contains(key) {
      watch.tell(element)
    }
  }

  // MARK: Elements

  func add(_ element: KVObject) {
    let identity = ObjectIdentifier(element)
    let shared = state.withLock { state in
      let count = state.elements[identity]?.count ?? 0
      state.elements[identity] = (element, count + 1)
      return count == 0 ? state.shared : nil
    }
    if let shared { element.setSharedObservers(shared) }
  }

  func remove(_ element: KVObject) {
    let identity = ObjectIdentifier(element)
    let isLast = state.withLock { state in
      let count = state.elements[identity]?.count ?? 0
      state.elements[identity] = count > 1 ? (element, count - 1) : nil
      return count == 1
    }
    if isLast { element.setSharedObservers(nil) }
  }

  /// Takes out a watch, whose elements have been removed; the last one takes the shared observers along.
  func leave(_ watch: ObjectIdentifier) {
    let outdated = state.withLock { state in
      state.watches[watch] = nil
      guard state.watches.isEmpty, state.elements.isEmpty else { return State() }
      defer { state = State() }
      return state
    }
    withExtendedLifetime(outdated) {}
  }
}

/// The hubs, each by the class of its elements.
private let hubs = Locked<[ObjectIdentifier: ElementHub]>([:])
