// Wrapped properties whose values are arrays and sets: how some of their elements are changed in
// place, and how that is announced.
//
// Owns:      nothing.
// Locks:     none; observers run before and after the storage is touched, never while.
// Invariant: what goes from the storage outlives the change of the storage: its end may run code,
//            which must not find a collection that is being changed.
internal import CIsa

/// A type whose values have elements that come and go.
protocol ToManyValue {
  static func makeField(_ place: FieldPlace) -> Field
}

extension Array: ToManyValue {
  static func makeField(_ place: FieldPlace) -> Field { ArrayField<Element>(place) }
}

extension Set: ToManyValue {
  static func makeField(_ place: FieldPlace) -> Field { SetField<Element>(place) }
}

extension Field {
  /// Runs `body` between `will` and `did`, if setting the property notifies by itself.
  fileprivate final func announce(
    _ object: KVObject, will: (isa_id) -> isa_status, did: (isa_id) -> isa_status,
    _ body: () -> isa_status
  ) -> isa_status {
    guard object.isWatched, let id = object.adoptedID, notifies(id) else { return body() }
    // What is answered meanwhile goes at once: it would share the storage that is to be changed.
    guard withAnswers({ will(id) }) == ISA_OK else { return body() }
    let status = body()
    let end = withAnswers { did(id) }
    return status == ISA_OK ? end : status
  }
}

// MARK: - Arrays

/// The places of elements, upwards.
enum Places {
  case range(Range<Int>)
  case each([Int])

  var count: Int {
    switch self {
    case .range(let range): range.count
    case .each(let indexes): indexes.count
    }
  }

  /// The place behind the last.
  var end: Int {
    switch self {
    case .range(let range): range.isEmpty ? 0 : range.upperBound
    case .each(let indexes): indexes.last.map { $0 + 1 } ?? 0
    }
  }

  /// Calls `body` with the places as a set.
  func withIndexSet(_ body: (UnsafePointer<kvc_index_set>) -> isa_status) -> isa_status {
    switch self {
    case .each(let indexes): return IsaKVO.withIndexSet(indexes, body)
    case .range(let range):
      var places = kvc_range(start: range.lowerBound, count: range.count)
      return withUnsafeMutablePointer(to: &places) { places in
        var set = kvc_index_set(ranges: places, range_count: 1, count: range.count)
        return body(&set)
      }
    }
  }
}

/// A change of some elements of an array.
struct ArrayEdit<Element> {
  /// An insertion, removal or replacement.
  let kind: ChangeKind
  /// Where: after an insertion, before any other change.
  let places: Places
  /// What comes there, in the order of the places.
  let elements: [Element]

  /// Whether an array of `count` elements has the places.
  func fits(_ count: Int) -> Bool { places.end <= limit(count) }

  func limit(_ count: Int) -> Int { kind == .insertion ? count + elements.count : count }

  /// Makes the change, and hands out what went, for its end to come afterwards.
  func apply(to array: inout [Element]) -> [Element] {
    switch (kind, places) {
    case (.insertion, .range(let range)):
      array.insert(contentsOf: elements, at: range.lowerBound)
      return []
    case (.insertion, .each(let indexes)):
      return exchange(&array, merged(array, indexes))
    case (.removal, .range(let range)):
      let gone = Array(array[range])
      array.removeSubrange(range)
      return gone
    case (.removal, .each(let indexes)):
      return exchange(&array, rest(of: array, without: indexes))
    case (_, .range(let range)): return replace(range, in: &array)
    case (_, .each(let indexes)): return replace(indexes, in: &array)
    }
  }

  private func exchange(_ array: inout [Element], _ next: [Element]) -> [Element] {
    var next = next
    swap(&array, &next)
    return next
  }

  private func merged(_ array: [Element], _ indexes: [Int]) -> [Element] {
    var next: [Element] = []
    next.reserveCapacity(array.count + elements.count)
    var rest = array[...]
    for (index, element) in zip(indexes, elements) {
      let count = index - next.count
      next += rest.prefix(count)
      rest = rest.dropFirst(count)
      next.append(element)
    }
    return next + rest
  }

  private func rest(of array: [Element], without indexes: [Int]) -> [Element] {
    var next: [Element] = []
    next.reserveCapacity(array.count - indexes.count)
    var start = 0
    for index in indexes {
      next += array[start..<index]
      start = index + 1
    }
    return next + array[start...]
  }

  private func replace<Indexes: Sequence<Int>>(
    _ indexes: Indexes, in array: inout [Element]
  ) -> [Element] {
    var gone = elements
    for (at, index) in indexes.enumerated() { swap(&gone[at], &array[index]) }
    return gone
  }
}

/// A wrapped array, whatever its elements are.
protocol OrderedField: Field {
  func count(of object: KVObject) -> Int
  /// The object of an element, with a +1.
  func copyElement(of object: KVObject, at index: Int) -> isa_id?
  /// Makes a change by objects that stand for elements.
  func change(
    _ object: KVObject, _ kind: ChangeKind, _ places: Places, _ objects: [isa_id?]
  ) -> isa_status
}

final class ArrayField<Element>: DynamicField<[Element]>, OrderedField, @unchecked Sendable {
  private let elementCoder = objectCoder(for: Element.self)
  private let copy = elementCopier(objectCoder(for: Element.self))

  /// The array itself, in its object.
  func place(in object: KVObject) -> UnsafeMutablePointer<Dynamic<[Element]>> {
    object.storage(of: self).assumingMemoryBound(to: Dynamic<[Element]>.self)
  }

  func count(of object: KVObject) -> Int { place(in: object).pointee.value.count }

  func copyElement(of object: KVObject, at index: Int) -> isa_id? {
    copy(place(in: object).pointee.value[index]) ?? kvc_null()
  }

  /// Makes a change, and tells those that observe the key.
  ///
  /// What an observer that is told before changes may leave no place for the change itself.
  func perform(_ edit: ArrayEdit<Element>, on object: KVObject) -> isa_status {
    guard edit.places.count > 0 else { return ISA_OK }
    guard edit.fits(count(of: object)) else { return refuse(edit, on: object) }
    var gone: [Element] = []
    let status = announce(
      object,
      will: { id in
        edit.places.withIndexSet { kvo_will_change_at(id, edit.kind.constant, $0, key) }
      },
      did: { id in edit.places.withIndexSet { kvo_did_change_at(id, edit.kind.constant, $0, key) } }
    ) {
      guard edit.fits(count(of: object)) else { return refuse(edit, on: object) }
      gone = edit.apply(to: &place(in: object).pointee.value)
      return ISA_OK
    }
    return withExtendedLifetime(gone) { status }
  }

  private func refuse(_ edit: ArrayEdit<Element>, on object: KVObject) -> isa_status {
    let count = edit.limit(count(of: object))
    let bounds = count == 0 ? "for empty array" : "[0 .. \(count - 1)]"
    return isa_fail(
      KVC_ERR_RANGE, nil,
      "\(edit.kind.rawValue) in \(owner).\(key): index \(edit.places.end - 1) beyond bounds \(bounds)"
    )
  }

  func change(
    _ object: KVObject, _ kind: ChangeKind, _ places: Places, _ objects: [isa_id?]
  ) -> isa_status {
    var elements: [Element] = []
    elements.reserveCapacity(objects.count)
    for id in objects {
      guard let element = elementCoder.read(id == kvc_null() ? nil : id) else {
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

/// A wrapped set, whatever its elements are.
protocol UnorderedField: Field {
  func count(of object: KVObject) -> Int
  /// The whole value as an object, with a +1.
  func copyValue(of object: KVObject) -> isa_id?
  /// Makes a change by a collection of objects that stand for elements.
  func change(_ object: KVObject, _ mutation: SetMutation, _ objects: isa_id) -> isa_status
}

final class SetField<Element: Hashable>: DynamicField<Set<Element>>, UnorderedField,
  @unchecked Sendable
{
  private let elementCoder = objectCoder(for: Element.self)

  /// The set itself, in its object.
  func place(in object: KVObject) -> UnsafeMutablePointer<Dynamic<Set<Element>>> {
    object.storage(of: self).assumingMemoryBound(to: Dynamic<Set<Element>>.self)
  }

  func count(of object: KVObject) -> Int { place(in: object).pointee.value.count }

  /// Makes a change, and tells those that observe the key, if it is one.
  func perform(
    _ mutation: SetMutation, _ elements: Set<Element>, on object: KVObject
  ) -> isa_status {
    let elements = mutation.needed(of: elements, in: place(in: object).pointee.value)
    if mutation.leaves(place(in: object).pointee.value, elements) { return ISA_OK }
    let objects = object.isWatched ? coder.copy(elements) : nil
    defer { isa_object_release(objects) }
    var gone: [Element] = []
    let status = announce(
      object, will: { kvo_will_change_set($0, key, mutation.constant, objects) },
      did: { kvo_did_change_set($0, key, mutation.constant, objects) }
    ) {
      gone = mutation.removed(from: place(in: object).pointee.value, by: elements)
      place(in: object).pointee.value.withTaken { mutation.apply(elements, to: &$0) }
      return ISA_OK
    }
    return withExtendedLifetime(gone) { status }
  }

  func change(_ object: KVObject, _ mutation: SetMutation, _ objects: isa_id) -> isa_status {
    var elements: Set<Element> = []
    var status = ISA_OK
    visitElements(of: objects) { id in
      if let element = elementCoder.read(id == kvc_null() ? nil : id) {
        elements.insert(element)
      } else if mutation == .union || mutation == .set {
        status = refuseElement(id, of: self, Element.self)
      }
    }
    return status == ISA_OK ? perform(mutation, elements, on: object) : status
  }
}

extension SetMutation {
  /// Those of the elements that make a difference to a set.
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

  /// What goes from a set.
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

extension Set {
  /// Changes a set that stands in an object: out of it meanwhile, since the elements' equality and
  /// hashes are code of their own, which might reach for it there.
  @inlinable
  mutating func withTaken<Result>(_ body: (inout Self) -> Result) -> Result {
    var taken: Self = []
    swap(&taken, &self)
    defer { swap(&taken, &self) }
    return body(&taken)
  }
}
