import Foundation
import Testing

@testable import isalab

@Suite("The catalogue of words", .serialized, .oneAtATime)
struct CatalogueTests {
  /// A key as the code names it, with the names of the places that it gives words for.
  private struct Naming: Hashable {
    var key: String
    /// Nil where the code gives them from elsewhere.
    var places: Set<String>?
    var file: String
  }

  @Test("has both languages of each key, with the same places")
  func complete() {
    #expect(Catalogue.all.count > 250)
    for (key, phrase) in Catalogue.all {
      let names = Language.allCases.map { Set(phrase[$0].compactMap(\.name)) }
      #expect(names[0] == names[1], "\(key) has other places in Chinese")
      let texts = Language.allCases.map { Text.template(phrase, $0) }
      #expect(!texts[0].isEmpty, "\(key) has no words")
      #expect(!texts[0].hasHan, "\(key) has Chinese in English")
    }
  }

  @Test("has each key that the code names, and the code names each that it has")
  func named() throws {
    let namings = try CatalogueTests.namings()
    let known = Set(Catalogue.all.keys)
    for naming in namings {
      #expect(
        known.contains(naming.key), "\(naming.file) names '\(naming.key)', which is not there")
    }
    let unused = known.subtracting(namings.map(\.key))
    #expect(unused.sorted() == [], "nobody names these")
  }

  @Test("gets words for all the places of a sentence")
  func places() throws {
    for naming in try CatalogueTests.namings() {
      guard let phrase = Catalogue.all[naming.key], let given = naming.places else {
        continue
      }
      // A script counts the places of its templates.
      let needed = Set(phrase.english.compactMap(\.name)).filter { Int($0) == nil }
      #expect(given == needed, "\(naming.key) in \(naming.file)")
    }
  }

  @Test("holds all the Chinese: the code has none")
  func elsewhere() throws {
    for (file, text) in try CatalogueTests.sources() where file != "Width.swift" {
      #expect(!text.hasHan, "\(file) has Chinese in it")
    }
  }

  @Test(
    "says where a file of it is malformed",
    arguments: [
      ("other.key\n", "test.words:1:1: 'other.key' is no key, expected test.…"),
      (
        "test.key\n  en: x\n\ntest.more\n",
        "test.words:4:1: 'test.key' lacks a language, expected en and zh"
      ),
      (
        "test.key\n  fr: x\n",
        "test.words:2:1: 'fr: x' is no text of a key, expected 'en: words' or 'zh: words'"
      ),
      ("test.key\n  en: x\n  en: y\n", "test.words:3:1: 'en' is there twice, expected once"),
      ("test.key\n    x\n", "test.words:2:1: 'x' goes on with nothing, expected a text above it"),
      (
        "test.key\n  en: x\n  zh: 一\ntest.key\n  en: x\n  zh: 一\n",
        "test.words:7:1: the key 'test.key' is there twice, expected each key once"
      ),
    ])
  func malformed(_ text: String, _ says: String) {
    var catalogue = Catalogue()
    let error = #expect(throws: Diagnostic.self) {
      try catalogue.read(text, "test")
    }
    #expect(error?.description == says)
  }

  @Test("fills places, counts, puts articles and keeps blanks that quotes hold")
  func filling() {
    let phrase = Phrase(
      english: "\" {a kind} of {count} {count|step|steps}\"", chinese: "{count} 步的{kind}")
    let one: Places = ["kind": "insertion", "count": 1]
    #expect(phrase.filled(one, in: .english) == " an insertion of 1 step")
    let two: Places = ["kind": "removal", "count": 2]
    #expect(phrase.filled(two, in: .english) == " a removal of 2 steps")
    #expect(phrase.filled(two, in: .chinese) == "2 步的removal")
    #expect(phrase.filled([:], in: .chinese) == "{count} 步的{kind}")
  }

  /// Words that would be a second name for a thing that docs/glossary.md names.
  private static let forbidden: [Language: [String]] = [
    .english: [
      "dynamic type", "format string", "derived property", "old function", "vtable entry",
      "subscriber", "setter method", "getter method",
    ],
    .chinese: [
      "设置方法", "获取方法", "选择子", "上下文", "分派表", "观察登记", "订阅者", "监听者", "监听器",
      "挂钩", "强持有", "悬垂指针", "悬挂指针", "关键路径", "依赖的键", "蹦板", "蹦床", "通知类",
      "消毒器", "下标", "键值监听", "引发异常", "调用帧", "主人", "交换 isa", "isa 交换",
    ],
  ]

  @Test("says nothing in words that the glossary has others for", arguments: Language.allCases)
  func glossary(_ language: Language) throws {
    for (key, phrase) in Catalogue.all {
      for problem in CatalogueTests.problems(in: Text.template(phrase, language), language) {
        Issue.record("\(key): \(problem)")
      }
    }
    let folder = Folder.lab.appendingPathComponent("Sources/isalab/Resources")
    for name in ["Articles", "Lessons", "Museum", "Questions", "Labs", "Errors", "Logs"] {
      let place = folder.appendingPathComponent(name)
      for file in try FileManager.default.contentsOfDirectory(atPath: place.path)
      where !file.hasSuffix(".c") && !file.hasSuffix(".h") && !file.hasSuffix(".swift") {
        let text = try String(contentsOf: place.appendingPathComponent(file), encoding: .utf8)
        for line in text.split(separator: "\n") where String(line).hasHan == (language == .chinese)
        {
          #expect(CatalogueTests.problems(in: String(line), language) == [], "\(file): \(line)")
        }
      }
    }
  }

  private static func problems(in text: String, _ language: Language) -> [String] {
    let found = forbidden[language]!.filter { text.lowercased().contains($0) }
    // To observe is 监听; who does is 观察者.
    let isVerb = language == .chinese && text.contains(#/观察(?!者)/#)
    return found + (isVerb ? ["观察"] : [])
  }

  // MARK: The code

  private static func sources() throws -> [(String, String)] {
    let folder = Folder.lab.appendingPathComponent("Sources/isalab")
    let names = try #require(FileManager.default.enumerator(atPath: folder.path))
    return try names.compactMap { $0 as? String }
      .filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Resources") }.sorted().map {
        let file = folder.appendingPathComponent($0)
        return (file.lastPathComponent, try String(contentsOf: file, encoding: .utf8))
      }
  }

  /// Every literal that looks like a key of one of the catalogue's files.
  private static func namings() throws -> Set<Naming> {
    let areas = Set(Catalogue.all.keys.map { $0.prefix { $0 != "." } })
    var namings: Set<Naming> = []
    for (file, text) in try sources() {
      for match in text.matches(of: #/"([a-z]+)\.([a-z][a-z0-9-]*)"/#)
      where areas.contains(match.1) && !["txt", "kvo"].contains(match.2) {
        let rest = text[match.range.upperBound...]
        namings.insert(
          Naming(key: "\(match.1).\(match.2)", places: places(behind: rest), file: file))
      }
    }
    return namings
  }

  /// The names in the literal that follows a key; none where the call ends.
  private static func places(behind text: Substring) -> Set<String>? {
    if text.first == ")" { return [] }
    guard let start = text.prefixMatch(of: #/,\s*\[/#) else { return nil }
    var names: Set<String> = []
    var depth = 1
    var rest = text[start.range.upperBound...]
    while depth > 0, let character = rest.first {
      if depth == 1, let name = rest.prefixMatch(of: #/"([A-Za-z]+)":/#) {
        names.insert(String(name.1))
        rest = rest[name.range.upperBound...]
        continue
      }
      if "[({".contains(character) { depth += 1 }
      if "])}".contains(character) { depth -= 1 }
      rest = rest.dropFirst()
    }
    return names
  }
}

extension Text {
  /// The words of a sentence without its places.
  fileprivate static func template(_ phrase: Phrase, _ language: Language) -> String {
    phrase.filled([:], in: language)
  }
}

extension Catalogue {
  /// The sentences of all areas.
  static let all = areas.map(area).reduce(into: [:]) { all, catalogue in
    all.merge(catalogue.phrases) { _, _ in fatalError("a key of two areas") }
  }
}
