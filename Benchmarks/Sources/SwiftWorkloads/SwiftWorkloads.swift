import BenchModels
import CPaired
import IsaKVO
import Paired

/// The subject of the rows: this library's Swift layer.
let isakvo = "isakvo-swift"

/// All rows of the Swift layer.
public let swiftWorkloads: [Workload] =
  unobservedWorkloads + observerWorkloads + valueWorkloads + structureWorkloads + computedWorkloads
  + namedWorkloads + protocolWorkloads + sharedWorkloads + bindingWorkloads + controllerWorkloads
  + publisherWorkloads + tracedWorkloads
  + trackingWorkloads(of: isakvo) + optionWorkloads + growthWorkloads

/// Closures that observe one property, and other ways of being told.
private let observerWorkloads: [Workload] = [
  Workload(ROW_SET_ONE_OBSERVER, of: isakvo, goal: 9) {
    ageWork(observers: 1)
  },
  Workload(ROW_SET_BY_ANOTHER_THREAD, of: isakvo, goal: 13) {
    ageWork(observers: 1, elsewhere: true)
  },
  Workload(ROW_SET_TEN_OBSERVERS, of: isakvo, goal: 40) { ageWork(observers: 10) },
  Workload(ROW_SET_HUNDRED_OBSERVERS, of: isakvo, goal: 300) { ageWork(observers: 100) },
  Workload("set-one-observer-apple-names", of: isakvo, goal: 20) { AppleNames() },
  Workload("set-one-object-observer", of: isakvo, goal: 120) { ObjectObserver() },
  Workload("set-async-sequence", of: isakvo, group: .ladder) { HandOver() },
  Workload("set-awaited-in-actor", of: isakvo, group: .ladder) { Awaited() },
]

private let optionWorkloads: [Workload] = [
  ("none", []), ("new", .new), ("old", .old), ("old-new", [.old, .new]),
].map { (name: String, options: ObservationOptions) in
  Workload("ladder-option-\(name)", of: isakvo, group: .ladder) {
    ageWork(observers: 1, options: options)
  }
}

private let growthWorkloads: [Workload] = [1, 10, 100, 1000].map { observers in
  Workload(
    "set-observers-\(observers)", of: isakvo, group: .growth,
    at: Workload.Place("set", "observers", Double(observers))
  ) { ageWork(observers: observers) }
}
