/// The swap on a native Swift object, reported as a design reports a scenario.
enum NativeDesign {
  static let name = "swift"
  static let title = Text("design.swift")

  static func report(_ language: Language, _ write: (String) -> Void) {
    do throws(ClassMetadata.Surprise) {
      for report in reports(of: try NativeSwizzle().perform(), language) { write(report.line) }
    } catch {
      let stopped = DesignReport.ended(
        DesignEnding(), exitCode: 2, stopped: error.sentence[language])
      write(stopped.line)
    }
  }

  private static func reports(
    of assignments: [NativeSwizzle.Assignment], _ language: Language
  ) -> [DesignReport] {
    let tried = assignments.filter { $0.way != .restored }
    let steps = tried.enumerated().map { index, assignment in
      let heard = assignment.told.map { language.say("swiftisa.patched-called", ["value": $0]) }
      return DesignReport.step(
        DesignStep(
          number: index + 1, line: index + 1, text: assignment.code,
          shown: heard.isEmpty ? [language.say("swiftisa.patched-missed")] : heard,
          heard: heard.count, elsewhere: 0, unsupported: nil, isExpectation: false,
          isBroken: heard.isEmpty, isRefused: false))
    }
    let isMissed = tried.contains { $0.told.isEmpty }
    return steps + [.ended(DesignEnding(), exitCode: isMissed ? 1 : 0, stopped: nil)]
  }
}
