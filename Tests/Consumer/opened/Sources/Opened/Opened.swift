import Observation

// A library that is opened at run time, with IsaKVO in it.
@testable import IsaKVO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

final class Model: KVObject, @unchecked Sendable {
  @Dynamic var number = 0
  @Dynamic var other = 0
}

/// Counts how often trackings fire.
private final class Fires: @unchecked Sendable {
  // Sendable because one thread reaches it.
  var count: Int32 = 0
}

/// How often trackings fire on the calling thread: once, of a property that one has read, and not of
/// one that was read outside.
@_cdecl("opened_fires")
public func openedFires() -> Int32 {
  let model = Model(), fires = Fires()
  _ = model.other
  withObservationTracking {
    _ = model.number
  } onChange: {
    fires.count += 1
  }
  _ = model.other
  model.other += 1
  model.number += 1
  return fires.count
}

/// The mode by which reads find out that they are tracked.
@_cdecl("opened_mode")
public func openedMode() -> UnsafePointer<CChar> {
  UnsafePointer(strdup(TrackingMode.inUse.rawValue)!)
}

private let model = Model()

/// Reads a property, which a tracking of the caller's may hear of.
@_cdecl("opened_read")
public func openedRead() { _ = model.number }

/// Changes it.
@_cdecl("opened_change")
public func openedChange() { model.number += 1 }
