import Foundation

/// `isalab lab`: lists the exercises, begins one, plays a case, grades one.
struct LabRun {
  var console: Console
  var style = TextStyle()
  var language = Language.english
  /// Where the library is, if not where isalab was built.
  var library: String?
  var cache = CoreLibrary.defaultCache
  /// Seconds for each case.
  var limit = 10.0
  /// The number that values are drawn from; another one each time unless given.
  var seed: UInt32?

  func list() -> Int32 {
    for level in Level.all {
      say(
        "lab.level-line",
        ["number": level.number, "title": level.title, "count": level.scenes.count])
    }
    console.out("")
    say("lab.how-to-start")
    say("lab.in-which-language")
    return 0
  }

  func say(_ key: String, _ places: Places = [:]) {
    console.out(language.say(key, places))
  }

  // MARK: Start

  /// Writes a level's folder, whole or not at all.
  func start(_ number: Int, language name: String, folder: String?) -> Int32 {
    reporting { () throws(LabFailure) in
      let level = try find(number)
      let kit = try find(name)
      let place = URL(fileURLWithPath: folder ?? "lab-\(number)")
      try write(LabKit.files(level, kit, language), to: place)
      say(
        "lab.started",
        [
          "folder": place.relativePath, "number": number, "title": level.title,
          "language": kit.name,
        ])
      say("lab.how-to-grade", ["number": number, "folder": place.relativePath])
      return 0
    }
  }

  func find(_ number: Int) throws(LabFailure) -> Level {
    guard let level = Level.find(number) else {
      throw LabFailure(message: Text("lab.no-level", ["number": number, "last": Level.all.count]))
    }
    return level
  }

  private func find(_ name: String) throws(LabFailure) -> LabLanguage {
    guard let language = LabLanguage(rawValue: name.lowercased()) else {
      throw LabFailure(message: Text("lab.no-kit", ["name": name]))
    }
    return language
  }

  private func write(
    _ files: [OutputFolder.File], to place: URL
  ) throws(LabFailure) {
    if FileManager.default.fileExists(atPath: place.path) {
      throw LabFailure(
        message: Text("lab.is-there", ["folder": place.relativePath]))
    }
    if let problem = OutputFolder(path: place.relativePath).write(files) {
      throw LabFailure(message: problem)
    }
  }

  // MARK: Grade

  /// - Parameter number: The level; the one that the folder's Makefile names unless given.
  /// - Returns: 0 if every case passes, 1 if one does not or the code does not build, 2 for a wrong
  ///   call or a machine that lacks something.
  func grade(_ number: Int?, folder: String?) -> Int32 {
    reporting { () throws(LabFailure) in
      let (level, place) = try begun(number, folder)
      let room = try makeRoom()
      let program = try build(place, level, in: room.url)
      let grade = try Grade.play(level.scenes, program, seed: drawnSeed)
      for line in GradeView(style: style, language: language).lines(level: level, grade) {
        console.out(line)
      }
      return grade.hasPassed ? 0 : 1
    }
  }

  /// Plays the cases of one ID and shows what happened, whether they pass or not.
  ///
  /// - Parameter kept: A folder to leave the program and the scene in, for a debugger.
  func run(_ id: String, level number: Int?, folder: String?, kept: String?) -> Int32 {
    reporting { () throws(LabFailure) in
      let (level, place) = try begun(number, folder)
      let scenes = try level.scenes(id)
      let room = try makeRoom()
      var program = try build(place, level, in: room.url)
      program.hasBacktrace = place.language == .swift
      let grade = try Grade.play(scenes, program, seed: drawnSeed)
      for line in GradeView(style: style, language: language).lines(cases: grade) {
        console.out(line)
      }
      if let kept {
        let debugging = try KeptScene(folder: kept, language: place.language)
          .keep(program.file, grade.results.map(\.scene))
        console.out("")
        for line in debugging { console.out(line[language]) }
      }
      return grade.hasPassed ? 0 : 1
    }
  }

  var drawnSeed: UInt32 { seed ?? UInt32.random(in: 1...999_999) }

  var tools: LabTools {
    LabTools(library: library, cache: cache) { console.err("isalab: \($0[language])") }
  }

  /// The level, told in the folder's language, and the folder.
  private func begun(_ number: Int?, _ folder: String?) throws(LabFailure) -> (Level, LabFolder) {
    if let number { _ = try find(number) }
    let url = URL(fileURLWithPath: folder ?? number.map { "lab-\($0)" } ?? ".")
    let named = number ?? LabFolder.level(of: url)
    let place = try LabFolder(
      url, hint: Text("lab.start-makes", ["number": named ?? 1]))
    guard let named else {
      throw LabFailure(
        message: Text("lab.no-level-named", ["folder": url.relativePath]))
    }
    return (try find(named).told(in: place.language), place)
  }

  private func build(
    _ place: LabFolder, _ level: Level, in room: URL
  ) throws(LabFailure) -> SceneProgram {
    let file = try tools.build(place, level: level.number, in: room)
    return SceneProgram(file: file, seconds: limit, sources: place.url)
  }

  private func makeRoom() throws(LabFailure) -> TemporaryFolder {
    do {
      return try TemporaryFolder()
    } catch {
      throw LabFailure(message: Text("lab.no-room", ["reason": error.localizedDescription]))
    }
  }

  func reporting(_ body: () throws(LabFailure) -> Int32) -> Int32 {
    do throws(LabFailure) {
      return try body()
    } catch {
      console.err(error.message[language])
      return error.code
    }
  }
}
