/// A scenario as a C program that prints what its observers hear.
struct CProgram {
  let program: Program
  /// Of the notes beside statements.
  let language: Language
  private let translator: CTranslator

  init(_ program: Program, language: Language = .english) {
    (self.program, self.language) = (program, language)
    translator = CTranslator(scope: TranslationScope(program))
  }

  private var scope: TranslationScope { translator.scope }

  /// - Parameter source: What the text's file is called.
  func text(in source: String = "scenario.c") -> String {
    let parts = [
      "file": ScenarioName(program).file, "source": source, "structures": structures,
      "telling": PackageResources.telling_c, "variables": variables,
      "functions": functions, "labels": labels, "width": "\(width)", "statements": statements,
      "rule": String(repeating: "-", count: max(2, 91 - ScenarioName(program).file.count)),
    ]
    return PackageResources.scenario_c.filled(parts)
  }

  // MARK: Types

  private var structures: String {
    let encodings =
      scope.symbols.structures.sorted { $0.key < $1.key }.map(\.value.encoding)
      + scope.symbols.classes.sorted { $0.key < $1.key }
      .flatMap { $0.value.properties.map(\.type.encoding) }
    var names: Set<String> = []
    let found = encodings.flatMap { CTypes.structures(in: $0, labels: scope.symbols.labels) }
      .filter { names.insert($0.name).inserted }
    if found.isEmpty { return "" }
    let types = found.map { "    X(struct \($0.name), \($0.encoding.quoted))" }
    return (found.map(\.definition) + ["#define ISA_OWN_TYPES(X) \\"]).joined(separator: "\n")
      + "\n" + types.joined(separator: " \\\n")
  }

  private var width: Int { (scope.symbols.labels.values.map(\.count).max() ?? 0) + 1 }

  private var labels: String {
    scope.symbols.labels.sorted { $0.key < $1.key }.map { name, labels in
      "{\(([name] + labels).map(\.quoted).joined(separator: ", "))}, "
    }.joined()
  }

  // MARK: Variables

  private var variables: String {
    let symbols = scope.symbols
    let classes = symbols.classes.keys.filter {
      $0 != Symbols.observerClass && ($0 != SwiftView.name || scope.usesSwiftView)
    }
    return [
      ("isa_class", Array(classes)), ("isa_id", Array(symbols.objects.keys)),
      (
        "kvo_token",
        symbols.tokens.filter { symbols.shared[$0.value.object.text] == nil }.map(\.key)
      ),
      ("kvo_shared_observers", Array(symbols.shared.keys)),
    ].filter { !$0.1.isEmpty }.map { type, names in
      "static \(type) \(names.sorted().map { CTranslator.name($0) }.joined(separator: ", "));\n"
    }.joined()
  }

  // MARK: Statements

  private var functions: String {
    var lines = swiftView?.declarations ?? []
    for (statement, made) in zip(program.scenario.statements, translator.translations()) {
      if case .structure = statement.kind { continue }
      lines += made.declarations
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private var statements: String {
    var lines = swiftView?.lines ?? []
    for (statement, translation) in zip(program.scenario.statements, translator.translations()) {
      lines += self.lines(of: statement, translation)
    }
    return lines.map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
  }

  private func lines(of statement: Statement, _ translation: Translation) -> [String] {
    var translation = translation
    translation.declarations = []
    if case .structure = statement.kind { return [] }
    let isComment = translation.lines.isEmpty
    var lines = isComment ? [] : ["", "// \(statement.text)"]
    lines += translation.shown(in: language)
    if let name = statement.kind.namedObject {
      lines.append("name(\(CTranslator.name(name)), \(name.quoted));")
    }
    return isComment ? lines : lines + ["end_line();"]
  }

  /// The class of Swift's that isalab has, as C would have it.
  private var swiftView: Translation? {
    guard scope.usesSwiftView else { return nil }
    let name = Name(text: SwiftView.name, location: SourceLocation(line: 0, column: 0))
    return translator.classPair(ClassDeclaration(name: name, properties: []))
  }
}

extension Statement.Kind {
  /// The object that the statement makes and names.
  var namedObject: String? {
    switch self {
    case .object(let name, of: _), .observer(let name), .collection(let name, type: _, _): name.text
    default: nil
    }
  }
}

/// The name of a scenario's file, as programs may be called.
struct ScenarioName {
  let file: String

  init(_ program: Program) {
    let name = program.scenario.file.split(separator: "/").last.map(String.init) ?? "scenario"
    file = name == "-" ? "scenario" : name.shown
  }

  private var parts: [String] {
    let stem = file.hasSuffix(".kvo") ? String(file.dropLast(4)) : file
    let parts = stem.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.map(String.init)
    return parts.isEmpty ? ["scenario"] : parts
  }

  /// `key-paths`
  var words: String { parts.joined(separator: "-") }

  /// `KeyPathsScenario`
  var typeName: String {
    let name = parts.map(\.capitalisedFirst).joined()
    return (name.first?.isNumber == true ? "N" : "") + name + "Scenario"
  }
}

extension String {
  /// With texts for the words behind dollar signs. The texts are not looked at.
  func filled(_ parts: [String: String]) -> String {
    var result = ""
    var rest = self[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      let word = rest[rest.index(after: dollar)...].prefix { $0.isLetter }
      result += parts[String(word)] ?? "$" + word
      rest = rest[word.endIndex...]
    }
    return result + rest
  }
}
