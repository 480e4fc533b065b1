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

/// Where an array or set is.
@usableFromInline
struct ToManyPlace<Value> {
  @usableFromInline let object: KVObject
  /// The value itself; nil if it can be had by messages only.
  @usableFromInline let storage: UnsafeMutablePointer<DynamicValue<Value>>?
  private let key: String
  private let way: Way

  private enum Way {
    case field(DynamicField<Value>)
    case messages(CollectionHandle<Any?>, read: (isa_id) -> Value)
  }

  /// The value of a key of `object`: a proxy that `make` makes where it can be had by messages only,
  /// and that `read` reads then.
  private init(
    _ object: KVObject, _ key: String,
    _ make: (isa_id?, UnsafePointer<CChar>?, UnsafeMutablePointer<isa_id?>?) -> isa_status,
    read: @escaping (isa_id) -> Value
  ) throws(KeyValueError) {
    self.object = object
    self.key = key
    let id = try object.codedID(key)
    if let field = ClassRegistration.of(id).plainField(key, of: id) as? DynamicField<Value> {
      way = .field(field)
      storage = field.place(in: object)
    } else {
      way = .messages(try object.collection(key, .any, make), read: read)
      storage = nil
    }
  }

  /// Whether the value may be changed where it is.
  @inlinable @inline(__always)
  var isPlain: Bool { storage != nil && !object.isWatched }

  /// The elements at this moment, of whose read a tracking that runs takes note.
  @inlinable
  var elements: Value {
    if _slowPath(mayBeTracked()) { noteRead() }
    return now
  }

  @usableFromInline @inline(never)
  func noteRead() { object.noteRead(of: key) }

  /// The same for a change that is to be made, which no tracking takes for a read.
  @inlinable
  var now: Value {
    defer { withExtendedLifetime(object) {} }
    guard let storage else { return readElements() }
    checkReading(storage)
    return storage.pointee.value
  }

  @usableFromInline
  func readElements() -> Value {
    guard case .messages(let handle, let read) = way else { return now }
    return read(handle.id)
  }
}

// MARK: - Arrays

extension ToManyPlace {
  /// The array of a key of `object`.
  init<Element>(array key: String, of object: KVObject) throws(KeyValueError)
  where Value == [Element] {
    try self.init(object, key, kvc_proxy_make_array) { id in
      let coder = knownCoder(for: Element.self)
      var elements: [Element] = []
      visitElements(of: id) { id in
        if let element = coder.readOrNull(id) { elements.append(element) }
      }
      return elements
    }
  }

  /// The array, where it may be changed.
  @inlinable @inline(__always)
  func withPlain<Element, Result>(_ body: (inout [Element]) -> Result) -> Result
  where Value == [Element] {
    defer { withExtendedLifetime(object) {} }
    let storage = storage.unsafelyUnwrapped
    checkModifying(storage)
    return body(&storage.pointee.value)
  }

  /// Calls `body`, code of others that decides about the elements, which must find them as they
  /// were: a change stops the process, with Swift's report where the array is in storage.
  func asking<Element, Result>(_ body: ([Element]) throws -> Result) rethrows -> Result
  where Value == [Element] {
    let now = now
    defer { withExtendedLifetime(object) {} }
    if let storage { return try modifying(storage) { try body(now) } }
    let result = try body(now)
    if self.now.count == now.count { return result }
    fatalError("ArrayProxy: code that was asked about its elements has changed how many there are")
  }

  /// Makes a change; an index beyond the end stops the process.
  @inlinable
  func change<Element>(_ kind: ChangeKind, _ range: Range<Int>, _ elements: [Element])
  where Value == [Element] {
    change(ArrayEdit(kind: kind, places: .range(range), elements: elements))
  }

  @inlinable
  func change<Element>(_ edit: ArrayEdit<Element>) where Value == [Element] {
    if let storage, edit.makeInPlace(in: object, storage) { return }
    announce(edit)
  }

  /// Makes a change between its announcement and its end.
  @usableFromInline
  func announce<Element>(_ edit: ArrayEdit<Element>) where Value == [Element] {
    if perform(edit) != ISA_OK { fatalError("ArrayProxy: \(lastReason())") }
  }

  /// Makes a change if the array has the places, when it comes to be changed too.
  func attempt<Element>(_ edit: ArrayEdit<Element>) throws(KeyValueError)
  where Value == [Element] {
    if let storage, edit.makeInPlace(in: object, storage) { return }
    try KeyValueError.check(perform(edit), className: object.className)
  }

  private func perform<Element>(_ edit: ArrayEdit<Element>) -> isa_status
  where Value == [Element] {
    switch way {
    case .field(let field):
      unsafeDowncast(field, to: ArrayField<Element>.self).perform(edit, on: object)
    case .messages(let handle, _): send(edit, handle.id)
    }
  }

  private func send<Element>(_ edit: ArrayEdit<Element>, _ array: isa_id) -> isa_status
  where Value == [Element] {
    let objects = knownCoder(for: [Element].self).copy(edit.elements)
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

// MARK: - Sets

extension ToManyPlace {
  /// The set of a key of `object`.
  init<Element>(set key: String, of object: KVObject) throws(KeyValueError)
  where Value == Set<Element> {
    try self.init(object, key, kvc_proxy_make_set) {
      knownCoder(for: Set<Element>.self).read($0) ?? []
    }
  }

  /// The set, where it may be changed.
  @inlinable @inline(__always)
  func withPlain<Element, Result>(_ body: (inout Set<Element>) -> Result) -> Result
  where Value == Set<Element> {
    defer { withExtendedLifetime(object) {} }
    let storage = storage.unsafelyUnwrapped
    // The elements' equality and hashes are code of their own.
    return modifying(storage) { body(&storage.pointee.value) }
  }

  /// Makes a change.
  @usableFromInline
  func change<Element>(_ mutation: SetMutation, _ elements: Set<Element>)
  where Value == Set<Element> {
    let status =
      switch way {
      case .field(let field):
        unsafeDowncast(field, to: SetField<Element>.self).perform(mutation, elements, on: object)
      case .messages(let handle, _): send(mutation, elements, handle.id)
      }
    if status != ISA_OK { fatalError("SetProxy: \(lastReason())") }
  }

  private func send<Element>(
    _ mutation: SetMutation, _ elements: Set<Element>, _ set: isa_id
  ) -> isa_status where Value == Set<Element> {
    let objects = knownCoder(for: Set<Element>.self).copy(elements)
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
    guard declarations[key]?.set == nil, !isa_class_is_changed(cls), let field = fieldsByKey[key]
    else { return nil }
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
