import Foundation

/// The language that a student writes in.
enum LabLanguage: String, CaseIterable, Sendable {
  case c, swift

  var name: String { self == .c ? "C" : "Swift" }
}

/// The files that `lab start` writes.
enum LabKit {
  static func files(_ level: Level, _ language: LabLanguage) -> [OutputFolder.File] {
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
      .init(path: "README.md", text: readme(level, language)),
      .init(path: "Makefile", text: makefile(level, language)),
    ] + (language == .c ? [.init(path: "compile_flags.txt", text: editorFlags)] : []) + code
  }

  private static func makefile(_ level: Level, _ language: LabLanguage) -> String {
    let text = String(resource: language == .c ? PackageResources.c_mk : PackageResources.swift_mk)
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
    (["-std=c17", "-D_GNU_SOURCE"] + includes.map { "-I\($0)" }).map { $0 + "\n" }.joined()
  }

  private static func readme(_ level: Level, _ language: LabLanguage) -> String {
    let before =
      level.number == 1
      ? ""
      : " Begin with your solution of level \(level.number - 1): copy its files here, all but "
        + (language == .c ? "the header." : "the interface.")
    let cases = level.scenes.map { "- \($0.id): \($0.title)" }
    let sections = [
      "# Level \(level.number): \(level.title)", wrappedText(level.task + before),
      place(language), "## What helps", level.tools.map { "- \($0)" }.joined(separator: "\n"),
      "## How to grade",
      "```\nmake grade\nmake run CASE=\(level.scenes[0].id)\nmake debug CASE=\(level.scenes[0].id)\n```",
      wrappedText(
        "`make grade`, which is `isalab lab grade \(level.number) --dir .`, builds what is here, "
          + "plays the cases below in processes of their own, and shows the first that fails as two "
          + "timelines: what was to be heard, and what was. The IDs are those of the catalogue in "
          + "docs/behaviour.md. `make run` plays one case, `make debug` does so in a debugger; a "
          + "crash is shown with where it was."),
      wrappedText(
        "The values in the cases are drawn anew each time, and the timeline comes from the "
          + "runtime's own log: standard output and standard error are yours, and shown below a case "
          + "that fails. `--seed` with the number that grading prints draws the same values again. "
          + "Lessons of `isalab tour` to have seen: \(level.lessons)."),
      "## The cases", cases.joined(separator: "\n"),
    ]
    return sections.joined(separator: "\n\n") + "\n"
  }

  private static func place(_ language: LabLanguage) -> String {
    switch language {
    case .c:
      wrappedText(
        "`student_kvo.h` says what to write, `student_kvo.c` is where; it begins with functions "
          + "that refuse everything. Leave the header as it is. All public functions of the runtime "
          + "are yours but those of kvo.h, which are what you are building.")
    case .swift:
      wrappedText(
        "`Sources/StudentKVO/Interface.swift` says what to write, `Student.swift` beside it is "
          + "where. Leave the interface as it is. IsaKVO and IsaRuntime are yours: "
          + "`RuntimeClassBuilder`, `RuntimeClass`, `RuntimeObject`. Their `observe` and "
          + "`addObserver` are "
          + "what you are building, so leave those alone.")
    }
  }

  private static func wrappedText(_ text: String) -> String {
    wrapped(text, width: 98).joined(separator: "\n")
  }
}
