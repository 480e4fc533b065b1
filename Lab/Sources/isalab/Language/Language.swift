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

extension String {
  /// An object's name, or what stands for it where the scenario gave none: `a Person`.
  func objectName(in language: Language) -> String {
    guard language == .chinese, let article = ["a ", "an "].first(where: hasPrefix) else {
      return self
    }
    let kind = dropFirst(article.count)
    return "一个 \(kind == "observer" ? "观察者" : kind)"
  }

  /// A class's name, or what stands for the name of a metaclass.
  func className(in language: Language) -> String {
    let mark = "metaclass of "
    guard language == .chinese, hasPrefix(mark) else { return self }
    return "\(dropFirst(mark.count)) 的元类"
  }
}
