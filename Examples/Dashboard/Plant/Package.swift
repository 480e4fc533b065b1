// swift-tools-version: 6.1
import PackageDescription

let isaKVO = Target.Dependency.product(name: "IsaKVO", package: "IsaKVO")
let strict = [SwiftSetting.unsafeFlags(["-warnings-as-errors"])]

let package = Package(
  name: "Plant",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Plant", targets: ["Plant"])],
  dependencies: [.package(name: "IsaKVO", path: "../../..")],
  targets: [
    .target(name: "Plant", dependencies: [isaKVO], swiftSettings: strict),
    .testTarget(name: "PlantTests", dependencies: ["Plant", isaKVO], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
