import Foundation
import SwiftParser
import SwiftSyntax

/// The targets of a package, as its manifest says.
package struct Manifest {
  /// A target.
  package struct Target {
    package let name: String
    /// The folders that may hold its sources; the first that is there does.
    let places: [String]
    let excluded: [String]
    /// Whether the target depends on the library.
    let usesLibrary: Bool
    let position: Position
  }

  /// The path of the manifest.
  package let path: String
  package let targets: [Target]

  /// Reads the manifest's text, or has `swift package describe` run it where the text computes names
  /// or paths.
  ///
  /// - Throws: `Inputs.Failure` if neither tells the targets.
  init(folder: String, bytes: [UInt8]) throws {
    path = folder == "." ? "Package.swift" : folder + "/Package.swift"
    let text = SourceText(bytes)
    let finder = TargetFinder(text)
    finder.walk(Parser.parse(source: String(decoding: bytes, as: UTF8.self)))
    targets = finder.isPlain ? finder.targets : try Self.described(folder, path)
  }

  private static func described(_ folder: String, _ path: String) throws -> [Target] {
    let process = Process(), output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--package-path", folder, "describe", "--type", "json",
    ]
    process.standardOutput = output
    process.standardError = Pipe()
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard let package = try? JSONDecoder().decode(Description.self, from: data) else {
      throw Inputs.Failure(path: path, reason: "swift package describe does not tell the targets")
    }
    return package.targets.map {
      let dependencies = $0.product_dependencies ?? []
      return Target(
        name: $0.name, places: [$0.path], excluded: [],
        usesLibrary: dependencies.contains("IsaKVOFoundation"),
        position: Position(line: 1, column: 1))
    }
  }

  private struct Description: Decodable {
    struct Target: Decodable {
      let name: String
      let path: String
      let product_dependencies: [String]?
    }

    let targets: [Target]
  }

  /// The findings for targets whose files were ported and that do not depend on the library.
  package func findings(portedFiles files: [String]) -> [Finding] {
    let folder = String(path.dropLast("Package.swift".count))
    return targets.filter { target in
      !target.usesLibrary
        && files.contains { file in target.places.contains { file.hasPrefix(folder + $0 + "/") } }
    }.map { target in
      Finding(
        file: path, line: target.position.line, column: target.position.column, kind: .todo,
        rule: .package, what: "the target \(target.name) was ported",
        why: "it does not depend on IsaKVOFoundation",
        write: "the products IsaKVO and IsaKVOFoundation of the package IsaKVO")
    }
  }
}

/// Finds the calls that declare targets.
private final class TargetFinder: SyntaxVisitor {
  private let text: SourceText
  var targets: [Manifest.Target] = []
  /// Whether all names and paths are literals.
  var isPlain = true

  init(_ text: SourceText) {
    self.text = text
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let member = node.calledExpression.as(MemberAccessExprSyntax.self),
      let folders = Self.folders[member.declName.baseName.text],
      node.arguments.contains(where: { $0.label?.text == "name" }), !isDependency(node)
    else { return .visitChildren }
    guard let name = argument("name", of: node)?.literalString else {
      isPlain = false
      return .skipChildren
    }
    var places = folders.map { "\($0)/\(name)" }
    if let path = argument("path", of: node) {
      isPlain = isPlain && path.literalString != nil
      places = [path.literalString ?? ""]
    }
    let dependencies = argument("dependencies", of: node)?.trimmedDescription ?? ""
    targets.append(
      Manifest.Target(
        name: name, places: places,
        excluded: argument("exclude", of: node)?.as(ArrayExprSyntax.self)?.elements
          .compactMap(\.expression.literalString) ?? [],
        usesLibrary: dependencies.contains("\"IsaKVOFoundation\""),
        position: text.position(of: node.start)))
    return .skipChildren
  }

  private static let folders: [String: [String]] = {
    let sources = ["Sources", "Source", "src", "srcs"], tests = ["Tests"] + sources
    return [
      "target": sources, "executableTarget": sources, "macro": sources, "testTarget": tests,
    ]
  }()

  private func argument(_ label: String, of node: FunctionCallExprSyntax) -> ExprSyntax? {
    node.arguments.first { $0.label?.text == label }?.expression
  }

  /// Whether a `.target(name:)` stands among the dependencies of another.
  private func isDependency(_ node: FunctionCallExprSyntax) -> Bool {
    node.parent?.parent?.parent?.parent?.as(LabeledExprSyntax.self)?.label?.text == "dependencies"
  }
}
