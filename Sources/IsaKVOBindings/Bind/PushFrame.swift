// The pushes of bindings that the calling thread is in, one within another.
//
// Owns:      nothing; each frame stands on its thread's stack.
// Lives:     as long as the push. A value that is delivered takes the bindings along whose pushes led
//            to it: they are resumed where it arrives, as frames of that thread.
// Locks:     none; each thread reaches its own frames only.
// Invariant: a frame's binding lives as long as the frame: its push, or the letter, holds it.
internal import IsaRuntime

/// A push of a binding.
struct PushFrame {
  private let binding: Unmanaged<Binding>
  private let outer: UnsafeMutableRawPointer?
  /// Whether the push was made elsewhere, and has led to the present one.
  private let isResumed: Bool
  private var hasMetAnother = false

  private static let innermost = ThreadKey(.binding)

  private init(_ binding: Binding, _ outer: UnsafeMutableRawPointer?, isResumed: Bool) {
    self.binding = .passUnretained(binding)
    self.outer = outer
    self.isResumed = isResumed
  }

  /// Whether a push of the binding must not begin on the calling thread.
  ///
  /// It must not within one of its own, which then knows that another was to begin. Within the course
  /// of one that was made elsewhere one may begin, since the property may have changed once more, and
  /// no other: so a ring of bindings ends.
  static func meets(_ binding: Binding) -> Bool {
    let identity = Unmanaged.passUnretained(binding).toOpaque()
    var place = ThreadKey.pointer(for: .binding)
    var resumed = 0
    while let frame = place?.assumingMemoryBound(to: PushFrame.self) {
      if frame.pointee.binding.toOpaque() == identity {
        if !frame.pointee.isResumed {
          frame.pointee.hasMetAnother = true
          return true
        }
        resumed += 1
        if resumed == 2 { return true }
      }
      place = frame.pointee.outer
    }
    return false
  }

  /// Runs `body` as a push of the binding.
  static func with(_ binding: Binding, _ body: (Push) -> Void) {
    with(binding, isResumed: false, body)
  }

  private static func with(_ binding: Binding, isResumed: Bool, _ body: (Push) -> Void) {
    let outer = ThreadKey.pointer(for: .binding)
    var frame = PushFrame(binding, outer, isResumed: isResumed)
    withUnsafeMutablePointer(to: &frame) { frame in
      innermost.pointer = UnsafeMutableRawPointer(frame)
      body(Push(frame: frame))
      innermost.pointer = outer
    }
  }

  // MARK: Deliveries

  /// The bindings whose pushes the calling thread is in, the innermost first.
  static var trail: [Binding] {
    var bindings: [Binding] = []
    var place = ThreadKey.pointer(for: .binding)
    while let frame = place?.assumingMemoryBound(to: PushFrame.self) {
      bindings.append(frame.pointee.binding.takeUnretainedValue())
      place = frame.pointee.outer
    }
    return bindings
  }

  /// Runs `body` in the course of pushes that were made elsewhere.
  static func resuming(_ trail: ArraySlice<Binding>, _ body: () -> Void) {
    guard let last = trail.last else { return body() }
    with(last, isResumed: true) { _ in resuming(trail.dropLast(), body) }
  }

  /// A push while it is under way.
  struct Push {
    fileprivate let frame: UnsafeMutablePointer<PushFrame>

    /// Whether another was to begin within it: an end has changed once more, or it is an echo.
    var hasMetAnother: Bool { frame.pointee.hasMetAnother }
  }
}
