import Foundation

/// `isalab lab`: lists the exercises, begins one, grades one.
struct LabRun {
  var console: Console
  var style = TextStyle()
  /// Where the library is, if not where isalab was built.
  var library: String?
  var cache = CoreLibrary.defaultCache
  /// Seconds for each case.
  var limit = 10.0

  func list() -> Int32 {
    for level in Level.all {
      console.out("\(level.number)  \(level.title) (\(level.scenes.count) cases)")
    }
    console.out("")
    console.out("isalab lab start 1 writes the first one to a folder; lab grade 1 grades it.")
    console.out("You write in C, or with --language swift in Swift.")
    return 0
  }

  // MARK: Start

  /// Writes a level's folder, whole or not at all.
  func start(_ number: Int, language: String, folder: String?) -> Int32 {
    reporting { () throws(LabFailure) in
      let level = try find(number)
      let language = try find(language)
      let place = URL(fileURLWithPath: folder ?? "lab-\(number)")
      try write(LabKit.files(level, language), to: place)
      console.out(
        "\(place.relativePath) holds level \(number), \(level.title), in \(language.name).")
      console.out(
        "Read its README.md, and grade with: isalab lab grade \(number) --dir \(place.relativePath)"
      )
      return 0
    }
  }

  private func find(_ number: Int) throws(LabFailure) -> Level {
    guard let level = Level.find(number) else {
      throw LabFailure(message: "there is no level \(number), expected 1 to \(Level.all.count)")
    }
    return level
  }

  private func find(_ name: String) throws(LabFailure) -> LabLanguage {
    guard let language = LabLanguage(rawValue: name.lowercased()) else {
      throw LabFailure(message: "there is no kit for the language '\(name)', expected c or swift")
    }
    return language
  }

  private func write(
    _ files: [OutputFolder.File], to place: URL
  ) throws(LabFailure) {
    if FileManager.default.fileExists(atPath: place.path) {
      throw LabFailure(
        message: "\(place.relativePath) is there already: name another folder with --dir")
    }
    if let problem = OutputFolder(path: place.relativePath).write(files) {
      throw LabFailure(message: problem)
    }
  }

  // MARK: Grade

  /// - Returns: 0 if every case passes, 1 if one does not or the code does not build, 2 for a wrong
  ///   call or a machine that lacks something.
  func grade(_ number: Int, folder: String?) -> Int32 {
    reporting { () throws(LabFailure) in
      let level = try find(number)
      let place = URL(fileURLWithPath: folder ?? "lab-\(number)")
      let language = try language(of: place, number)
      let room = try makeRoom()
      let program =
        switch language {
        case .c: try buildC(level, place, room.url)
        case .swift: try buildSwift(level, place, room.url)
        }
      return try play(level.told(in: language), program)
    }
  }

  private func language(of place: URL, _ number: Int) throws(LabFailure) -> LabLanguage {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder)
    let hint = "isalab lab start \(number) makes one, --dir names another"
    if !exists || !isFolder.boolValue {
      throw LabFailure(message: "there is no folder \(place.relativePath): \(hint)")
    }
    let package = place.appendingPathComponent("Package.swift")
    if FileManager.default.fileExists(atPath: package.path) { return .swift }
    if CGrader.sources(in: place).isEmpty {
      throw LabFailure(
        message: "\(place.relativePath) holds neither C sources nor a Package.swift: \(hint)")
    }
    return .c
  }

  private func makeRoom() throws(LabFailure) -> TemporaryFolder {
    do {
      return try TemporaryFolder()
    } catch {
      throw LabFailure(message: "no temporary folder can be made: \(error.localizedDescription)")
    }
  }

  private func buildC(_ level: Level, _ place: URL, _ room: URL) throws(LabFailure) -> URL {
    let compiler = try CGrader.findCompiler()
    let core = try CoreLibrary.find(
      at: library, compiler: compiler, cache: cache, isChatty: sayMeanwhile)
    return try CGrader(level: level.number, folder: place, compiler: compiler, core: core)
      .build(in: room)
  }

  private func buildSwift(_ level: Level, _ place: URL, _ room: URL) throws(LabFailure) -> URL {
    let compiler = try SwiftCompiler()
    let found = try SwiftLibrary.find(
      at: library, compiler: compiler, cache: cache, isChatty: sayMeanwhile)
    return try SwiftGrader(
      level: level.number, folder: place, compiler: compiler, library: found, cache: cache
    ).build(in: room)
  }

  private func sayMeanwhile(_ what: String) { console.err("isalab: \(what)") }

  private func play(_ level: Level, _ program: URL) throws(LabFailure) -> Int32 {
    var results: [SceneResult] = []
    for scene in level.scenes {
      results.append(try SceneResult.play(scene, program: program, limit: limit))
      if results.filter(\.isEndless).count == 2 { break }
    }
    let skipped = level.scenes.count - results.count
    for line in GradeView(style: style).lines(level: level, results: results, skipped: skipped) {
      console.out(line)
    }
    return skipped == 0 && results.allSatisfy(\.hasPassed) ? 0 : 1
  }

  private func reporting(_ body: () throws(LabFailure) -> Int32) -> Int32 {
    do throws(LabFailure) {
      return try body()
    } catch {
      console.err(error.message)
      return error.code
    }
  }
}
