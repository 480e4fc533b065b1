import Foundation

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
    guard let names = chosen(designs) else { return 2 }
    do throws(DiagnosticList) {
      let text = try ScenarioFile(name: file).text()
      return run(text, file: file == "-" ? "stdin" : file, designs: names)
    } catch {
      console.err(error.text(in: language))
      return 2
    }
  }

  /// Compares a scenario that was read already, under designs that there are.
  func run(_ text: String, file: String, designs: [String]) -> Int32 {
    do throws(DiagnosticList) {
      let program = try ScenarioFile.program(of: text, file: file)
      console.warn(of: program, in: language)
      return show(program, text, designs)
    } catch {
      console.err(error.text(in: language))
      return 2
    }
  }

  private func show(_ program: Program, _ text: String, _ designs: [String]) -> Int32 {
    let file = program.scenario.file
    let trials = designs.compactMap {
      DesignTrial.run(text, file: file, design: $0, in: process, language)
    }
    guard trials.count == designs.count else {
      console.err(language.say("compare.no-process"))
      return 2
    }
    let moments = program.scenario.statements.map { DesignMoment($0) }
    let view = CompareView(
      style: style, language: language, file: file.shown, moments: moments, trials: trials)
    for line in view.lines() { console.out(line) }
    return 0
  }

  /// The designs named, each once.
  private func chosen(_ list: String?) -> [String]? {
    guard let list else { return Designs.names }
    var names: [String] = []
    for part in list.split(separator: ",", omittingEmptySubsequences: false) {
      let name = part.trimmingCharacters(in: .whitespaces)
      let meant = Designs.names(for: name)
      guard !meant.isEmpty else {
        let known = alternatives(Designs.names + [Designs.allStages])
        console.err(language.say("compare.unknown", ["name": name.shown, "names": known]))
        return nil
      }
      names += meant.filter { !names.contains($0) }
    }
    return names
  }
}
