// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Native",
  platforms: [.macOS(.v13)],
  // The name stands for the folder, which a clone may call what it likes.
  dependencies: [.package(name: "IsaKVO", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Native", dependencies: [.product(name: "IsaKVO", package: "IsaKVO")])
  ],
  swiftLanguageModes: [.v6]
)
