// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Ported",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "IsaKVO", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Ported",
      dependencies: [
        .product(name: "IsaKVO", package: "IsaKVO"),
        .product(name: "IsaKVOFoundation", package: "IsaKVO"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
