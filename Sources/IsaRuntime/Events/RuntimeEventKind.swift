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
  /// An observer that was notified has returned.
  case notificationEnded
  /// A transaction holds a change, of which its observer is notified at the end.
  case changeHeld
  /// A change of which its observer is not notified, since it is muted.
  case changeMuted
  /// A handler is to run elsewhere, such as on an actor.
  case handlerSent
  /// A handler that runs elsewhere begins.
  case handlerArrived
  /// A handler that runs elsewhere has returned.
  case handlerEnded
  /// A stretch of work that has a name begins, such as observing a computed property.
  case spanBegan
  case spanEnded
  /// A registration failed.
  case observerRefused
  case transactionBegan
  case transactionEnded
  /// The program marked a moment, with a text of its own.
  case mark

  init(_ kind: isa_event_kind) {
    guard let known = RuntimeEventKind(rawValue: UInt32(kind.rawValue)) else {
      fatalError("EventKind: the runtime reported an event of unknown kind \(kind.rawValue)")
    }
    self = known
  }

  /// The kind's name in words, such as `isa-swapped`.
  public var name: String { String(cString: isa_event_kind_name(isa_event_kind(rawValue))) }
}
