/// A registration of an observer, as events and structure tell of it.
package struct TraceRegistration: Hashable, Sendable {
  /// Its number, never used again in the process; 0: not known.
  package var number: UInt64 = 0
  /// The address of the observed object.
  package var object: UInt64 = 0
  package var keyPath: TextNumber = 0
  /// Its options, and `forwarder` or `shared`.
  package var flags: TraceFlags = []
  /// Of a forwarder: the number of the registration that it serves.
  package var serves: UInt64 = 0
  /// The address of the observer object, or of a function observer's info.
  package var observer: UInt64 = 0
  package var isFunction = false
  /// The address of a function observer's code; 0: not known.
  package var callback: UInt64 = 0
  /// Of a forwarder that was there before: the object at the root and its key path.
  package var root: UInt64 = 0
  package var rootKeyPath: TextNumber = 0
  /// Where in the sources it was made.
  package var origin = TraceOrigin()
  /// The event by which it began; 0: it was there before its object was first seen.
  package var began: UInt64 = 0
  /// The event from which on the trace has it: that by which it began, or at which its object was
  /// first seen.
  package var seen: UInt64 = 0
  package var beganTime: UInt64 = 0
  package var thread: UInt64 = 0
  /// The event that it was made in; 0: none.
  package var cause: UInt64 = 0
  /// The span of the library in which an observation has made it, with other parts of the same
  /// observation; 0: it is an observation of its own.
  package var observation: UInt64 = 0
  /// How it ended; nil: it has not, or who asks does not look so far.
  package var end: End?

  /// How a registration ended.
  package struct End: Hashable, Sendable {
    package let event: UInt64
    package let time: UInt64
    package let reason: TraceRemovalReason?
  }

  package init() {}

  /// The registration that an `observerAdded` event tells of.
  package init(_ event: TraceEvent) {
    (number, object, keyPath) = (event.registration, event.object, event.name)
    (flags, serves) = (event.flags, event.serves)
    (observer, callback, isFunction) = (event.observer, event.callback, event.callback != 0)
    origin = TraceOrigin(event)
    (began, beganTime, thread, cause) = (event.id, event.time, event.thread, event.cause)
    seen = began
  }

  /// Whether the library made it for itself, to serve another one.
  package var isForwarder: Bool { flags.contains(.forwarder) }
}

/// Where in the sources something was done, as the trace has it; `TracePlaces` makes a place of it.
package struct TraceOrigin: Hashable, Sendable {
  package var file: TextNumber = 0
  package var line: UInt32 = 0
  /// The number of a stack.
  package var stack: UInt32 = 0
  /// The address of a function observer's code, which tells where nothing else does.
  package var callback: UInt64 = 0

  package init() {}

  package init(_ event: TraceEvent) {
    (file, line, stack, callback) = (event.file, event.line, event.stack, event.callback)
  }

  /// Whether the source line is known.
  package var hasLine: Bool { file != 0 && line != 0 }
  package var isEmpty: Bool { !hasLine && stack == 0 && callback == 0 }

  /// Has it be at the line that another event names.
  mutating func take(lineOf event: TraceEvent) { (file, line) = (event.file, event.line) }

  /// What of it tells the place: the line, or else the calls, or else the code.
  package var shown: TraceOrigin {
    var origin = self
    if hasLine { (origin.stack, origin.callback) = (0, 0) }
    if stack != 0 { origin.callback = 0 }
    return origin
  }
}
