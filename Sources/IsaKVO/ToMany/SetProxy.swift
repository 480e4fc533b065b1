/// The set of a property, whose changes tell observers which elements came and went.
///
///     let tags = page.mutableSetValue(for: \.tags)
///     tags.insert("new")                 // told as an insertion of "new"
///     tags.formIntersection(["new"])     // a removal of all others
///
/// It refers to the property, as ``ArrayProxy`` does. A call that changes nothing is told too, with
/// no elements, as setting an equal value is.
public struct SetProxy<Element: Hashable> {
  @usableFromInline let place: ToManyPlace<Set<Element>>

  init(_ place: ToManyPlace<Set<Element>>) { self.place = place }

  /// A set that is no other object's.
  init() {
    self = detached(Set<Element>()) { object throws(KeyValueError) in
      SetProxy(try ToManyPlace(set: "elements", of: object))
    }
  }

  /// The elements at this moment.
  @inlinable
  public var elements: Set<Element> { place.elements }

  /// How many elements there are at this moment.
  @inlinable
  public var count: Int { place.elements.count }

  /// Whether there are none.
  @inlinable
  public var isEmpty: Bool { place.elements.isEmpty }

  /// Whether there is an element that is equal to `element`.
  @inlinable
  public func contains(_ element: Element) -> Bool { place.elements.contains(element) }
}

// MARK: - Changing

extension SetProxy {
  /// Adds an element, unless there is an equal one.
  ///
  /// - Returns: As `Set.insert(_:)`.
  @inlinable @discardableResult
  public func insert(_ element: Element) -> (inserted: Bool, memberAfterInsert: Element) {
    if place.isPlain { return place.withPlain { $0.insert(element) } }
    let now = place.now
    place.change(.union, [element])
    guard let index = now.firstIndex(of: element) else { return (true, element) }
    return (false, now[index])
  }

  /// Removes the element that is equal to `element`.
  ///
  /// - Returns: The element that was there; nil if there was none.
  @inlinable @discardableResult
  public func remove(_ element: Element) -> Element? {
    if place.isPlain { return place.withPlain { $0.remove(element) } }
    let now = place.now
    place.change(.minus, [element])
    return now.firstIndex(of: element).map { now[$0] }
  }

  /// Adds elements.
  public func formUnion(_ elements: some Sequence<Element>) {
    place.change(.union, Set(elements))
  }

  /// Removes elements.
  public func subtract(_ elements: some Sequence<Element>) {
    place.change(.minus, Set(elements))
  }

  /// Removes all but these elements.
  public func formIntersection(_ elements: some Sequence<Element>) {
    place.change(.intersect, Set(elements))
  }

  /// Gives the set these elements instead of its own.
  public func setElements(_ elements: some Sequence<Element>) {
    place.change(.set, Set(elements))
  }

  /// Removes every element.
  public func removeAll() { place.change(.intersect, []) }
}

extension SetProxy: Sequence {
  /// Walks the elements that are there at this moment.
  @inlinable
  public func makeIterator() -> Set<Element>.Iterator { place.elements.makeIterator() }
}

extension SetProxy: CustomStringConvertible {
  /// The elements for people.
  public var description: String { "\(elements)" }
}
