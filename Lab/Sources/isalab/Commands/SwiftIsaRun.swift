/// `isalab swiftisa`: the trick on a native Swift object.
struct SwiftIsaRun {
  var console: Console
  var style = TextStyle()
  var language = Language.english
  /// Whether this program was built with optimisation.
  var isOptimised = SwiftIsaRun.isReleaseBuild

  static var isReleaseBuild: Bool { !_isDebugAssertConfiguration() }

  /// - Returns: 0 if the swap was made and undone, 1 if this program will not make it here.
  func run() -> Int32 {
    console.out(style.heading(say("swiftisa.title")))
    out(
      say("swiftisa.opening"))
    console.out("")
    do throws(ClassMetadata.Surprise) {
      let swizzle = try NativeSwizzle()
      show(swizzle)
      show(try swizzle.perform(), swizzle)
      console.out("")
      explain()
      return 0
    } catch {
      out(say("swiftisa.not-done", ["reason": error.sentence]))
      return 1
    }
  }

  private func show(_ swizzle: NativeSwizzle) {
    let metadata = swizzle.original
    let slots = metadata.slots.map {
      "\($0.word) \($0.kind.map { "\($0)" } ?? say("swiftisa.other"))"
        + ($0.code == nil ? say("swiftisa.taken-out") : "")
    }
    console.out("  class NativePerson { var age = 0; final var height = 0 }")
    console.out(
      say("swiftisa.metadata", ["size": metadata.size, "prefix": metadata.prefix]))
    for line in wrapped(
      say("swiftisa.vtable", ["slots": slots.joined(separator: ", ")]), width: 78, indent: "  ")
    {
      console.out(line)
    }
    console.out(say("swiftisa.patched", ["word": swizzle.slot.word]))
    console.out("")
  }

  private func show(_ assignments: [NativeSwizzle.Assignment], _ swizzle: NativeSwizzle) {
    let width = assignments.map(\.code.count).max() ?? 0
    console.out(
      style.faint(say("swiftisa.build", ["build": isOptimised ? "release, -O" : "debug, -Onone"])))
    for assignment in assignments {
      let code = assignment.code + String(repeating: " ", count: width - assignment.code.count)
      let heard = assignment.told.map { say("swiftisa.told", ["value": $0]) }.first
      let text = heard.map { style.good($0) } ?? say("swiftisa.not-told")
      console.out("  \(code)  \(text), \(reason(assignment, swizzle))")
    }
  }

  private func reason(
    _ assignment: NativeSwizzle.Assignment, _ swizzle: NativeSwizzle
  ) -> String {
    let isTold = !assignment.told.isEmpty
    switch assignment.way {
    case .set:
      return isTold ? say("swiftisa.by-setter") : say("swiftisa.past-vtable")
    case .inPlace:
      let hasModify = swizzle.original.slots.contains { $0.kind == .modify && $0.code != nil }
      return hasModify ? say("swiftisa.by-modify") : say("swiftisa.in-place")
    case .final: return say("swiftisa.final")
    case .restored: return say("swiftisa.restored")
    }
  }

  private func explain() {
    out(
      isOptimised
        ? say("swiftisa.debug")
        : say("swiftisa.release"))
    console.out("")
    out(
      say("swiftisa.closing"))
  }

  private func say(_ key: String, _ places: Places = [:]) -> String { language.say(key, places) }

  private func out(_ paragraph: String) {
    for line in wrapped(paragraph, width: 80) { console.out(line) }
  }
}
