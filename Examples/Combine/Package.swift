// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Combining",
  platforms: [.macOS(.v13)],
  // The trait Combine would do: with both, the library is built once for all examples with a trait.
  dependencies: [.package(name: "IsaKVO", path: "../..", traits: ["Combine", "Macros"])],
  targets: [
    .executableTarget(
      name: "Combining",
      dependencies: [
        .product(name: "IsaKVO", package: "IsaKVO"),
        .product(name: "IsaKVOCombine", package: "IsaKVO"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
