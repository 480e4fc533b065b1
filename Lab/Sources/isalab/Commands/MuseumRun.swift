/// `isalab museum`: famous failures, by the design that has them and by this engine.
struct MuseumRun {
  var console: Console
  var style = TextStyle()
  var language = Language.english
  var process: ChildProcess

  /// Lists the exhibits, or shows one, or all.
  ///
  /// - Returns: 0 if each symptom is seen with the design and none with this engine, 1 if not, 2 if
  ///   there is no such exhibit or no process for it.
  func run(_ name: String?, all: Bool = false, stages: Bool = false) -> Int32 {
    if all || stages { return visit(all ? Exhibit.all : Exhibit.stages) }
    guard let name else {
      for line in MuseumView(style: style, language: language).catalogue() { console.out(line) }
      return 0
    }
    guard let exhibit = Exhibit.find(name) else {
      let names = alternatives(Exhibit.all.map(\.name))
      console.err(language.say("museum.unknown", ["name": name.shown, "names": names]))
      return 2
    }
    guard let viewing = show(exhibit) else { return 2 }
    return viewing.isRight ? 0 : 1
  }

  private func visit(_ exhibits: [Exhibit]) -> Int32 {
    var seen: [Viewing] = []
    for exhibit in exhibits {
      guard let viewing = show(exhibit) else { return 2 }
      seen.append(viewing)
      console.out("")
    }
    for line in MuseumView(style: style, language: language).summary(of: seen) { console.out(line) }
    return seen.allSatisfy(\.isRight) ? 0 : 1
  }

  private func show(_ exhibit: Exhibit) -> Viewing? {
    let trials = exhibit.designs.compactMap {
      DesignTrial.run(exhibit, design: $0, in: process, language)
    }
    guard trials.count == exhibit.designs.count else {
      console.err(language.say("compare.no-process"))
      return nil
    }
    let viewing = Viewing(exhibit: exhibit, trial: trials[0], controls: Array(trials.dropFirst()))
    for line in MuseumView(style: style, language: language).lines(of: viewing) {
      console.out(line)
    }
    return viewing
  }
}
