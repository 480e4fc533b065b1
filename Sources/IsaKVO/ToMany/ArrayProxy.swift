internal import CIsa
package import IsaKeyValue

/// The array of a property, whose changes tell observers which elements came and went.
///
///     let scores = game.mutableArrayValue(for: \.scores)
///     scores.append(7)          // told as an insertion at the last index
///     scores[0] = 8             // a replacement at 0
///     scores.removeSubrange(2...)
///
/// It refers to the property: it looks at the array anew each time, and a copy is the same array.
/// One call is one change, but ``replaceSubrange(_:with:)`` with another number of elements is two.
/// An array that nobody observes is changed in place, as the property itself would be.
///
/// An index beyond the end stops the process, as it does with an array. A property that the class
/// has declared in ``KVObject/keys`` is set as a whole, through its Swift setter, and announced
/// likewise.
///
/// A closure that says how elements are sorted, parted or removed must leave the array alone, as a
/// closure that an array calls must: the process stops, with Swift's report of overlapping
/// accesses.
///
/// Not `Sendable`: it is used where its object is.
public struct ArrayProxy<Element> {
  @usableFromInline let place: ToManyPlace<[Element]>

  init(_ place: ToManyPlace<[Element]>) { self.place = place }

  /// The elements at this moment.
  @inlinable
  public var elements: [Element] { place.elements }
}

// MARK: - Reading

extension ArrayProxy: RandomAccessCollection, MutableCollection {
  /// 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// How many elements there are at this moment.
  @inlinable
  public var endIndex: Int { place.elements.count }

  /// How many elements there are at this moment.
  @inlinable
  public var count: Int { endIndex }

  /// The element at `position`; setting it replaces that one.
  @inlinable
  public subscript(position: Int) -> Element {
    get { place.elements[position] }
    nonmutating set {
      if place.isPlain {
        var value = newValue
        place.withPlain { swap(&value, &$0[position]) }
      } else {
        place.change(.replacement, position..<(position + 1), [newValue])
      }
    }
  }

  /// The elements in `bounds`; setting them is as ``replaceSubrange(_:with:)``.
  @inlinable
  public subscript(bounds: Range<Int>) -> ArraySlice<Element> {
    get { place.elements[bounds] }
    nonmutating set { replaceSubrange(bounds, with: newValue) }
  }

  /// The elements in `bounds`; setting them is as ``replaceSubrange(_:with:)``.
  @inlinable
  public subscript<Bounds: RangeExpression<Int>>(bounds: Bounds) -> ArraySlice<Element> {
    get { self[bounds.relative(to: self)] }
    nonmutating set { self[bounds.relative(to: place.now)] = newValue }
  }

  /// Walks the elements that are there at this moment.
  @inlinable
  public func makeIterator() -> IndexingIterator<[Element]> { place.elements.makeIterator() }

  /// Exchanges two elements.
  public nonmutating func swapAt(_ first: Int, _ second: Int) {
    guard first != second else { return }
    let low = Swift.min(first, second), high = Swift.max(first, second)
    let now = place.now
    place.change(
      ArrayEdit(kind: .replacement, places: .each([low, high]), elements: [now[high], now[low]]))
  }

  /// Brings the elements into another order, which is one change of all of them.
  public nonmutating func reverse() { replaceAll { $0.reverse() } }

  /// Brings the elements into the order of `areInOrder`, which is one change of all of them.
  public nonmutating func sort(
    by areInOrder: (Element, Element) throws -> Bool
  ) rethrows {
    try replaceAll { try $0.sort(by: areInOrder) }
  }

  /// Brings the elements that belong to the second part behind the others, which is one change of
  /// all of them.
  ///
  /// - Returns: The index of the first element of the second part.
  public nonmutating func partition(
    by belongsInSecondPartition: (Element) throws -> Bool
  ) rethrows -> Int {
    try replaceAll { try $0.partition(by: belongsInSecondPartition) }
  }

  /// Brings the elements into a random order, which is one change of all of them.
  public nonmutating func shuffle<Generator: RandomNumberGenerator>(
    using generator: inout Generator
  ) {
    replaceAll { $0.shuffle(using: &generator) }
  }

  /// Brings the elements into a random order, which is one change of all of them.
  public nonmutating func shuffle() { replaceAll { $0.shuffle() } }

  private nonmutating func replaceAll<Result>(
    by change: (inout [Element]) throws -> Result
  ) rethrows -> Result {
    var next: [Element] = []
    let result = try place.asking { now in
      next = now
      return try change(&next)
    }
    place.change(.replacement, 0..<next.count, next)
    return result
  }
}

extension ArrayProxy where Element: Comparable {
  /// Sorts the elements, which is one change of all of them.
  public nonmutating func sort() { sort(by: <) }
}

// MARK: - Changing

extension ArrayProxy: RangeReplaceableCollection {
  /// An array that is no other object's.
  public init() {
    self = detached([Element]()) { object throws(KeyValueError) in
      ArrayProxy(try ToManyPlace(array: "elements", of: object))
    }
  }

  /// Adds an element at the end.
  ///
  /// - Complexity: O(1) on average, observed or not.
  @inlinable
  public nonmutating func append(_ element: Element) {
    if place.isPlain {
      place.withPlain { $0.append(element) }
    } else {
      let count = place.now.count
      place.change(.insertion, count..<(count + 1), [element])
    }
  }

  /// Adds elements at the end.
  @inlinable
  public nonmutating func append<Elements: Sequence<Element>>(contentsOf elements: Elements) {
    insert(contentsOf: Array(elements), at: place.now.count)
  }

  /// Inserts an element before the element at `index`.
  @inlinable
  public nonmutating func insert(_ element: Element, at index: Int) {
    if place.isPlain {
      place.withPlain { $0.insert(element, at: index) }
    } else {
      place.change(.insertion, index..<(index + 1), [element])
    }
  }

  /// Inserts elements before the element at `index`.
  @inlinable
  public nonmutating func insert<Elements: Collection<Element>>(
    contentsOf elements: Elements, at index: Int
  ) {
    // Their own code runs before the array is touched.
    let elements = Array(elements)
    if place.isPlain {
      place.withPlain { $0.insert(contentsOf: elements, at: index) }
    } else {
      place.change(.insertion, index..<(index + elements.count), elements)
    }
  }

  /// Removes the element at `index`.
  @inlinable @discardableResult
  public nonmutating func remove(at index: Int) -> Element {
    if place.isPlain { return place.withPlain { $0.remove(at: index) } }
    let element = place.now[index]
    place.change(.removal, index..<(index + 1), [])
    return element
  }

  /// Removes the first element.
  @inlinable @discardableResult
  public nonmutating func removeFirst() -> Element { remove(at: 0) }

  /// Removes the last element.
  @inlinable @discardableResult
  public nonmutating func removeLast() -> Element { remove(at: place.now.count - 1) }

  /// Removes the last element; nil if there is none.
  @inlinable
  public nonmutating func popLast() -> Element? { place.now.isEmpty ? nil : removeLast() }

  /// Removes the first `count` elements.
  public nonmutating func removeFirst(_ count: Int) { removeSubrange(0..<count) }

  /// Removes the last `count` elements.
  public nonmutating func removeLast(_ count: Int) {
    let now = place.now.count
    removeSubrange((now - count)..<now)
  }

  /// Removes the elements in `bounds`.
  public nonmutating func removeSubrange(_ bounds: Range<Int>) {
    place.change(.removal, bounds, [])
  }

  /// Removes the elements in `bounds`.
  public nonmutating func removeSubrange<Bounds: RangeExpression<Int>>(_ bounds: Bounds) {
    removeSubrange(bounds.relative(to: place.now))
  }

  /// Removes every element.
  public nonmutating func removeAll(keepingCapacity: Bool = false) {
    removeSubrange(0..<place.now.count)
  }

  /// Removes the elements that are to go, which is one change.
  public nonmutating func removeAll(
    where isToGo: (Element) throws -> Bool
  ) rethrows {
    let indexes = try place.asking { now in try now.indices.filter { try isToGo(now[$0]) } }
    place.change(ArrayEdit(kind: .removal, places: .each(indexes), elements: []))
  }

  /// Inserts or removes elements.
  ///
  /// - Parameter elements: The elements to insert.
  /// - Throws: `KeyValueError.Code.outOfRange` if the array has not the places, as when an observer that
  ///   is told before has changed it; it stays as that observer has left it.
  package nonmutating func attempt(
    _ kind: ChangeKind, _ places: Places, _ elements: [Element]
  ) throws(KeyValueError) {
    try place.attempt(ArrayEdit(kind: kind, places: places, elements: elements))
  }

  /// Puts elements in the place of the elements in `bounds`: replaces as many as both have a place
  /// for, then inserts or removes the rest.
  ///
  /// Where an observer of the first change has left fewer elements, the rest is inserted at the end
  /// at the latest, and removed as far as it is there.
  public nonmutating func replaceSubrange<Elements: Collection<Element>>(
    _ bounds: Range<Int>, with elements: Elements
  ) {
    replaceRange(bounds, with: Array(elements), count: { place.now.count }) {
      place.change($0, $1, $2)
      return ISA_OK
    }
  }

  /// Gives the array these elements instead of its own, as ``replaceSubrange(_:with:)``.
  public nonmutating func setElements<Elements: Collection<Element>>(_ elements: Elements) {
    replaceSubrange(0..<place.now.count, with: elements)
  }

  /// Makes room for `minimumCapacity` elements, if nobody observes the object.
  @inlinable
  public nonmutating func reserveCapacity(_ minimumCapacity: Int) {
    if place.isPlain { place.withPlain { $0.reserveCapacity(minimumCapacity) } }
  }

  /// The elements that are to stay, as an array of their own.
  @inlinable
  public func filter(_ isToStay: (Element) throws -> Bool) rethrows -> [Element] {
    try place.elements.filter(isToStay)
  }
}

extension ArrayProxy: CustomStringConvertible {
  /// The elements for people.
  public var description: String { "\(elements)" }
}
