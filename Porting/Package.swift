// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Porting",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "isakvo-port", targets: ["isakvo-port"])
  ],
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(
      name: "IsaKVOPort",
      dependencies: [
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
      ]),
    .executableTarget(
      name: "isakvo-port",
      dependencies: [
        "IsaKVOPort", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(name: "IsaKVOPortTests", dependencies: ["IsaKVOPort", "isakvo-port"]),
  ],
  swiftLanguageModes: [.v6]
)
