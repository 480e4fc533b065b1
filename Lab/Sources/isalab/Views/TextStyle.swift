/// How text is set off: by colour where the terminal shows it, else not at all.
struct TextStyle: Hashable, Sendable {
  var isColoured = false

  func heading(_ text: String) -> String { coloured(text, "1") }
  func faint(_ text: String) -> String { coloured(text, "2") }
  func good(_ text: String) -> String { coloured(text, "32") }
  func bad(_ text: String) -> String { coloured(text, "1;31") }
  func notable(_ text: String) -> String { coloured(text, "36") }

  private func coloured(_ text: String, _ code: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// Colour is for a terminal whose user did not switch it off.
  ///
  /// - Parameter environment: `NO_COLOR`, if there and not empty, and `TERM=dumb` switch it off.
  static func suited(isTerminal: Bool, environment: [String: String]) -> TextStyle {
    let isOff = environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
    return TextStyle(isColoured: isTerminal && !isOff)
  }
}

/// The things that a text view shows beside the usual.
struct TextOptions: Hashable, Sendable {
  var style = TextStyle()
  var language = Language.english
  /// The runtime's event log below each step.
  var showsTrace = false
  /// Real addresses and machine code.
  var showsAddresses = false
  /// The language in which each statement is shown as well.
  var translation: ProgrammingLanguage?
}
