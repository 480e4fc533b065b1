import Foundation

/// The words of tasks and hints that C has, and those of Swift's in their place.
enum SwiftWords {
  /// The longer ones first.
  private static let words = PackageResources.swift_terms
    .split(separator: "\n").map { line in
      let sides = line.components(separatedBy: " => ")
      return (c: sides[0], swift: sides[1])
    }

  static func said(_ text: Text) -> Text {
    Text { language in
      words.reduce(text[language]) { $0.replacingOccurrences(of: $1.c, with: $1.swift) }
    }
  }
}

extension Level {
  /// The level as it is told to those who write in this language.
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
