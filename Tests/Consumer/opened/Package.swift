// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Opened",
  platforms: [.macOS(.v14)],
  products: [.library(name: "Opened", type: .dynamic, targets: ["Opened"])],
  dependencies: [.package(name: "IsaKVO", path: "../../..")],
  targets: [
    .target(name: "Opened", dependencies: [.product(name: "IsaKVO", package: "IsaKVO")]),
    .target(name: "Host"),
    .executableTarget(name: "Opening", dependencies: ["Host"]),
    .executableTarget(name: "OpeningTracked", dependencies: ["Host"]),
  ],
  swiftLanguageModes: [.v6]
)
