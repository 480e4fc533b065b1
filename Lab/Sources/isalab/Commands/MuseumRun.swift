/// `isalab museum`: famous failures, by the design that has them and by this engine.
struct MuseumRun {
  var console: Console
  var style = TextStyle()
  var process: ChildProcess

  /// Lists the exhibits, or shows one, or all.
  ///
  /// - Returns: 0 if each symptom is seen with the design and none with this engine, 1 if not, 2 if
  ///   there is no such exhibit or no process for it.
  func run(_ name: String?, all: Bool) -> Int32 {
    if all { return visit() }
    guard let name else {
      for line in MuseumView(style: style).catalogue() { console.out(line) }
      return 0
    }
    guard let exhibit = Exhibit.find(name) else {
      console.err(
        "unknown exhibit '\(name.shown)', expected "
          + alternatives(Exhibit.all.map(\.name)))
      return 2
    }
    guard let (trial, control) = show(exhibit) else { return 2 }
    return isRight(exhibit, trial, control) ? 0 : 1
  }

  private func visit() -> Int32 {
    var seen: [(Exhibit, DesignTrial, DesignTrial)] = []
    for exhibit in Exhibit.all {
      guard let (trial, control) = show(exhibit) else { return 2 }
      seen.append((exhibit, trial, control))
      console.out("")
    }
    for line in MuseumView(style: style).summary(of: seen) { console.out(line) }
    return seen.allSatisfy { isRight($0, $1, $2) } ? 0 : 1
  }

  private func isRight(_ exhibit: Exhibit, _ trial: DesignTrial, _ control: DesignTrial) -> Bool {
    exhibit.symptom.matches(trial.outcome) && control.outcome == .clean
  }

  private func show(_ exhibit: Exhibit) -> (DesignTrial, DesignTrial)? {
    let trials = [exhibit.design, Designs.engine].compactMap {
      DesignTrial.run(exhibit, design: $0, in: process)
    }
    guard trials.count == 2 else {
      console.err("this program cannot be started as a process of its own")
      return nil
    }
    for line in MuseumView(style: style).lines(of: exhibit, trials[0], trials[1]) {
      console.out(line)
    }
    return (trials[0], trials[1])
  }
}
