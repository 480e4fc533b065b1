internal import IsaKeyValue

/// Follows a key path by evaluating it: each wrapped property that the thread reads meanwhile
/// reports itself.
class KeyPathProbe {
  /// The probe that the calling thread evaluates for.
  static var current: KeyPathProbe? {
    DeliveryScope.probe.map { unsafeDowncast($0, to: KeyPathProbe.self) }
  }

  /// A number that another read changes.
  var progress: Int { 0 }

  /// Whether it only finds out what is read: objects are not asked for values that they would have to
  /// find first.
  var leavesUnasked: Bool { false }

  /// Notes that a property is about to be read where it stands.
  ///
  /// - Parameter keyPath: The property's own key path, of the class that declares it.
  /// - Returns: Whether the reader is to be given nobody's bits.
  func note(
    _ object: KVObject, _ storage: UnsafeRawPointer, _ keyPath: () -> AnyKeyPath
  ) -> Bool { false }

  /// Notes that a property is about to be read by its name.
  func note(_ object: KVObject, _ field: Field) {}

  /// Runs `body`, which evaluates a key path; whether it reads what Observation tracks.
  @discardableResult
  final func run(_ body: () -> Void) -> Bool {
    DeliveryScope.with(probe: self, nil) { TrackingMode.tracksReads(body) }
  }

  /// Runs `body`, whose reads are its own affair.
  static func pauseIfCurrent<Result>(_ body: () -> Result) -> Result {
    DeliveryScope.pausingProbe(body)
  }
}

/// The probe that finds out which properties a key path is made of.
final class FindingProbe: KeyPathProbe {
  /// One property that was read.
  struct Read {
    let object: KVObject
    let field: Field
    /// The property's own key path, of the class that declares it; nil for one read by its name.
    let keyPath: AnyKeyPath?
    /// The object that the value is, if it is one.
    let anyObject: AnyObject?

    /// The same, if it is an observable one.
    var value: KVObject? { anyObject as? KVObject }
  }

  // Of one thread, whose accesses do not overlap: they run nobody's code.
  @exclusivity(unchecked) private(set) var reads: [Read] = []
  override var progress: Int { reads.count }
  override var leavesUnasked: Bool { true }
  /// Why something that was read cannot be observed.
  @exclusivity(unchecked) private(set) var failure: BoxedError?

  /// Follows a key path of any type.
  static func follow(_ keyPath: AnyKeyPath, from root: KVObject) -> [Read] {
    let probe = FindingProbe()
    probe.run { _ = (root as Any)[keyPath: keyPath] }
    return probe.reads
  }

  override func note(
    _ object: KVObject, _ storage: UnsafeRawPointer, _ keyPath: () -> AnyKeyPath
  ) -> Bool {
    add(object, keyPath()) { $0.field(at: storage) }
    return false
  }

  override func note(_ object: KVObject, _ field: Field) { add(object, nil) { _ in field } }

  private func add(
    _ object: KVObject, _ keyPath: AnyKeyPath?, _ find: (KVObject) -> Field?
  ) {
    // One in its deinit would be kept beyond that.
    guard tryRetain(Unmanaged.passUnretained(object).toOpaque()) else { return }
    let object = Unmanaged.passUnretained(object).takeRetainedValue()
    DeliveryScope.pausingProbe {
      do throws(KeyValueError) {
        _ = try object.runtimeID()
        guard let field = find(object) else { return }
        if let keyPath { field.noteName(of: keyPath) }
        let value = field.instance(in: object, isAsked: false)
        // The key path may go on there, in a property that is known by its class alone.
        _ = try (value as? KVObject)?.runtimeID()
        reads.append(Read(object: object, field: field, keyPath: keyPath, anyObject: value))
      } catch {
        if failure == nil { failure = BoxedError(error) }
      }
    }
  }
}

/// The probe that finds out which property a getter is of, which reads nothing else first.
private final class IdentityProbe: KeyPathProbe {
  @exclusivity(unchecked) private(set) var found: (field: Field, keyPath: AnyKeyPath)?

  override func note(
    _ object: KVObject, _ storage: UnsafeRawPointer, _ keyPath: () -> AnyKeyPath
  ) -> Bool {
    found = object.field(at: storage).map { ($0, keyPath()) }
    return true
  }
}

extension KeyPathProbe {
  /// Runs `body`, which calls a getter of an unknown property, and gives the property's key path if
  /// it is that of `field`.
  static func identify(_ field: Field, _ body: () -> Void) -> AnyKeyPath? {
    let probe = IdentityProbe()
    probe.run(body)
    return probe.found.flatMap { $0.field === field ? $0.keyPath : nil }
  }
}

/// The object that a value, or what an optional holds, is; nil for what is no class instance.
func instance<Value>(_ value: Value) -> AnyObject? {
  // Nothing is held by a number.
  if _isPOD(Value.self) { return nil }
  if Value.self is AnyObject.Type { return value as AnyObject }
  guard let content = wrappedType(of: Value.self) else { return nil }
  // One reference, or nil.
  if content is AnyClass { return withUnsafeBytes(of: value) { $0.load(as: AnyObject?.self) } }
  guard isExistential(content),
    let wrapped = Mirror(reflecting: value).children.first?.value
  else { return nil }
  return type(of: wrapped) is AnyObject.Type ? wrapped as AnyObject : nil
}
