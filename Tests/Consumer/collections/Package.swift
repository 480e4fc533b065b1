// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Collecting",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "IsaKVO", path: "../../.."),
    .package(url: "https://github.com/apple/swift-algorithms", exact: "1.2.1"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "Collecting",
      dependencies: [
        .product(name: "IsaKVO", package: "IsaKVO"),
        .product(name: "Algorithms", package: "swift-algorithms"),
        .product(name: "Collections", package: "swift-collections"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
