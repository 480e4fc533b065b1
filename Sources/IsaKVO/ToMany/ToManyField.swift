// Wrapped properties whose values are arrays and sets: how some of their elements are changed in
// place, and how that change is announced.
//
// Owns:      nothing.
// Locks:     none; observers run before and after the storage is touched, never while.
// Invariant: an element outlives the change that takes it from the storage: its end may run code,
//            which must not find a collection that is being changed.
internal import CIsa
internal import IsaKeyValue

/// A type whose values have elements that come and go, with a hash.
private protocol SetValue {
  static func makeField(_ place: FieldPlace) -> Field
}

extension Set: SetValue {
  fileprivate static func makeField(_ place: FieldPlace) -> Field { SetField<Element>(place) }
}

/// A field of a type whose values have elements that come and go; nil for any other type.
func toManyField(of type: Any.Type, _ place: FieldPlace) -> Field? {
  func array<Element>(_ element: Element.Type) -> Field { ArrayField<Element>(place) }
  if let element = argument(of: type, like: [Int].self) {
    return _openExistential(element, do: array)
  }
  guard argument(of: type, like: Set<Int>.self) != nil else { return nil }
  return (type as? any SetValue.Type)?.makeField(place)
}

extension Field {
  /// Runs `body` between `will` and `did`, if setting the property notifies by itself.
  fileprivate final func announce(
    _ object: KVObject, will: (isa_id) -> isa_status, did: (isa_id) -> isa_status,
    _ body: () -> isa_status
  ) -> isa_status {
    guard object.isWatched, let id = object.adoptedID, notifies(id) else { return body() }
    // An answer that is given meanwhile goes at once: it would share the storage that changes next.
    guard withAnswers({ will(id) }) == ISA_OK else { return body() }
    let status = body()
    let end = withAnswers { did(id) }
    return status == ISA_OK ? end : status
  }
}

/// A wrapped array or set.
protocol ToManyField: Field {
  func count(of object: KVObject) -> Int
}

extension DynamicField where Value: Collection {
  func count(of object: KVObject) -> Int { value(of: object).count }
}

// MARK: - Arrays

/// A wrapped array, with elements of any type.
protocol OrderedField: ToManyField {
  /// The object of an element, with a +1.
  func copyElement(of object: KVObject, at index: Int) -> isa_id?
  /// Refuses objects of which one stands for no element.
  func check(_ objects: [isa_id?]) -> isa_status
  /// Makes a change by objects that stand for elements.
  func change(
    _ object: KVObject, _ kind: ChangeKind, _ places: Places, _ objects: [isa_id?]
  ) -> isa_status
}

final class ArrayField<Element>: DynamicField<[Element]>, OrderedField, @unchecked Sendable {
  private var elementCoder: ObjectCoder<Element> { knownCoder(for: Element.self) }
  private var copy: (Element) -> isa_id? { elementCopier(elementCoder) }
  private var madeElementForm: ValueForm?

  override init(_ place: FieldPlace) {
    super.init(place)
    madeElementForm = ValueForm(elementsOf: self, [Element].self)
  }

  deinit { madeElementForm?.deallocate() }

  override var elementForm: ValueForm? { madeElementForm }

  override func copyElements(at value: UnsafeRawPointer) -> isa_id? {
    let elements = value.assumingMemoryBound(to: [Element].self).pointee
    let copy = copy
    return makeArray(taking: elements.map { copy($0) ?? kvc_null() })
  }

  func copyElement(of object: KVObject, at index: Int) -> isa_id? {
    copy(value(of: object)[index]) ?? kvc_null()
  }

  /// Makes a change, and notifies the observers of the key.
  ///
  /// A prior observer may remove the element that is about to change.
  func perform(_ edit: ArrayEdit<Element>, on object: KVObject) -> isa_status {
    guard edit.places.count > 0 else { return ISA_OK }
    guard edit.fits(count(of: object)) else { return refuse(edit, on: object) }
    var gone: [Element] = []
    let status = announce(
      object,
      will: { id in
        edit.places.withIndexSet { kvo_will_change_indexes(id, edit.kind.constant, $0, key) }
      },
      did: { id in
        edit.places.withIndexSet { kvo_did_change_indexes(id, edit.kind.constant, $0, key) }
      }
    ) {
      guard edit.fits(count(of: object)) else { return refuse(edit, on: object) }
      let place = place(in: object)
      checkModifying(place)
      gone = edit.apply(to: &place.pointee.value)
      return ISA_OK
    }
    return withExtendedLifetime(gone) { status }
  }

  private func refuse(_ edit: ArrayEdit<Element>, on object: KVObject) -> isa_status {
    let count = edit.limit(count(of: object))
    let bounds = count == 0 ? "for empty array" : "[0 .. \(count - 1)]"
    return isa_fail(
      KVC_ERR_RANGE, nil,
      "\(edit.kind) in \(owner).\(key): index \(edit.places.end - 1) beyond bounds \(bounds)"
    )
  }

  func check(_ objects: [isa_id?]) -> isa_status {
    for id in objects where elementCoder.readOrNull(id) == nil {
      return refuseElement(id, of: self, Element.self)
    }
    return ISA_OK
  }

  func change(
    _ object: KVObject, _ kind: ChangeKind, _ places: Places, _ objects: [isa_id?]
  ) -> isa_status {
    var elements: [Element] = []
    elements.reserveCapacity(objects.count)
    for id in objects {
      guard let element = elementCoder.readOrNull(id) else {
        return refuseElement(id, of: self, Element.self)
      }
      elements.append(element)
    }
    return perform(ArrayEdit(kind: kind, places: places, elements: elements), on: object)
  }
}

private func refuseElement<Element>(
  _ id: isa_id?, of field: Field, _ type: Element.Type
) -> isa_status {
  isa_fail(
    KVC_ERR_TYPE, nil,
    "an element of \(field.owner).\(field.key) must be of type \(type), not "
      + describe(anyValue(id)))
}

// MARK: - Sets

/// A wrapped set, with elements of any type.
protocol UnorderedField: ToManyField {
  /// The whole value as an object, with a +1.
  func copyValue(of object: KVObject) -> isa_id?
  /// Makes a change by a collection of objects that stand for elements.
  func change(_ object: KVObject, _ mutation: SetMutation, _ objects: isa_id) -> isa_status
}

final class SetField<Element: Hashable>: DynamicField<Set<Element>>, UnorderedField,
  @unchecked Sendable
{
  private var elementCoder: ObjectCoder<Element> { knownCoder(for: Element.self) }
  private var copy: (Element) -> isa_id? { elementCopier(elementCoder) }

  /// Makes a change, and notifies the observers of the key, also if it comes to nothing: a setter
  /// tells of an equal value too.
  func perform(
    _ mutation: SetMutation, _ elements: Set<Element>, on object: KVObject
  ) -> isa_status {
    let needed = mutation.needed(of: elements, in: value(of: object))
    let isWatched = object.isWatched
    if !isWatched, mutation.leaves(value(of: object), needed) { return ISA_OK }
    let objects = isWatched ? coder.copy(needed) : nil
    defer { isa_object_release(objects) }
    var gone: [Element] = []
    let status = announce(
      object, will: { kvo_will_change_set($0, key, mutation.constant, objects) },
      did: { kvo_did_change_set($0, key, mutation.constant, objects) }
    ) {
      // A prior observer may have changed the set.
      let elements = mutation.needed(of: elements, in: value(of: object))
      gone = mutation.removed(from: value(of: object), by: elements)
      let place = place(in: object)
      // The elements' equality and hashes are code of their own.
      modifying(place) { mutation.apply(elements, to: &place.pointee.value) }
      return ISA_OK
    }
    return withExtendedLifetime(gone) { status }
  }

  func change(_ object: KVObject, _ mutation: SetMutation, _ objects: isa_id) -> isa_status {
    let (elements, status) = read(objects, for: mutation, in: object)
    return status == ISA_OK ? perform(mutation, elements, on: object) : status
  }

  /// The elements that objects stand for. Its references to the set end with it: the change would
  /// copy a set that somebody else holds.
  private func read(
    _ objects: isa_id, for mutation: SetMutation, in object: KVObject
  ) -> (Set<Element>, isa_status) {
    var elements: Set<Element> = []
    var status = ISA_OK
    var members = MembersByObject(value(of: object), copying: copy)
    visitElements(of: objects) { id in
      if let element = elementCoder.readOrNull(id) {
        elements.insert(members.find(element, for: id))
      } else if mutation == .union || mutation == .set {
        status = refuseElement(id, of: self, Element.self)
      }
    }
    return (elements, status)
  }
}

/// The members of a set as the runtime finds them: to Swift a number of Foundation's among values of
/// any type is another than its own.
private struct MembersByObject<Element: Hashable> {
  private let set: Set<Element>
  private let copy: (Element) -> isa_id?
  private lazy var byHash = Dictionary(grouping: set) { element in
    let object = copy(element)
    defer { isa_object_release(object) }
    return kvc_hash(object ?? kvc_null())
  }

  init(_ set: Set<Element>, copying copy: @escaping (Element) -> isa_id?) {
    self.set = set
    self.copy = copy
  }

  /// The member that stands for an element, which was read from `id`; if there is none, the element.
  mutating func find(_ element: Element, for id: isa_id?) -> Element {
    guard Element.self == AnyHashable.self, let id, !set.isEmpty, !set.contains(element) else {
      return element
    }
    return byHash[kvc_hash(id)]?.first { isEqual(taking: copy($0), to: id) } ?? element
  }
}

extension SetMutation {
  /// The elements that make a difference to a set.
  fileprivate func needed<Element>(
    of elements: Set<Element>, in set: Set<Element>
  ) -> Set<Element> {
    switch self {
    // Not by set algebra, which may walk through the larger one.
    case .union: elements.filter { !set.contains($0) }
    case .minus: elements.filter { set.contains($0) }
    case .intersect, .set: elements
    }
  }

  /// Whether the mutation by needed elements leaves the set as it is.
  fileprivate func leaves<Element>(_ set: Set<Element>, _ elements: Set<Element>) -> Bool {
    switch self {
    case .union, .minus: elements.isEmpty
    case .intersect: set.isSubset(of: elements)
    case .set: set == elements
    }
  }

  /// The elements that go from a set.
  fileprivate func removed<Element>(
    from set: Set<Element>, by elements: Set<Element>
  ) -> [Element] {
    switch self {
    case .union: []
    case .minus: elements.compactMap { set.firstIndex(of: $0) }.map { set[$0] }
    case .intersect, .set: Array(set)
    }
  }

  fileprivate func apply<Element>(_ elements: Set<Element>, to set: inout Set<Element>) {
    switch self {
    case .union: set.formUnion(elements)
    case .minus: set.subtract(elements)
    case .intersect: set.formIntersection(elements)
    case .set: set = elements
    }
  }
}
