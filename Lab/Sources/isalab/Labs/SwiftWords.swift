import Foundation

/// The words of tasks and hints, for students who write in Swift.
enum SwiftWords {
  /// The longer ones first.
  private static let words = [
    ("isa_weak_copy answers NULL", "a RuntimeWeakReference's object is nil"),
    (
      "has_old tells that there is one, even if it is nil",
      "nil as a value is nilObject, and none at all is nil"
    ),
    ("has_old and has_new only", "old and new only"),
    ("answer a status", "throw NotRegistered"),
    ("on the stack, not in a global", "in a local, not in a property"),
    ("student_remove_context matches", "remove with a context matches"),
    ("NULL is a context", "0 is a context"),
    ("an isa_weak", "a RuntimeWeakReference"),
    ("isa_invoke", "callSuper"),
    ("kvc_copy_value_for_path", "value(forKeyPath:)"),
    ("STUDENT_INITIAL", ".initial"), ("STUDENT_PRIOR", ".prior"),
    ("student_add", "add"),
    ("student_depends", "setKeyPaths"),
    ("student_will_change", "willChange"), ("student_did_change", "didChange"),
  ]

  static func said(_ text: String) -> String {
    words.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }
}

extension Level {
  /// The level as it is told to who writes in `language`.
  func told(in language: LabLanguage) -> Level {
    guard language == .swift else { return self }
    var level = self
    level.task = SwiftWords.said(task)
    level.tools = swiftTools
    for index in level.scenes.indices {
      level.scenes[index].hint = SwiftWords.said(level.scenes[index].hint)
    }
    return level
  }
}
