// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Lab",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "isalab", targets: ["isalab"])
  ],
  dependencies: [
    // The name stands for the folder, which a clone may call what it likes.
    .package(name: "IsaKVO", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .executableTarget(
      name: "isalab",
      dependencies: [
        "KVOTrace",
        .product(name: "CIsa", package: "IsaKVO"),
        .product(name: "IsaRuntime", package: "IsaKVO"),
        .product(name: "IsaKVO", package: "IsaKVO"),
        .product(name: "IsaKVOBindings", package: "IsaKVO"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      exclude: ["Resources"],
      plugins: ["EmbedTexts"]),
    // Reads traces, also of other machines: it stands on Foundation alone.
    .target(name: "KVOTrace"),
    .plugin(name: "EmbedTexts", capability: .buildTool(), dependencies: ["embed-texts"]),
    .executableTarget(name: "embed-texts"),
    // The library's own CLibFFI is no product of it.
    .systemLibrary(
      name: "CFFI", path: "Tests/CFFI", pkgConfig: "libffi",
      providers: [.apt(["libffi-dev"]), .brew(["libffi"])]),
    .testTarget(
      name: "LabTests",
      dependencies: [
        "isalab", "CFFI", "KVOTrace", .product(name: "CIsa", package: "IsaKVO"),
        .product(name: "IsaKVO", package: "IsaKVO"),
        .product(name: "IsaKVOFoundation", package: "IsaKVO"),
        .product(name: "IsaRuntime", package: "IsaKVO"),
      ],
      exclude: ["Logs", "ObjectiveC", "Solutions", "Transcripts"]),
    .testTarget(name: "KVOTraceTests", dependencies: ["KVOTrace"]),
  ],
  swiftLanguageModes: [.v6]
)
