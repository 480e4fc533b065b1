internal import IsaKVO
internal import IsaKeyValue

/// Watches properties of elements, each once however often it is added.
///
/// It belongs to the thread, or the actor, of the controller whose elements it watches.
///
/// - Complexity: O(1) to add or remove an element whose properties can have shared observers:
///   properties that are its own and depend on no others; else a registration each.
final class ElementWatch {
  let keys: [ElementKey]
  private let handler: (KVObject) -> Void
  private var entries: [ObjectIdentifier: Entry] = [:]
  /// The hub of each class of elements that there is, and the properties that it cannot share.
  private var classes: [ObjectIdentifier: (hub: ElementHub, own: Set<ElementKey>)] =
    [:]

  private struct Entry {
    let element: KVObject
    var count: Int
    var tokens: [KeyValueObservation]
  }

  /// - Parameter handler: Told of an element that has changed, on the thread that changes it, before the
  ///   setter returns.
  init(_ keys: some Collection<ElementKey>, _ handler: @escaping (KVObject) -> Void) {
    self.keys = Array(Set(keys))
    self.handler = handler
  }

  deinit {
    for entry in entries.values { leave(entry.element) }
    for (hub, _) in classes.values { hub.leave(ObjectIdentifier(self)) }
  }

  func notify(_ element: KVObject) { handler(element) }

  func add(_ elements: [KVObject]) {
    for element in elements {
      let identity = ObjectIdentifier(element)
      if entries[identity] != nil {
        entries[identity]!.count += 1
      } else {
        entries[identity] = Entry(element: element, count: 1, tokens: join(element))
      }
    }
  }

  func remove(_ elements: [KVObject]) {
    for element in elements {
      let identity = ObjectIdentifier(element)
      guard let count = entries[identity]?.count else { continue }
      entries[identity]!.count = count - 1
      if count == 1 {
        entries[identity] = nil
        leave(element)
      }
    }
  }

  private func join(_ element: KVObject) -> [KeyValueObservation] {
    let type = ObjectIdentifier(type(of: element))
    if classes[type] == nil {
      let hub = ElementHub.hub(of: element)
      classes[type] = (hub, hub.join(self, element))
    }
    let (hub, own) = classes[type]!
    if own.count < keys.count { hub.add(element, to: self) }
    return own.compactMap { $0.observe(element) { [weak self] in self?.notify($0) } }
  }

  private func leave(_ element: KVObject) {
    guard let (hub, own) = classes[ObjectIdentifier(type(of: element))] else { return }
    if own.count < keys.count { hub.remove(element, from: self) }
  }
}
