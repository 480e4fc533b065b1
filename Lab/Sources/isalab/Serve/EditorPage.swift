/// The page with the editor: a scenario, its problems, and beside it the page of its run.
struct EditorPage {
  private let language: Language
  private let documents: [Desk.Document]
  private let traces: [String]
  private let design: String

  /// - Parameters:
  ///   - traces: The names of traces that have pages of their own.
  ///   - design: The one that is chosen at first.
  init(
    _ language: Language, _ documents: [Desk.Document], traces: [String] = [],
    _ design: String = Designs.engine
  ) {
    (self.language, self.documents) = (language, documents)
    (self.traces, self.design) = (traces, design)
  }

  static let script = [
    PackageResources.theme_js, PackageResources.language_js, PackageResources.editor_js,
  ].joined()
  static let style = GraphStyle.lettered(PackageResources.editor_css)

  func html() -> String {
    let body = [
      "<link rel=\"stylesheet\" href=\"/editor.css\"/>", bar(), "<main class=\"workshop\">",
      writing(), reference(), running(), "</main>",
      Page.data(data),
      "<script src=\"/editor.js\"></script>",
    ]
    return Page.document("isalab", language, body.joined(separator: "\n"))
  }

  private func word(_ text: Text) -> String { text[language].markup }

  // MARK: Parts

  private func bar() -> String {
    let other = language == .english ? Language.chinese : .english
    return """
      <header class="bar"><div>
      <h1>isalab</h1>
      <label class="opener"><span class="seen-not">\(word(ServeWords.open))</span>\
      <select id="open">\(options())</select></label>
      \(traceLinks())
      <button type="button" id="share">\(word(ServeWords.share))</button>
      <button type="button" id="save">\(word(ServeWords.save))</button>
      \(Page.themeButton(language))
      <a id="other" href="/?lang=\(other.rawValue)" lang="\(other.rawValue)">\
      \(ServeWords.language[other].markup)</a>
      </div></header>
      """
  }

  private func traceLinks() -> String {
    if traces.isEmpty { return "" }
    let links = traces.enumerated().map {
      "<a href=\"/traces/\($0 + 1)?lang=\(language.rawValue)\" target=\"_blank\">\($1.shown.markup)</a>"
    }
    return "<nav class=\"traces\" aria-label=\"\(word(ServeWords.traces))\">"
      + links.joined(separator: " ") + "</nav>"
  }

  private func options() -> String {
    let groups: [(Desk.Document.Group, Text)] = [
      (.file, ServeWords.files), (.example, ServeWords.examples), (.lesson, ServeWords.lessons),
      (.failure, ServeWords.failures),
    ]
    return groups.map { group, title in
      let entries = documents.indices.filter { documents[$0].group == group }.map {
        "<option value=\"\($0)\">\(documents[$0].title.markup)</option>"
      }
      return entries.isEmpty
        ? "" : "<optgroup label=\"\(word(title))\">\(entries.joined())</optgroup>"
    }.joined()
  }

  private func writing() -> String {
    """
    <section class="writing" aria-label="\(word(ServeWords.title))">
    <div class="editor" id="editor">
    <pre id="numbers" class="numbers" aria-hidden="true"></pre>
    <div class="sheet"><pre id="marks" class="marks" aria-hidden="true"></pre>
    <textarea id="text" wrap="off" spellcheck="false" autocapitalize="off" autocomplete="off" \
    aria-label="\(word(ServeWords.scenario))" aria-describedby="problem keys" \
    aria-autocomplete="list" aria-controls="proposals"></textarea>
    <ul id="proposals" class="proposals" role="listbox" hidden="hidden" \
    aria-label="\(word(ServeWords.proposals))"></ul>
    <p id="bubble" class="bubble" hidden="hidden" aria-hidden="true"></p></div>
    </div>
    <p id="problem" class="problem" role="status" aria-live="polite"></p>
    <ol id="problems" class="problems" aria-label="\(word(ServeWords.problems))"></ol>
    <section id="exercise" class="exercise" aria-labelledby="about-exercise" hidden="hidden">
    <h2 id="about-exercise">\(word(ServeWords.exercise))</h2>
    <p id="task"></p><p class="quiet">\(word(ServeWords.holds))</p><pre id="lines" dir="ltr"></pre>
    <button type="button" id="check">\(word(ServeWords.check))</button>
    <div id="verdict" class="verdict" role="status" aria-live="polite"></div>
    </section>
    <p id="keys" class="hint">\(word(ServeWords.keys))</p>
    </section>
    """
  }

  /// The script fills it, group by group.
  private func reference() -> String {
    "<aside class=\"reference\" aria-labelledby=\"about-reference\">"
      + "<h2 id=\"about-reference\">\(word(ServeWords.reference))</h2>"
      + "<p class=\"quiet\">\(word(ServeWords.inserts))</p><div id=\"reference\"></div></aside>"
  }

  private func running() -> String {
    "<section class=\"running\" aria-label=\"\(word(ServeWords.run))\">"
      + designs + "<p id=\"state\" class=\"state\" role=\"status\"></p>"
      + "<iframe id=\"run\" title=\"\(word(ServeWords.run))\"></iframe></section>"
  }

  /// The design that runs, and those beside it.
  private var designs: String {
    let names = Designs.names.map { "<option>\($0)</option>" }.joined()
    let others = "<option value=\"\">–</option>\(names)"
    return "<p class=\"chooser\">"
      + choice("design", ServeWords.design, names) + choice("beside", ServeWords.beside, others)
      + choice("third", ServeWords.beside, others) + "</p>"
  }

  private func choice(_ id: String, _ label: Text, _ options: String) -> String {
    "<label>\(word(label)) <select id=\"\(id)\">\(options)</select></label>"
  }

  // MARK: Data

  private struct Data: Codable {
    var language: String
    var documents: [Desk.Document]
    var design: String
    var words: [String: String]
    var statements: [Statement]
    /// The words of the language, and its types.
    var reserved: [String]
    var types: [String]
  }

  private struct Statement: Codable {
    var group: String
    var lines: String
    var does: String
  }

  private var data: Data {
    Data(
      language: language.rawValue, documents: documents, design: design,
      words: ServeWords.script.mapValues { $0[language] },
      statements: StatementForm.all.map {
        Statement(group: $0.group[language], lines: $0.lines, does: $0.does[language])
      }, reserved: Parser.reservedWords.sorted(), types: ValueType.named.keys.sorted())
  }
}
