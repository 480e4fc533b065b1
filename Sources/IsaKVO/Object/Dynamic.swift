public import IsaKeyValue

/// A property that can be observed and read and set by name, of a class that inherits from
/// ``KVObject``.
///
///     final class Person: KVObject {
///       @Dynamic var name = ""
///       @Dynamic private(set) var age = 0 { didSet { print(oldValue) } }
///     }
///
/// Reading and setting go straight to the storage as long as nobody observes the object. On an
/// observed object, setting sends the property's setter to the object, whose isa leads to the
/// notifying class. A `willSet` runs before that, a `didSet` after it.
///
/// The key is the property's name. Integers, floating-point numbers, `Bool`, and enums by their raw
/// value have a type encoding of their own; every other value travels as an object: a string, a
/// ``KVObject`` as itself, an array, a set, a dictionary, nil for nil, anything else in a box.
@frozen @propertyWrapper
public struct DynamicValue<Value> {
  @usableFromInline var value: Value

  /// A property with that value.
  @inlinable
  public init(wrappedValue: Value) { value = wrappedValue }

  /// Not available: the wrapper needs the object that it is part of.
  @available(
    *, unavailable, message: "@Dynamic is for properties of classes that inherit from KVObject"
  )
  public var wrappedValue: Value {
    get { fatalError("unavailable") }
    set { fatalError("unavailable") }
  }

  /// Whether values take no room, and so have no place of their own: nobody is told of them, since no
  /// two differ.
  @inlinable
  static var isEmpty: Bool { MemoryLayout<Value>.size == 0 }

  // The compiler folds the two key paths away where this is inlined: `storage` is the property
  // itself, and `wrapped` a constant of the closure, made when the closure runs. As an argument it
  // would be made at each access.
  /// The property's value.
  @inlinable
  public static subscript<Owner: KVObject>(
    _enclosingInstance object: Owner,
    wrapped wrapped: @autoclosure () -> ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, DynamicValue<Value>>
  ) -> Value {
    @inline(__always) get {
      if _slowPath(object.isAsked || mayBeTracked()), !isEmpty {
        return readSlowly(object, readAddress(object, storage), wrapped)
      }
      return object[keyPath: storage].value
    }
    @inline(__always) set {
      if _slowPath(object.isWatched), !isEmpty {
        setWatched(object, newValue, storageAddress(object, storage))
        return
      }
      // Consumed, or it would be retained and released once more.
      object[keyPath: storage].value = consume newValue
    }
    // One `yield`: with several the compiler calls this, and follows the key path at run time. It does
    // so within other coroutines as well, such as the accessor of a class that is not final. What it
    // calls then is not compiled for the class. There the place is read from the key path, and is
    // itself what is modified, by a key path that leads nowhere else.
    @inline(__always) @_semantics("optimize.sil.specialize.generic.never") _modify {
      var modification = Modification()
      var access = OpenAccess()
      var owner = Unmanaged.passUnretained(object)
      var start = UnsafeMutableRawPointer(address(of: &owner)).assumingMemoryBound(to: Owner.self)
      var path: WritableKeyPath<Owner, DynamicValue<Value>> = storage
      var place: UnsafeMutablePointer<DynamicValue<Value>>?
      // Where this is inlined, a key path that is more than folded would make an object that its own
      // module cannot see through, and each access to the property a checked one.
      let known =
        _isConcrete(Owner.self) || isEmpty ? nil : address(storedBy: storage, in: object)
      if let known {
        start = known.assumingMemoryBound(to: Owner.self)
        path = pathToItself()
        place = known.assumingMemoryBound(to: DynamicValue.self)
      }
      if _slowPath(object.isWatched), !isEmpty {
        if place == nil { place = storageAddress(object, storage) }
        willModifyWatched(object, place.unsafelyUnwrapped, &modification)
      }
      if let known { beginModifying(known, &access) }
      defer {
        if known != nil { endModifying(&access) }
        if _slowPath(modification.work != .nothing) {
          didModifyWatched(object, place.unsafelyUnwrapped, &modification)
        }
      }
      yield &start.pointee[keyPath: path].value
    }
  }
}

/// The work that is left once a property has been modified in place. It has no type parameter: code
/// that is compiled for all types would have to ask for its metadata.
@frozen @usableFromInline
struct Modification {
  @frozen @usableFromInline
  enum Work {
    case nothing
    /// To end the change that was announced.
    case announced
    /// To send the setter with the value, which stood in the storage in the place of the one that is
    /// kept: the class has accessors of its own, or the value is of a type that is copied as it is.
    case sent
  }

  @usableFromInline var work = Work.nothing
  /// The value that is kept, or where it is if it needs more room.
  @usableFromInline var words: (UInt, UInt, UInt) = (0, 0, 0)

  @inlinable @inline(__always)
  init() {}

  /// Where the value is kept.
  @inlinable @inline(__always)
  mutating func place<Value>(of type: Value.Type) -> UnsafeMutablePointer<Value> {
    let place = _withUnprotectedUnsafeMutablePointer(to: &words) { UnsafeMutableRawPointer($0) }
    if isInside(type) { return place.assumingMemoryBound(to: type) }
    return UnsafeMutablePointer(bitPattern: words.0).unsafelyUnwrapped
  }

  @inlinable @inline(__always)
  mutating func makePlace<Value>(of type: Value.Type) -> UnsafeMutablePointer<Value> {
    work = .sent
    if !isInside(type) {
      words.0 = UInt(bitPattern: UnsafeMutablePointer<Value>.allocate(capacity: 1))
    }
    return place(of: type)
  }

  /// Takes the value out.
  @inlinable @inline(__always)
  mutating func take<Value>(_ type: Value.Type) -> Value {
    let place = place(of: type)
    defer { if !isInside(type) { place.deallocate() } }
    return place.move()
  }

  @inlinable @inline(__always)
  func isInside<Value>(_ type: Value.Type) -> Bool {
    MemoryLayout<Value>.size <= MemoryLayout<(UInt, UInt, UInt)>.size
      && MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment
  }
}

/// Where the property stands in memory: stored properties of a class have a place of their own.
@inlinable @inline(__always)
func storageAddress<Owner: KVObject, Storage>(
  _ object: Owner, _ storage: ReferenceWritableKeyPath<Owner, Storage>
) -> UnsafeMutablePointer<Storage> {
  withUnsafeMutablePointer(to: &object[keyPath: storage]) { $0 }
}

/// The same, for what is only read: the thread sanitizer takes the address of an `inout` argument for
/// a modification, and not that of a pointer's.
@inlinable @inline(__always)
func readAddress<Owner: KVObject, Storage>(
  _ object: Owner, _ storage: ReferenceWritableKeyPath<Owner, Storage>
) -> UnsafeMutablePointer<Storage> {
  address(of: &object[keyPath: storage])
}

@inlinable @inline(__always)
func address<Storage>(of storage: UnsafeMutablePointer<Storage>) -> UnsafeMutablePointer<Storage> {
  storage
}

// MARK: - Accesses that somebody wants to know of

// Compiled where the type is known, and not inlined: the usual case needs no metadata.
@inlinable @inline(never)
func readSlowly<Value>(
  _ object: KVObject, _ storage: UnsafeMutablePointer<DynamicValue<Value>>,
  _ wrapped: () -> AnyKeyPath
) -> Value {
  if mayBeTracked(), !DeliveryScope.expects(storage) {
    checkPlace(storage, of: object)
    if noteRead(object, storage, wrapped) { return nobodysBits(Value.self) }
  }
  return object.isAsked ? readAsked(object, storage) : storage.pointee.value
}

@usableFromInline @inline(never)
func readAsked<Value>(
  _ object: KVObject, _ storage: UnsafeMutablePointer<DynamicValue<Value>>
) -> Value {
  ask(object, storage, Value.self) ?? storage.pointee.value
}

// Compiled where the type is known, and not inlined: the value's address is taken here, so that it
// stays in a register where nobody watches.
@inlinable @inline(never)
func setWatched<Value>(
  _ object: KVObject, _ value: Value, _ storage: UnsafeMutablePointer<DynamicValue<Value>>
) {
  var given = value
  // Nothing is written behind the value, so that no canary need stand there.
  let isKnown = _withUnprotectedUnsafeMutablePointer(to: &given) {
    sendSetter(object, storage, $0)
  }
  if !isKnown { storage.pointee.value = given }
}

@inlinable @inline(never)
func willModifyWatched<Value>(
  _ object: KVObject, _ storage: UnsafeMutablePointer<DynamicValue<Value>>,
  _ modification: inout Modification
) {
  if _slowPath(object.isAsked), isAsked(object, storage) {
    let value = readAsked(object, storage)
    checkModifying(storage)
    modification.makePlace(of: Value.self).initialize(to: storage.pointee.value)
    storage.pointee.value = value
  } else if isCovered(storage) {
    return
  } else if _isPOD(Value.self) {
    // A setter is told of less than an announcement is, and such a value is copied for nothing.
    modification.makePlace(of: Value.self).initialize(to: storage.pointee.value)
  } else if willModify(object, storage) {
    modification.work = .announced
  }
}

@inlinable @inline(never)
func didModifyWatched<Value>(
  _ object: KVObject, _ storage: UnsafeMutablePointer<DynamicValue<Value>>,
  _ modification: inout Modification
) {
  guard modification.work == .sent else { return didModify(object, storage) }
  let new = storage.pointee.value
  storage.pointee.value = modification.take(Value.self)
  setWatched(object, new, storage)
}

@usableFromInline
func willModify(_ object: KVObject, _ storage: UnsafeRawPointer) -> Bool {
  object.field(at: storage)?.willModify(object) ?? false
}

@usableFromInline
func didModify(_ object: KVObject, _ storage: UnsafeRawPointer) {
  object.field(at: storage)?.didModify(object)
}

// MARK: - Conformances

extension DynamicValue: Sendable where Value: Sendable {}

extension DynamicValue: Equatable where Value: Equatable {
  /// Whether both properties have the same value.
  public static func == (first: Self, second: Self) -> Bool { first.value == second.value }
}

extension DynamicValue: Hashable where Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension DynamicValue: Encodable where Value: Encodable {
  /// Encodes the value, as if it had no wrapper.
  public func encode(to encoder: any Encoder) throws {
    // Not by the value's own code, which the coder's has precedence over: that of dates, say.
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension DynamicValue: Decodable where Value: Decodable {
  /// Decodes a value that was encoded without a wrapper.
  public init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Value.self)
  }
}

extension KeyedDecodingContainer {
  /// Decodes an optional property: nil where the key is missing.
  public func decode<Value: Decodable>(
    _ type: DynamicValue<Value?>.Type, forKey key: Key
  ) throws -> DynamicValue<Value?> {
    DynamicValue(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
  }
}

extension KeyedEncodingContainer {
  /// Encodes an optional property: nothing for nil.
  public mutating func encode<Value: Encodable>(
    _ property: DynamicValue<Value?>, forKey key: Key
  ) throws {
    try encodeIfPresent(property.value, forKey: key)
  }
}
