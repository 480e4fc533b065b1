// Changes of some elements of an array that stands in an object: the change itself, and the short
// way of announcing it. The short way is for keys whose observers are all closures that get
// elements in place. Code that knows the type is inlined into users of the library, so that it is
// compiled for the type.
//
// Owns:      nothing.
// Locks:     none; observers run after the storage is touched, never while.
// Invariant: an element outlives the change that takes it from the storage: its end may run code,
//            which must not find an array that is being changed.
internal import CIsa
public import IsaKeyValue

/// A change of some elements of an array.
@frozen @usableFromInline
struct ArrayEdit<Element> {
  /// An insertion, removal or replacement.
  @usableFromInline let kind: ChangeKind
  /// Where: after an insertion, before any other change.
  @usableFromInline let places: Places
  /// The elements that come there, in the order of the places.
  @usableFromInline let elements: [Element]

  @inlinable
  init(kind: ChangeKind, places: Places, elements: [Element]) {
    self.kind = kind
    self.places = places
    self.elements = elements
  }

  /// Whether an array of `count` elements has the places.
  @inlinable
  func fits(_ count: Int) -> Bool { places.end <= limit(count) }

  @inlinable
  func limit(_ count: Int) -> Int { kind == .insertion ? count + elements.count : count }

  /// Makes the change, and hands out what went, in the order of the places, for its end to come
  /// afterwards.
  @inlinable
  func apply(to array: inout [Element]) -> [Element] {
    switch (kind, places) {
    case (.insertion, .range(let range)):
      array.insert(contentsOf: elements, at: range.lowerBound)
      return []
    case (.insertion, .each(let indexes)):
      array = merged(array, indexes)
      return []
    case (.removal, .range(let range)):
      let gone = Array(array[range])
      array.removeSubrange(range)
      return gone
    case (.removal, .each(let indexes)):
      let gone = indexes.map { array[$0] }
      array = rest(of: array, without: indexes)
      return gone
    case (_, .range(let range)): return replace(range, in: &array)
    case (_, .each(let indexes)): return replace(indexes, in: &array)
    }
  }

  @usableFromInline
  func merged(_ array: [Element], _ indexes: [Int]) -> [Element] {
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

  @usableFromInline
  func rest(of array: [Element], without indexes: [Int]) -> [Element] {
    var next: [Element] = []
    next.reserveCapacity(array.count - indexes.count)
    var start = 0
    for index in indexes {
      next += array[start..<index]
      start = index + 1
    }
    return next + array[start...]
  }

  @inlinable
  func replace<Indexes: Sequence<Int>>(
    _ indexes: Indexes, in array: inout [Element]
  ) -> [Element] {
    var gone = elements
    for (at, index) in indexes.enumerated() { swap(&gone[at], &array[index]) }
    return gone
  }

  /// Makes the change of the array that stands in `object`, and shows closures what went and came;
  /// false if nothing was done: nobody else may observe the key.
  @inlinable @inline(never)
  func makeInPlace(
    in object: KVObject, _ storage: UnsafeMutablePointer<DynamicValue<[Element]>>
  ) -> Bool {
    checkModifying(storage)
    guard places.count > 0, fits(storage.pointee.value.count) else { return false }
    var making = EditMaking(self, storage)
    return withUnsafeMutablePointer(to: &making) { making in
      withUnsafeMutablePointer(to: &making.pointee.gone) { gone in
        withUnsafePointer(to: elements) { came in
          // Captures nothing, so that nothing is allocated for it.
          editInPlace(object, storage, kind, places, old: gone, new: came, making) {
            $0.assumingMemoryBound(to: EditMaking<Element>.self).pointee.make()
          }
        }
      }
    }
  }
}

/// A change that is being made.
@frozen @usableFromInline
struct EditMaking<Element> {
  @usableFromInline let edit: ArrayEdit<Element>
  @usableFromInline let storage: UnsafeMutablePointer<DynamicValue<[Element]>>
  /// The elements that went.
  @usableFromInline var gone: [Element] = []

  @inlinable
  init(
    _ edit: ArrayEdit<Element>, _ storage: UnsafeMutablePointer<DynamicValue<[Element]>>
  ) {
    self.edit = edit
    self.storage = storage
  }

  @inlinable
  mutating func make() { gone = edit.apply(to: &storage.pointee.value) }
}

/// Makes a change, of which all that it has to know stands at the address.
@usableFromInline typealias MakeEdit = (UnsafeMutableRawPointer) -> Void

/// Has the core make a change by `make`, called with `making`, after which `old` is what went, and
/// show it to the observers; false if nothing was done.
///
/// Serves all types, as ``sendSetter(_:_:_:)`` does.
@usableFromInline @inline(never)
func editInPlace(
  _ object: KVObject, _ storage: UnsafeMutableRawPointer, _ kind: ChangeKind, _ places: Places,
  old: UnsafeRawPointer, new: UnsafeRawPointer, _ making: UnsafeMutableRawPointer,
  _ make: @escaping MakeEdit
) -> Bool {
  guard let id = object.adoptedID,
    let slot = ClassRegistration.fields(of: id).slot(at: storage - UnsafeMutableRawPointer(id)),
    let form = slot.pointee.field?._withUnsafeGuaranteedRef({ $0.elementForm?.address })
  else { return false }
  var call = MakeCall(make: make, making: making)
  var isDone = false
  let status = withUnsafeMutablePointer(to: &call) { call in
    places.withIndexSet { indexes in
      var edit = kvo_edit(
        kind: kind.constant, indexes: indexes, old_value: kind == .insertion ? nil : old,
        new_value: kind == .removal ? nil : new,
        make: {
          let call = $0!.assumingMemoryBound(to: MakeCall.self)
          call.pointee.make(call.pointee.making)
        }, context: call, status: ISA_OK)
      isDone = withAnswers { kvo_edit_in_place(id, slot.pointee.setter, form, &edit) }
      return edit.status
    }
  }
  if isDone, status != ISA_OK { fatalError("ArrayProxy: \(lastReason())") }
  return isDone
}

/// A call of code that makes a change. Not a tuple, which would have the code called by way of another.
private struct MakeCall {
  let make: MakeEdit
  let making: UnsafeMutableRawPointer
}

/// Puts elements in the place of the elements in `bounds` by at most two changes: replaces as many
/// as both have a place for, then inserts or removes the rest.
///
/// Where an observer of the first change has left fewer elements than there were, the rest is inserted at
/// the end at the latest, and removed as far as it is there. The first change that fails is the last.
@discardableResult
func replaceRange<Element>(
  _ bounds: Range<Int>, with elements: [Element], count: () -> Int,
  _ change: (ChangeKind, Range<Int>, [Element]) -> isa_status
) -> isa_status {
  let both = min(bounds.count, elements.count), before = count()
  let replaced = bounds.lowerBound..<(bounds.lowerBound + both)
  let status = change(.replacement, replaced, Array(elements[..<both]))
  if status != ISA_OK { return status }
  let after = count(), most = after < before ? after : Int.max
  let start = min(replaced.upperBound, most), end = min(bounds.upperBound, most)
  let rest = Array(elements[both...])
  if !rest.isEmpty { return change(.insertion, start..<(start + rest.count), rest) }
  return end > start ? change(.removal, start..<end, []) : ISA_OK
}
