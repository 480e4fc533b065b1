// The Swift layer's workloads under ordo-one/benchmark, which keeps baselines and compares with
// them. Wall clock, and what the core keeps allocated for each operation: that must be 0.
import Benchmark
import CIsa.Testing
import Paired
import SwiftWorkloads

private let keptBlocks = BenchmarkMetric.custom("blocks kept", polarity: .prefersSmaller)

/// Enough operations that reading the clock does not count.
private let operations = 1_000

let benchmarks: @Sendable () -> Void = {
  let configuration = Benchmark.Configuration(
    metrics: [.wallClock, keptBlocks], maxDuration: .seconds(1), maxIterations: 1_000)
  for workload in swiftWorkloads where workload.isTrend {
    Benchmark(workload.name, configuration: configuration) { benchmark in
      let work = try workload.makeWork()
      work.prepare(operations)
      work.run(operations)
      let before = isa_testing_live_counts().blocks
      benchmark.startMeasurement()
      work.run(operations)
      benchmark.stopMeasurement()
      let kept = isa_testing_live_counts().blocks - before
      benchmark.measurement(keptBlocks, Int(kept))
      guard work.check(2 * operations) else {
        benchmark.error("what was heard is not what was done")
        return
      }
    }
  }
}
