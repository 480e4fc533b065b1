// swift-tools-version: 6.1
import PackageDescription

// Programs whose building, size and start are measured, each by itself.
let package = Package(
  name: "Programs",
  platforms: [.macOS(.v13)],
  dependencies: [
    // The name stands for the folder, which a clone may call what it likes.
    .package(name: "IsaKVO", path: "../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.0.0"),
  ],
  targets: [
    .executableTarget(name: "empty"),
    .executableTarget(
      name: "hello-isakvo", dependencies: [.product(name: "IsaKVO", package: "IsaKVO")]),
    .executableTarget(
      name: "hello-opencombine",
      dependencies: [.product(name: "OpenCombine", package: "OpenCombine")]),
    .executableTarget(
      name: "hello-collections",
      dependencies: [.product(name: "Collections", package: "swift-collections")]),
    .executableTarget(name: "firsts", dependencies: [.product(name: "IsaKVO", package: "IsaKVO")]),
  ],
  swiftLanguageModes: [.v6]
)
