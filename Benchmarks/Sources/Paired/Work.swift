/// What is measured: made when its row is set up, gone when it is done.
public protocol Work: AnyObject {
  /// Before each run, not timed.
  func prepare(_ count: Int)
  /// The work, `count` times.
  func run(_ count: Int)
  /// One sample of a figure, for a row that is no time.
  func figure() -> Double
  /// Whether what was heard is what was done in all runs together.
  func check(_ count: Int) -> Bool
}

extension Work {
  /// Nothing to prepare.
  public func prepare(_ count: Int) {}

  /// Of a row that is a time: none.
  public func figure() -> Double { .nan }
}

/// What observers heard, counted where no exclusivity check adds to the time.
///
/// `Sendable` for a row whose observer runs elsewhere, and is waited for before the check.
@frozen
public struct Heard: @unchecked Sendable {
  @usableFromInline let memory: UnsafeMutablePointer<(count: Int, old: Int, new: Int)>

  /// Nothing heard yet. The few bytes live as long as the process.
  public init() {
    memory = .allocate(capacity: 1)
    memory.initialize(to: (0, 0, 0))
  }

  /// One notification.
  @inlinable
  public func note() { memory.pointee.count &+= 1 }

  /// One notification that carries the new value.
  @inlinable
  public func note(new: Int) {
    memory.pointee.count &+= 1
    memory.pointee.new &+= new
  }

  /// One notification that carries both values.
  @inlinable
  public func note(old: Int, new: Int) {
    memory.pointee.count &+= 1
    memory.pointee.old &+= old
    memory.pointee.new &+= new
  }

  /// How many notifications came.
  public var count: Int { memory.pointee.count }
  /// The sum of the old values.
  public var old: Int { memory.pointee.old }
  /// The sum of the new values.
  public var new: Int { memory.pointee.new }
}

/// 0 + 1 + … + (count − 1).
public func sum(below count: Int) -> Int { count * (count - 1) / 2 }
