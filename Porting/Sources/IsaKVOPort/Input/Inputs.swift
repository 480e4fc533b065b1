import Foundation

/// Finds the Swift files that paths stand for.
package struct Inputs {
  /// A mistake in what was asked for, or a file that cannot be read.
  package struct Failure: Error, CustomStringConvertible {
    package let path: String
    package let reason: String

    package var description: String { "\(path): \(reason)" }
  }

  /// The files, in the order of their paths, each once.
  package private(set) var files: [String] = []
  /// The manifests of the packages among the paths.
  package private(set) var manifests: [Manifest] = []

  private let targets: Set<String>

  /// Looks at each path: a file is itself, a folder with a manifest is the sources of its targets,
  /// any other folder is all Swift files below it but those of hidden folders.
  ///
  /// - Parameter targets: The targets of packages to take; all if it is empty.
  /// - Throws: `Inputs.Failure` for a path that is not there, or a target that no package has.
  package init(_ paths: [String], targets: [String] = []) throws {
    self.targets = Set(targets)
    for path in paths { try add(path) }
    let known = Set(manifests.flatMap(\.targets).map(\.name))
    if let unknown = targets.first(where: { !known.contains($0) }) {
      throw Failure(path: unknown, reason: "no package among the paths has a target of that name")
    }
    var seen: Set<String> = []
    files = files.sorted().filter { seen.insert($0).inserted }
  }

  private mutating func add(_ path: String) throws {
    guard let isFolder = isFolder(path) else {
      throw Failure(path: path, reason: "there is no such file or folder")
    }
    if !isFolder { return files.append(path) }
    let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let manifest = join(folder, "Package.swift")
    if self.isFolder(manifest) == false {
      try addPackage(folder, manifest)
    } else {
      addFolder(folder)
    }
  }

  private mutating func addPackage(_ folder: String, _ path: String) throws {
    let manifest = try Manifest(folder: folder, bytes: Self.read(path))
    manifests.append(manifest)
    for target in manifest.targets where targets.isEmpty || targets.contains(target.name) {
      let place = target.places.first { isFolder(join(folder, $0)) == true }
      guard let place else { continue }
      let excluded = target.excluded.map { join(join(folder, place), $0) }
      addFolder(join(folder, place), without: excluded)
    }
  }

  private mutating func addFolder(_ folder: String, without excluded: [String] = []) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where !name.hasPrefix(".") {
      let path = join(folder, name)
      if excluded.contains(path) { continue }
      if isFolder(path) == true {
        addFolder(path, without: excluded)
      } else if name.hasSuffix(".swift"), name != "Package.swift" {
        files.append(path)
      }
    }
  }

  /// Whether there is a folder at a path; nil if there is nothing.
  private func isFolder(_ path: String) -> Bool? {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      ? isFolder.boolValue : nil
  }

  private func join(_ folder: String, _ name: String) -> String {
    folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// The bytes of a file.
  ///
  /// - Throws: `Inputs.Failure` with the reason that the system gives.
  package static func read(_ path: String) throws -> [UInt8] {
    do {
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw Failure(path: path, reason: "the file cannot be read: \(error.localizedDescription)")
    }
  }

  /// Writes a file as a whole: the old one stays if that fails. A link stays one, and the file that it
  /// leads to keeps its mode.
  ///
  /// - Throws: `Inputs.Failure` with the reason that the system gives.
  package static func write(_ bytes: [UInt8], to path: String) throws {
    do {
      let file = URL(fileURLWithPath: path).resolvingSymlinksInPath(), manager = FileManager.default
      let mode = try manager.attributesOfItem(atPath: file.path)[.posixPermissions]
      try Data(bytes).write(to: file, options: .atomic)
      try mode.map { try manager.setAttributes([.posixPermissions: $0], ofItemAtPath: file.path) }
    } catch {
      throw Failure(path: path, reason: "the file cannot be written: \(error.localizedDescription)")
    }
  }
}
