// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "IsaKVO",
  platforms: [.macOS(.v13)],
  products: [
    .library(name: "CIsa", targets: ["CIsa"]),
    .library(name: "IsaKVO", targets: ["IsaKVO"]),
    .library(name: "IsaKVOFoundation", targets: ["IsaKVOFoundation"]),
  ],
  targets: [
    .systemLibrary(
      name: "CLibFFI", pkgConfig: "libffi",
      providers: [.apt(["libffi-dev"]), .brew(["libffi"])]),
    .target(name: "CIsaHeader", sources: ["isa_header.c"]),
    .target(name: "CSwiftMemory"),
    .target(
      name: "CIsa", dependencies: ["CLibFFI", "CIsaHeader"],
      cSettings: [.headerSearchPath("."), .define("NDEBUG", .when(configuration: .release))]),
    .target(name: "IsaKVO", dependencies: ["CIsa", "CIsaHeader", "CSwiftMemory"]),
    .target(name: "IsaKVOFoundation", dependencies: ["IsaKVO"]),
    .target(name: "CIsaTestSupport", dependencies: ["CIsa"], path: "Tests/CIsaTestSupport"),
    .testTarget(
      name: "CIsaTests", dependencies: ["CIsa", "CIsaTestSupport", "IsaKVOTestSupport"]),
    .target(
      name: "IsaKVOTestSupport", dependencies: ["CIsa", "IsaKVO"], path: "Tests/Support"),
    .testTarget(
      name: "ConformanceTests",
      dependencies: ["CIsa", "CIsaTestSupport", "IsaKVO", "IsaKVOTestSupport"]),
    .target(name: "IsaKVOTestModels", dependencies: ["IsaKVO"], path: "Tests/Models"),
    .testTarget(
      name: "IsaKVOTests",
      dependencies: ["CIsa", "IsaKVO", "IsaKVOTestModels", "IsaKVOTestSupport"]),
    .testTarget(
      name: "IsaKVOFoundationTests",
      dependencies: ["CIsa", "IsaKVO", "IsaKVOFoundation", "IsaKVOTestSupport"],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
    .testTarget(
      name: "ModelTests",
      dependencies: ["CIsa", "CIsaTestSupport", "IsaKVO", "IsaKVOTestSupport"]),
    .testTarget(name: "GNUstepTests", dependencies: ["CIsa", "IsaKVOTestSupport"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c17
)
