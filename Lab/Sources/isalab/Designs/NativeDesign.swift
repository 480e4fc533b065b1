/// The swap on a native Swift object, reported as a design reports a scenario.
enum NativeDesign {
  static let name = "swift"
  static let title = "an isa swap on a native Swift object"

  static func report(_ write: (String) -> Void) {
    do throws(ClassMetadata.Surprise) {
      for report in reports(of: try NativeSwizzle().perform()) { write(report.line) }
    } catch {
      let stopped = DesignReport.ended(DesignEnding(), exitCode: 2, stopped: error.sentence)
      write(stopped.line)
    }
  }

  private static func reports(of assignments: [NativeSwizzle.Assignment]) -> [DesignReport] {
    let tried = assignments.filter { $0.way != .restored }
    let steps = tried.enumerated().map { index, assignment in
      let heard = assignment.told.map { "→ the patched setter is called: \($0)" }
      return DesignReport.step(
        DesignStep(
          number: index + 1, line: index + 1, text: assignment.code,
          shown: heard.isEmpty ? ["BROKEN the patched setter is not called"] : heard,
          heard: heard.count, elsewhere: 0, unsupported: nil, isExpectation: false,
          isBroken: heard.isEmpty, isRefused: false))
    }
    let isMissed = tried.contains { $0.told.isEmpty }
    return steps + [.ended(DesignEnding(), exitCode: isMissed ? 1 : 0, stopped: nil)]
  }
}
