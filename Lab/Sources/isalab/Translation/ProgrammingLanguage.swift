/// A language in which a scenario's statements are shown beside the scenario itself.
enum ProgrammingLanguage: String, CaseIterable, Hashable, Sendable {
  /// Objective-C with Foundation.
  case objectiveC = "objc"
  /// Swift with this library.
  case swift
  /// Swift with this library under Apple's names.
  case apple
  /// C with this library.
  case c

  /// For people.
  var title: Text {
    switch self {
    case .objectiveC: Text("code.objective-c")
    case .swift: Text("code.swift")
    case .apple: Text("code.apple")
    case .c: Text("code.c")
    }
  }

  func translator(of program: Program) -> any Translator {
    let scope = TranslationScope(program)
    return switch self {
    case .objectiveC: ObjectiveCTranslator(scope: scope)
    case .swift: SwiftTranslator(scope: scope, names: .own)
    case .apple: SwiftTranslator(scope: scope, names: .apple)
    case .c: CTranslator(scope: scope)
    }
  }

  /// Each statement of a program in this language, as lines with comments for people.
  func lines(of program: Program, in language: Language) -> [[String]] {
    translator(of: program).translations().map { $0.shown(in: language) }
  }
}
