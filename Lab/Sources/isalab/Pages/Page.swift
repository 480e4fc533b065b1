import Foundation

/// A run as one page that needs nothing else: drawing, tables, events and scenario, step by step.
struct Page {
  var run: Run
  var title: String
  var language = Language.english
  /// Markup above and below the steps: a lesson's words.
  var before = ""
  var after = ""
  /// Markup of the way back, in the bar.
  var home = ""
  /// Whether the drawing has the metaclasses from the start; a switch shows and hides them.
  var showsMetaclasses = false
  /// The step on show unless a link names another one.
  var start = 0
  /// Among those of other designs: the ways and the layout that it has in common with them.
  var lanes: [[Lane.Station]]?
  var layout: GraphLayout?

  /// How many classes may stand above one: a page has a table for each class, of all that it inherits.
  static let deepest = 256

  /// Why a run has no page; nil if it has one.
  static func excess(of run: Run) -> Diagnostic? {
    var depths: [String: Int] = [:], last = WorldState()
    for number in 0...run.steps.count {
      let state = run.state(at: number)
      for cls in state.classes.differences(from: last.classes).came {
        let depth = cls.superclass.map { depths[$0, default: 0] + 1 } ?? 0
        depths[cls.name] = depth
        guard depth > deepest else { continue }
        return Diagnostic(
          file: run.file, location: run.location(ofStep: number),
          problem: Text("outcome.deep", ["name": cls.name]),
          expected: Text("outcome.deepest", ["most": deepest]))
      }
      last = state
    }
    return nil
  }

  func html() -> String {
    let course = GraphCourse(run, in: language)
    let layout = layout ?? GraphLayout(course.union)
    let data = PageData(run, course, layout, lanes: lanes, language)
    let svg = GraphSVG(
      layout: layout, graph: Graph(run, at: 0, in: language),
      title: run.title(ofStep: 0, in: language),
      language: language)
    let body = [
      Page.bar(
        home: home, title: title, heading: before.isEmpty ? "h1" : "p", start: start,
        target: "stage", language),
      "<main class=\"page\(lanes == nil ? "" : " compared")\">", before, desk(svg), panels(svg),
      whole(), after, "</main>",
      "<script type=\"application/json\" id=\"data\">\(data.json)</script>",
      "<script>\n\(Page.handoutScript)\(Page.script)</script>",
    ]
    return Page.document(title, language, body.joined(separator: "\n"))
  }

  /// A page around its body. The generator that a page names makes it one of isalab's.
  static func document(_ title: String, _ language: Language, _ body: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="\(language == .chinese ? "zh-Hans" : "en")" class="no-script">
    <head>
    <meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/>
    <meta name="color-scheme" content="light dark"/>
    \(generator)
    <title>\(title.shown.markup)</title>
    <link rel="icon" href="data:,"/>
    <style>
    \(PageStyle.sheet)</style>
    </head>
    <body>
    \(body)
    </body>
    </html>

    """
  }

  /// Data as JSON in an element that a page's script reads.
  static func data(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = (try? encoder.encode(value)) ?? Data("{}".utf8)
    // No text ends the element that it stands in.
    let text = String(decoding: bytes, as: UTF8.self).replacing("<", with: "\\u003c")
    return "<script type=\"application/json\" id=\"data\">\(text)</script>"
  }

  /// A page that one reads from its title on, without the steps of a run.
  static func reading(
    title: String, about: String? = nil, home: String, _ language: Language, _ content: String
  ) -> String {
    let heading = "<h1>\(title.shown.markup)</h1>"
    let opening = about.map { "<section class=\"lesson\">\(heading)\n<p>\($0)</p></section>" }
    return document(
      title, language,
      """
      <header class="top">\(home)\(themeButton(language))</header>
      <main class="page">
      \(opening ?? heading)
      \(content)
      </main>
      <script>
      \(handoutScript)</script>
      """)
  }

  /// For every page that may have questions.
  static let handoutScript = [
    PackageResources.theme_js, PackageResources.handout_js, PackageResources.quiz_js,
  ].joined()

  /// For the steps of a run.
  private static let script = [
    PackageResources.unpack_js, PackageResources.lane_js, PackageResources.zoom_js,
    PackageResources.crowd_js, PackageResources.player_js, PackageResources.page_js,
  ].joined()

  static let generator = "<meta name=\"generator\" content=\"isalab\"/>"

  static func themeButton(_ language: Language) -> String {
    "<button type=\"button\" id=\"theme\" class=\"theme\" aria-pressed=\"false\">"
      + "\(Words.dark[language])</button>"
  }

  private func word(_ text: Text) -> String { text[language].markup }
}

// MARK: - Parts

extension Page {
  /// The bar of a page that has a slider. A lesson has its title in its own words below.
  static func bar(
    home: String = "", title: String, heading: String, start: Int, target: String,
    switches: String = "", _ language: Language
  ) -> String {
    func word(_ text: Text) -> String { text[language].markup }
    func button(_ id: String, _ label: Text, _ shape: String) -> String {
      "<button type=\"button\" id=\"\(id)\" aria-label=\"\(word(label))\">\(icon(shape, ""))</button>"
    }
    let buttons =
      button("first", Words.first, "M4 4.5h2.6v15H4zM17.8 4.5l2 2-5.6 5.5 5.6 5.5-2 2L10.2 12z")
      + button("previous", Words.previous, "M15.3 4.5l2 2-5.6 5.5 5.6 5.5-2 2L7.7 12z")
      + button("next", Words.next, "M8.7 4.5l-2 2 5.6 5.5-5.6 5.5 2 2 7.6-7.5z")
      + "<button type=\"button\" id=\"play\" aria-label=\"\(word(Words.script["play"]!))\">"
      + icon("M7 4v16l13-8z", "play") + icon("M6 4h4v16H6zM14 4h4v16h-4z", "pause") + "</button>"
    return """
      <a class="skip" href="#\(target)">\(word(Words.skip))</a>
      <header class="bar"><div id="bar">
      \(home)<\(heading)>\(title.shown.markup)</\(heading)>
      <div class="steps" role="group" aria-label="\(word(Words.steps))">\(buttons)
      <span class="track"><input type="range" id="slider" min="0" max="1" value="0" step="1" data-start="\(start)" \
      aria-label="\(word(Words.step))"/>\
      <span id="stops" class="stops" aria-hidden="true"></span></span>\
      <output id="count" for="slider"></output></div>
      \(switches)\(Page.themeButton(language))
      </div></header>
      """
  }

  private static func icon(_ shape: String, _ name: String) -> String {
    "<svg class=\"\(name)\" viewBox=\"0 0 24 24\" aria-hidden=\"true\">"
      + "<path d=\"\(shape)\"/></svg>"
  }

  /// All that is looked at while one steps, in one screen: the way and the drawing, and beside them the
  /// scenario, and what happened.
  private func desk(_ svg: GraphSVG) -> String {
    """
    <div class="desk">
    \(stage(svg))
    <div class="side">
    \(panel(Words.scenario, languages + "<ol id=\"source\" class=\"source\">\(source())</ol>"))
    \(panel(Words.happened, "<ul id=\"told\" class=\"told\"></ul>"))
    \(panel(Words.events, events))
    </div>
    </div>
    """
  }

  private func stage(_ svg: GraphSVG) -> String {
    """
    <section id="stage" aria-label="\(word(Words.drawing))" tabindex="-1">
    <p class="statement"><span id="number"></span><code id="statement" dir="ltr"></code></p>
    <p id="status" class="seen-not" role="status" aria-live="polite" aria-atomic="true"></p>
    <div class="way" role="group" aria-label="\(word(Words.way))">\(wayButtons)
    <p id="said" class="said" role="status" aria-live="polite"></p>
    <ol id="lane" class="lane"></ol></div>
    <figure class="picture"><div class="drawing" tabindex="0" role="group" \
    aria-label="\(word(Words.drawing))" data-narrow="\(svg.layout.widthWithoutMetaclasses)">\
    \(svg.element(id: "drawing"))</div>
    <figcaption>\(svg.legend.caption())\(drawingButtons)</figcaption></figure>
    </section>
    """
  }

  /// The switches of the drawing.
  private var drawingButtons: String {
    let buttons = [
      ("metaclasses", Words.metaclasses, showsMetaclasses), ("whole", Words.whole, false),
      ("touched", Words.touched, true),
    ]
    return "<span class=\"switches\">"
      + buttons.map { id, label, isOn in
        "<button type=\"button\" id=\"\(id)\" aria-pressed=\"\(isOn)\">\(word(label))</button>"
      }.joined() + "</span>"
  }

  private var wayButtons: String {
    [
      ("into", Words.into), ("over", Words.over), ("out", Words.out), ("back", Words.back),
    ].map { id, label in
      "<button type=\"button\" id=\"\(id)\">\(word(label))</button>"
    }.joined()
  }

  private func panels(_ svg: GraphSVG) -> String {
    """
    <div class="below">\(svg.legend.caption())</div>
    <div class="panels">
    \(panel(Words.methods, "<div id=\"methods\" class=\"tables\"></div>", isWide: true))
    \(panel(Words.objects, "<div id=\"objects\"></div>"))
    \(panel(Words.observations, "<div id=\"observations\"></div>"))
    </div>
    <p class="hint">\(word(Words.keys))</p>
    """
  }

  private var events: String {
    "<ul id=\"events\" class=\"events\"></ul>"
      + "<p id=\"why\" class=\"why\" role=\"status\" aria-live=\"polite\"></p>"
  }

  private func panel(_ title: Text, _ content: String, isWide: Bool = false) -> String {
    let id = title.english.lowercased().replacing(" ", with: "-")
    return "<section\(isWide ? " class=\"wide\"" : "") aria-labelledby=\"about-\(id)\">"
      + "<h2 id=\"about-\(id)\">\(word(title))</h2>\n\(content)</section>"
  }

  // MARK: The scenario

  /// The switch between the languages in which each statement is shown as well.
  private var languages: String {
    let options = ProgrammingLanguage.allCases.map {
      "<option value=\"\($0.rawValue)\">\(word($0.title))</option>"
    }
    return "<select id=\"language\" class=\"language\" aria-label=\"\(word(Words.language))\">"
      + "<option value=\"\">\(word(Words.alone))</option>\(options.joined())</select>\n"
  }

  private func source() -> String {
    let owners = stepsOfLines()
    let lines = run.source.dropLast(run.source.last?.isEmpty == true ? 1 : 0)
    return lines.enumerated().map { index, line in
      let step = owners[index]
      let isFirst = step > 0 && run.steps[step - 1].location.line == index + 1
      let isComment = line.drop { $0.isWhitespace }.hasPrefix("#")
      let isLast = step > 0 && (index + 1 == owners.count || owners[index + 1] != step)
      let code = line.isEmpty ? "&#8203;" : line.shown.markup
      let link =
        step > 0
        ? "<a href=\"#step=\(step)\"\(isFirst ? "" : " tabindex=\"-1\"")>\(code)</a>" : code
      return
        "<li\(step > 0 ? " data-step=\"\(step)\"" : "")\(isComment ? " class=\"comment\"" : "")>"
        + "<span class=\"line\" aria-hidden=\"true\">\(index + 1)</span><code>\(link)</code>"
        + (isLast ? Page.translation : "") + "</li>"
    }.joined(separator: "\n")
  }

  /// The place of a statement in another language.
  private static let translation = "<code class=\"translation\" hidden=\"hidden\"></code>"

  /// The step to which each line belongs; 0 for none. A statement goes on to the last line before
  /// the next one that is neither empty nor a comment.
  private func stepsOfLines() -> [Int] {
    var owners = Array(repeating: 0, count: run.source.count)
    for (index, step) in run.steps.enumerated() {
      let first = step.location.line - 1
      let next =
        index + 1 < run.steps.count ? run.steps[index + 1].location.line - 1 : owners.count
      guard first < next else { continue }
      let last = (first..<next).last { line in
        let text = run.source[line].drop { $0.isWhitespace }
        return !text.isEmpty && !text.hasPrefix("#")
      }
      for line in first...max(first, last ?? first) { owners[line] = step.number }
    }
    return owners
  }

  // MARK: For paper

  /// All steps as a table: for paper, and where no script runs.
  private func whole() -> String {
    let rows = run.steps.map { step in
      let told = PageData.told(step, language).map(\.markup).joined(separator: "<br/>")
      return "<tr><td>\(step.number)</td><td>\(step.location.line)</td>"
        + "<td dir=\"ltr\">\(step.text.shown.markup)</td><td dir=\"ltr\">\(told)</td></tr>"
    }
    return """
      <section class="whole" aria-labelledby="about-all">
      <h2 id="about-all">\(word(Words.all))</h2>
      <table><thead><tr><th scope="col">\(word(Words.step))</th>\
      <th scope="col">\(word(Words.line))</th><th scope="col">\(word(Words.scenario))</th>\
      <th scope="col">\(word(Words.happened))</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table>
      </section>
      """
  }
}
