import Foundation
import PackagePlugin

/// Has `embed-texts` write the files below a target's Resources, and the examples of scenarios, into a
/// Swift file of the target.
@main
struct EmbedTexts: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let examples = context.package.directoryURL.deletingLastPathComponent()
      .appendingPathComponent("Examples/scenarios")
    let folders = [target.directoryURL.appendingPathComponent("Resources"), examples]
    let files = folders.flatMap(files)
    let output = context.pluginWorkDirectoryURL.appendingPathComponent("PackageResources.swift")
    return [
      .buildCommand(
        displayName: "Embedding \(files.count) texts",
        executable: try context.tool(named: "embed-texts").url,
        arguments: [output.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
    ]
  }

  /// An editor may have a hidden file there, which is no text.
  private func files(below folder: URL) -> [URL] {
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (names ?? []).sorted().map { folder.appendingPathComponent($0) }
      .filter { !$0.hasDirectoryPath && !$0.lastPathComponent.hasPrefix(".") }
  }
}
