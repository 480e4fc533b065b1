internal import IsaKVO
internal import IsaKeyValue

/// The watches of elements of one class, which have shared observers in common: an object has one
/// collection of these, and may be an element of several controllers.
///
/// Any thread may use it; an element is added and removed on the thread that it belongs to.
final class ElementHub: Sendable {
  private struct State {
    var shared = KeyValueSharedObservers<KVObject>()
    /// The properties that the shared observers observe.
    var keys: Set<ElementKey> = []
    var watches: [ObjectIdentifier: Weak<ElementWatch>] = [:]
    /// The elements that have the shared observers.
    var elements: [ObjectIdentifier: Watched] = [:]
  }

  /// An element, and the watches that have added it, of which there is mostly one.
  private struct Watched {
    let element: KVObject
    let shared: KeyValueSharedObservers<KVObject>
    var first: ObjectIdentifier
    var others: [ObjectIdentifier]

    /// Takes out a watch, and answers whether another is left.
    mutating func remove(_ watch: ObjectIdentifier) -> Bool {
      if watch != first {
        others.removeAll { $0 == watch }
        return true
      }
      guard let next = others.popLast() else { return false }
      first = next
      return true
    }
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
    let wanted = state.withLock { state in
      state.watches[ObjectIdentifier(watch)] = Weak(watch)
      return Set(watch.keys).subtracting(state.keys)
    }
    // Without the lock, since classes are asked.
    let own = wanted.filter { !makeShared([$0]).fit(sample) }
    if own.count < wanted.count { share(wanted.subtracting(own)) }
    return own
  }

  /// Has the shared observers of elements that are added from now on observe more properties. The
  /// observers that are there are of other threads, which may be changing them, and have what they
  /// need.
  private func share(_ more: Set<ElementKey>) {
    var keys = state.withLock { $0.keys.union(more) }
    while true {
      let shared = makeShared(keys)
      let isDone = state.withLock { state in
        if more.isSubset(of: state.keys) { return true }
        // Another thread may have added properties meanwhile.
        let all = state.keys.union(more)
        if all == keys { (state.keys, state.shared) = (keys, shared) }
        defer { keys = all }
        return all == keys
      }
      if isDone { return }
    }
  }

  /// Shared observers of properties.
  private func makeShared(_ keys: Set<ElementKey>) -> KeyValueSharedObservers<KVObject> {
    let shared = KeyValueSharedObservers<KVObject>()
    for key in keys {
      let watched = Unchecked(key)
      // Hubs stay for ever; a weak reference would hide memory from the leak sanitizer.
      let notify = { @Sendable [unowned self] (element: KVObject) -> Void in
        self.notify(element, watched.value)
      }
      shared.observe(finding: key.find, notify: notify)
    }
    return shared
  }

  /// Tells the watches that have added the element and watch the property, and no others: those may be
  /// of other threads.
  private func notify(_ element: KVObject, _ key: ElementKey) {
    let watches = state.withLock { state -> [ElementWatch?] in
      guard let watched = state.elements[ObjectIdentifier(element)] else { return [] }
      return ([watched.first] + watched.others).map { state.watches[$0]?.object }
    }
    for case let watch? in watches where watch.keys.contains(key) { watch.notify(element) }
  }

  // MARK: Elements

  func add(_ element: KVObject, to watch: ElementWatch) {
    let identity = ObjectIdentifier(element), watch = ObjectIdentifier(watch)
    let shared = state.withLock { state -> KeyValueSharedObservers<KVObject>? in
      state.elements[identity]?.others.append(watch)
      if state.elements[identity]?.shared === state.shared { return nil }
      let known = state.elements[identity]
      state.elements[identity] = Watched(
        element: element, shared: state.shared, first: known?.first ?? watch,
        others: known?.others ?? [])
      return state.shared
    }
    if let shared { element.setLayerObservers(shared) }
  }

  func remove(_ element: KVObject, from watch: ElementWatch) {
    let identity = ObjectIdentifier(element), watch = ObjectIdentifier(watch)
    let isLeft = state.withLock { state in
      let isLeft = state.elements[identity]?.remove(watch) ?? true
      if !isLeft { state.elements[identity] = nil }
      return isLeft
    }
    if !isLeft { element.setLayerObservers(nil) }
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
