// Where a typed proxy finds its collection: in its object's storage, or, for a key that the class
// has declared, by the declared setter.
//
// Owns:      a reference to the object, which keeps the storage.
// Locks:     none.
// Invariant: the proxy touches the storage of an object that nobody watches right there only in
//            code that runs nobody else's code, or keeps an access open meanwhile; all other
//            changes go by the field.
internal import CIsa
public import IsaKeyValue

/// Where an array is.
@usableFromInline
struct ArrayPlace<Element> {
  @usableFromInline let object: KVObject
  /// The array itself; nil if it can be had by messages only.
  @usableFromInline let storage: UnsafeMutablePointer<DynamicValue<[Element]>>?
  private let way: Way

  private enum Way {
    case field(ArrayField<Element>)
    case messages(CollectionHandle<Any?>, ObjectCoder<Element>)
  }

  private let key: String

  /// The array of a key of `object`.
  init(_ object: KVObject, key: String) throws(KeyValueError) {
    self.object = object
    self.key = key
    let id = try object.codedID(key)
    if let field = ClassRegistration.of(id).plainField(key, of: id) as? ArrayField<Element> {
      way = .field(field)
      storage = field.place(in: object)
    } else {
      let handle = try object.collection(key, .any, kvc_proxy_make_array)
      way = .messages(handle, objectCoder(for: Element.self))
      storage = nil
    }
  }

  /// Whether the array may be changed where it is.
  @inlinable @inline(__always)
  var isPlain: Bool { storage != nil && !object.isWatched }

  /// The array, where it may be changed.
  @inlinable @inline(__always)
  func withPlain<Result>(_ body: (inout [Element]) -> Result) -> Result {
    defer { withExtendedLifetime(object) {} }
    let storage = storage.unsafelyUnwrapped
    checkModifying(storage)
    return body(&storage.pointee.value)
  }

  /// The elements at this moment, of whose read a tracking that runs takes note.
  @inlinable
  var elements: [Element] {
    if _slowPath(mayBeTracked()) { noteRead() }
    return now
  }

  @usableFromInline @inline(never)
  func noteRead() { object.noteRead(of: key) }

  /// The same for a change that is to be made, which no tracking takes for a read.
  @inlinable
  var now: [Element] {
    defer { withExtendedLifetime(object) {} }
    guard let storage else { return readElements() }
    checkReading(storage)
    return storage.pointee.value
  }

  /// Calls `body`, code of others that decides about the elements, which must find them as they
  /// were: a change stops the process, with Swift's report where the array is in storage.
  func asking<Result>(_ body: ([Element]) throws -> Result) rethrows -> Result {
    let now = now
    defer { withExtendedLifetime(object) {} }
    if let storage { return try modifying(storage) { try body(now) } }
    let result = try body(now)
    if self.now.count == now.count { return result }
    fatalError("ArrayProxy: code that was asked about its elements has changed how many there are")
  }

  @usableFromInline
  func readElements() -> [Element] {
    guard case .messages(let handle, let coder) = way else { return now }
    var elements: [Element] = []
    visitElements(of: handle.id) { id in
      if let element = coder.readOrNull(id) { elements.append(element) }
    }
    return elements
  }

  /// Makes a change; an index beyond the end stops the process.
  @inlinable
  func change(_ kind: ChangeKind, _ range: Range<Int>, _ elements: [Element]) {
    change(ArrayEdit(kind: kind, places: .range(range), elements: elements))
  }

  @inlinable
  func change(_ edit: ArrayEdit<Element>) {
    if let storage, edit.makeInPlace(in: object, storage) { return }
    announce(edit)
  }

  /// Makes a change between its announcement and its end.
  @usableFromInline
  func announce(_ edit: ArrayEdit<Element>) {
    if perform(edit) != ISA_OK { fatalError("ArrayProxy: \(lastReason())") }
  }

  private func perform(_ edit: ArrayEdit<Element>) -> isa_status {
    switch way {
    case .field(let field): field.perform(edit, on: object)
    case .messages(let handle, let coder): send(edit, handle.id, coder)
    }
  }

  /// Makes a change if the array has the places, when it comes to be changed too.
  func attempt(_ edit: ArrayEdit<Element>) throws(KeyValueError) {
    if let storage, edit.makeInPlace(in: object, storage) { return }
    try KeyValueError.check(perform(edit), className: object.className)
  }

  private func send(
    _ edit: ArrayEdit<Element>, _ array: isa_id, _ coder: ObjectCoder<Element>
  ) -> isa_status {
    let objects = objectCoder(for: [Element].self).copy(edit.elements)
    defer { isa_object_release(objects) }
    return withAnswers {
      edit.places.withIndexSet { places in
        switch edit.kind {
        case .insertion: kvc_ordered_insert_many(array, objects, places)
        case .removal: kvc_ordered_remove_many(array, places)
        default: kvc_ordered_replace_many(array, places, objects)
        }
      }
    }
  }
}

/// Where a set is.
@usableFromInline
struct SetPlace<Element: Hashable> {
  @usableFromInline let object: KVObject
  /// The set itself; nil if it can be had by messages only.
  @usableFromInline let storage: UnsafeMutablePointer<DynamicValue<Set<Element>>>?
  private let way: Way

  private enum Way {
    case field(SetField<Element>)
    case messages(CollectionHandle<Any?>, ObjectCoder<Set<Element>>)
  }

  private let key: String

  /// The set of a key of `object`.
  init(_ object: KVObject, key: String) throws(KeyValueError) {
    self.object = object
    self.key = key
    let id = try object.codedID(key)
    if let field = ClassRegistration.of(id).plainField(key, of: id) as? SetField<Element> {
      way = .field(field)
      storage = field.place(in: object)
    } else {
      let handle = try object.collection(key, .any, kvc_proxy_make_set)
      way = .messages(handle, objectCoder(for: Set<Element>.self))
      storage = nil
    }
  }

  /// Whether the set may be changed where it is.
  @inlinable @inline(__always)
  var isPlain: Bool { storage != nil && !object.isWatched }

  /// The set, where it may be changed.
  @inlinable @inline(__always)
  func withPlain<Result>(_ body: (inout Set<Element>) -> Result) -> Result {
    defer { withExtendedLifetime(object) {} }
    let storage = storage.unsafelyUnwrapped
    // The elements' equality and hashes are code of their own.
    return modifying(storage) { body(&storage.pointee.value) }
  }

  /// The elements at this moment, of whose read a tracking that runs takes note.
  @inlinable
  var elements: Set<Element> {
    if _slowPath(mayBeTracked()) { noteRead() }
    return now
  }

  @usableFromInline @inline(never)
  func noteRead() { object.noteRead(of: key) }

  /// The same for a change that is to be made, which no tracking takes for a read.
  @inlinable
  var now: Set<Element> {
    defer { withExtendedLifetime(object) {} }
    guard let storage else { return readElements() }
    checkReading(storage)
    return storage.pointee.value
  }

  @usableFromInline
  func readElements() -> Set<Element> {
    guard case .messages(let handle, let coder) = way else { return now }
    return coder.read(handle.id) ?? []
  }

  /// Makes a change.
  @usableFromInline
  func change(_ mutation: SetMutation, _ elements: Set<Element>) {
    let status =
      switch way {
      case .field(let field): field.perform(mutation, elements, on: object)
      case .messages(let handle, let coder): send(mutation, elements, handle.id, coder)
      }
    if status != ISA_OK { fatalError("SetProxy: \(lastReason())") }
  }

  private func send(
    _ mutation: SetMutation, _ elements: Set<Element>, _ set: isa_id,
    _ coder: ObjectCoder<Set<Element>>
  ) -> isa_status {
    let objects = coder.copy(elements)
    defer { isa_object_release(objects) }
    return withAnswers {
      switch mutation {
      case .union: kvc_set_unite(set, objects)
      case .minus: kvc_set_subtract(set, objects)
      case .intersect: kvc_set_intersect(set, objects)
      case .set: kvc_collection_set_objects(set, objects)
      }
    }
  }
}

extension ClassRegistration {
  /// The wrapped property of a key, unless the object reads or sets the key in a way of its own.
  func plainField(_ key: String, of id: isa_id) -> Field? {
    guard declarations[key]?.set == nil, let field = fieldsByKey[key] else { return nil }
    return overridesGetter(of: field) || field.isAsked(id) ? nil : field
  }
}

/// A proxy of a collection that is no other object's.
func detached<Elements, Proxy>(
  _ elements: Elements, _ make: (KVObject) throws(KeyValueError) -> Proxy
) -> Proxy {
  do throws(KeyValueError) {
    return try make(Detached(elements))
  } catch {
    fatalError("\(Proxy.self): \(error.reason)")
  }
}

/// The object that holds the collection of a proxy that was made for nothing.
private final class Detached<Elements>: KVObject {
  @Dynamic var elements: Elements

  init(_ elements: Elements) {
    self.elements = elements
    super.init()
  }
}

extension KVObject {
  /// A proxy of the core's for a key or key path.
  final func collection<Element>(
    _ key: String, _ coder: ElementCoder<Element>,
    _ copy: (isa_id?, UnsafePointer<CChar>?, UnsafeMutablePointer<isa_id?>?) -> isa_status
  ) throws(KeyValueError) -> CollectionHandle<Element> {
    let id = try runtimeID()
    return try CollectionHandle(of: id, key, coder) { copy(id, key, $0) }
  }
}

extension ArrayProxy {
  /// Calls `body` with the elements that are there at this moment.
  @inlinable
  public func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result? {
    try place.elements.withContiguousStorageIfAvailable(body)
  }
}
