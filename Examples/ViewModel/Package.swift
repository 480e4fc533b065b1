// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "ViewModel",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "IsaKVO", path: "../..")],
  targets: [
    .executableTarget(
      name: "ViewModel", dependencies: [.product(name: "IsaKVO", package: "IsaKVO")])
  ],
  swiftLanguageModes: [.v6]
)
