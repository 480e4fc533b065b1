// Swift's arrays, sets and dictionaries as objects of the runtime.
//
// Owns:  the value, as any box of a Swift value.
// Locks: none; a box never changes.

internal import CIsa
internal import IsaKeyValue

/// A Swift array. Its elements become objects when somebody other than Swift asks for them.
final class BoxedArray<Element>: BoxedValue {
  let elements: [Element]
  private let copy: (Element) -> isa_id?
  /// The same elements, if they are observable objects.
  private let objects: [KVObject]?

  init(_ elements: [Element], copying copy: @escaping (Element) -> isa_id?) {
    self.elements = elements
    self.copy = copy
    objects = observableObjects(elements)
  }

  var any: Any { elements }
  var count: Int { elements.count }

  func copyElement(at index: Int) -> isa_id? {
    guard let objects else { return copy(elements[index]) ?? kvc_null() }
    return objects[index].copyID() ?? kvc_null()
  }

  func copyElements() -> [isa_id?] { elements.map { copy($0) ?? kvc_null() } }
}

/// A Swift set, likewise.
final class BoxedSet<Element: Hashable>: BoxedValue {
  let elements: Set<Element>
  private let coder: ObjectCoder<Element>

  init(_ elements: Set<Element>, _ coder: ObjectCoder<Element>) {
    self.elements = elements
    self.coder = coder
  }

  var any: Any { elements }
  var count: Int { elements.count }
  func copyElements() -> [isa_id?] { elements.map { coder.copy($0) ?? kvc_null() } }

  func copyMember(_ id: isa_id) -> isa_id? {
    coder.member(of: elements, equalTo: id).map { coder.copy($0) ?? kvc_null() }
  }
}

/// A Swift dictionary, likewise.
final class BoxedDictionary<Key: Hashable, Value>: BoxedValue {
  let elements: [Key: Value]
  private let keyCoder: ObjectCoder<Key>
  private let copy: (Value) -> isa_id?

  init(
    _ elements: [Key: Value], _ keyCoder: ObjectCoder<Key>,
    copying copy: @escaping (Value) -> isa_id?
  ) {
    self.elements = elements
    self.keyCoder = keyCoder
    self.copy = copy
  }

  var any: Any { elements }
  var count: Int { elements.count }
  func copyElements() -> [isa_id?] { elements.values.map { copy($0) ?? kvc_null() } }
  func copyKeys() -> [isa_id?] { elements.keys.map { keyCoder.copy($0) ?? kvc_null() } }

  func copyMember(_ id: isa_id) -> isa_id? {
    let key = keyCoder.member(of: elements.keys, equalTo: id)
    return key.flatMap { elements[$0] }.map { copy($0) ?? kvc_null() }
  }
}

extension ObjectCoder where Value: Hashable {
  /// The member of a set, or the key of a dictionary, whose object is equal to `id`.
  fileprivate func member<Members: Collection<Value>>(
    of members: Members, equalTo id: isa_id
  ) -> Value? where Members: HashedMembers {
    // Reading converts, a number to another, say, and what it comes to may have an object that is not
    // equal.
    if let value = read(id), isEqual(taking: copy(value), to: id),
      let own = members.member(value)
    {
      return own
    }
    // Swift finds a number of Foundation's different from its own, the runtime does not.
    guard Value.self == AnyHashable.self else { return nil }
    return members.first { isEqual(taking: copy($0), to: id) }
  }
}

/// A collection that finds its members by their hash.
protocol HashedMembers: Collection {
  func member(_ value: Element) -> Element?
}

extension Set: HashedMembers {
  func member(_ value: Element) -> Element? { firstIndex(of: value).map { self[$0] } }
}

extension Dictionary.Keys: HashedMembers {
  func member(_ value: Element) -> Element? { firstIndex(of: value).map { self[$0] } }
}
