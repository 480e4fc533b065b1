/// `isalab compare`: one scenario under several designs, each in a process of its own.
struct CompareRun {
  var console: Console
  var style = TextStyle()
  var language = Language.english
  var process: ChildProcess

  /// - Parameter designs: Names with commas between them; nil for all there are.
  /// - Returns: 0 if the comparison was made, whatever it shows; 2 if the scenario cannot be read,
  ///   a design is not known, or no process can be started.
  func run(file: String, designs: String?) -> Int32 {
    do throws(UnknownDesign) {
      let names = try designs.map(Designs.named) ?? Designs.names
      return run(designs: names) { () throws(DiagnosticList) in
        let text = try ScenarioFile(name: file).text()
        return try ScenarioFile.program(of: text, file: file == "-" ? "stdin" : file)
      }
    } catch {
      console.err(error.text[language])
      return 2
    }
  }

  /// Compares a scenario that was read already, under designs that there are.
  func run(_ text: String, file: String, designs: [String]) -> Int32 {
    run(designs: designs) { () throws(DiagnosticList) in
      try ScenarioFile.program(of: text, file: file)
    }
  }

  private func run(
    designs: [String], _ program: () throws(DiagnosticList) -> Program
  ) -> Int32 {
    do throws(DiagnosticList) {
      let program = try program()
      console.warn(of: program, in: language)
      let comparison = try Comparison(program, under: designs, in: process, language)
      for line in CompareView(style: style, comparison: comparison).lines() { console.out(line) }
      return 0
    } catch {
      console.err(error.text(in: language))
      return 2
    }
  }
}
