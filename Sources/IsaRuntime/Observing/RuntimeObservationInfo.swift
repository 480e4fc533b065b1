internal import CIsa

/// The registrations on an object, as one value that changes with every registration and removal.
public struct RuntimeObservationInfo: Hashable, Sendable {
  let address: UInt
}

extension RuntimeObject {
  /// The registrations on the object; nil if there are none.
  ///
  /// A class may keep the pointer behind it itself, by overriding `observationInfo` and
  /// `setObservationInfo:`.
  ///
  /// - Note: Source `observationInfo`, NSKeyValueObserving.h.
  public var observationInfo: RuntimeObservationInfo? {
    kvo_observation_info(id).map { RuntimeObservationInfo(address: UInt(bitPattern: $0)) }
  }

  /// Ends all registrations, for nil; gives the object back what it has, which does nothing.
  ///
  /// - Throws: `KeyValueError` for anything else.
  public func setObservationInfo(_ info: RuntimeObservationInfo?) throws(KeyValueError) {
    try ask("observationInfo") { kvo_set_observation_info(id, pointer(info?.address ?? 0)) }
  }
}
