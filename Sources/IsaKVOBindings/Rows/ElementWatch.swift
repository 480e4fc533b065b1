internal import IsaKVO
internal import IsaRuntime

/// Watches properties of elements, each once however often it is added.
///
/// It belongs to the thread, or the actor, of the controller whose elements it watches.
///
/// - Complexity: O(1) to add or remove an element whose properties can have shared observers, which are
///   those that are its own and depend on no others; else a registration each.
final class ElementWatch<Element: KVObject> {
  let keys: [ElementKey<Element>]
  private let handler: (Element) -> Void
  private var entries: [ObjectIdentifier: Entry] = [:]
  /// The hub of each class of elements that there is, and the properties that it cannot share.
  private var classes:
    [ObjectIdentifier: (hub: ElementHub<Element>, own: Set<ElementKey<Element>>)] =
      [:]

  private struct Entry {
    let element: Element
    var count: Int
    var tokens: [KeyValueObservation]
  }

  /// - Parameter handler: Told of an element that has changed, on the thread that changes it, before the
  ///   setter returns; also of elements of others.
  init(_ keys: some Collection<ElementKey<Element>>, _ handler: @escaping (Element) -> Void) {
    self.keys = Array(Set(keys))
    self.handler = handler
  }

  deinit {
    for entry in entries.values { leave(entry.element) }
    for (hub, _) in classes.values { hub.leave(ObjectIdentifier(self)) }
  }

  func tell(_ element: Element) { handler(element) }

  func add(_ elements: [Element]) {
    for element in elements {
      let identity = ObjectIdentifier(element)
      if entries[identity] != nil {
        entries[identity]!.count += 1
      } else {
        entries[identity] = Entry(element: element, count: 1, tokens: join(element))
      }
    }
  }

  func remove(_ elements: [Element]) {
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

  private func join(_ element: Element) -> [KeyValueObservation] {
    let type = ObjectIdentifier(type(of: element))
    if classes[type] == nil {
      let hub = ElementHub<Element>.hub(of: element)
      classes[type] = (hub, hub.join(self, element))
    }
    let (hub, own) = classes[type]!
    if own.count < keys.count { hub.add(element) }
    return own.map { observe($0, of: element) }
  }

  private func leave(_ element: Element) {
    guard let (hub, own) = classes[ObjectIdentifier(type(of: element))] else { return }
    if own.count < keys.count { hub.remove(element) }
  }

  private func observe(
    _ key: ElementKey<Element>, of element: Element
  ) -> KeyValueObservation {
    switch key {
    case .property(let keyPath):
      func observe<Value>(_ type: Value.Type) -> KeyValueObservation {
        element.observe(keyPath as! KeyPath<Element, Value>) { [weak self] element, _ in
          self?.tell(element)
        }
      }
      return _openExistential(type(of: keyPath).valueType, do: observe)
    case .name(let keyPath):
      do throws(KeyValueError) {
        return try element.observe(keyPath) { [weak self] element, _ in self?.tell(element) }
      } catch {
        return .refused(error, "", 0)
      }
    }
  }
}
