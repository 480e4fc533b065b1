/// A language that lessons, steps and pages are written in.
enum Language: String, CaseIterable, Hashable, Sendable {
  case english = "en"
  case chinese = "zh"
}

extension Language {
  /// A sentence of the catalogue, with words in its places.
  func say(_ key: String, _ places: Places = [:]) -> String {
    Catalogue.phrase(key).filled(places, in: self)
  }
}

/// A text in every language.
struct Text: Hashable, Sendable, Codable {
  let english: String
  let chinese: String

  subscript(language: Language) -> String {
    switch language {
    case .english: english
    case .chinese: chinese
    }
  }
}

extension Text {
  /// A sentence of the catalogue, with words in its places.
  init(_ key: String, _ places: Places = [:]) {
    self.init { $0.say(key, places) }
  }

  /// Of a text that is made for each language.
  init(_ words: (Language) -> String) {
    self.init(english: words(.english), chinese: words(.chinese))
  }

  /// Of a name or value, which is the same in every language.
  init(same name: String) { self.init(english: name, chinese: name) }

  static func + (text: Text, end: String) -> Text { Text { text[$0] + end } }
}

extension String {
  /// An object's name, or what stands for it where the scenario gave none: `a Person`, or
  /// `binding of ada.age`.
  func objectName(in language: Language) -> String {
    let mark = "binding of "
    if hasPrefix(mark) { return language.say("name.binding", ["property": dropFirst(mark.count)]) }
    guard let article = ["a ", "an "].first(where: hasPrefix) else { return self }
    let kind = String(dropFirst(article.count))
    return kind == "observer"
      ? language.say("name.observer") : language.say("name.object", ["class": kind])
  }

  /// A class's name, or what stands for the name of a metaclass.
  func className(in language: Language) -> String {
    classOfMetaclass.map { language.say("name.metaclass", ["class": $0]) } ?? self
  }

  /// `metaclass of Person`, of `Person`.
  var metaclassName: String { "metaclass of \(self)" }

  /// `Person` of `metaclass of Person`; nil of a class's name.
  var classOfMetaclass: Substring? {
    let mark = "metaclass of "
    return hasPrefix(mark) ? dropFirst(mark.count) : nil
  }
}
