internal import CIsa

/// The kind of one event of the runtime.
public enum RuntimeEventKind: UInt32, CaseIterable, Sendable {
  case classAllocated = 1
  case classRegistered
  case classDisposed
  case methodAdded
  case methodReplaced
  case objectAllocated
  case isaSwapped
  /// A message was sent by its encoding, as ``RuntimeObject/send(_:_:)`` does.
  case message
  /// The wrapper of an observed setter began.
  case wrapperEntered
  /// The wrapper of an observed setter ended.
  case wrapperLeft
  case willChange
  case didChange
  case notification
  case observerAdded
  case observerRemoved
  case weakCleared
  case deallocated
  case misuse
  /// A wrapper called the method that it wraps.
  case originalCalled
  /// That method returned.
  case originalReturned
  /// The ivar behind the key was written while that method ran.
  case ivarWritten
  /// A value was read for observers, before or after the change.
  case valueRead
  /// A change reached a key path, or a key that depends on the changed key.
  case dependentReached

  init(_ kind: isa_event_kind) {
    guard let known = RuntimeEventKind(rawValue: UInt32(kind.rawValue)) else {
      fatalError("EventKind: the runtime reported an event of unknown kind \(kind.rawValue)")
    }
    self = known
  }

  /// The kind's name in words, such as `isa-swapped`.
  public var name: String { String(cString: isa_event_kind_name(isa_event_kind(rawValue))) }
}
