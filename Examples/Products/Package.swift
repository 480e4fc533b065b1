// swift-tools-version: 6.1
import PackageDescription

/// A program named `name` that uses the given products of the library.
func program(_ name: String, _ products: String...) -> Target {
  .executableTarget(
    name: name, dependencies: products.map { .product(name: $0, package: "IsaKVO") })
}

let package = Package(
  name: "Products",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "IsaKVO", path: "../..")],
  targets: [
    program("Observing", "IsaKVO"),
    program("AppleNames", "IsaKVO", "IsaKVOFoundation"),
    program("Wrappers", "IsaKVO", "IsaKVOWrappers"),
    program("Bound", "IsaKVO", "IsaKVOBindings"),
    program("RunTime", "IsaRuntime"),
    program("Core", "CIsa"),
  ],
  swiftLanguageModes: [.v6]
)
