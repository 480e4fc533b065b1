/// A language that lessons, steps and pages are written in.
enum Language: String, CaseIterable, Hashable, Sendable {
  case english = "en"
  case chinese = "zh"
}

/// A text in every language.
struct Text: Hashable, Sendable {
  var english: String
  var chinese: String

  init(_ english: String, _ chinese: String) {
    self.english = english
    self.chinese = chinese
  }

  subscript(language: Language) -> String {
    switch language {
    case .english: english
    case .chinese: chinese
    }
  }
}
