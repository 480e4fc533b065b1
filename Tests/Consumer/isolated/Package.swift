// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Isolated",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "IsaKVO", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Isolated",
      dependencies: [
        .product(name: "IsaKVO", package: "IsaKVO"),
        .product(name: "IsaRuntime", package: "IsaKVO"),
      ]),
    .executableTarget(
      name: "Defaulted", dependencies: [.product(name: "IsaKVO", package: "IsaKVO")],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
  ],
  swiftLanguageModes: [.v6]
)
