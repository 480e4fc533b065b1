// The properties of an object that trackings of Swift's Observation read.
//
// An ordinary registration observes a property from its first read in a tracking on, before and
// after each change. So trackings hear of changes by setters, in place, by key-value coding, by
// proxies and by hand. The registrar passes the changes on to the trackings that have read the
// property.
//
// Owns:      the registrar, which is the registrar of a `TrackingQuestion`; a registration for each
//            property that trackings have.
// Lives:     as long as the object, which keeps it.
// Locks:     `tracked`, for the search of a property and for noting that it was read, which calls
//            Observation and nobody else. Registering, notifying and ending run without it.
// Invariant: a property that a tracking has is registered with. Each property has a key path of its
//            own, which trackings keep as long as they have the property; a registration ends at
//            the first change that finds that no tracking keeps the key path. The lock under which
//            reads note the key path is the lock under which that is looked at, and a read that
//            finds no registration registers before, so no read is lost between.
internal import IsaKeyValue
internal import Observation

@available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *)
final class PropertyTracker: Sendable {
  private let question: Locked<TrackingQuestion>
  private let registrar: ObservationRegistrar
  private let tracked = Locked<[TrackedProperty]>([])
  /// The registrars that trackings have of reads on other threads, at the same time as the first.
  private let others = Locked<[ObservationRegistrar]>([])

  init(_ question: TrackingQuestion) {
    self.question = Locked(question)
    registrar = question.registrar
  }

  convenience init() { self.init(.fresh()) }

  /// Whether a tracking runs on the calling thread.
  func ask() -> Bool { question.withLock { $0.ask() } }

  /// Keeps the registrar of a question that a tracking has, if it is not this one's.
  func adopt(_ question: TrackingQuestion) {
    if self.question.withLock({ $0 === question }) { return }
    others.withLock { $0.append(question.registrar) }
  }

  /// Notes that the tracking which runs on this thread reads a property.
  func noteRead(of field: Field, in object: KVObject) throws(KeyValueError) {
    if note(field, object) { return }
    let property = tracked.withLock { tracked in
      if let known = tracked.first(where: { $0.field === field }) { return known }
      let added = TrackedProperty(field, of: object, number: tracked.count)
      tracked.append(added)
      return added
    }
    let registration = try register(property, object)
    let unneeded = tracked.withLock { _ in
      defer { registrar.access(object, keyPath: property.path) }
      return property.takeOver(registration)
    }
    unneeded?.invalidate()
  }

  /// Notes a read of a property that is registered with; false if it is not.
  private func note(_ field: Field, _ object: KVObject) -> Bool {
    tracked.withLock { tracked in
      guard let property = tracked.first(where: { $0.field === field }), property.isRegistered
      else { return false }
      registrar.access(object, keyPath: property.path)
      return true
    }
  }

  private func register(
    _ property: TrackedProperty, _ object: KVObject
  ) throws(KeyValueError) -> ClosureRegistration {
    let sink = Sink { [self] record, source in
      let object = KVObject.at(record.object), control = source.control!
      if DeliveryScope.current?.mutes(object.scopeIdentity, control, isInitial: false) == true {
        return LoggedNotification.mute()
      }
      LoggedNotification.proceed()
      KeyPathProbe.pauseIfCurrent { notify(property, object, isPrior: record.is_prior) }
    }
    // Registering asks the class, whose own code may read what it likes.
    return try DeliveryScope.pausingProbe { () throws(KeyValueError) in
      try object.register(property.field.key, .prior, sink)
    }
  }

  /// Tells the trackings that have a property of its change, or ends the registration if none has.
  private func notify(_ property: TrackedProperty, _ object: KVObject, isPrior: Bool) {
    guard isPrior else { return registrar.didSet(object, keyPath: property.path) }
    if let unneeded = tracked.withLock({ _ in property.takeIfUntracked() }) {
      return unneeded.invalidate()
    }
    registrar.willSet(object, keyPath: property.path)
  }
}

/// A property that trackings have read. Reached under its tracker's lock, but for what never changes.
@available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *)
private final class TrackedProperty: @unchecked Sendable {
  // Sendable because of that lock.
  let field: Field
  private(set) var path: KeyPath<KVObject, UInt>
  private var registration: ClosureRegistration?

  init(_ field: Field, of object: KVObject, number: Int) {
    self.field = field
    let place = UInt(bitPattern: object.storage(of: field))
    path = \KVObject.[tracked: field.offset > 0 ? place : UInt(number)]
  }

  var isRegistered: Bool { registration != nil }

  /// Takes a registration; answers it again where another thread has made one meanwhile.
  func takeOver(_ made: ClosureRegistration) -> ClosureRegistration? {
    if isRegistered { return made }
    registration = made
    return nil
  }

  /// Hands over the registration, if no tracking has the property.
  func takeIfUntracked() -> ClosureRegistration? {
    guard isKnownUniquelyReferenced(&path) else { return nil }
    defer { registration = nil }
    return registration
  }
}

extension KVObject {
  /// A property to Observation, by the place where it stands; by its number among the object's tracked
  /// ones if it stands nowhere. Only its key path is of use.
  fileprivate subscript(tracked place: UInt) -> UInt { place }
}
