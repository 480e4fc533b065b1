// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

/// Of a product of swift-syntax, which is not fetched where the trait is off.
func syntax(_ name: String) -> Target.Dependency {
  .product(name: name, package: "swift-syntax", condition: .when(traits: ["Macros"]))
}

/// Combine where the system has none, not fetched where the trait is off.
let openCombine = Target.Dependency.product(
  name: "OpenCombine", package: "OpenCombine",
  condition: .when(platforms: [.linux, .windows, .android, .wasi], traits: ["Combine"]))

let package = Package(
  name: "IsaKVO",
  platforms: [.macOS(.v13)],
  products: [
    .library(name: "CIsa", targets: ["CIsa"]),
    .library(name: "IsaRuntime", targets: ["IsaRuntime"]),
    .library(name: "IsaKVO", targets: ["IsaKVO"]),
    .library(name: "IsaKVOFoundation", targets: ["IsaKVOFoundation"]),
    .library(name: "IsaKVOWrappers", targets: ["IsaKVOWrappers"]),
    .library(name: "IsaKVOBindings", targets: ["IsaKVOBindings"]),
    .library(name: "IsaKVOMacros", targets: ["IsaKVOMacros"]),
    .library(name: "IsaKVOCombine", targets: ["IsaKVOCombine"]),
  ],
  traits: [
    .trait(name: "Macros", description: "What @DeclaresKeys needs: swift-syntax, at build time."),
    .trait(
      name: "Combine",
      description: "What IsaKVOCombine needs: OpenCombine, where there is no Apple Combine."),
  ],
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CLibFFI", pkgConfig: "libffi",
      providers: [.apt(["libffi-dev"]), .brew(["libffi"])]),
    .target(name: "CIsaHeader", sources: ["isa_header.c"]),
    .target(name: "CSwiftRuntime"),
    .target(
      name: "CIsa", dependencies: ["CLibFFI", "CIsaHeader"],
      cSettings: [.headerSearchPath("."), .define("NDEBUG", .when(configuration: .release))]),
    .target(name: "IsaKeyValue", dependencies: ["CIsa", "CSwiftRuntime"]),
    .target(name: "IsaRuntime", dependencies: ["CIsa", "IsaKeyValue"]),
    .target(name: "IsaKVO", dependencies: ["CIsa", "CIsaHeader", "CSwiftRuntime", "IsaKeyValue"]),
    .target(name: "IsaKVOFoundation", dependencies: ["IsaKVO", "IsaKVOBindings", "IsaKeyValue"]),
    .target(name: "IsaKVOWrappers", dependencies: ["IsaKVO", "IsaKeyValue"]),
    .target(name: "IsaKVOBindings", dependencies: ["IsaKVO", "IsaKeyValue"]),
    .target(name: "IsaKVOCombine", dependencies: ["IsaKVO", "IsaKeyValue", openCombine]),
    .target(name: "IsaKVOMacros", dependencies: ["IsaKVOMacrosPlugin"]),
    .macro(
      name: "IsaKVOMacrosPlugin",
      dependencies: [syntax("SwiftCompilerPlugin"), syntax("SwiftSyntaxMacros")]),
    .target(name: "CIsaTestSupport", dependencies: ["CIsa"], path: "Tests/CIsaTestSupport"),
    .testTarget(
      name: "CIsaTests", dependencies: ["CIsa", "CIsaTestSupport", "IsaKVOTestSupport"]),
    .target(
      name: "IsaKVOTestSupport", dependencies: ["CIsa", "IsaKVO", "IsaRuntime"],
      path: "Tests/Support"),
    .testTarget(
      name: "ConformanceTests",
      dependencies: ["CIsa", "CIsaTestSupport", "IsaKVO", "IsaRuntime", "IsaKVOTestSupport"]),
    .target(
      name: "IsaKVOTestModels", dependencies: ["IsaKVO", "IsaRuntime"], path: "Tests/Models"),
    .testTarget(
      name: "IsaRuntimeTests",
      dependencies: ["CIsa", "IsaKVO", "IsaRuntime", "IsaKVOTestSupport"]),
    .testTarget(
      name: "IsaKVOTests",
      dependencies: [
        "CIsa", "IsaKVO", "IsaKVOWrappers", "IsaRuntime", "IsaKVOTestModels", "IsaKVOTestSupport",
      ]),
    .testTarget(
      name: "IsaKVOFoundationTests",
      dependencies: [
        "CIsa", "IsaKVO", "IsaKVOBindings", "IsaKVOFoundation", "IsaKVOTestSupport", "IsaRuntime",
      ],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
    .testTarget(
      name: "IsaKVOBindingsTests",
      dependencies: [
        "IsaKVO", "IsaKVOBindings", "IsaRuntime", "IsaKVOTestModels", "IsaKVOTestSupport",
      ]),
    .testTarget(
      name: "ModelTests",
      dependencies: [
        "CIsa", "CIsaTestSupport", "IsaKVO", "IsaRuntime", "IsaKVOTestModels", "IsaKVOTestSupport",
      ]),
    .testTarget(name: "GNUstepTests", dependencies: ["CIsa", "IsaKVOTestSupport"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c17
)
