internal import CIsa

/// What is registered on an object, as one value that changes with every registration and removal.
public struct ObservationInfo: Hashable, Sendable {
  let address: UInt
}

extension RuntimeObject {
  /// What is registered on the object; nil if nothing is.
  ///
  /// A class may keep the pointer behind it itself, by overriding `observationInfo` and
  /// `setObservationInfo:`.
  ///
  /// - Note: Source `observationInfo`, NSKeyValueObserving.h.
  public var observationInfo: ObservationInfo? {
    kvo_observation_info(id).map { ObservationInfo(address: UInt(bitPattern: $0)) }
  }

  /// Ends all registrations, for nil; gives the object back what it has, which does nothing.
  ///
  /// - Throws: ``ObservingError/runtime(_:)`` for anything else.
  public func setObservationInfo(_ info: ObservationInfo?) throws(ObservingError) {
    let outcome = answered { kvo_set_observation_info(id, pointer(info?.address ?? 0)) }
    try ObservingError.check(outcome, keyPath: "observationInfo", isa.original.name)
  }
}
