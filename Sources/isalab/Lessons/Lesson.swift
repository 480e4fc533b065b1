/// One stop of the tour: what to look at, lines that are really run, and what to take from them.
struct Lesson: Hashable, Sendable {
  var title: String
  var introduction: String
  /// Lines of the scenario language; they go on where the lesson before ended.
  var lines: String
  /// Whether the runtime's event log is shown below each step.
  var showsTrace = false
  var conclusion: String
}
