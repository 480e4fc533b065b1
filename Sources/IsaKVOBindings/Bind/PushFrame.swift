// The pushes of bindings that the calling thread is in, one within another.
//
// Owns:      nothing; each frame stands on its thread's stack.
// Lives:     as long as the push. A value that is delivered takes the bindings along whose pushes led
//            to it: they are resumed where it arrives, as frames of that thread.
// Locks:     none; each thread reaches its own frames only.
// Invariant: a frame's binding lives as long as the frame: its push, or the delivery, holds it.
internal import IsaKVO
internal import IsaKeyValue

/// A push of a binding.
struct PushFrame {
  private let binding: Unmanaged<Binding>
  private let outer: UnsafeMutableRawPointer?
  /// Whether the push was made elsewhere, and has led to the present one.
  private let isResumed: Bool
  /// Whether it sets the source.
  private let isBack: Bool
  private var hasMetAnother = false
  private var hasMetEcho = false
  /// The value that its end is being set to, and how many bytes that has.
  private var pushed: (value: UnsafeRawPointer, size: Int)?

  private static let innermost = ThreadKey(.binding)

  private init(
    _ binding: Binding, isBack: Bool, _ outer: UnsafeMutableRawPointer?, isResumed: Bool
  ) {
    self.binding = .passUnretained(binding)
    self.isBack = isBack
    self.outer = outer
    self.isResumed = isResumed
  }

  /// Whether a push of the binding must not begin on the calling thread.
  ///
  /// Within a push of its own it must not: that push then knows that another was to begin. Within
  /// the course of a push that was made elsewhere, one push may begin, since the property may have
  /// changed once more, and no other: so a ring of bindings ends.
  ///
  /// - Parameters:
  ///   - isBack: Whether the push would set the source.
  ///   - value: The value that the other end tells, if it is known.
  static func meets(_ binding: Binding, isBack: Bool, _ value: UnsafeRawPointer?) -> Bool {
    let identity = Unmanaged.passUnretained(binding).toOpaque()
    var place = ThreadKey.pointer(for: .binding)
    var resumed = 0
    while let frame = place?.assumingMemoryBound(to: PushFrame.self) {
      if frame.pointee.binding.toOpaque() == identity {
        if !frame.pointee.isResumed {
          frame.pointee.meet(isBack: isBack, value)
          return true
        }
        resumed += 1
        if resumed == 2 { return true }
      }
      place = frame.pointee.outer
    }
    return false
  }

  /// An end that tells the very value that it is being set to needs no answer.
  private mutating func meet(isBack: Bool, _ value: UnsafeRawPointer?) {
    if isBack != self.isBack, let value, let pushed,
      haveSameBytes(value, pushed.value, pushed.size)
    {
      hasMetEcho = true
    } else {
      hasMetAnother = true
    }
  }

  /// Runs `body` as a push of the binding.
  static func with(_ binding: Binding, isBack: Bool, _ body: (Push) -> Void) {
    with(binding, isBack: isBack, isResumed: false, body)
  }

  private static func with(
    _ binding: Binding, isBack: Bool, isResumed: Bool, _ body: (Push) -> Void
  ) {
    let outer = ThreadKey.pointer(for: .binding)
    var frame = PushFrame(binding, isBack: isBack, outer, isResumed: isResumed)
    withUnsafeMutablePointer(to: &frame) { frame in
      innermost.pointer = UnsafeMutableRawPointer(frame)
      body(Push(frame: frame))
      innermost.pointer = outer
    }
  }

  // MARK: Rings

  private nonisolated(unsafe) static let rings = {
    let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    word.initialize(to: 0)
    return word
  }()

  /// Whether a ring of bindings was ever closed: until then no push looks for one.
  static var hasMetRing: Bool { loadWord(rings) != 0 }

  static func noteRing() { storeWord(rings, 1) }

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
    with(last, isBack: false, isResumed: true) { _ in resuming(trail.dropLast(), body) }
  }

  /// A push while it is under way.
  struct Push {
    fileprivate let frame: UnsafeMutablePointer<PushFrame>

    /// Whether another was to begin within it: an end has changed once more, or it is an echo of
    /// another value than was pushed.
    var hasMetAnother: Bool { frame.pointee.hasMetAnother }

    /// Whether its end has told of the value that it was set to, and neither end of another.
    var isTaken: Bool { frame.pointee.hasMetEcho && !frame.pointee.hasMetAnother }

    /// Has `write` set the end to a value of so many bytes.
    func setting(_ value: UnsafeRawPointer, _ size: Int, _ write: () -> Void) {
      frame.pointee.pushed = (value, size)
      write()
      frame.pointee.pushed = nil
    }
  }
}

extension Binding {
  /// Runs `body` with the object at one of the ends as a push of this binding, unless the calling
  /// thread is in one, or the object is going.
  ///
  /// - Parameters:
  ///   - isBack: Whether the end is the source.
  ///   - value: The value that the other end tells, where it stands.
  func push(
    to end: ObjectMemory, isBack: Bool = false, of value: UnsafeRawPointer? = nil,
    _ body: (KVObject, PushFrame.Push) -> Void
  ) {
    guard !PushFrame.meets(self, isBack: isBack, value), let object = end.object else { return }
    PushFrame.with(self, isBack: isBack) { body(object, $0) }
  }
}

/// Whether the bytes of two values of one type are the same, which the values then are.
func haveSameBytes(
  _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _ size: Int
) -> Bool {
  var place = 0
  while place + 8 <= size {
    let word = first.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    if word != second.loadUnaligned(fromByteOffset: place, as: UInt64.self) { return false }
    place += 8
  }
  while place < size {
    let byte = first.load(fromByteOffset: place, as: UInt8.self)
    if byte != second.load(fromByteOffset: place, as: UInt8.self) { return false }
    place += 1
  }
  return true
}
