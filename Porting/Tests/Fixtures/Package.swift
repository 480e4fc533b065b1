// swift-tools-version: 6.1
import PackageDescription

// The ported files of the tool's tests, compiled and run: their classes behave as the ones of Before
// do on Apple systems.
let package = Package(
  name: "Fixtures",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "IsaKVO", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Fixtures",
      dependencies: [
        .product(name: "IsaKVO", package: "IsaKVO"),
        .product(name: "IsaKVOFoundation", package: "IsaKVO"),
      ],
      path: "After")
  ],
  swiftLanguageModes: [.v5]
)
