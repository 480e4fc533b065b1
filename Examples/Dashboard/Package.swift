// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Dashboard",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "IsaKVO", path: "../.."),
    .package(path: "Plant"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.0.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(
      url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
  ],
  targets: [
    .executableTarget(
      name: "Dashboard",
      dependencies: [
        "Plant",
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "IsaKVO", package: "IsaKVO"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      resources: [.copy("Page")],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
