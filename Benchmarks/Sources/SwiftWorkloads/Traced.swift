import BenchModels
import CPaired
import Foundation
import IsaKVO
import Paired

/// A set that is recorded, beside the same one that is not.
let tracedWorkloads: [Workload] = [
  Workload(ROW_SET_TRACED, of: isakvo, goal: 8, beside: ROW_SET_ONE_OBSERVER) {
    Traced(ageWork(observers: 1))
  },
  Workload("set-string-traced", of: isakvo, goal: 10, beside: "set-string-one-observer") {
    Traced(stringWork())
  },
]

/// Does its work while a trace is recorded, of each run another one, as it is by default but for its
/// limit: the latest events stay.
private final class Traced: Work {
  private let work: any Work
  private let file = FileManager.default.temporaryDirectory
    .appendingPathComponent("isakvo-bench-\(UUID()).kvotrace").path
  private var isRecorded = true
  private static let limit = 64 << 20
  /// A set with one observer is three events, of which none takes less.
  private static let leastOfSet = 3 * 8

  init(_ work: any Work) { self.work = work }

  deinit { try? FileManager.default.removeItem(atPath: file) }

  func prepare(_ count: Int) {
    work.prepare(count)
    do {
      try KeyValueTrace.start(to: file, options: .init(limit: Traced.limit, keep: .latest))
    } catch {
      paired_reason_text("\(error)")
      isRecorded = false
    }
  }

  func run(_ count: Int) { work.run(count) }

  func finish(_ count: Int) {
    let isWhole = KeyValueTrace.stop()
    let size = try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
    let least = min(count * Traced.leastOfSet, Traced.limit / 2)
    isRecorded = isRecorded && isWhole && size ?? 0 >= least
    work.finish(count)
  }

  func check(_ count: Int) -> Bool { isRecorded && work.check(count) }
}
