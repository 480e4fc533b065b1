import Foundation

/// Grades folders at once, as many as there are processors. The same code is built once.
final class ClassGrading: @unchecked Sendable {
  private let level: Int?
  private let seed: UInt32
  private let limit: Double
  private let tools: LabTools
  private let lock = NSLock()
  private var builds: [String: SharedBuild] = [:]

  /// - Parameter level: The level of all; the one that each folder's Makefile names unless given.
  init(lab: LabRun, level: Int?, seed: UInt32) {
    self.level = level
    self.seed = seed
    limit = lab.limit
    tools = lab.tools
  }

  /// A row for each folder, in their order.
  func rows(_ folders: [URL]) -> [ClassReport.Row] {
    var rows = folders.map { ClassReport.Row(folder: $0.lastPathComponent) }
    let collected = Collected(rows)
    DispatchQueue.concurrentPerform(iterations: folders.count) { index in
      let row = self.row(folders[index])
      collected.set(row, at: index)
    }
    rows = collected.all
    markCopies(&rows, folders)
    return rows
  }

  private func row(_ folder: URL) -> ClassReport.Row {
    var row = ClassReport.Row(folder: folder.lastPathComponent)
    do throws(LabFailure) {
      let number = level ?? LabFolder.level(of: folder)
      row.level = number.flatMap { Level.find($0) }
      let place = try LabFolder(folder, hint: Text("lab.class-start-makes"))
      row.language = place.language
      guard let level = row.level?.told(in: place.language) else {
        throw LabFailure(message: Text("lab.names-no-level"))
      }
      row.level = level
      let program = try build(place, level.number)
      row.grade = try Grade.play(level.scenes, program, seed: seed)
    } catch {
      row.problem = error.message
    }
    return row
  }

  private func build(_ place: LabFolder, _ level: Int) throws(LabFailure) -> SceneProgram {
    let key = "\(level) \(place.digest)"
    let build = lock.withLock {
      let build = builds[key] ?? SharedBuild(tools, place, level)
      builds[key] = build
      return build
    }
    return SceneProgram(file: try build.program(), seconds: limit, sources: build.place.url)
  }

  private func markCopies(_ rows: inout [ClassReport.Row], _ folders: [URL]) {
    var first: [String: String] = [:]
    for index in rows.indices {
      guard let language = rows[index].language else { continue }
      let place = LabFolder(url: folders[index], language: language)
      let key = "\(rows[index].level?.number ?? 0) \(place.digest)"
      rows[index].sameAs = first[key]
      if first[key] == nil { first[key] = rows[index].folder }
    }
  }
}

/// Rows that several threads fill in.
private final class Collected: @unchecked Sendable {
  private let lock = NSLock()
  private var rows: [ClassReport.Row]

  init(_ rows: [ClassReport.Row]) { self.rows = rows }

  func set(_ row: ClassReport.Row, at index: Int) { lock.withLock { rows[index] = row } }

  var all: [ClassReport.Row] { lock.withLock { rows } }
}

/// The program of some code, built by the first that asks; the others wait.
private final class SharedBuild: @unchecked Sendable {
  let place: LabFolder
  private let tools: LabTools
  private let level: Int
  private let lock = NSLock()
  private var room: TemporaryFolder?
  private var made: Result<URL, LabFailure>?

  init(_ tools: LabTools, _ place: LabFolder, _ level: Int) {
    self.tools = tools
    self.place = place
    self.level = level
  }

  func program() throws(LabFailure) -> URL {
    lock.lock()
    defer { lock.unlock() }
    if made == nil { made = Result { () throws(LabFailure) in try build() } }
    return try made!.get()
  }

  private func build() throws(LabFailure) -> URL {
    guard let room = try? TemporaryFolder() else {
      throw LabFailure(message: Text("lab.no-class-room"))
    }
    self.room = room
    return try tools.build(place, level: level, in: room.url)
  }
}
