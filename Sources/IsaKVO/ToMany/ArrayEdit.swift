// Changes of some elements of an array that stands in an object: what is changed, and the short way
// of announcing it, where all who observe the key are closures that are shown elements where they
// stand. Code that knows the type is inlined into users of the library, so that it is compiled for
// it.
//
// Owns:      nothing.
// Locks:     none; observers run after the storage is touched, never while.
// Invariant: an element outlives the change that takes it from the storage: its end may run code,
//            which must not find an array that is being changed.
internal import CIsa
public import IsaRuntime

/// The places of elements, upwards.
@frozen @usableFromInline
enum Places {
  case range(Range<Int>)
  case each([Int])

  @inlinable
  var count: Int {
    switch self {
    case .range(let range): range.count
    case .each(let indexes): indexes.count
    }
  }

  /// The place behind the last.
  @inlinable
  var end: Int {
    switch self {
    case .range(let range): range.isEmpty ? 0 : range.upperBound
    case .each(let indexes): indexes.last.map { $0 + 1 } ?? 0
    }
  }

  /// Calls `body` with the places as a set.
  func withIndexSet(_ body: (UnsafePointer<kvc_index_set>) -> isa_status) -> isa_status {
    switch self {
    case .each(let indexes): return IsaRuntime.withIndexSet(indexes, body)
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
    var gone: [Element] = []
    return withUnsafeMutablePointer(to: &gone) { gone in
      withUnsafePointer(to: elements) { came in
        editInPlace(object, storage, kind, places, old: gone, new: came) {
          gone.pointee = apply(to: &storage.pointee.value)
        }
      }
    }
  }
}

/// Has the core make a change by `make`, after which `old` is what went, and show it to the
/// observers; false if nothing was done.
///
/// Serves all types, as ``sendSetter(_:_:_:)`` does.
@usableFromInline @inline(never)
func editInPlace(
  _ object: KVObject, _ storage: UnsafeMutableRawPointer, _ kind: ChangeKind, _ places: Places,
  old: UnsafeRawPointer, new: UnsafeRawPointer, _ make: () -> Void
) -> Bool {
  guard let id = object.adoptedID,
    let slot = ClassRegistration.fields(of: id).slot(at: storage - UnsafeMutableRawPointer(id)),
    let form = slot.field?._withUnsafeGuaranteedRef({ $0.elementForm?.address })
  else { return false }
  return withoutActuallyEscaping(make) { make in
    var make = make
    var isDone = false
    let status = withUnsafeMutablePointer(to: &make) { make in
      places.withIndexSet { indexes in
        var edit = kvo_edit(
          kind: kind.constant, indexes: indexes, old_value: kind == .insertion ? nil : old,
          new_value: kind == .removal ? nil : new,
          make: { $0!.assumingMemoryBound(to: (() -> Void).self).pointee() }, context: make,
          status: ISA_OK)
        isDone = withAnswers { kvo_edit_in_place(id, slot.setter, form, &edit) }
        return edit.status
      }
    }
    if isDone, status != ISA_OK { fatalError("ArrayProxy: \(lastReason())") }
    return isDone
  }
}
