internal import CIsa
public import CIsaHeader
public import IsaKeyValue

/// The base class of Swift's own observable classes.
///
///     final class Person: KVObject {
///       @Dynamic var name = ""
///       @Dynamic var age = 0
///     }
///
/// A subclass declares its properties with ``KVObject/Dynamic``, ``KVObject/LazyDynamic`` or ``KVObject/WeakDynamic``, and that
/// is all: it registers itself with the runtime on first use. The Swift object is then the
/// runtime's object as well. Its isa is swapped when it is observed, `type(of:)` stays what it is,
/// and ARC owns the memory.
///
/// An object that nobody observes costs 16 bytes more than another, and an access to one of its
/// properties one test more.
///
/// Not `Sendable`, as any class whose properties change. The runtime synchronises itself: any thread
/// may observe and stop observing an object that a class has made `Sendable` on its own account.
open class KVObject {
  // The core reads and writes the header with atomic builtins, through its address only.
  @usableFromInline final var header = isa_header()

  /// Makes an object that nobody observes.
  public init() {}

  deinit {
    if isa_header_isa(headerAddress) != 0 { isa_object_abandon(OpaquePointer(headerAddress)) }
  }

  @inlinable @inline(__always)
  final var headerAddress: UnsafeMutablePointer<isa_header> {
    // A subclass's first stored property is the base class's: the header.
    _getUnsafePointerToStoredProperties(self).assumingMemoryBound(to: isa_header.self)
  }

  /// Whether nothing may be stored but by a setter: somebody observes the object, or its class was
  /// changed by hand.
  @inlinable @inline(__always)
  final var isWatched: Bool {
    isa_header_is_watched(_getUnsafePointerToStoredProperties(self))
  }

  /// Whether it may have getters of its own, since its class was changed by hand.
  @inlinable @inline(__always)
  final var isAsked: Bool {
    isa_header_is_asked(_getUnsafePointerToStoredProperties(self))
  }

  // MARK: Identity and text

  /// Whether this object is equal to another, or to a value; the very same object is, unless a class
  /// says otherwise. A class that overrides this overrides ``hash`` too.
  ///
  /// `==`, Swift's collections, proxies and the runtime's own collections ask this. A class of the
  /// main actor overrides it as `nonisolated`, since anybody may compare.
  ///
  /// - Note: Source `isEqual:`, NSObject.
  open func isEqual(_ object: Any?) -> Bool { (object as? KVObject) === self }

  /// The same number for all objects that are equal; ``isEqual(_:)`` says more.
  ///
  /// - Note: Source `hash`, NSObject.
  open var hash: Int { Int(bitPattern: headerAddress) >> 4 }

  /// The object for people: its class and address, unless a class says otherwise.
  ///
  /// - Note: Source `description`, NSObject.
  open var description: String { identityText }

  /// The object for debuggers; ``description``, unless a class says otherwise.
  ///
  /// - Note: Source `debugDescription`, NSObject.
  open var debugDescription: String { description }

  /// The properties of the object by their names, as `dump` and debuggers show them.
  open var customMirror: Mirror { propertyMirror }

  // MARK: Declared keys

  /// Keys that properties without a wrapper stand for, and what more there is to say of keys.
  ///
  ///     override class var keys: [KeyDeclaration] {
  ///       [.key("full", \Person.full, affectedBy: [\Person.first, \Person.last])]
  ///     }
  ///
  /// Asked once for each class, when its first object is used; the superclass's declarations count
  /// as well.
  open class var keys: [KeyDeclaration] { [] }

  /// The library whose behaviour objects of the class have where Foundation and GNUstep differ;
  /// Foundation's, unless a class or one above it says otherwise.
  ///
  /// Asked once for each class, when its first object is used.
  open class var profile: KeyValueProfile { .apple }

  /// The key paths whose changes change the value for `key`.
  ///
  /// An override adds to what `super` answers, which is what ``keys`` declares.
  ///
  /// - Note: Source `keyPathsForValuesAffectingValueForKey:`, NSKeyValueObserving.h.
  open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    declaredAffecting(key)
  }

  /// Whether setting `key` notifies by itself; it does, unless ``keys`` says otherwise.
  ///
  /// - Note: Source `automaticallyNotifiesObserversForKey:`, NSKeyValueObserving.h.
  open class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    declaredAutomatic(key)
  }

  /// Whether key-value coding may read and write the storage of a key that has no accessor.
  ///
  /// - Note: Source `accessInstanceVariablesDirectly`, NSKeyValueCoding.h.
  open class var accessInstanceVariablesDirectly: Bool { true }

  // MARK: Announcing changes

  /// Announces that the value for `key` is about to change; pair with ``didChangeValue(forKey:)`` on
  /// the same thread.
  ///
  /// - Note: Source `willChangeValueForKey:`, NSKeyValueObserving.h.
  open func willChangeValue(forKey key: String) { rootWillChange(key) }

  /// Ends the latest change of `key` announced on this thread, and tells the observers.
  ///
  /// - Note: Source `didChangeValueForKey:`, NSKeyValueObserving.h.
  open func didChangeValue(forKey key: String) { rootDidChange(key) }

  /// Announces that elements of the ordered collection for `key` are about to change. `indexes` are the
  /// elements' indexes after an insertion, before a removal.
  ///
  /// - Note: Source `willChange:valuesAtIndexes:forKey:`, NSKeyValueObserving.h.
  @_disfavoredOverload
  open func willChange(_ kind: ChangeKind, valuesAt indexes: [Int], forKey key: String) {
    rootWillChange(kind, indexes, key)
  }

  /// Ends the change that ``willChange(_:valuesAt:forKey:)`` announced.
  ///
  /// - Note: Source `didChange:valuesAtIndexes:forKey:`, NSKeyValueObserving.h.
  @_disfavoredOverload
  open func didChange(_ kind: ChangeKind, valuesAt indexes: [Int], forKey key: String) {
    rootDidChange(kind, indexes, key)
  }

  /// Announces that the elements of the unordered collection for `key` are about to change by
  /// `objects`; observers are told of the difference that it makes to the value at this moment.
  ///
  /// - Note: Source `willChangeValueForKey:withSetMutation:usingObjects:`, NSKeyValueObserving.h.
  @_disfavoredOverload
  open func willChangeValue(
    forKey key: String, withSetMutation mutation: SetMutation, using objects: Set<AnyHashable>
  ) {
    rootWillChange(key, mutation, objects)
  }

  /// Ends the change that ``willChangeValue(forKey:withSetMutation:using:)`` announced.
  ///
  /// - Note: Source `didChangeValueForKey:withSetMutation:usingObjects:`, NSKeyValueObserving.h.
  @_disfavoredOverload
  open func didChangeValue(
    forKey key: String, withSetMutation mutation: SetMutation, using objects: Set<AnyHashable>
  ) {
    rootDidChange(key, mutation, objects)
  }

  // MARK: Key-value coding

  /// The value for `key`: of a wrapped or declared property.
  ///
  /// - Throws: `KeyValueError.Code.undefinedKey`.
  /// - Note: Source `valueForKey:`, NSKeyValueCoding.h.
  @_disfavoredOverload
  open func value(forKey key: String) throws(KeyValueError) -> Any? { try rootValue(key) }

  /// Sets the value for `key`, through the property's setter.
  ///
  /// Numbers are converted as `NSNumber` does. An `override` of a wrapped property runs; its `willSet`
  /// and `didSet` do if ``keys`` declares the key, as the macro `@DeclaresKeys` does.
  ///
  /// - Throws: `KeyValueError.Code.undefinedKey`;
  ///   `KeyValueError.Code.nilValue` for nil and a key that is not optional;
  ///   `KeyValueError.Code.incompatible` for a value of another type. The
  ///   value is then as it was.
  /// - Note: Source `setValue:forKey:`, NSKeyValueCoding.h.
  @_disfavoredOverload
  open func setValue(_ value: Any?, forKey key: String) throws(KeyValueError) {
    try rootSetValue(value, key)
  }

  /// The value at the end of a key path; nil on the way is nil.
  ///
  ///     try team.value(forKeyPath: "leader.name")
  ///     try team.value(forKeyPath: "members.@avg.age")
  ///
  /// A key of an array or a set is asked of each element, one of a dictionary is looked up in it.
  ///
  /// - Parameter keyPath: Keys joined by dots, operators such as `@count`, `@sum`, `@avg`, `@min`,
  ///   `@max` and `@distinctUnionOfObjects` among them.
  /// - Throws: `KeyValueError.Code.undefinedKey`;
  ///   `KeyValueError.Code.overflow` for the average of what is no number;
  ///   `KeyValueError` or
  ///   `KeyValueError.Code.unrecognizedSelector` for an operator that does
  ///   not exist or meets what it does not understand.
  /// - Note: Source `valueForKeyPath:`, NSKeyValueCoding.h.
  @_disfavoredOverload
  open func value(forKeyPath keyPath: String) throws(KeyValueError) -> Any? {
    try rootValue(path: keyPath)
  }

  /// Sets the last key of a key path on the object that the others lead to; nil on the way swallows
  /// the value.
  ///
  /// - Throws: As ``setValue(_:forKey:)``. The value is then as it was.
  /// - Note: Source `setValue:forKeyPath:`, NSKeyValueCoding.h.
  @_disfavoredOverload
  open func setValue(_ value: Any?, forKeyPath keyPath: String) throws(KeyValueError) {
    try rootSetValue(value, path: keyPath)
  }

  /// The values for the keys; ``KeyValueNull`` stands for nil.
  ///
  /// - Throws: As ``value(forKey:)``, of the first value that cannot be had.
  /// - Note: Source `dictionaryWithValuesForKeys:`, NSKeyValueCoding.h.
  @_disfavoredOverload
  open func dictionaryWithValues(forKeys keys: [String]) throws(KeyValueError) -> [String: Any] {
    try rootValues(keys)
  }

  /// Sets each key to its value by ``setValue(_:forKey:)``, in the order of the keys' names;
  /// ``KeyValueNull`` sets nil, under GNUstep's profile itself where the property can hold it.
  ///
  /// - Throws: As ``setValue(_:forKey:)``, of the first value that cannot be set; those before it
  ///   stay set.
  /// - Note: Source `setValuesForKeysWithDictionary:`, NSKeyValueCoding.h.
  @_disfavoredOverload
  open func setValuesForKeys(_ values: [String: Any]) throws(KeyValueError) {
    try rootSetValues(values)
  }

  /// The value for a key that the class does not know. `super` refuses it.
  ///
  /// - Throws: `KeyValueError.Code.undefinedKey`; an override what it likes, or nothing.
  /// - Note: Source `valueForUndefinedKey:`, NSKeyValueCoding.h.
  @_disfavoredOverload
  open func value(forUndefinedKey key: String) throws(KeyValueError) -> Any? {
    throw undefined(key, "valueForUndefinedKey:")
  }

  /// Sets a key that the class does not know. `super` refuses it, as
  /// ``value(forUndefinedKey:)`` does.
  ///
  /// - Note: Source `setValue:forUndefinedKey:`, NSKeyValueCoding.h.
  @_disfavoredOverload
  open func setValue(_ value: Any?, forUndefinedKey key: String) throws(KeyValueError) {
    throw undefined(key, "setValue:forUndefinedKey:")
  }

  /// Sets nil for a key that is not optional. `super` refuses it.
  ///
  /// - Throws: `KeyValueError.Code.nilValue`; an override what it likes, or nothing.
  /// - Note: Source `setNilValueForKey:`, NSKeyValueCoding.h.
  @_disfavoredOverload
  open func setNilValueForKey(_ key: String) throws(KeyValueError) { throw noNil(key) }

  /// Says whether `value` may be set for `key`, and may replace it by a value that may.
  ///
  /// An override throws what is wrong with the value; `super` asks what ``keys`` declares.
  ///
  /// - Note: Source `validateValue:forKey:error:`, NSKeyValueCoding.h.
  open func validateValue(_ value: inout Any?, forKey key: String) throws {
    try declaredValidation(&value, key)
  }

  /// Asks the object that all but the last key lead to, as ``validateValue(_:forKey:)``.
  ///
  /// - Note: Source `validateValue:forKeyPath:error:`, NSKeyValueCoding.h.
  open func validateValue(_ value: inout Any?, forKeyPath keyPath: String) throws {
    try rootValidate(&value, path: keyPath)
  }

  // MARK: Observers that are objects

  /// Registers `observer`, which is told by ``observeValue(forKeyPath:of:change:context:)``.
  ///
  /// The observer is held weakly (or strongly, by option), this object is not held. The same
  /// registration may be made again: it is then told twice and removed twice. A single key that the
  /// class does not know is accepted.
  ///
  /// `context` is a value of the registering code's own, which tells its registrations from others'. It
  /// is handed back and never looked into.
  ///
  /// - Throws: As `RuntimeObject.addObserver(_:forKeyPath:options:context:)`.
  /// - Note: Source `addObserver:forKeyPath:options:context:`, NSKeyValueObserving.h.
  @_disfavoredOverload
  open func addObserver(
    _ observer: KVObject, forKeyPath keyPath: String, options: ObservationOptions = [],
    context: UnsafeMutableRawPointer? = nil
  ) throws(KeyValueError) {
    try rootAdd(observer, keyPath, options, context)
  }

  /// Removes the latest registration of `observer` for `keyPath`, with any context.
  ///
  /// An observer may do so in its own `deinit`.
  ///
  /// - Throws: `KeyValueError.Code.notRegistered`, and nothing changes;
  ///   `KeyValueError.Code.inconsistent`, and the registration is removed
  ///   nevertheless.
  /// - Note: Source `removeObserver:forKeyPath:`, NSKeyValueObserving.h.
  @_disfavoredOverload
  open func removeObserver(
    _ observer: KVObject, forKeyPath keyPath: String
  ) throws(KeyValueError) {
    try rootRemove(observer, keyPath)
  }

  /// Removes the latest registration of `observer` for `keyPath` that has exactly this context.
  ///
  /// - Throws: As ``removeObserver(_:forKeyPath:)``.
  /// - Note: Source `removeObserver:forKeyPath:context:`, NSKeyValueObserving.h.
  @_disfavoredOverload
  open func removeObserver(
    _ observer: KVObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) throws(KeyValueError) {
    try rootRemove(observer, keyPath, context)
  }

  /// The registrations on the object, as one pointer that changes with each of them and each
  /// removal; nil if there are none.
  ///
  /// Setting nil ends all registrations; anything but nil and what it has already is a misuse. A
  /// class may keep the pointer itself, by overriding the property: nil then silences the observers.
  ///
  /// - Note: Source `observationInfo`, NSKeyValueObserving.h.
  open var observationInfo: UnsafeMutableRawPointer? {
    get { rootObservationInfo }
    set { setRootObservationInfo(newValue) }
  }

  // MARK: Being told

  /// Tells this object, as an observer, of a change; `super` reports that nobody has handled it.
  ///
  /// - Note: Source `observeValueForKeyPath:ofObject:change:context:`, NSKeyValueObserving.h.
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    refuseChange(of: keyPath ?? "", object, context)
  }
}
