/// The exhibits as pages: what happens, why and what helps beside the run of the design that fails, open
/// at the step in which it does.
struct MuseumPages: Sendable {
  var language: Language
  var process: ChildProcess
  /// Markup of the way back.
  var home = ""

  /// `museum-two-for-one.html`, in the folder of a lecture.
  static func file(of exhibit: Exhibit) -> String { "museum-\(exhibit.name).html" }

  /// The page of the same scenario under a design that does not fail.
  static func file(of exhibit: Exhibit, under design: String) -> String {
    "museum-\(exhibit.name)-\(design).html"
  }

  /// An exhibit under one of its designs.
  private struct Showing: Sendable {
    var exhibit: Exhibit
    var design: String

    var file: String {
      design == exhibit.design
        ? MuseumPages.file(of: exhibit) : MuseumPages.file(of: exhibit, under: design)
    }
  }

  private var showings: [Showing] {
    Exhibit.all.flatMap { exhibit in
      exhibit.designs.map { Showing(exhibit: exhibit, design: $0) }
    }
  }

  /// The names of the pages: one for each exhibit, and one for each of its designs that does not fail.
  var files: [String] { showings.map(\.file) }

  /// All pages, in the order of `files`; of an exhibit that is code, what happens in words.
  ///
  /// - Throws: what is wrong in a scenario, which then is none; that there is no process for a run.
  func pages() throws(DiagnosticList) -> [OutputFolder.File] {
    try showings.concurrentMap { showing throws(DiagnosticList) in
      .init(path: showing.file, text: try page(of: showing.exhibit, under: showing.design))
    }
  }

  /// One of the pages; nil if there is none of that name.
  func page(_ name: String) throws(DiagnosticList) -> String? {
    guard let showing = showings.first(where: { $0.file == name }) else { return nil }
    return try page(of: showing.exhibit, under: showing.design)
  }

  /// How many seconds a run is waited for that is known to hang.
  private static let patience = 2.0

  private func page(
    of exhibit: Exhibit, under design: String
  ) throws(DiagnosticList) -> String {
    var process = process
    if exhibit.symptom == .hang, design == exhibit.design {
      process.seconds = min(process.seconds, MuseumPages.patience)
    }
    if exhibit.isCode || design == NativeDesign.name {
      return try inWords(exhibit, design, process)
    }
    let program = try ScenarioFile.program(
      of: exhibit.scenario(under: design) + "\n", file: exhibit.name + ".kvo")
    let recorded = try RecordedRun(program, design: design, in: process, language)
    return recorded.page(
      title: "\(exhibit.title[language]): \(design)", home: home, before: head(of: exhibit, design),
      after: words(of: exhibit)
    ).html()
  }

  // MARK: Words

  /// Above the run: what one sees, and the ways to the designs that do not fail.
  private func head(of exhibit: Exhibit, _ design: String) -> String {
    let key = exhibit.isBelief ? "museum.belief" : "museum.symptom"
    return "<section class=\"sign\">\(sign(key, exhibit.sign))"
      + "<p>\(links(exhibit, design))</p></section>"
  }

  /// Below it: why, what helps, and the design as one writes it.
  private func words(of exhibit: Exhibit) -> String {
    let key = exhibit.isBelief ? "museum.truth" : "museum.cause"
    return "<section class=\"lesson\">\(sign(key, exhibit.cause))"
      + "\(sign("museum.fix", exhibit.fix))\(code(of: exhibit))</section>"
  }

  private func sign(_ key: String, _ text: Text) -> String {
    "<p><strong>\(language.say(key).markup):</strong> \(text[language].markup)</p>"
  }

  private func code(of exhibit: Exhibit) -> String {
    exhibit.code.map {
      "<details><summary>\(language.say("museum.code").markup)</summary>"
        + "<pre dir=\"ltr\">\($0.markup)</pre></details>"
    } ?? ""
  }

  /// To the same scenario under its other designs.
  private func links(_ exhibit: Exhibit, _ design: String) -> String {
    exhibit.designs.map { other in
      if other == design { return "<strong>\(other.markup)</strong>" }
      let file =
        other == exhibit.design
        ? MuseumPages.file(of: exhibit) : MuseumPages.file(of: exhibit, under: other)
      return "<a href=\"\(file.markup)\">\(other.markup)</a>"
    }.joined(separator: " · ")
  }

  /// The acts of code, one below the other.
  private func inWords(
    _ exhibit: Exhibit, _ design: String, _ process: ChildProcess
  ) throws(DiagnosticList) -> String {
    guard let trial = DesignTrial.run(exhibit, design: design, in: process, language) else {
      throw .noProcess(file: exhibit.name)
    }
    let steps = trial.steps.map { step in
      "<li><code dir=\"ltr\">\(step.text.markup)</code><pre>"
        + "\(step.shown.joined(separator: "\n").markup)</pre></li>"
    }
    let last = trial.last.map { "<li><code dir=\"ltr\">\($0.text.markup)</code></li>" } ?? ""
    let outcome = "\(design) \(trial.outcome.text[language])"
    return Page.reading(
      title: exhibit.title[language], home: home, language,
      """
      \(head(of: exhibit, design))\(words(of: exhibit))
      <ol>\(steps.joined())\(last)</ol>
      <p><strong>\(outcome.markup)</strong></p>
      """)
  }
}
