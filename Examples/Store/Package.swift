// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Store",
  platforms: [.macOS(.v13)],
  products: [
    .library(name: "Store", targets: ["Store"]),
    .executable(name: "store-demo", targets: ["store-demo"]),
  ],
  dependencies: [
    .package(name: "IsaKVO", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(
      name: "Store",
      dependencies: [
        .product(name: "IsaKVO", package: "IsaKVO"),
        .product(name: "IsaRuntime", package: "IsaKVO"),
        .product(name: "IsaKVOBindings", package: "IsaKVO"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .target(name: "Company", dependencies: ["Store"]),
    .executableTarget(name: "store-demo", dependencies: ["Store", "Company"]),
    .executableTarget(name: "store-figures", dependencies: ["Store", "Company"]),
    .testTarget(name: "StoreTests", dependencies: ["Store", "Company", "store-demo"]),
  ],
  swiftLanguageModes: [.v6]
)
