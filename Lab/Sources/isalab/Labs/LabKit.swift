import Foundation

/// The language that a student writes in.
enum LabLanguage: String, CaseIterable, Sendable {
  case c, swift

  var name: String { self == .c ? "C" : "Swift" }
}

/// The files that `lab start` writes.
enum LabKit {
  static func files(
    _ level: Level, _ language: LabLanguage, _ words: Language = .english
  ) -> [OutputFolder.File] {
    let level = level.told(in: language)
    let code =
      switch language {
      case .c:
        [
          OutputFolder.File(
            path: "student_kvo.h",
            text: LevelText.read(PackageResources.student_kvo_h, level.number)),
          OutputFolder.File(
            path: "student_kvo.c",
            text: LevelText.read(PackageResources.student_kvo_c, level.number)),
        ]
      case .swift: SwiftKit.files(level.number)
      }
    return [
      .init(path: "README.md", text: readme(level, language, words)),
      .init(path: "Makefile", text: makefile(level, language)),
    ] + (language == .c ? [.init(path: "compile_flags.txt", text: editorFlags)] : []) + code
  }

  private static func makefile(_ level: Level, _ language: LabLanguage) -> String {
    let text = language == .c ? PackageResources.c_mk : PackageResources.swift_mk
    let marks = [
      "@LEVEL@": String(level.number), "@CASE@": level.scenes[0].id,
      "@ISALAB@": ChildProcess.executable?.path ?? "isalab",
      "@INCLUDES@": includes.map { "-I'\($0)'" }.joined(separator: " "),
    ]
    return marks.reduce(text) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
  }

  /// Where the headers are: in the checkout that isalab was built from, or where pkg-config says.
  private static var includes: [String] {
    if CoreLibrary.isCheckout(CoreLibrary.ownCheckout) {
      return CoreLibrary.headers(of: CoreLibrary.ownCheckout)
    }
    let flags = Tool.packageWords(["--cflags-only-I", "isakvo"]) ?? []
    return flags.map { String($0.dropFirst(2)) }
  }

  /// For editors that ask clangd.
  private static var editorFlags: String {
    (["-std=c17", "-D_GNU_SOURCE", "-DISA_UNCHECKED"] + includes.map { "-I\($0)" }).map {
      $0 + "\n"
    }.joined()
  }

  private static func readme(
    _ level: Level, _ language: LabLanguage, _ words: Language
  ) -> String {
    func say(_ key: String, _ places: Places = [:]) -> String { words.say(key, places) }
    let cases = level.scenes.map { "- \($0.id): \($0.title[words])" }
    let example = level.scenes[0].id
    let sections = [
      "# " + say("grade.level", ["number": level.number, "title": level.title]),
      wrappedText(level.task[words] + start(level, language, words)),
      wrappedText(say(language == .c ? "kit.place-c" : "kit.place-swift")),
      "## " + say("kit.tools"), level.tools.map { "- \($0[words])" }.joined(separator: "\n"),
      "## " + say("kit.grading"),
      "```\nmake grade\nmake run CASE=\(example)\nmake debug CASE=\(example)\n```",
      wrappedText(say("kit.how", ["number": level.number])),
      wrappedText(say("kit.values", ["lessons": level.lessons])),
      "## " + say("kit.cases"), cases.joined(separator: "\n"),
    ]
    return sections.joined(separator: "\n\n") + "\n"
  }

  /// The place to begin at; nothing on the first level.
  private static func start(
    _ level: Level, _ language: LabLanguage, _ words: Language
  ) -> String {
    if level.number == 1 { return "" }
    let key = language == .c ? "kit.begin-c" : "kit.begin-swift"
    return words.say(key, ["number": level.number - 1])
  }

  private static func wrappedText(_ text: String) -> String {
    wrapped(text, width: 98).joined(separator: "\n")
  }
}
