// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Streams",
  platforms: [.macOS(.v15)],
  dependencies: [
    // With both traits, as the examples of the articles: the library is built once for all of them.
    .package(name: "IsaKVO", path: "../../..", traits: ["Combine", "Macros"]),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
  ],
  targets: [
    .testTarget(
      name: "CombineTests",
      dependencies: [
        .product(name: "IsaKVO", package: "IsaKVO"),
        .product(name: "IsaKVOCombine", package: "IsaKVO"),
        .product(name: "IsaRuntime", package: "IsaKVO"),
      ]),
    .testTarget(
      name: "SequenceTests",
      dependencies: [
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "IsaKVO", package: "IsaKVO"),
        .product(name: "IsaRuntime", package: "IsaKVO"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
