import BenchModels
import CPaired
import Paired

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// This library where it cannot see by one load that no tracking runs, and each read asks Observation.

/// Has the library do so in this process, which has not read a property yet.
func trackSlowly() { setenv("ISAKVO_TRACKING", "slow", 1) }

private final class Reading: Work {
  private let person = Person()
  private var sum = 0

  init() { setAge(person, 3) }

  func run(_ count: Int) { for _ in 0..<count { sum &+= getAge(person) } }
  func check(_ count: Int) -> Bool { sum == 3 * count }
}

private final class Setting: Work {
  private let person = Person()
  private var next = 1

  func run(_ count: Int) {
    for age in next..<next + count { setAge(person, age) }
    next += count
  }

  func check(_ count: Int) -> Bool { getAge(person) == count }
}

/// Rows of that.
let slowTrackingWorkloads: [Workload] =
  [
    Workload(ROW_GET_UNOBSERVED, of: "isakvo-slow") { Reading() },
    Workload(ROW_SET_UNOBSERVED, of: "isakvo-slow") { Setting() },
  ] + trackingWorkloads(of: "isakvo-slow")
