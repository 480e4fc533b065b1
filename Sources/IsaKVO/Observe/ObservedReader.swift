// Reads the values of a change as one Swift type.
internal import CIsa
internal import IsaKeyValue

/// Reads values in place, or from the objects that stand for them.
struct ObservedReader<Value>: Sendable {
  /// The tag of values in place that are a `Value`.
  let tag: ValueTag

  init() {
    let letter = scalarLetter(of: Value.self)
    tag = ValueTag(letter: letter == 0 ? inPlaceLetter : letter, type: metadata(Value.self))
  }

  /// The value; nil if there is none or it is of another type.
  func read(_ value: kvc_value) -> Value? {
    guard let address = value.address, let types = value.types else { return nil }
    if tag.fits(types) { return address.assumingMemoryBound(to: Value.self).pointee }
    if Value.self == Any?.self, let number = number(types, at: address) {
      return unsafeBitCast(Any?.some(number.any), to: Value.self)
    }
    if let type = wrappedType(of: Value.self) {
      func read<Wrapped>(_ type: Wrapped.Type) -> Value? { self.read(Wrapped.self, address, types) }
      if let value = _openExistential(type, do: read) { return value }
    }
    let coder = knownCoder(for: Value.self)
    if types[0] == CChar(bitPattern: UInt8(ascii: "@")) {
      return coder.readOrNull(address.load(as: isa_id?.self))
    }
    let box = copyBox(value)
    defer { isa_object_release(box) }
    if box == nil, types[0] != inPlaceLetter { return nil }
    return coder.read(box)
  }
}

/// The object of a value in place, with a +1; nil for nil and for what has no box.
private func copyBox(_ value: kvc_value) -> isa_id? {
  if let types = value.types, types[0] == inPlaceLetter {
    return ValueForm.copyObject(types, at: value.address)
  }
  var box: isa_id?
  _ = kvc_box(value, &box)
  return box
}

extension ObservedReader {
  /// The value, an optional, if one of the type that it wraps is in place; nil otherwise.
  private func read<Wrapped>(
    _ type: Wrapped.Type, _ address: UnsafeRawPointer, _ types: EncodingText
  ) -> Value? {
    guard ObservedReader<Wrapped>().tag.fits(types) else { return nil }
    return unsafeBitCast(
      Optional(address.assumingMemoryBound(to: Wrapped.self).pointee), to: Value.self)
  }
}

extension ChangeInPlace {
  /// Tells a handler, by code that serves all types, of what is not the usual case; the first change
  /// that is usual makes its type known.
  @usableFromInline @inline(never)
  func notifyUnusual<Root: KVObject, Value>(
    _ handler: @escaping (Root, ValueChange<Value>) -> Void, waits: Bool = true
  ) {
    if tag.isMade { return handler(observed(), made(Value.self)) }
    if !notifyKnowing(Value.self) { notifyRead(handler, isPart: false, waits: waits) }
  }

  /// Tells of values of a type in place, as its registration does from then on; false if there are
  /// others, or somebody on the thread has a say.
  fileprivate func notifyKnowing<Value>(_ type: Value.Type) -> Bool {
    let (record, registration) = record
    let tag = ObservedReader<Value>().tag
    return tag.fits(record.pointee.old_value) && tag.fits(record.pointee.new_value)
      && registration.notifyKnowing(record)
  }

  /// Tells a handler of what is read.
  @_specialize(where Root == KVObject, Value == Any?)
  func notifyRead<Root: KVObject, Value>(
    _ handler: @escaping (Root, ValueChange<Value>) -> Void, isPart: Bool, waits: Bool = true
  ) {
    let (record, registration) = record
    let change: ValueChange<Value> = ObservedReader().read(record.pointee, of: registration)
    let object: Root = observed()
    if isPart {
      LoggedNotification.proceed()
      KeyPathProbe.pauseIfCurrent { handler(object, change) }
    } else {
      deliver(change, of: object, by: registration, waits: waits, to: handler)
    }
  }

  private func observed<Root: KVObject>() -> Root {
    unsafeDowncast(KVObject.at(OpaquePointer(object)), to: Root.self)
  }
}

extension Sink {
  /// A handler of values that are optional because nil on the way to them is one: it is told of values
  /// of the type in place, and tells another of optionals.
  ///
  /// - Returns: A function that makes such a handler of the other.
  static func wrapping(_ type: Any.Type) -> (Sink) -> Sink {
    func open<Wrapped>(_ type: Wrapped.Type) -> (Sink) -> Sink { wrapping(valuesOf: type) }
    return _openExistential(type, do: open)
  }

  @_specialize(where Wrapped == Int)
  @_specialize(where Wrapped == Double)
  private static func wrapping<Wrapped>(valuesOf type: Wrapped.Type) -> (Sink) -> Sink {
    // A value of a type that has room for nil is an optional as it stands.
    let isOptional = MemoryLayout<Wrapped>.size == MemoryLayout<Wrapped?>.size
    return { sink in
      Sink { object, old, new, tag in
        let change = ChangeInPlace(object, old, new, tag)
        guard tag.isSet || tag.isSourced else {
          if tag.isMade || !change.notifyKnowing(Wrapped.self) { sink(change) }
          return
        }
        if isOptional { return sink(change) }
        let values = change.values
        withOptional(of: values.old, Wrapped.self) { old in
          withOptional(of: values.new, Wrapped.self) { new in change.with(old, new) { sink($0) } }
        }
      }
    }
  }
}

@inline(__always)
private func withOptional<Value>(
  of place: UnsafeRawPointer?, _ type: Value.Type, _ body: (UnsafeRawPointer?) -> Void
) {
  guard let place else { return body(nil) }
  withUnsafePointer(to: Optional(place.assumingMemoryBound(to: Value.self).pointee)) {
    body(UnsafeRawPointer($0))
  }
}

extension ObservedReader {
  fileprivate func read(
    _ record: kvo_change, of registration: ClosureRegistration
  ) -> ValueChange<Value> {
    ValueChange(
      record, from: registration, old: checked(record.old_value, record, registration),
      new: checked(record.new_value, record, registration))
  }

  /// The value as the type, or nil; a value that is not nil and of another type is reported.
  private func checked(
    _ value: kvc_value, _ record: kvo_change, _ registration: ClosureRegistration
  ) -> Value? {
    let read = read(value)
    if _slowPath(read == nil), value.address != nil { report(value, record, registration) }
    return read
  }

  /// Reports, once for a registration, that a value is not of the type that it is observed as.
  @inline(never)
  private func report(
    _ value: kvc_value, _ record: kvo_change, _ registration: ClosureRegistration
  ) {
    let box = copyBox(value)
    defer { isa_object_release(box) }
    guard let box, !isNull(box), registration.isFirstReport() else { return }
    let keyPath = String(cString: record.key_path)
    let reason = "\(keyPath) is observed as \(Value.self), but is \(describe(box))"
    isa_report_misuse(KVC_ERR_TYPE, nil, reason)
  }
}

/// The value of a key path by name when a change is told.
package enum NamedValue {
  /// The value that was set.
  case set(Any?)
  /// A value of which elements have changed, or which nobody has read: the key path leads to it.
  case changed
}

private let namedReader = ObservedReader<Any?>()

extension KVObject {
  /// Registers code that is told of each change of a key path by name, without a change made for it.
  ///
  /// `tell` runs where a handler of an observation does, scopes being heeded.
  ///
  /// - Parameter readsValue: Whether the value that is set is to be told.
  /// - Throws: As `observe(keyPath:options:changeHandler:)`.
  package final func register(
    named keyPath: String, readsValue: Bool, telling notify: @escaping (NamedValue) -> Void
  ) throws(KeyValueError) -> any RegistrationControl {
    try knownField(keyPath, of: try observedID())
    let sink = Sink { object, old, new, tag in
      let change = ChangeInPlace(object, old, new, tag), record = change.record.change
      guard !DeliveryScope.isAny, record.pointee.kind == KVO_CHANGE_SETTING else {
        return change.notifyRead(namedHandler(readsValue, notify), isPart: false)
      }
      guard readsValue else { return notify(.changed) }
      notify(.set(namedReader.read(record.pointee.new_value) ?? nil))
    }
    return try register(keyPath, readsValue ? .new : [], sink)
  }

  /// The property of a key path by name that is one key; nil for others, whose keys are known.
  ///
  /// - Throws: `KeyValueError.Code.notObservable`, of the first key that is not known.
  @discardableResult
  final func knownField(_ keyPath: String, of id: isa_id) throws(KeyValueError) -> Field? {
    if let field = ClassRegistration.of(id).fieldsByKey[keyPath], !field.isDotted { return field }
    try checkKnown(keyPath, of: id)
    return nil
  }

  /// Registers a closure for a key path made of keys; `id` is this object.
  final func register(
    _ path: KnownPath, of id: isa_id, _ options: ObservationOptions, _ sink: Sink
  ) throws(KeyValueError) -> ClosureRegistration {
    guard let text = path.text else { return try register(path.keys, options, sink) }
    let (status, registration) = ClosureRegistration.register(sink, on: id, text, options)
    try KeyValueError.check(status, key: path.keys, className: className)
    return registration
  }

  /// The same for a key path by name.
  final func register(
    _ keyPath: String, _ options: ObservationOptions, _ sink: Sink
  ) throws(KeyValueError) -> ClosureRegistration {
    let (outcome, registration) = ClosureRegistration.register(
      sink, on: try observedID(), keyPath, options, knowsForms: true)
    try KeyValueError.check(outcome, key: keyPath, className: className)
    return registration
  }

  /// Registers an object that is told by `observeValue(forKeyPath:of:change:context:)`, and not
  /// kept.
  package final func register(
    _ keyPath: String, _ options: ObservationOptions, telling observer: KVObject,
    _ context: ObservationContext
  ) throws(KeyValueError) -> ClosureRegistration {
    let id = try observedID()
    try knownField(keyPath, of: id)
    let reference = Weak(observer)
    let (outcome, registration) = ClosureRegistration.register(
      Sink { record, source in
        let control = source.control!
        guard let observer = reference.object else { return control.invalidate() }
        let object = KVObject.at(record.object)
        if let scope = DeliveryScope.current,
          scope.mutes(object.scopeIdentity, control, isInitial: record.is_initial)
        {
          return LoggedNotification.mute()
        }
        LoggedNotification.proceed()
        KeyPathProbe.pauseIfCurrent {
          observer.observeValue(
            forKeyPath: keyPath, of: object, change: dictionary(record),
            context: context.pointer)
        }
      }, on: id, keyPath, options)
    try KeyValueError.check(outcome, key: keyPath, className: className)
    return registration
  }

  /// Keeps an object for as long as this one lives, or until ``release(by:)``. No other has the key.
  final func keep(_ object: any BoxedValue, by key: UInt) {
    guard let id = adoptedID else { return }
    let box = SwiftBox.make(object, SwiftBox.valueClass)
    _ = setAssociation(of: id, key, box, ISA_ASSOCIATION_RETAIN)
    isa_object_release(box)
  }

  /// Lets go of an object that was kept.
  final func release(by key: UInt) {
    guard let id = adoptedID else { return }
    _ = setAssociation(of: id, key, nil, ISA_ASSOCIATION_RETAIN)
  }

  /// The object of the class `Kept` that this object keeps, made by `make` if there is none.
  package final func kept<Kept: AnyObject>(_ make: () -> Kept) throws(KeyValueError) -> Kept {
    if let known = alreadyKept(Kept.self) { return known }
    let id = try observedID()
    let key = UInt(bitPattern: ObjectIdentifier(Kept.self))
    return keeping.withLock { _ in
      if let known = alreadyKept(Kept.self) { return known }
      let made = make()
      let box = SwiftBox.make(BoxedOpaque(made), SwiftBox.valueClass)
      _ = setAssociation(of: id, key, box, ISA_ASSOCIATION_RETAIN)
      isa_object_release(box)
      return made
    }
  }

  /// The object that ``kept(_:)`` has made; nil if there is none.
  package final func alreadyKept<Kept: AnyObject>(_ type: Kept.Type) -> Kept? {
    guard let id = adoptedID else { return nil }
    let known = copyAssociation(of: id, UInt(bitPattern: ObjectIdentifier(Kept.self)))
    guard let known else { return nil }
    defer { isa_object_release(known) }
    // Nobody else has the key.
    return unsafeDowncast(SwiftBox.value(of: known), to: BoxedOpaque<Kept>.self).value
  }
}

/// Held while an object gets what it keeps one of.
private let keeping = Locked(0)

/// A value that crosses to where the compiler cannot follow: a handler runs where the object is
/// changed, which is where the object, not `Sendable` itself, may be used.
package struct Unchecked<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}

/// The code that is told of changes that wait, or are of elements.
private func namedHandler(
  _ readsValue: Bool, _ notify: @escaping (NamedValue) -> Void
) -> (KVObject, ValueChange<Any?>) -> Void {
  { _, change in
    notify(readsValue && change.kind == .setting ? .set(change.newValue ?? nil) : .changed)
  }
}

// MARK: - Types

/// The letter of the encoding whose bytes are values of the type; 0 if none is. As ``ScalarCodable``
/// has it, without a look at the type's conformances, which costs more than to register.
func scalarLetter<Value>(of type: Value.Type) -> CChar {
  for scalar in scalars where scalar.type == type { return scalar.letter }
  return 0
}

/// The encoding whose bytes are values of the type; nil if there is none.
func scalarEncoding(of type: Any.Type) -> String? {
  scalars.first { $0.type == type }?.encoding
}

private let scalars: [(type: Any.Type, letter: CChar, encoding: String)] = {
  var types: [any ScalarCodable.Type] = [
    Int.self, Double.self, Bool.self, Float.self, Int8.self, Int16.self, Int32.self, Int64.self,
    UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
  ]
  #if arch(x86_64) || arch(i386)
    types.append(Float80.self)
  #endif
  return types.map { ($0, $0.letter, $0.encoding) }
}()

/// The coder of a type, made once.
func knownCoder<Value>(for type: Value.Type) -> ObjectCoder<Value> {
  findCoder(for: type).coder
}

private func findCoder<Value>(for type: Value.Type) -> KnownCoder<Value> {
  let id = ObjectIdentifier(type)
  if let known = knownCoders.withLock({ $0[id] }) {
    return unsafeDowncast(known, to: KnownCoder<Value>.self)
  }
  // Not under the lock: to look at a type may be to make others known.
  let made = KnownCoder(objectCoder(for: type))
  return knownCoders.withLock { coders in
    if let known = coders[id] { return unsafeDowncast(known, to: KnownCoder<Value>.self) }
    coders[id] = made
    return made
  }
}

/// Where a property has its type's coder, which is looked for when it is first asked for: most are
/// never, and to look at a type takes longer than to register it.
struct CoderPlace<Value>: @unchecked Sendable {
  // Sendable because the word is reached by atomic calls, and what it leads to lasts.
  private let word: UnsafeMutablePointer<UInt64>

  init() {
    word = .allocate(capacity: 1)
    word.initialize(to: 0)
  }

  func deallocate() { word.deallocate() }

  var coder: ObjectCoder<Value> {
    if let known = UnsafeRawPointer(bitPattern: UInt(loadWord(word))) {
      return Unmanaged<KnownCoder<Value>>.fromOpaque(known)._withUnsafeGuaranteedRef { $0.coder }
    }
    let found = findCoder(for: Value.self)
    storeWord(word, UInt64(UInt(bitPattern: Unmanaged.passUnretained(found).toOpaque())))
    return found.coder
  }
}

private let knownCoders = Locked<[ObjectIdentifier: AnyObject]>([:])

private final class KnownCoder<Value> {
  let coder: ObjectCoder<Value>

  init(_ coder: ObjectCoder<Value>) { self.coder = coder }
}
