// A host that has Observation from the start, and tracks what the library reads.
import Host
import Observation
import Synchronization

guard host_open(CommandLine.arguments[0]) else { fatalError("no library") }
let own = host_track { read, change in
  let fires = Counter()
  withObservationTracking {
    read!()
  } onChange: {
    fires.add()
  }
  change!()
  return fires.value
}
print("the host's own tracking: \(own)")

final class Counter: Sendable {
  private let count = Atomic<Int32>(0)
  var value: Int32 { count.load(ordering: .relaxed) }
  func add() { count.add(1, ordering: .relaxed) }
}
