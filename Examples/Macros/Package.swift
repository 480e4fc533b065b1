// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Macros",
  platforms: [.macOS(.v13)],
  // The trait Macros would do: with both, the library is built once for all examples with a trait.
  dependencies: [.package(name: "IsaKVO", path: "../..", traits: ["Combine", "Macros"])],
  targets: [
    .executableTarget(
      name: "Macros",
      dependencies: [
        .product(name: "IsaKVO", package: "IsaKVO"),
        .product(name: "IsaKVOMacros", package: "IsaKVO"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
