import Foundation

extension Results {
  /// The results of a session, here and now.
  public init(of session: Session) {
    self.init(
      date: ISO8601DateFormatter().string(from: Date()), commit: currentCommit(),
      machine: .current, versions: currentVersions(), missing: session.missing,
      rows: session.rows, applications: session.applications)
  }

  /// Writes the charts into a folder, which it makes.
  public func writeCharts(to folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    for chart in charts {
      try chart.svg.write(toFile: "\(folder)/\(chart.file)", atomically: true, encoding: .utf8)
    }
  }
}

extension Machine {
  /// The processor and how many cores.
  public var text: String { "\(processor), \(cores) cores" }
}

extension Session {
  /// Has a script build the peers into a folder, and finds them there.
  public func peers(building script: String, into folder: String) -> [Driver] {
    build("peers", by: script, into: folder)
    return drivers(in: folder)
  }

  /// Has a script build something into a folder. It names what it leaves out in lines `left out: …`.
  public func build(_ what: String, by script: String, into folder: String) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let child = Child(path: script, arguments: [folder])
      let mark = "left out: "
      let code = try child.run { line in
        if line.hasPrefix(mark) { leaveOut(String(line.dropFirst(mark.count))) }
      }
      if ![0, 3].contains(code) { fail("\(what): \(script) failed with exit code \(code)") }
    } catch {
      leaveOut("\(what): \(error)")
    }
  }

  func drivers(in folder: String) -> [Driver] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { "\(folder)/\($0)" }.filter(isProgram).map { Driver(path: $0) }
  }

  private func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
  }
}
