import Foundation

/// The files that a student begins with in Swift.
enum SwiftKit {
  static func files(_ level: Int) -> [OutputFolder.File] {
    [
      OutputFolder.File(path: "Package.swift", text: package),
      OutputFolder.File(path: "Sources/StudentKVO/Interface.swift", text: interface(level)),
      OutputFolder.File(
        path: "Sources/StudentKVO/Student.swift",
        text: LevelText.read(PackageResources.Student_swift, level)),
    ]
  }

  /// For an editor; grading compiles by itself.
  private static var package: String {
    manifest(name: "StudentKVO", kind: "target", checkout: CoreLibrary.ownCheckout)
  }

  /// A package with one target of that kind, which uses the library.
  static func manifest(name: String, kind: String, checkout: URL) -> String {
    """
    // swift-tools-version: 6.1
    import PackageDescription

    let package = Package(
      name: "\(name)",
      platforms: [.macOS(.v13)],
      dependencies: [.package(name: "IsaKVO", path: \(checkout.path.debugDescription))],
      targets: [
        .\(kind)(
          name: "\(name)",
          dependencies: [
            .product(name: "IsaKVO", package: "IsaKVO"),
            .product(name: "IsaRuntime", package: "IsaKVO"),
          ])
      ],
      swiftLanguageModes: [.v5]
    )

    """
  }

  /// `Interface.swift` as far as `level` has it.
  static func interface(_ level: Int) -> String {
    LevelText.read(PackageResources.Interface_swift, level)
  }
}
