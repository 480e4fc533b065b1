/// `isalab graph`: draws who points at whom after one step of a scenario.
struct GraphRun {
  enum Format: String, CaseIterable { case svg, dot, mermaid, text }

  var format = Format.text
  /// Where; after the last step if there is none.
  var stop: Stop?
  /// The file to write; `-` is standard output.
  var output = "-"
  /// The language in which a drawing in text shows the statement as well.
  var translation: ProgrammingLanguage?
  var console: Console
  var language = Language.english
  var execution = Execution()

  /// - Returns: as `isalab run`, and 2 if there is no such step or the output cannot be written.
  func run(file: String) -> Int32 {
    run { () throws(DiagnosticList) in try ScenarioFile(name: file).program() }
  }

  /// Draws a scenario that was read already.
  func run(_ text: String, file: String) -> Int32 {
    run { () throws(DiagnosticList) in try ScenarioFile.program(of: text, file: file) }
  }

  private func run(_ program: () throws(DiagnosticList) -> Program) -> Int32 {
    do throws(DiagnosticList) {
      return draw(try execution.finished(try program(), console, language))
    } catch {
      console.err(error.text(in: language))
      return 2
    }
  }

  private func draw(_ run: Run) -> Int32 {
    let moment: Moment
    do throws(InquiryError) {
      moment = try Inquiry(run: run).moment(stop)
    } catch {
      console.err(error.diagnostic(in: run).text(in: language))
      return 2
    }
    let text = GraphRun.text(of: run, at: moment, format, translation, language)
    let file = OutputFile(path: output, console: console, source: run.file)
    guard let problem = file.write(text + "\n") else { return run.exitCode }
    console.err(problem[language].shown)
    return 2
  }

  /// The drawing, without the end of its last line.
  static func text(
    of run: Run, at moment: Moment, _ format: Format, _ translation: ProgrammingLanguage? = nil,
    _ language: Language = .english
  ) -> String {
    let graph = Graph(run, at: moment, in: language), step = moment.step
    let title = run.title(ofStep: step, in: language)
    let lane = Lane(run, at: step, in: language)
    let translated =
      step == 0 ? [] : run.translations(translation, in: language)[step - 1].map(\.shown)
    let lines =
      switch format {
      case .text:
        [title] + translated + GraphText(graph: graph).lines() + lines(of: lane, language)
      case .dot: GraphDot(graph: graph, title: title).lines()
      case .mermaid: GraphMermaid(graph: graph, title: title).lines()
      case .svg: [svg(of: graph, title, lane, language)]
      }
    return lines.joined(separator: "\n")
  }

  private static func svg(
    of graph: Graph, _ title: String, _ lane: Lane, _ language: Language
  ) -> String {
    var svg = GraphSVG(layout: GraphLayout(graph), graph: graph, title: title)
    svg.language = language
    svg.lane = LaneSVG(lane: lane, width: svg.layout.width)
    return svg.document()
  }

  private static func lines(of lane: Lane, _ language: Language) -> [String] {
    let lines = LaneText(lane: lane, width: 78).lines()
    let look = ScreenLook()
    if lines.isEmpty { return [] }
    return ["", language.say("graph.lane")] + lines.map { "  " + $0.shown(look) }
  }
}

extension Run {
  /// `step 4 of 12: observe ada.age as watcher`
  func title(ofStep number: Int, in language: Language = .english) -> String {
    let text = number == 0 ? language.say("graph.start") : steps[number - 1].text.shown
    return language.say(
      "graph.title", ["number": number, "count": steps.count, "text": text])
  }
}
