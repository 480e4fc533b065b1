import ArgumentParser
import Foundation

// Help and usage of the commands, in the language that the user is found to read.

extension Language {
  /// The language that `--lang` names, else the one of the locale.
  static let local: Language = {
    let arguments = CommandLine.arguments
    let named = arguments.lastIndex(of: "--lang").map { arguments.dropFirst($0 + 1).first ?? "" }
    let environment = ProcessInfo.processInfo.environment
    return named.flatMap { Language(rawValue: $0) } ?? .suited(to: environment)
  }()
}

extension ArgumentHelp {
  /// The catalogue's words for an argument.
  static func words(_ key: String, valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp("\(Language.local.say(key))", valueName: valueName)
  }
}

extension ValidationError {
  /// The catalogue's words for wrong usage.
  init(words key: String, _ places: Places = [:]) {
    self.init(Language.local.say(key, places))
  }

  /// That a name means no design.
  init(unknownDesign name: String) {
    self.init(
      words: "compare.unknown", ["name": name.shown, "names": alternatives(Designs.names)])
  }
}

/// The language, as every command takes it.
struct LanguageArguments: ParsableArguments {
  @Option(help: .words("help.lang", valueName: "en|zh"))
  var lang: Language?

  var language: Language { lang ?? .local }
}

extension Language: ExpressibleByArgument {}
