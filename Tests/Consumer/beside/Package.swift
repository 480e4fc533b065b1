// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Beside",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "IsaKVO", path: "../../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
  ],
  targets: [
    .executableTarget(
      name: "Beside",
      dependencies: [
        .product(name: "IsaKVO", package: "IsaKVO"),
        .product(name: "IsaKVOFoundation", package: "IsaKVO"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
