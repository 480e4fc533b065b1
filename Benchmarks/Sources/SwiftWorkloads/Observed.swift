import BenchModels
import Foundation
import IsaKVO
import Paired

/// Sets something 0, 1, 2, … while closures observe; each of them hears old and new.
final class Heeded<Object>: Work {
  private let object: Object
  private let heard: [Heard]
  private let observations: [KeyValueObservation]
  private let expected: (Int) -> (old: Int, new: Int)
  private let body: (Object, Range<Int>) -> Void
  private var next = 1

  /// - Parameters:
  ///   - expected: The sums of old and new that one observer has heard of `count` passes, which
  ///     begin at 1.
  ///   - observe: Registers one observer, which is to tell `Heard`.
  ///   - body: The loop.
  init(
    _ object: Object, observers: Int = 1,
    expected: @escaping (Int) -> (old: Int, new: Int) = { (sum(below: $0), sum(below: $0 + 1)) },
    observe: (Object, Heard) -> KeyValueObservation,
    body: @escaping (Object, Range<Int>) -> Void
  ) {
    heard = (0..<observers).map { _ in Heard() }
    self.object = object
    self.expected = expected
    self.body = body
    observations = heard.map { observe(object, $0) }
  }

  func run(_ count: Int) {
    body(object, next..<next + count)
    next += count
  }

  func check(_ count: Int) -> Bool {
    let sums = expected(count)
    return heard.allSatisfy { $0.has(count, old: sums.old, new: sums.new) }
      && observations.allSatisfy(\.isValid)
  }
}

/// Closures observe the age of a person.
///
/// - Parameter isElsewhere: Whether another thread registers them.
func ageWork(
  observers: Int, options: ObservationOptions = [.old, .new], elsewhere isElsewhere: Bool = false
) -> any Work {
  Heeded(
    Person(), observers: observers,
    expected: { count in
      (
        options.contains(.old) ? sum(below: count) : 0,
        options.contains(.new) ? sum(below: count + 1) : 0
      )
    },
    observe: { person, heard in
      let observe = {
        person.observe(Person.agePath, options: options) { _, change in
          heard.note(old: change.oldValue ?? 0, new: change.newValue ?? 0)
        }
      }
      return isElsewhere ? onAnotherThread(observe) : observe()
    },
    body: { person, ages in for age in ages { setAge(person, age) } })
}

/// The result of something that another thread does, which is waited for.
private func onAnotherThread<Result>(_ body: @escaping () -> Result) -> Result {
  nonisolated(unsafe) let body = body
  nonisolated(unsafe) var result: Result?
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    result = body()
    done.signal()
  }
  done.wait()
  guard let result else { fatalError("the thread has done nothing") }
  return result
}
