/// A change that can be told together with the next one.
package protocol MergeableChange {
  var isPrior: Bool { get }
  var isInitial: Bool { get }

  /// This change and the change after it as one; nil if one change cannot tell both.
  func merged(with later: Self) -> Self?
}

/// The work of an observation when a transaction ends, before any observer is notified.
package protocol DueWork: AnyObject {
  func settle()
}

/// The notifications that wait for the end of a transaction, of one thread.
///
/// At the end each observation is told its changes in the order in which they came: a change that a
/// handler makes then goes behind the changes of the same observation that still wait.
final class PendingDeliveries {
  /// The notifications of the transaction in whose end this one is.
  private let outer: PendingDeliveries?
  private var order: [(place: Place, delivery: any Delivery)] = []
  /// The deliveries that still wait.
  private var waiting: [Place: any Delivery] = [:]
  private var dueWorks: [any DueWork] = []
  private var dueWorkByControl: [ObjectIdentifier: any DueWork] = [:]
  /// The work for which all that waits has to be told first.
  private var afterwards: ArraySlice<() -> Void> = []
  /// Whether the transaction has ended.
  private(set) var isNotifying = false
  /// Whether all that waited has been told.
  private var isDone = false
  /// How many changes were held.
  private(set) var heldCount: UInt64 = 0

  /// A registration on one of the objects that it is of.
  private struct Place: Hashable {
    let control: ObjectIdentifier
    let object: UInt

    init(_ control: any RegistrationControl, _ object: UInt) {
      self.control = ObjectIdentifier(control)
      self.object = object
    }
  }

  init(within outer: PendingDeliveries?) { self.outer = outer }

  /// Keeps a change until the end, or until what waits before it has been told.
  ///
  /// - Returns: The change that has to be told at once: the first notification before a change, and,
  ///   at the end, a change that nothing waits before.
  func add<Change: MergeableChange>(
    _ change: Change, of object: UInt, by control: any RegistrationControl,
    _ notify: @escaping (Change) -> Void
  ) -> Change? {
    let place = Place(control, object)
    if let known = find(place)?.delivery as? PendingDelivery<Change> {
      return add(change, to: known)
    }
    if isNotifying { return change }
    let made = PendingDelivery(control, object, notify)
    order.append((place, made))
    waiting[place] = made
    return add(change, to: made)
  }

  private func add<Change>(_ change: Change, to delivery: PendingDelivery<Change>) -> Change? {
    let now = delivery.add(change)
    if now == nil { heldCount += 1 }
    return now
  }

  /// Does `work` at once if nothing waits, and else when all has been told, further out too.
  func afterwards(_ work: @escaping () -> Void) {
    if hasWork { outermost.afterwards.append(work) } else { work() }
  }

  private var hasWork: Bool { !isDone || !afterwards.isEmpty || outer?.hasWork == true }
  private var outermost: PendingDeliveries { outer?.outermost ?? self }

  /// The delivery that waits for a place, here or further out.
  private func find(_ place: Place) -> (owner: PendingDeliveries, delivery: any Delivery)? {
    if let here = waiting[place] { return (self, here) }
    return outer?.find(place)
  }

  /// The work of an observation before what waits for it is told, made by `make` if there is none
  /// yet; nil if the change is to be told at once.
  func dueWork(
    for control: any RegistrationControl, of object: UInt, _ make: () -> any DueWork
  ) -> (any DueWork)? {
    if let (owner, _) = find(Place(control, object)) { return owner.dueWork(for: control, make) }
    return isNotifying ? nil : dueWork(for: control, make)
  }

  private func dueWork(
    for control: any RegistrationControl, _ make: () -> any DueWork
  ) -> any DueWork {
    if let known = dueWorkByControl[ObjectIdentifier(control)] { return known }
    let made = make()
    dueWorks.append(made)
    dueWorkByControl[ObjectIdentifier(control)] = made
    return made
  }

  /// Tells all, in the order in which the observations were first due.
  func notify() {
    isNotifying = true
    dueWorks.forEach { $0.settle() }
    for (place, delivery) in order { delivery.notify { waiting[place] = nil } }
    order = []
    (dueWorks, dueWorkByControl) = ([], [:])
    isDone = true
    while let work = afterwards.popFirst() { work() }
  }
}

private protocol Delivery {
  /// Tells what waits.
  ///
  /// - Parameter leave: Called before the last waiting change is told, behind which nothing waits
  ///   any more.
  func notify(_ leave: () -> Void)
}

/// The changes that one observation is told, of one object, at the end.
private final class PendingDelivery<Change: MergeableChange>: Delivery {
  private let control: any RegistrationControl
  private let object: UInt
  private let handler: (Change) -> Void
  private var changes: ArraySlice<(change: Change, logged: LoggedNotification?)> = []
  private var wasNotifiedBefore = false

  init(
    _ control: any RegistrationControl, _ object: UInt, _ handler: @escaping (Change) -> Void
  ) {
    self.control = control
    self.object = object
    self.handler = handler
  }

  func add(_ change: Change) -> Change? {
    if change.isPrior {
      if wasNotifiedBefore { _ = LoggedNotification.hold() }
      defer { wasNotifiedBefore = true }
      return wasNotifiedBefore ? nil : change
    }
    let both = changes.last?.change.merged(with: change)
    if both != nil { changes.removeLast() }
    changes.append((both ?? change, LoggedNotification.hold()))
    return nil
  }

  func notify(_ leave: () -> Void) {
    if changes.isEmpty { return leave() }
    DeliveriesUnderWay.with(control) {
      while let (change, logged) = changes.popFirst() {
        if changes.isEmpty { leave() }
        if control.stands(on: object) { LoggedNotification.run(logged) { handler(change) } }
      }
    }
  }
}

// MARK: - Changes

extension ValueChange: MergeableChange {
  package func merged(with later: ValueChange) -> ValueChange? {
    guard kind == .setting, later.kind == .setting else { return nil }
    return ValueChange(
      keyPath: keyPath, cause: cause == later.cause ? cause : nil, kind: .setting, isPrior: false,
      isInitial: false, indexes: nil, oldValue: oldValue, newValue: later.newValue, handle: handle)
  }
}
