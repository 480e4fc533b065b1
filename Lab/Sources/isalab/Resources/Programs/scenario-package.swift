// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "$name",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "IsaKVO", path: $checkout)],
  targets: [
    .executableTarget(
      name: "Scenario",
      dependencies: [
        .product(name: "IsaKVO", package: "IsaKVO"),
        .product(name: "IsaKVOBindings", package: "IsaKVO"),
        .product(name: "IsaKVOFoundation", package: "IsaKVO"),
        .product(name: "IsaRuntime", package: "IsaKVO"),
      ])
  ],
  swiftLanguageModes: [.v5]
)
