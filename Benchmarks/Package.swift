// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "bench", targets: ["bench"]),
    .executable(name: "engine-c", targets: ["engine-c"]),
    .executable(name: "engine-swift", targets: ["engine-swift"]),
    .executable(name: "peers-swift", targets: ["peers-swift"]),
    .executable(name: "programs-swift", targets: ["programs-swift"]),
    .executable(name: "applications-swift", targets: ["applications-swift"]),
    .library(name: "SwiftWorkloads", targets: ["SwiftWorkloads", "Paired"]),
  ],
  dependencies: [
    // The name stands for the folder, which a clone may call what it likes.
    .package(name: "IsaKVO", path: "..", traits: ["Combine"]),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/ordo-one/TextTable", exact: "0.0.2"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
  ],
  targets: [
    .target(name: "CPaired"),
    .target(
      name: "CWorkloads",
      dependencies: ["CPaired", .product(name: "CIsa", package: "IsaKVO")],
      cSettings: [.headerSearchPath(".")]),
    .executableTarget(name: "engine-c", dependencies: ["CPaired", "CWorkloads"]),
    .target(name: "Paired", dependencies: ["CPaired"]),
    .target(
      name: "BenchModels", dependencies: ["Paired", .product(name: "IsaKVO", package: "IsaKVO")]),
    .target(
      name: "SwiftWorkloads",
      dependencies: [
        "BenchModels", "CPaired", "Paired", .product(name: "IsaKVO", package: "IsaKVO"),
        .product(name: "IsaKVOBindings", package: "IsaKVO"),
        .product(name: "IsaKVOCombine", package: "IsaKVO"),
        .product(name: "IsaKVOFoundation", package: "IsaKVO"),
        .product(name: "IsaRuntime", package: "IsaKVO"),
      ]),
    .executableTarget(
      name: "engine-swift", dependencies: ["CWorkloads", "Paired", "SwiftWorkloads"]),
    .executableTarget(
      name: "peers-swift",
      dependencies: [
        "BenchModels", "CPaired", "Paired",
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]),
    .executableTarget(name: "programs-swift", dependencies: ["Paired"]),
    .target(name: "CScript", path: "Sources/applications/script", publicHeadersPath: "."),
    .executableTarget(
      name: "applications-swift",
      dependencies: [
        "CScript", .product(name: "IsaKVO", package: "IsaKVO"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ], path: "Sources/applications/swift"),
    .target(
      name: "BenchRunner",
      dependencies: [.product(name: "TextTable", package: "TextTable")]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "BenchRunner",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(name: "BenchTests", dependencies: ["BenchRunner", "CPaired"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu17
)
