/// A scenario as a package of Swift's that prints what its observers hear.
struct SwiftProgram {
  let program: Program
  /// Of the notes beside statements.
  let language: Language
  private let translator: SwiftTranslator

  init(
    _ program: Program, names: SwiftTranslator.Names = .own, language: Language = .english
  ) {
    (self.program, self.language) = (program, language)
    translator = SwiftTranslator(scope: TranslationScope(program), names: names)
  }

  private var scope: TranslationScope { translator.scope }
  private var name: ScenarioName { ScenarioName(program) }

  /// The package's files.
  func files() -> [OutputFolder.File] {
    [
      OutputFolder.File(path: "Package.swift", text: SwiftProgram.manifest(name: name.words)),
      OutputFolder.File(
        path: "Sources/Scenario/main.swift", text: SwiftProgram.main([self])),
      OutputFolder.File(path: "Sources/Scenario/Telling.swift", text: SwiftProgram.telling),
      OutputFolder.File(path: "Sources/Scenario/\(name.typeName).swift", text: text()),
    ]
  }

  static var telling: String { PackageResources.Telling_swift }

  static func manifest(name: String) -> String {
    PackageResources.scenario_package_swift.filled([
      "name": name, "checkout": CoreLibrary.ownCheckout.path.debugDescription,
    ])
  }

  static func main(_ programs: [SwiftProgram]) -> String {
    """
    import IsaKVO

    KeyValueSettings.misuseHandler = { print("misuse \\($0.exception)") }

    """ + programs.map { "try \($0.name.typeName).run()\n" }.joined()
  }

  /// The scenario's own file.
  func text() -> String {
    """
    // \(name.file) in Swift with this library, as isalab wrote it.
    import Foundation
    import IsaKVO
    import IsaKVOBindings
    \(translator.isApple ? "import IsaKVOFoundation\n" : "")import IsaRuntime

    enum \(name.typeName) {
    \(declarations.map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n"))
      static func run() throws {
    \(statements.map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n"))
        keepAlive(\(names.joined(separator: ", ")))
      }
    }

    """
  }

  private var names: [String] {
    let tokens = scope.symbols.tokens.filter { scope.symbols.shared[$0.value.object.text] == nil }
    let all = Set(scope.symbols.objects.keys).union(tokens.keys).union(scope.symbols.shared.keys)
    return all.sorted().map(SwiftTypes.name)
  }

  // MARK: Lines

  private var declarations: [String] {
    var lines: [String] = []
    if scope.usesSwiftView {
      lines += ["class \(SwiftView.name): KVObject {", "  @Dynamic var width = 0", "}", ""]
    }
    for translation in translator.translations() where !translation.declarations.isEmpty {
      var part = translation
      part.lines = []
      lines += part.shown(in: language) + [""]
    }
    return lines
  }

  private var statements: [String] {
    var lines = scope.symbols.classes.keys.sorted().compactMap { name -> String? in
      let type = SwiftTypes.typeName(name)
      return type == name ? nil : "called(\(type).self, \(name.quoted))"
    }
    lines += scope.early.sorted().map { "var \(SwiftTypes.name($0)): KeyValueObservation?" }
    for (index, pair) in zip(program.scenario.statements, translator.translations()).enumerated() {
      lines += self.lines(of: pair.0, pair.1, scope.isRefused(index))
    }
    return lines
  }

  private func lines(
    of statement: Statement, _ translation: Translation, _ isRefused: Bool
  ) -> [String] {
    var part = translation
    part.declarations = []
    if part.lines.isEmpty {
      return translation.declarations.isEmpty ? part.shown(in: language) : []
    }
    var lines = part.shown(in: language)
    if isRefused { lines = ["refused {"] + lines.map { "  " + $0 } + ["}"] }
    if statement.kind.isInitialOfObject {
      lines = ["isRegistering = true"] + lines + ["isRegistering = false"]
    }
    if let name = statement.kind.namedObject {
      lines.append("named(\(SwiftTypes.name(name)), \(name.quoted))")
    }
    return ["", "// \(statement.text)"] + lines
  }
}

extension Statement.Kind {
  /// Whether an observer that is an object hears of the value as it is.
  fileprivate var isInitialOfObject: Bool {
    guard case .observe(let observe) = self else { return false }
    return observe.observer != nil && observe.options.contains(.initial)
  }
}
