// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Declared",
  platforms: [.macOS(.v13)],
  // With both traits, as the examples of the articles: the library is built once for all of them.
  dependencies: [.package(name: "IsaKVO", path: "../../..", traits: ["Combine", "Macros"])],
  targets: [
    .executableTarget(
      name: "Declared",
      dependencies: [
        .product(name: "IsaKVO", package: "IsaKVO"),
        .product(name: "IsaKVOMacros", package: "IsaKVO"),
        .product(name: "IsaRuntime", package: "IsaKVO"),
        // Built here for the files in Tests/Consumer/wrong.
        .product(name: "IsaKVOBindings", package: "IsaKVO"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
