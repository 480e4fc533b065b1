package import CIsa

/// How elements of a Swift type are objects of the core, and back.
package struct ElementCoder<Element>: @unchecked Sendable {
  // The functions keep nothing, hence Sendable.
  let copy: (Element, inout isa_id?) -> isa_status
  let read: (isa_id?) -> Element

  /// - Parameter copy: Gives the object with a +1; nil for null.
  package init(
    copy: @escaping (Element, inout isa_id?) -> isa_status, read: @escaping (isa_id?) -> Element
  ) {
    self.copy = copy
    self.read = read
  }
}

/// A collection of the core that can change: a proxy for a to-many key, or a mutable box.
package struct CollectionHandle<Element>: Sendable {
  private let object: KeptObject
  private let coder: ElementCoder<Element>
  private let key: String
  private let className: String

  /// The object as the mutable collection that it is; nil for anything else.
  package init?(_ id: isa_id, _ kind: kvc_kind, _ coder: ElementCoder<Element>) {
    guard kvc_kind_of(id) == kind, kvc_is_mutable(id) else { return nil }
    object = KeptObject(adopting: isa_object_retain(id))
    self.coder = coder
    (key, className) = ("", IsaKeyValue.className(of: id))
  }

  /// The proxy of `owner` for a key or key path, as `copy` makes it.
  package init(
    of owner: isa_id, _ key: String, _ coder: ElementCoder<Element>,
    _ copy: (UnsafeMutablePointer<isa_id?>) -> isa_status
  ) throws(KeyValueError) {
    (self.key, className) = (key, IsaKeyValue.className(of: owner))
    self.coder = coder
    var proxy: isa_id?
    let outcome = answered(key) { copy(&proxy) }
    try KeyValueError.check(outcome, key: key, className: className)
    // Null from the class's own method, or nil on the way to the last key.
    guard let proxy else { throw KeyValueError(.nilValue, key: key, className: className) }
    object = KeptObject(adopting: proxy)
  }

  package var id: isa_id { object.id }
}

// MARK: - Reading

extension CollectionHandle {
  /// Throws where the collection may not be used. A call that throws asks this first, since reading
  /// a count on the way has only the policy to turn to.
  package func checkActor() throws(KeyValueError) { try SwiftBox.holder(id)?.checkActor() }

  package var count: Int { withAnswers { kvc_collection_count(id) } }

  package var elements: [Element] {
    var elements: [Element] = []
    visitElements(of: id) { elements.append(coder.read($0)) }
    return elements
  }

  package func element(at index: Int) throws(KeyValueError) -> Element {
    try checkActor()
    var element: isa_id?
    defer { isa_object_release(element) }
    try check(answered { kvc_ordered_copy_object(id, index, &element) })
    return coder.read(element)
  }

  package func firstIndex(of element: Element) -> Int? {
    var index = Int.max
    _ = withObject(of: element) {
      index = kvc_ordered_index_of(id, $0)
      return ISA_OK
    }
    return index == Int.max ? nil : index
  }

  package func contains(_ element: Element) -> Bool {
    var isFound = false
    _ = withObject(of: element) {
      isFound = kvc_collection_contains(id, $0)
      return ISA_OK
    }
    return isFound
  }
}

// MARK: - Changing

extension CollectionHandle {
  package func add(_ element: Element) throws(KeyValueError) {
    try change(with: element) { kvc_collection_add(id, $0) }
  }

  package func remove(_ element: Element) throws(KeyValueError) {
    try change(with: element) { kvc_collection_remove(id, $0) }
  }

  package func insert(_ element: Element, at index: Int) throws(KeyValueError) {
    try change(with: element) { kvc_ordered_insert(id, $0, index) }
  }

  package func remove(at index: Int) throws(KeyValueError) {
    try change { kvc_ordered_remove(id, index) }
  }

  package func replace(at index: Int, with element: Element) throws(KeyValueError) {
    try change(with: element) { kvc_ordered_replace(id, index, $0) }
  }

  package func insert(contentsOf new: [Element], at indexes: [Int]) throws(KeyValueError) {
    try change(with: new) { objects in
      withIndexSet(indexes) { kvc_ordered_insert_many(id, objects, $0) }
    }
  }

  package func remove(at indexes: [Int]) throws(KeyValueError) {
    try change { withIndexSet(indexes) { kvc_ordered_remove_many(id, $0) } }
  }

  package func replace(at indexes: [Int], with new: [Element]) throws(KeyValueError) {
    try change(with: new) { objects in
      withIndexSet(indexes) { kvc_ordered_replace_many(id, $0, objects) }
    }
  }

  /// Puts elements in the place of others: a replacement, and a removal or an insertion of the rest.
  /// An observer of the first may take away the place of the second.
  package func replace(_ range: Range<Int>, with new: [Element]) throws(KeyValueError) {
    try checkActor()
    let both = min(range.count, new.count), before = count
    try change(with: new) { SwiftBox.holder(id)?.check(elementsOf: $0) ?? ISA_OK }
    if both > 0 { try replace(at: Array(range.prefix(both)), with: Array(new.prefix(both))) }
    let most = count < before ? count : Int.max
    let rest = min(range.lowerBound + both, most), end = min(range.upperBound, most)
    if end > rest { try remove(at: Array(rest..<end)) }
    if new.count > both {
      try insert(contentsOf: Array(new[both...]), at: Array(rest..<(rest + new.count - both)))
    }
  }

  package func append(contentsOf new: [Element]) throws(KeyValueError) {
    try checkActor()
    let end = count
    try insert(contentsOf: new, at: Array(end..<(end + new.count)))
  }

  package func removeAll() throws(KeyValueError) { try change { kvc_collection_remove_all(id) } }

  package func setElements(_ new: [Element]) throws(KeyValueError) {
    try change(with: new) { kvc_collection_set_objects(id, $0) }
  }

  package func formUnion(_ others: [Element]) throws(KeyValueError) {
    try change(with: others) { kvc_set_unite(id, $0) }
  }

  package func subtract(_ others: [Element]) throws(KeyValueError) {
    try change(with: others) { kvc_set_subtract(id, $0) }
  }

  package func formIntersection(_ others: [Element]) throws(KeyValueError) {
    try change(with: others) { kvc_set_intersect(id, $0) }
  }
}

// MARK: - Calls

extension CollectionHandle {
  private func change(_ body: () -> isa_status) throws(KeyValueError) {
    try checkActor()
    try check(answered(body))
  }

  private func change(
    with element: Element, _ body: (isa_id?) -> isa_status
  ) throws(KeyValueError) {
    try checkActor()
    try check(withObject(of: element, body))
  }

  /// - Parameter body: Is given a set of the elements' objects for a set, else an array.
  private func change(
    with elements: [Element], _ body: (isa_id?) -> isa_status
  ) throws(KeyValueError) {
    try checkActor()
    var objects: [isa_id?] = []
    defer { objects.forEach(isa_object_release) }
    var status = ISA_OK
    for element in elements where status == ISA_OK {
      var object: isa_id?
      status = coder.copy(element, &object)
      objects.append(object ?? isa_object_retain(kvc_null()))
    }
    var collection: isa_id?
    defer { isa_object_release(collection) }
    let make = kvc_kind_of(id) == KVC_KIND_SET ? kvc_set_make : kvc_array_make
    if status == ISA_OK { status = make(objects, objects.count, &collection) }
    try check(status == ISA_OK ? answered { body(collection) } : Outcome(status))
  }

  private func withObject(
    of element: Element, _ body: (isa_id?) -> isa_status
  ) -> Outcome {
    var object: isa_id?
    let status = coder.copy(element, &object)
    defer { isa_object_release(object) }
    return status == ISA_OK ? answered { body(object ?? kvc_null()) } : Outcome(status)
  }
  private func check(_ outcome: Outcome) throws(KeyValueError) {
    if outcome.status == ISA_ERR_UNRECOGNIZED_SELECTOR, outcome.key.isEmpty {
      // It is no collection, or a collection that cannot change, and there is no accessor to change
      // it by.
      throw failure(
        outcome, "the value for “\(key)” of \(className) is no collection that can change",
        cure: "make it a collection, or declare how its elements come and go")
    }
    if outcome.status == KVC_ERR_NIL_VALUE {
      throw failure(
        outcome, "“\(key)” of \(className) is nil, and has no elements that could change",
        cure: "set it to a collection first")
    }
    try KeyValueError.check(outcome, key: key, className: className)
  }

  private func failure(_ outcome: Outcome, _ summary: String, cure: String) -> KeyValueError {
    var error = KeyValueError(
      KeyValueError.Code(outcome.status), key: key, className: className, reason: outcome.reason,
      exceptionName: outcome.exceptionName, cure: cure)
    error.summary = summary
    return error
  }
}
