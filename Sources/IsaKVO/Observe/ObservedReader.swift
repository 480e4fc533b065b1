// Reads the values of a change as one Swift type.
internal import CIsa
internal import IsaRuntime

/// Reads values in place, or from the objects that stand for them.
struct ObservedReader<Value>: Sendable {
  /// What tells that a value in place is a `Value`.
  let mark: ValueMark

  init() {
    let letter = scalarLetter(of: Value.self)
    mark = ValueMark(letter: letter == 0 ? inPlaceLetter : letter, type: metadata(Value.self))
  }

  /// The value; nil if there is none or it is of another type.
  func read(_ value: kvc_value) -> Value? {
    guard let address = value.address, let types = value.types else { return nil }
    if mark.fits(types) { return address.assumingMemoryBound(to: Value.self).pointee }
    let coder = knownCoder(for: Value.self)
    if types[0] == CChar(bitPattern: UInt8(ascii: "@")) {
      return coder.readOrNull(address.load(as: isa_id?.self))
    }
    var box: isa_id?
    defer { isa_object_release(box) }
    if types[0] == inPlaceLetter {
      box = ValueForm.copyObject(types, at: address)
    } else if kvc_box(value, &box) != ISA_OK {
      return nil
    }
    return coder.read(box)
  }
}

/// Reports, once for a registration, that a value is not of the type that it is observed as.
private final class Mismatch: Sendable {
  private let keyPath: String
  private let typeName: String
  private let isReported = Locked(false)

  init<Value>(_ keyPath: String, _ type: Value.Type) {
    self.keyPath = keyPath
    typeName = "\(type)"
  }

  /// What was read of a value, which is nil for one that is not nil if it is of another type.
  @inline(__always)
  func checked<Value>(_ read: Value?, _ value: kvc_value) -> Value? {
    if _slowPath(read == nil), value.address != nil { report(value) }
    return read
  }

  @inline(never)
  private func report(_ value: kvc_value) {
    guard let given = RuntimeValue(value), !given.isNil, !given.isNull else { return }
    let isFirst = isReported.withLock { isReported in
      defer { isReported = true }
      return !isReported
    }
    guard isFirst else { return }
    let reason = "\(keyPath) is observed as \(typeName), but is \(given)"
    isa_report_misuse(KVC_ERR_TYPE, nil, reason)
  }
}

extension KVObject {
  /// Registers a closure for a key path made of keys.
  ///
  /// - Parameters:
  ///   - isPart: Whether the closure serves an observation that heeds the scopes itself.
  ///   - teller: What tells the closure in the usual case, compiled for its types.
  final func register<Root: KVObject, Value>(
    _ keyPath: String, _ options: ObservationOptions, isPart: Bool = false,
    _ handler: @escaping (Root, ValueChange<Value>) -> Void, teller: Teller? = nil
  ) throws(KeyValueError) -> RegistrationHandle {
    let id = try observedID()
    let reader = ObservedReader<Value>()
    let mismatch = Mismatch(keyPath, Value.self)
    // Runs where the object is changed, see ``Unchecked``, whose metadata would be looked up.
    nonisolated(unsafe) let handler = handler
    let (outcome, handle) = ObserverBox.register(
      { record, source in
        let change = ValueChange(
          record, from: source,
          old: mismatch.checked(reader.read(record.old_value), record.old_value),
          new: mismatch.checked(reader.read(record.new_value), record.new_value))
        let object = unsafeDowncast(KVObject.at(record.object), to: Root.self)
        if isPart {
          KeyPathProbe.pauseIfCurrent { handler(object, change) }
        } else {
          deliver(change, of: object, by: source.control!, to: handler)
        }
      }, on: id, keyPath, options, mark: reader.mark, teller: teller)
    try KeyValueError.check(outcome, key: keyPath, className: className)
    return handle
  }

  /// Registers what is told of changes of a key before and after, without values.
  final func register(
    _ key: String, _ told: @escaping (_ isPrior: Bool) -> Void
  ) throws(KeyValueError) -> RegistrationHandle {
    let id = try observedID()
    let work = Unchecked(told)
    let (outcome, handle) = ObserverBox.register(
      { record, _ in work.value(record.is_prior) }, on: id, key, .prior)
    try KeyValueError.check(outcome, key: key, className: className)
    return handle
  }

  /// Registers an object that is told by `observeValue(forKeyPath:of:change:context:)`, and not
  /// kept.
  package final func register(
    _ keyPath: String, _ options: ObservationOptions, telling observer: KVObject,
    _ context: ObservationContext
  ) throws(KeyValueError) -> RegistrationHandle {
    let id = try observedID()
    try RuntimeObject(retaining: id).checkKnown(keyPath)
    let reference = Weak(observer)
    let (outcome, handle) = ObserverBox.register(
      { record, source in
        let control = source.control!
        guard let observer = reference.object else { return control.invalidate() }
        let object = KVObject.at(record.object)
        if let scope = DeliveryScope.current, scope.mutes(object.scopeIdentity, control) { return }
        KeyPathProbe.pauseIfCurrent {
          observer.observeValue(
            forKeyPath: keyPath, of: object, change: dictionary(record),
            context: context.pointer)
        }
      }, on: id, keyPath, options)
    try KeyValueError.check(outcome, key: keyPath, className: className)
    return handle
  }

  /// Keeps `object` for as long as this one lives, or until ``release(_:)``.
  final func keep(_ object: AnyObject) {
    guard let id = adoptedID else { return }
    let box = SwiftBox.make(BoxedOpaque(object), SwiftBox.valueClass)
    _ = isa_object_set_associated(id, key(of: object), box, ISA_ASSOCIATION_RETAIN)
    isa_object_release(box)
  }

  /// Lets go of an object that was kept.
  final func release(_ object: AnyObject) {
    guard let id = adoptedID else { return }
    _ = isa_object_set_associated(id, key(of: object), nil, ISA_ASSOCIATION_RETAIN)
  }

  /// The one object of its class that this one keeps, made by `make` if there is none.
  package final func kept<Kept: AnyObject>(_ make: () -> Kept) throws(KeyValueError) -> Kept {
    let id = try observedID()
    let key = UInt(bitPattern: ObjectIdentifier(Kept.self))
    return keeping.withLock { _ in
      let known = copyAssociation(of: id, key)
      defer { isa_object_release(known) }
      if let boxed = SwiftBox.find(known) as? BoxedOpaque<Kept> { return boxed.value }
      let made = make()
      let box = SwiftBox.make(BoxedOpaque(made), SwiftBox.valueClass)
      _ = setAssociation(of: id, key, box, ISA_ASSOCIATION_RETAIN)
      isa_object_release(box)
      return made
    }
  }

  private func key(of object: AnyObject) -> UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
  }
}

/// Held while an object gets what it keeps one of.
private let keeping = Locked(0)

/// A value that crosses to where the compiler cannot follow: a handler runs where the object is
/// changed, which is where the object, not `Sendable` itself, may be used.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

// MARK: - Types

/// The letter of the encoding whose bytes are values of the type; 0 if none is. As ``ScalarCodable``
/// has it, without a look at the type's conformances, which costs more than to register.
func scalarLetter<Value>(of type: Value.Type) -> CChar {
  for (scalar, letter) in scalarLetters where scalar == type { return letter }
  return 0
}

private let scalarLetters: [(type: Any.Type, letter: CChar)] = {
  var types: [any ScalarCodable.Type] = [
    Int.self, Double.self, Bool.self, Float.self, Int8.self, Int16.self, Int32.self, Int64.self,
    UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
  ]
  #if arch(x86_64) || arch(i386)
    types.append(Float80.self)
  #endif
  return types.map { ($0, CChar(bitPattern: $0.runtimeEncoding.text.utf8.first!)) }
}()

/// The coder of a type, made once.
func knownCoder<Value>(for type: Value.Type) -> ObjectCoder<Value> {
  let id = ObjectIdentifier(type)
  if let known = knownCoders.withLock({ $0[id] }) {
    return unsafeDowncast(known, to: KnownCoder<Value>.self).coder
  }
  // Not under the lock: to look at a type may be to make others known.
  let made = KnownCoder(objectCoder(for: type))
  knownCoders.withLock { $0[id] = made }
  return made.coder
}

private let knownCoders = Locked<[ObjectIdentifier: AnyObject]>([:])

private final class KnownCoder<Value> {
  let coder: ObjectCoder<Value>

  init(_ coder: ObjectCoder<Value>) { self.coder = coder }
}
