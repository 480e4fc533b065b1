/// The work that is measured: made when its row is set up, gone when it is done.
public protocol Work: AnyObject {
  /// Before each run, not timed.
  func prepare(_ count: Int)
  /// The work, `count` times.
  func run(_ count: Int)
  /// After each run, not timed.
  func finish(_ count: Int)
  /// One sample of a figure, for a row that is no time.
  func figure() -> Double
  /// Whether what was heard is what was done in all runs together.
  func check(_ count: Int) -> Bool
}

extension Work {
  /// Nothing to prepare.
  public func prepare(_ count: Int) {}

  /// Nothing to do afterwards.
  public func finish(_ count: Int) {}

  /// Of a row that is a time: none.
  public func figure() -> Double { .nan }
}

/// Work that cannot be done on this machine: thrown by what makes it, so that its row is left out.
public struct Missing: Error {
  let reason: String

  /// Missing for that reason.
  public init(_ reason: String) { self.reason = reason }
}

/// The changes that one observer heard, kept where no exclusivity check adds to the time.
///
/// `Sendable` for a row whose observer runs elsewhere, and is waited for before the check.
@frozen
public struct Heard: @unchecked Sendable {
  @usableFromInline let memory: UnsafeMutablePointer<(count: Int, sum: Int, last: Int)>

  /// Nothing heard yet. The few bytes live as long as the process.
  public init() {
    memory = .allocate(capacity: 1)
    memory.initialize(to: (0, 0, 0))
  }

  /// One notification, by itself.
  @inlinable
  public func note() { memory.pointee.count &+= 1 }

  /// One notification that carries both values.
  @inlinable
  public func note(old: Int, new: Int) {
    memory.pointee.count &+= 1
    memory.pointee.sum &+= new &+ 2 &* old
  }

  /// One notification that carries the new value only: the old one is what was told before.
  @inlinable
  public func note(new: Int) {
    note(old: memory.pointee.last, new: new)
    memory.pointee.last = new
  }

  /// How many notifications came.
  public var count: Int { memory.pointee.count }

  /// Whether that is `count`, and the old and new values that came add up to these sums.
  public func has(_ count: Int, old: Int = 0, new: Int = 0) -> Bool {
    memory.pointee.count == count && memory.pointee.sum == new &+ 2 &* old
  }

  /// Whether it has heard of 1, 2, … `count`, set in this order over a 0.
  public func hasCounted(to count: Int) -> Bool {
    has(count, old: sum(below: count), new: sum(below: count + 1))
  }
}

/// 0 + 1 + … + (count − 1).
public func sum(below count: Int) -> Int { count * (count - 1) / 2 }
