// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Macros",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "IsaKVO", path: "../..", traits: ["Macros"])],
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
