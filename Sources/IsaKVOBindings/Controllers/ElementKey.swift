internal import IsaKVO
internal import IsaKeyValue

/// A property of elements by which a controller sorts, filters or shows them.
struct ElementKey {
  private enum Name: Hashable {
    case property(AnyKeyPath)
    case text(String)
  }

  private let name: Name
  /// Finds the key of an element that is the property.
  let find: (KVObject) throws(KeyValueError) -> String
  /// Observes the property of one element, whose changes the closure is told.
  let observe: (KVObject, @escaping (KVObject) -> Void) -> KeyValueObservation?

  /// A property by its key path.
  static func property<Element: KVObject>(_ keyPath: PartialKeyPath<Element>) -> ElementKey {
    func open<Value>(_ type: Value.Type) -> ElementKey {
      let typed = keyPath as! KeyPath<Element, Value>
      return ElementKey(
        name: .property(keyPath),
        find: { object throws(KeyValueError) in
          let element = object as! Element
          switch try element.name(of: typed) {
          case .keys(let keys): return keys
          case .path: throw KeyValueError(.notObservable, className: element.className)
          }
        },
        observe: { object, notify in
          (object as! Element).observe(typed) { element, _ in notify(element) }
        })
    }
    return _openExistential(type(of: keyPath).valueType, do: open)
  }

  /// A property by name: a key, or keys joined by dots, which may lead through lists.
  ///
  /// - Parameter isOptional: Whether an element may have no such key. It is a misuse otherwise.
  static func name(_ keyPath: String, isOptional: Bool = false) -> ElementKey {
    ElementKey(
      name: .text(keyPath), find: { _ in keyPath },
      observe: { object, notify in
        do throws(KeyValueError) {
          let control = try object.observe(named: keyPath, readsValue: false) { [weak object] _ in
            if let object { notify(object) }
          }
          return KeyValueObservation(control)
        } catch {
          return isOptional ? nil : .refused(error, "", 0)
        }
      })
  }
}

extension ElementKey: Hashable {
  static func == (first: ElementKey, second: ElementKey) -> Bool { first.name == second.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
