// swift-tools-version: 6.1
import PackageDescription

// Programs whose size, start and acts scripts/house.sh measures.
let package = Package(
  name: "House",
  dependencies: [.package(name: "IsaKVO", path: "../..")],
  targets: [
    .executableTarget(name: "empty"),
    .executableTarget(name: "hello", dependencies: [.product(name: "IsaKVO", package: "IsaKVO")]),
    .executableTarget(name: "acts", dependencies: [.product(name: "IsaKVO", package: "IsaKVO")]),
  ]
)
