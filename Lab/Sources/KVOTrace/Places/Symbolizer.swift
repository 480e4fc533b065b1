import Foundation

/// An address of a module's file.
struct SymbolizerQuestion: Hashable {
  let module: String
  let address: UInt64
}

/// A function that an address lies in; an inlined one lies in another.
struct SymbolizedFrame: Hashable {
  let function: String
  let file: String
  /// 0: none.
  let line: UInt32

  private static let modules = [
    "6IsaKVO", "11IsaKeyValue", "10IsaRuntime", "13IsaKVOCombine", "14IsaKVOBindings",
    "14IsaKVOWrappers", "16IsaKVOFoundation",
  ]
  private static let folders = [
    "/Sources/CIsa", "/Sources/IsaKVO", "/Sources/IsaKeyValue/",
    "/Sources/IsaRuntime/",
  ]

  /// Whether it is no function of the library's.
  var isOutsideOfLibrary: Bool {
    let isOfLayers = Self.modules.contains { function.hasPrefix("$s" + $0) }
    return !isOfCore && !isOfLayers && !Self.folders.contains { file.contains($0) }
  }

  private var isOfCore: Bool { ["isa_", "kvo_", "kvc_"].contains { function.hasPrefix($0) } }

  /// Whether it is a function of the core's that programs call.
  var isCallOfCore: Bool { isOfCore && !function.hasPrefix("isa__") }

  /// Whether it may be the library's: functions of the core that have no names outside of their files,
  /// and the compiler's thunks between forms of a closure.
  var mayBeOfLibrary: Bool {
    let isThunk = function.hasSuffix("TR") || function.hasSuffix("TA")
    return (isThunk || !function.hasPrefix("$s")) && function != "main" && !file.contains("/")
  }
}

/// The program that tells source lines of addresses.
struct Symbolizer {
  let path: String
  /// In seconds.
  let timeout: Double

  private var isLLVM: Bool { !path.hasSuffix("addr2line") }

  /// `llvm-symbolizer` of the path or beside `swift`, or else `addr2line`.
  static func find(timeout: Double) -> Symbolizer? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map(String.init)
    let swift = folders.lazy.map { $0 + "/swift" }.first(where: isProgram)
    let beside = swift.map {
      URL(fileURLWithPath: $0).resolvingSymlinksInPath().deletingLastPathComponent().path
    }
    let all = folders + [beside].compactMap { $0 }
    for name in ["llvm-symbolizer", "addr2line"] {
      if let path = all.lazy.map({ $0 + "/" + name }).first(where: isProgram) {
        return Symbolizer(path: path, timeout: timeout)
      }
    }
    return nil
  }

  private static func isProgram(_ path: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: path)
  }

  /// The frames of each address, innermost first. Nil: the program could not be run, or has not
  /// answered in time.
  func ask(_ questions: [SymbolizerQuestion]) -> [[SymbolizedFrame]]? {
    isLLVM ? askLLVM(questions) : askGNU(questions)
  }
}

// ---- llvm-symbolizer ----------------------------------------------------------------------------

extension Symbolizer {
  private struct Answer: Decodable {
    struct Symbol: Decodable {
      let functionName: String?
      let fileName: String?
      let line: UInt32?

      enum CodingKeys: String, CodingKey {
        case functionName = "FunctionName"
        case fileName = "FileName"
        case line = "Line"
      }
    }

    let symbols: [Symbol]?

    enum CodingKeys: String, CodingKey {
      case symbols = "Symbol"
    }
  }

  private func askLLVM(_ questions: [SymbolizerQuestion]) -> [[SymbolizedFrame]]? {
    // A path that cannot stand in a line has no answer, but keeps its place.
    let lines = questions.map { question in
      let isPlain = !question.module.contains { $0.isNewline || $0 == "\"" }
      let module = isPlain ? question.module : "/"
      return "\"\(module)\" 0x\(String(question.address, radix: 16))\n"
    }
    let arguments = ["--output-style=JSON", "--no-demangle", "--inlines"]
    guard let output = run(arguments, input: lines.joined()) else { return nil }
    let answers = output.split(separator: "\n").map { frames(ofJSON: String($0)) }
    return answers.count == questions.count ? answers : nil
  }

  private func frames(ofJSON line: String) -> [SymbolizedFrame] {
    guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(line.utf8)) else {
      return []
    }
    return (answer.symbols ?? []).map {
      SymbolizedFrame(
        function: $0.functionName ?? "", file: $0.fileName ?? "", line: $0.line ?? 0)
    }
  }
}

// ---- addr2line ----------------------------------------------------------------------------------

extension Symbolizer {
  private func askGNU(_ questions: [SymbolizerQuestion]) -> [[SymbolizedFrame]]? {
    var answers: [SymbolizerQuestion: [SymbolizedFrame]] = [:]
    for (module, asked) in Dictionary(grouping: questions, by: \.module) {
      let lines = asked.map { "0x" + String($0.address, radix: 16) + "\n" }.joined()
      guard let output = run(["-a", "-f", "-i", "-e", module], input: lines) else { return nil }
      for (question, frames) in zip(asked, groups(output)) { answers[question] = frames }
    }
    return questions.map { answers[$0] ?? [] }
  }

  /// Each answer begins with its address; then come pairs of lines.
  private func groups(_ output: String) -> [[SymbolizedFrame]] {
    var groups: [[SymbolizedFrame]] = []
    var function: String?
    for line in output.split(separator: "\n").map(String.init) {
      if line.hasPrefix("0x"), function == nil {
        groups.append([])
      } else if let name = function, !groups.isEmpty {
        groups[groups.count - 1].append(frame(name, line))
        function = nil
      } else {
        function = line
      }
    }
    return groups
  }

  private func frame(_ function: String, _ place: String) -> SymbolizedFrame {
    let plain = place.components(separatedBy: " (discriminator")[0]
    guard let colon = plain.lastIndex(of: ":") else {
      return SymbolizedFrame(function: function, file: "", line: 0)
    }
    let line = UInt32(plain[plain.index(after: colon)...]) ?? 0
    return SymbolizedFrame(function: function, file: String(plain[..<colon]), line: line)
  }
}

// ---- the program's process ----------------------------------------------------------------------

extension Symbolizer {
  /// What the program writes. Input and output are files: pipes of that size would block.
  private func run(_ arguments: [String], input: String) -> String? {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("kvotrace-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      return try run(arguments, input, in: folder)
    } catch {
      return nil
    }
  }

  private func run(_ arguments: [String], _ input: String, in folder: URL) throws -> String? {
    let (question, answer) = (
      folder.appendingPathComponent("in"), folder.appendingPathComponent("out")
    )
    try Data(input.utf8).write(to: question)
    try Data().write(to: answer)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: question)
    process.standardOutput = try FileHandle(forWritingTo: answer)
    process.standardError = FileHandle.nullDevice
    try process.run()
    guard ends(process), process.terminationStatus == 0 else { return nil }
    return String(decoding: try Data(contentsOf: answer), as: UTF8.self)
  }

  private func ends(_ process: Process) -> Bool {
    let end = Date(timeIntervalSinceNow: timeout)
    while process.isRunning && Date() < end { usleep(2000) }
    if !process.isRunning { return true }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return false
  }
}
