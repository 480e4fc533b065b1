// swift-tools-version: 6.1
import PackageDescription

// A program whose threads observe while it forks, and whose children observe as well.
let package = Package(
  name: "Forked",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "IsaKVO", path: "../../..")],
  targets: [
    .target(name: "Forks"),
    .executableTarget(
      name: "Forked", dependencies: ["Forks", .product(name: "IsaKVO", package: "IsaKVO")]),
  ],
  swiftLanguageModes: [.v5]
)
