package import IsaKVO
import Observation
package import Paired

// Work that is tracked by Swift's Observation, for the library's drivers and that of its peers, which
// measures it the slow way too.

/// Rows of trackings, of a subject.
package func trackingWorkloads(of subject: String) -> [Workload] {
  [
    Workload(Workload.getInTracking, of: subject) { ReadTracked() },
    Workload(Workload.trackAndFire, of: subject) { TrackedOnce() },
  ]
}

extension Workload {
  /// The name of a read within a tracking, which has read the property before.
  package static let getInTracking = "get-in-tracking"
  /// That of a tracking of one property, and a set that it hears of.
  package static let trackAndFire = "track-and-fire"
}

private final class ReadTracked: Work {
  private let person = Person()
  private var sum = 0

  /// The first tracking of a process takes far longer than others, and no sample is to be made of it.
  init() {
    _ = withObservationTracking {
      getAge(person)
    } onChange: {
    }
  }

  /// A change ends the tracking of the run before.
  func prepare(_ count: Int) { setAge(person, 3) }

  func run(_ count: Int) {
    sum &+= withObservationTracking {
      var sum = 0
      for _ in 0..<count { sum &+= getAge(person) }
      return sum
    } onChange: {
    }
  }

  func check(_ count: Int) -> Bool { sum == 3 * count }
}

private final class TrackedOnce: Work {
  private let person = Person()
  private let heard = Heard()
  private var next = 1

  /// The first tracking of a process takes far longer than others, and no sample is to be made of it.
  init() {
    _ = withObservationTracking {
      getAge(person)
    } onChange: {
    }
  }

  func run(_ count: Int) {
    let heard = heard
    for age in next..<next + count {
      _ = withObservationTracking {
        getAge(person)
      } onChange: {
        heard.note()
      }
      setAge(person, age)
    }
    next += count
  }

  func check(_ count: Int) -> Bool { heard.count == count && getAge(person) == next - 1 }
}
