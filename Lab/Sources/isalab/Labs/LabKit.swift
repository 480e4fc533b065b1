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
    return [.init(path: "README.md", text: readme(level, language))] + code
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
      "```\nisalab lab grade \(level.number) --dir .\n```",
      wrappedText(
        "It builds what is here, plays the cases below in processes of their own, and shows the "
          + "first that fails as two timelines: what was to be heard, and what was. The IDs are those "
          + "of the catalogue in docs/behaviour.md. Standard output belongs to the timeline: what you "
          + "write to standard error to see what happens is shown below it. Lessons of `isalab tour` to have seen: "
          + "\(level.lessons)."),
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
