// A collection object that can change, and what its errors are about.
package import CIsa

/// The calls of the C core that the to-many proxies consist of.
package struct CollectionHandle: Sendable {
  package let object: RuntimeObject
  /// The to-many key or key path that it was had by; empty for a collection that is nobody's.
  let key: String
  /// The class of the key's owner.
  let className: String
  /// Takes `object` if it is a collection of that kind that can change.
  init?(_ object: RuntimeObject, _ kind: RuntimeBoxKind) {
    guard object.boxKind == kind, object.isMutableCollection else { return nil }
    self.init(object, key: "", className: object.isa.original.name)
  }

  private init(_ object: RuntimeObject, key: String, className: String) {
    self.object = object
    self.key = key
    self.className = className
  }

  /// The proxy that `copy` makes for a key of `owner`.
  package init(
    _ owner: RuntimeObject, _ key: String,
    _ copy: (UnsafeMutablePointer<isa_id?>) -> isa_status
  ) throws(KeyValueError) {
    var proxy: isa_id?
    let outcome = answered(key) { copy(&proxy) }
    try KeyValueError.check(outcome, key: key, className: owner.isa.original.name)
    guard let proxy else {
      throw KeyValueError(.nilValue, key: key, className: owner.isa.original.name)
    }
    self.init(RuntimeObject(adopting: proxy), key: key, className: owner.isa.original.name)
  }

  /// Throws where the collection may not be used. A call that throws asks this first, since reading
  /// a count on the way has only the policy to turn to.
  func checkActor() throws(KeyValueError) {
    try SwiftBox.holder(object.id)?.checkActor()
  }

  /// How many elements there are at this moment.
  var count: Int { withAnswers { kvc_collection_count(object.id) } }

  /// The elements at this moment.
  var elements: [RuntimeValue] { IsaRuntime.elements(of: object) }

  /// The element at an index.
  func element(at index: Int) throws(KeyValueError) -> RuntimeValue {
    try checkActor()
    let (outcome, value) = takeValue { kvc_ordered_copy_object(object.id, index, $0) }
    try check(outcome)
    return value
  }

  /// The first index of an equal element.
  func firstIndex(of value: RuntimeValue) -> Int? {
    var index = Int.max
    _ = withBox(value) { box in
      index = kvc_ordered_index_of(object.id, box)
      return ISA_OK
    }
    return index == Int.max ? nil : index
  }

  /// Whether an element is equal to `value`.
  func contains(_ value: RuntimeValue) -> Bool {
    var isFound = false
    _ = withBox(value) { box in
      isFound = kvc_collection_contains(object.id, box)
      return ISA_OK
    }
    return isFound
  }

  /// Makes a change.
  func change(_ body: (isa_id) -> isa_status) throws(KeyValueError) {
    try checkActor()
    try check(answered { body(object.id) })
  }

  /// Makes a change with an object, null for nil.
  func change(
    with value: RuntimeValue, _ body: (isa_id, isa_id?) -> isa_status
  ) throws(KeyValueError) {
    try checkActor()
    try check(withBox(value) { body(object.id, $0) })
  }

  /// Makes a change with an array of objects.
  func change(
    with values: [RuntimeValue], _ body: (isa_id, isa_id?) -> isa_status
  ) throws(KeyValueError) {
    try checkActor()
    let array = makeCollection(values, kvc_array_make)
    try check(answered { body(object.id, array.id) })
  }

  private func withBox(_ value: RuntimeValue, _ body: (isa_id?) -> isa_status) -> Outcome {
    var box: isa_id?
    let made = makeBox(value, &box)
    defer { isa_object_release(box) }
    return made == ISA_OK ? answered { body(box ?? kvc_null()) } : Outcome(made)
  }

  private func check(_ outcome: Outcome) throws(KeyValueError) {
    if outcome.status == ISA_ERR_UNRECOGNIZED_SELECTOR, outcome.key.isEmpty {
      throw unchangeable(outcome)
    }
    if outcome.status == KVC_ERR_NIL_VALUE { throw absent(outcome) }
    try KeyValueError.check(outcome, key: key, className: className)
  }

  /// The value is no collection, or one that cannot change, and there is no accessor to change it by.
  private func unchangeable(_ outcome: Outcome) -> KeyValueError {
    failure(
      outcome, "the value for “\(key)” of \(className) is no collection that can change",
      cure: "make it a collection, or declare how its elements come and go")
  }

  /// There is no value that could change.
  private func absent(_ outcome: Outcome) -> KeyValueError {
    failure(
      outcome, "“\(key)” of \(className) is nil, and has no elements that could change",
      cure: "set it to a collection first")
  }

  private func failure(_ outcome: Outcome, _ summary: String, cure: String) -> KeyValueError {
    var error = KeyValueError(
      KeyValueError.Code(outcome.status), key: key, className: className, reason: outcome.reason,
      exceptionName: outcome.exceptionName, cure: cure)
    error.summary = summary
    return error
  }
}
