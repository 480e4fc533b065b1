/// A stretch of a thread's work: a change, a handler, a span, a transaction, and what is in it.
package struct TraceFrame: Sendable {
  /// The event that began it.
  package let event: TraceEvent
  /// The frames that it lies in on its thread.
  package let depth: Int
  /// Nanoseconds spent in handlers inside it.
  package var inHandlers: UInt64 = 0
  /// Whether its handler was sent to run elsewhere.
  package var isSent = false
  /// The time of the last event in it.
  package var last: UInt64

  init(_ event: TraceEvent, depth: Int) {
    (self.event, self.depth, last) = (event, depth, event.time)
  }

  /// Whether an observer's code runs in it.
  package var isHandler: Bool {
    (event.kind == .notification || event.kind == .handlerArrived)
      && !event.flags.contains(.forwarder)
  }
}

/// What the threads of a trace are in while one goes through its events.
///
/// Give it each event by `take`, in order. Frames of a thread lie one inside the other. A frame that
/// has no event of its end, such as a change, ends when its thread goes on outside of it.
package struct TraceCourse {
  /// How a frame has ended.
  package struct Ended {
    package let frame: TraceFrame
    /// That of its end's event, or else of the last event in it.
    package let time: UInt64
    /// Whether there is an event of its end.
    package let isSaid: Bool

    /// In nanoseconds.
    package var duration: UInt64 { time > frame.event.time ? time - frame.event.time : 0 }
    /// In nanoseconds, without the handlers inside.
    package var ownDuration: UInt64 { duration - min(duration, frame.inHandlers) }
  }

  private var stacks: [UInt64: [TraceFrame]] = [:]
  /// That of the last event's thread, taken out of `stacks`.
  private var current: [TraceFrame] = []
  private var currentThread: UInt64 = 0
  /// The frames that the last event has ended, the innermost first.
  package private(set) var ended: [Ended] = []

  package init() {}

  /// The frames that the thread of the last event is in, the outermost first. That of the last event
  /// is among them if it began one.
  package var frames: [TraceFrame] { current }

  /// The registration that the last event has begun, with its place: its own, or that of the span of
  /// the library that it was made in.
  package func registration(_ event: TraceEvent) -> TraceRegistration {
    var registration = TraceRegistration(event)
    let span = current.last { $0.event.kind == .spanBegan && $0.event.file != 0 }
    registration.observation = span?.event.id ?? 0
    if !registration.origin.hasLine, let span = span?.event {
      registration.origin.take(lineOf: span)
    }
    return registration
  }

  /// Goes on by an event.
  package mutating func take(_ event: TraceEvent) {
    ended.removeAll(keepingCapacity: true)
    if event.thread != currentThread { turn(to: event.thread) }
    leave(for: event)
    if let top = current.indices.last {
      current[top].last = event.time
      if event.kind == .handlerSent { current[top].isSent = true }
      if Self.ends(event.kind, current[top].event.kind) { end(at: event.time, isSaid: true) }
    }
    if Self.begins(event.kind) { current.append(TraceFrame(event, depth: current.count)) }
  }

  /// Ends all frames of all threads, as at the trace's end; `ended` has them.
  package mutating func finish() {
    ended.removeAll()
    stacks[currentThread] = current
    for thread in stacks.keys.sorted() {
      current = stacks[thread] ?? []
      leave(to: 0)
    }
    stacks = [:]
  }

  private mutating func turn(to thread: UInt64) {
    stacks[currentThread] = current
    current = stacks.removeValue(forKey: thread) ?? []
    currentThread = thread
  }

  /// Ends the frames that the event is not in: those that began after the one that it is in, which
  /// may have been lost.
  private mutating func leave(for event: TraceEvent) {
    if current.count >= Self.mostFrames { leave(to: 0) }
    guard let top = current.last, top.event.id != event.cause else { return }
    if event.kind == .handlerArrived {
      leaveForArrival()
    } else {
      while let top = current.last, top.event.id > event.cause { leave(to: current.count - 1) }
    }
  }

  /// A handler that arrives names the event that sent it, and no frame of its thread. It does not
  /// arrive within a change, but in the handlers of one, nor within another one that has arrived.
  private mutating func leaveForArrival() {
    while let top = current.last {
      switch top.event.kind {
      case .didChange, .willChange, .dependentReached, .handlerArrived: leave(to: current.count - 1)
      default: return
      }
    }
  }

  /// More are in each other in damaged traces only.
  private static let mostFrames = 10_000

  private mutating func leave(to count: Int) {
    while current.count > count, let top = current.last { end(at: top.last, isSaid: false) }
  }

  private mutating func end(at time: UInt64, isSaid: Bool) {
    let ended = Ended(frame: current.removeLast(), time: time, isSaid: isSaid)
    if let outer = current.indices.last {
      current[outer].last = max(current[outer].last, time)
      current[outer].inHandlers &+=
        ended.frame.isHandler ? ended.duration : ended.frame.inHandlers
    }
    self.ended.append(ended)
  }

  private static func begins(_ kind: TraceEventKind) -> Bool {
    switch kind {
    case .didChange, .notification, .dependentReached, .handlerArrived, .willChange, .spanBegan,
      .transactionBegan, .message, .wrapperEntered, .originalCalled:
      true
    default: false
    }
  }

  private static func ends(_ kind: TraceEventKind, _ begun: TraceEventKind) -> Bool {
    switch kind {
    case .notificationEnded: begun == .notification
    case .handlerEnded: begun == .handlerArrived
    case .spanEnded: begun == .spanBegan
    case .transactionEnded: begun == .transactionBegan
    case .wrapperLeft: begun == .wrapperEntered
    case .originalReturned: begun == .originalCalled
    default: false
    }
  }
}
