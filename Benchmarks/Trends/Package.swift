// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that measuring and testing do not fetch ordo-one/benchmark.
let package = Package(
  name: "Trends",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "Benchmarks", path: ".."),
    .package(name: "IsaKVO", path: "../.."),
    // Without its traits: their counts cannot be had everywhere.
    .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "SwiftLayer",
      dependencies: [
        .product(name: "SwiftWorkloads", package: "Benchmarks"),
        .product(name: "CIsa", package: "IsaKVO"),
        .product(name: "Benchmark", package: "benchmark"),
      ],
      path: "Benchmarks/SwiftLayer",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
  ],
  swiftLanguageModes: [.v6]
)
