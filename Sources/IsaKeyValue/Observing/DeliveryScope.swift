internal import CIsa

/// A property among all others: where it stands, and its object. For a property that stands
/// nowhere, another object of Swift's stands in the object's place.
@frozen @usableFromInline
package struct SourceKey: Hashable {
  @usableFromInline package let place: UInt
  @usableFromInline package let object: UInt

  package init(_ place: UnsafeRawPointer?, of object: UnsafeRawPointer?) {
    self.place = UInt(bitPattern: place)
    self.object = UInt(bitPattern: object)
  }
}

/// Where the property is that a probe expects to be read next, in a list that ends with no place.
@usableFromInline
package typealias ExpectedReads = UnsafeMutablePointer<UnsafePointer<SourceKey>>

/// The states that stand, on one thread, between a change and its observers: a key path that is
/// being followed, observations that are muted, properties whose changes are told as a whole, a
/// transaction.
///
/// All in one, so that a change outside of any scope asks for one thread-local variable.
@usableFromInline
package final class DeliveryScope {
  // Not held: a probe may have such a scope itself.
  @exclusivity(unchecked) @usableFromInline
  unowned(unsafe) package private(set) var probe: AnyObject?
  @exclusivity(unchecked) @usableFromInline private(set) var expected: ExpectedReads?
  private let muted: [UInt]
  private let covered: [UInt]
  private let pending: PendingDeliveries?

  @usableFromInline static let slot = ThreadSlot<DeliveryScope>(.scope)

  /// The calling thread's innermost scope.
  @inlinable
  package static var current: DeliveryScope? { isAny ? slot.current : nil }

  /// Whether the calling thread is in a scope.
  @inlinable @inline(__always)
  package static var isAny: Bool { ThreadKey.pointer(for: .scope) != nil }

  /// The object to which the properties that the calling thread reads report themselves.
  @inlinable @inline(__always)
  package static var probe: AnyObject? {
    guard let scope = ThreadKey.pointer(for: .scope) else { return nil }
    return Unmanaged<DeliveryScope>.fromOpaque(scope)._withUnsafeGuaranteedRef { $0.probe }
  }

  /// Whether a probe expects that the property which stands at a place is read now. It has no other
  /// note of the read, nor does a tracking of Observation that has begun meanwhile.
  @inlinable @inline(__always)
  package static func expects(_ place: UnsafeRawPointer) -> Bool {
    guard let scope = ThreadKey.pointer(for: .scope), listensItself() else { return false }
    return Unmanaged<DeliveryScope>.fromOpaque(scope)._withUnsafeGuaranteedRef { scope in
      guard let expected = scope.expected,
        expected.pointee.pointee.place == UInt(bitPattern: place)
      else { return false }
      expected.pointee += 1
      return true
    }
  }

  /// A scope within another, with what it changes of that.
  private init(
    within outer: DeliveryScope?, probe: AnyObject?, _ expected: ExpectedReads?,
    muted: [UInt] = [], covered: [UInt] = [], pending: PendingDeliveries? = nil
  ) {
    self.probe = probe
    self.expected = expected
    self.muted = (outer?.muted).map { muted.isEmpty ? $0 : $0 + muted } ?? muted
    self.covered = (outer?.covered).map { covered.isEmpty ? $0 : $0 + covered } ?? covered
    self.pending = pending ?? outer?.pending
  }

  /// The calling thread's scope, in which properties that are read report themselves to `probe`.
  @usableFromInline
  package convenience init(probe: AnyObject?, _ expected: ExpectedReads?) {
    self.init(within: Self.current, probe: probe, expected)
  }

  /// A scope within none, to which ``serve(_:_:)`` gives a probe.
  package convenience init() { self.init(within: nil, probe: nil, nil) }

  package func serve(_ probe: AnyObject, _ expected: ExpectedReads) {
    (self.probe, self.expected) = (probe, expected)
  }

  /// Runs `body`, in which properties that are read report themselves to `probe`.
  @inlinable
  package static func with<Result, Failure>(
    probe: AnyObject?, _ expected: ExpectedReads?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try slot.with(DeliveryScope(probe: probe, expected), body)
  }

  /// Runs `body`, whose reads are its own affair.
  @inlinable
  package static func pausingProbe<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let current, current.probe != nil else { return try body() }
    return try current.isProbeOnly ? slot.with(none, body) : with(probe: nil, nil, body)
  }

  /// That of code which is within an evaluation and reports to nobody; it never changes.
  @usableFromInline nonisolated(unsafe) static let none = DeliveryScope()

  /// Whether observations are muted.
  var isMuting: Bool { !muted.isEmpty }

  /// Whether it is no more than its probe.
  @usableFromInline var isProbeOnly: Bool { muted.isEmpty && covered.isEmpty && pending == nil }

  /// Runs `body`, in which nothing that has one of the identities tells or is told.
  package static func with<Result, Failure>(
    muted: [UInt], _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    LoggedNotification.addClosures
    let outer = current
    return try slot.with(
      DeliveryScope(within: outer, probe: outer?.probe, outer?.expected, muted: muted), body)
  }

  /// Runs `body`, in which properties that stand at these places are set without being announced,
  /// since somebody announces them as a whole.
  package static func with<Result, Failure>(
    covered: [UInt], _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = current
    return try slot.with(
      DeliveryScope(within: outer, probe: outer?.probe, outer?.expected, covered: covered), body)
  }

  /// Whether the property that stands at a place is set without being announced.
  package static func covers(_ place: UInt) -> Bool { current?.covered.contains(place) ?? false }

  /// Runs `body`, whose deliveries are collected and made at its end.
  package static func collecting<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = current
    if let pending = outer?.pending, !pending.isNotifying { return try body() }
    let pending = PendingDeliveries(within: outer?.pending)
    let scope = DeliveryScope(
      within: outer, probe: outer?.probe, outer?.expected, pending: pending)
    LoggedNotification.addClosures
    let logged = kvo_log_transaction_begin()
    defer {
      slot.with(scope) { pending.notify() }
      kvo_log_transaction_end(logged, pending.heldCount)
    }
    return try slot.with(scope, body)
  }

  /// Whether changes on the calling thread may be told later than they are made: in a transaction,
  /// and at its end.
  package static var mayWait: Bool { current?.pending != nil }

  /// Does `work` when all has been told that the calling thread's transactions have waiting: at once
  /// outside of them.
  package static func afterDeliveries(_ work: @escaping () -> Void) {
    guard let pending = current?.pending else { return work() }
    pending.afterwards(work)
  }

  /// The work of an observation before it is told what waits, made by `make` if there is none yet; nil
  /// if changes are told at once.
  package func dueWork(
    for control: any RegistrationControl, of object: UInt, _ make: () -> any DueWork
  ) -> (any DueWork)? {
    pending?.dueWork(for: control, of: object, make)
  }

  /// Whether nobody is told of a change of this object, or by this registration or observer; or of a
  /// change of another, on which this one depends.
  ///
  /// - Parameter isInitial: Whether it is no change that is told, but an initial notification.
  package func mutes(_ object: UInt, _ control: AnyObject, isInitial: Bool) -> Bool {
    if muted.isEmpty { return false }
    if muted.contains(object) || muted.contains(identity(of: control)) { return true }
    return !isInitial && muted.contains(UInt(bitPattern: kvo_find_changing()))
  }

  /// Tells of a change now, later or not at all.
  ///
  /// - Parameter canWait: Whether what `tell` holds may be kept: not an object that is going.
  package func deliver<Change: MergeableChange>(
    _ change: Change, of object: UInt, by control: any RegistrationControl, canWait: () -> Bool,
    to notify: @escaping (Change) -> Void
  ) {
    if mutes(object, control, isInitial: change.isInitial) { return LoggedNotification.mute() }
    guard let pending, !change.isInitial, canWait() else { return notifyNow(change, notify) }
    if let now = pending.add(change, of: object, by: control, notify) { notifyNow(now, notify) }
  }

  private func notifyNow<Change>(_ change: Change, _ notify: (Change) -> Void) {
    LoggedNotification.proceed()
    Self.pausingProbe { notify(change) }
  }
}

/// The number that tells a registration from all others.
package func identity(of control: AnyObject) -> UInt { UInt(bitPattern: ObjectIdentifier(control)) }

/// Tells a closure of a change of a runtime object, as the calling thread's scopes allow.
@inline(__always)
package func deliver<Change: MergeableChange>(
  _ change: Change, of object: UInt, by control: any RegistrationControl, canWait: () -> Bool,
  to handler: @escaping (Change) -> Void
) {
  guard let scope = DeliveryScope.current else { return handler(change) }
  scope.deliver(change, of: object, by: control, canWait: canWait, to: handler)
}
