import Paired

/// Does something with an object for each number 0, 1, 2, …; the loop is the closure's own, so that
/// nothing stands between it and the access that is measured.
final class Loop<Object>: Work {
  private let object: Object
  private let body: (Object, Range<Int>) -> Int
  private let reset: (Object) -> Void
  private let answer: (Object, _ count: Int, _ sum: Int) -> Bool
  private var next = 0
  private var sum = 0

  /// - Parameters:
  ///   - body: The loop; returns the sum of what it read, or 0.
  ///   - reset: Before each run.
  ///   - answer: Whether what the object and the sum are now is what `count` passes make of them.
  init(
    _ object: Object, reset: @escaping (Object) -> Void = { _ in },
    check answer: @escaping (Object, _ count: Int, _ sum: Int) -> Bool,
    body: @escaping (Object, Range<Int>) -> Int
  ) {
    self.object = object
    self.body = body
    self.reset = reset
    self.answer = answer
  }

  func prepare(_ count: Int) { reset(object) }

  func run(_ count: Int) {
    sum &+= body(object, next..<next + count)
    next += count
  }

  func check(_ count: Int) -> Bool { next == count && answer(object, count, sum) }
}
