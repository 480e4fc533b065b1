import IsaRuntime

/// A call that the runtime refused, as a scenario shows it.
struct Refusal: Hashable, Sendable, Codable {
  /// Foundation's name for it, such as `NSRangeException`.
  var exception: String
  var reason: String
}

extension Refusal {
  init(_ error: KeyValueError) { self.init(exception: error.exceptionName, reason: error.reason) }

  init(_ misuse: Misuse) { self.init(exception: misuse.exception, reason: misuse.reason) }
}

extension KeyValueError {
  /// A value that turned out not to fit.
  init(_ diagnostic: Diagnostic) {
    let reason = Language.english.say(
      "syntax.mistake", ["problem": diagnostic.problem, "expected": diagnostic.expected])
    self.init(.invalidArgument, reason: reason)
  }
}
