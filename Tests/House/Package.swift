// swift-tools-version: 6.1
import Foundation
import PackageDescription

// A small program and a large one, which scripts/house.sh writes.
let written = ["few", "many"].filter {
  FileManager.default.fileExists(atPath: Context.packageDirectory + "/Written/" + $0)
}

// Programs whose size, start and acts scripts/house.sh measures.
let package = Package(
  name: "House",
  dependencies: [.package(name: "IsaKVO", path: "../..")],
  targets: [
    .executableTarget(name: "empty"),
    .executableTarget(name: "hello", dependencies: [.product(name: "IsaKVO", package: "IsaKVO")]),
    .executableTarget(name: "acts", dependencies: [.product(name: "IsaKVO", package: "IsaKVO")]),
  ]
    + written.map {
      .executableTarget(
        name: $0, dependencies: [.product(name: "IsaKVO", package: "IsaKVO")], path: "Written/\($0)"
      )
    }
)
