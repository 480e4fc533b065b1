/// A change that can be told together with the next one.
package protocol MergeableChange {
  var isPrior: Bool { get }
  var isInitial: Bool { get }

  /// This change and the one after it as one; nil if one change cannot tell both.
  func merged(with later: Self) -> Self?
}

/// The work of an observation when a transaction ends, before anybody is told of it.
package protocol Settlement: AnyObject {
  func settle()
}

/// The notifications that wait for the end of a transaction, of one thread.
final class PendingDeliveries {
  private var order: [any Delivery] = []
  private var byPlace: [Place: any Delivery] = [:]
  private var settlements: [any Settlement] = []
  private var settlementsByControl: [ObjectIdentifier: any Settlement] = [:]

  /// A registration on one of the objects that it is of.
  private struct Place: Hashable {
    let control: ObjectIdentifier
    let object: UInt
  }

  /// Keeps a change until the end.
  ///
  /// - Returns: The change that has to be told at once: the first notification before a change.
  func add<Told: MergeableChange>(
    _ change: Told, of object: UInt, by control: any RegistrationControl,
    _ tell: @escaping (Told) -> Void
  ) -> Told? {
    let place = Place(control: ObjectIdentifier(control), object: object)
    if let known = byPlace[place] as? PendingDelivery<Told> { return known.add(change) }
    let made = PendingDelivery(control, object, tell)
    order.append(made)
    byPlace[place] = made
    return made.add(change)
  }

  /// The work of an observation at the end, made by `make` if there is none yet.
  func settlement(
    for control: any RegistrationControl, _ make: () -> any Settlement
  ) -> any Settlement {
    if let known = settlementsByControl[ObjectIdentifier(control)] { return known }
    let made = make()
    settlements.append(made)
    settlementsByControl[ObjectIdentifier(control)] = made
    return made
  }

  /// Tells all, in the order in which the observations were first due.
  func tell() {
    settlements.forEach { $0.settle() }
    for delivery in order { delivery.tell() }
    (order, byPlace) = ([], [:])
    (settlements, settlementsByControl) = ([], [:])
  }
}

private protocol Delivery {
  func tell()
}

/// The change that one observation is told, of one object, at the end.
private final class PendingDelivery<Told: MergeableChange>: Delivery {
  private let control: any RegistrationControl
  private let object: UInt
  private let handler: (Told) -> Void
  private var changes: [Told] = []
  private var wasToldBefore = false

  init(
    _ control: any RegistrationControl, _ object: UInt, _ handler: @escaping (Told) -> Void
  ) {
    self.control = control
    self.object = object
    self.handler = handler
  }

  func add(_ change: Told) -> Told? {
    if change.isPrior {
      defer { wasToldBefore = true }
      return wasToldBefore ? nil : change
    }
    if let last = changes.last, let both = last.merged(with: change) {
      changes[changes.count - 1] = both
    } else {
      changes.append(change)
    }
    return nil
  }

  func tell() {
    DeliveriesUnderWay.with(control) {
      for change in changes where control.stands(on: object) { handler(change) }
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

extension RuntimeChange: MergeableChange {
  package func merged(with later: RuntimeChange) -> RuntimeChange? {
    guard kind == .setting, later.kind == .setting else { return nil }
    return RuntimeChange(
      keyPath: keyPath, object: object, oldValue: oldValue, newValue: later.newValue,
      context: context, cause: cause == later.cause ? cause : nil, ending: ending)
  }
}
