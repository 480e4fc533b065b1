// swift-tools-version: 6.1
import PackageDescription

let bindings = Target.Dependency.product(name: "IsaKVOBindings", package: "IsaKVO")

let package = Package(
  name: "Inventory",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "Inventory", targets: ["Inventory"]),
    .library(name: "GTKBridge", targets: ["GTKBridge"]),
  ],
  dependencies: [.package(name: "IsaKVO", path: "../..")],
  targets: [
    .systemLibrary(
      name: "CGtk", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"]), .brew(["gtk4"])]),
    .target(name: "GTKBridge", dependencies: ["CGtk", bindings]),
    .executableTarget(
      name: "Inventory",
      dependencies: [
        "CGtk", "GTKBridge", bindings, .product(name: "IsaKVOFoundation", package: "IsaKVO"),
      ],
      resources: [.copy("Window.ui")]),
    .testTarget(
      name: "GTKBridgeTests", dependencies: ["CGtk", "GTKBridge", "MainLoopProbe", bindings]),
    .executableTarget(
      name: "MainLoopProbe", dependencies: ["CGtk", "GTKBridge"], path: "Tests/MainLoopProbe"),
  ],
  swiftLanguageModes: [.v6]
)
