// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "bench", targets: ["bench"])
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/ordo-one/TextTable", exact: "0.0.2"),
  ],
  targets: [
    .target(
      name: "BenchRunner",
      dependencies: [.product(name: "TextTable", package: "TextTable")]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "BenchRunner",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(name: "BenchTests", dependencies: ["BenchRunner"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu17
)
