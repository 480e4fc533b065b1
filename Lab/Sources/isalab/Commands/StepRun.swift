import Foundation

/// `isalab step`: runs a scenario and lets somebody walk through its steps.
struct StepRun {
  var style: TextStyle
  var translation: ProgrammingLanguage?
  var console: Console
  var execution = Execution()
  var environment = ProcessInfo.processInfo.environment
  var language = Language.english

  /// - Returns: 2 if there is no terminal, or the scenario cannot be read, or its run was stopped.
  func run(_ file: String) -> Int32 {
    guard isatty(0) != 0, isatty(1) != 0 else {
      console.err(language.say("screen.no-terminal", ["file": file]))
      return 2
    }
    do throws(DiagnosticList) {
      let run = try execution.run(try ScenarioFile(name: file).program())
      guard let terminal = RawTerminal() else {
        console.err(language.say("screen.no-raw-terminal"))
        return 2
      }
      walk(run, terminal)
      if let stopped = run.stopped { console.err(stopped.text(in: language)) }
      return run.stopped == nil ? 0 : 2
    } catch {
      console.err(error.text(in: language))
      return 2
    }
  }

  private func walk(_ run: Run, _ terminal: RawTerminal) {
    let isUnicode = StepRun.isUnicode(environment)
    let look = ScreenLook(isColoured: style.isColoured, isASCII: !isUnicode)
    // Without Unicode there are no Chinese letters.
    var stepper = Stepper(language: isUnicode ? language : .english)
    let translations = run.translations(translation, in: stepper.language)
    var isClear = true
    while true {
      terminal.draw(screen(run, stepper, terminal.size, look, translations), clearing: isClear)
      isClear = false
      switch terminal.next() {
      case .key(.suspend):
        terminal.stop(isWholeJob: true)
        isClear = true
      case .key(.redraw), .resized: isClear = true
      case .key(let key): stepper.press(key, run)
      case .signal(SIGTSTP):
        terminal.stop(isWholeJob: false)
        isClear = true
      case .signal(SIGCONT):
        terminal.goOn()
        isClear = true
      case .signal(let number): terminal.die(of: number)
      }
      switch stepper.end {
      case .quit: return terminal.leave()
      case .interrupted: terminal.die(of: SIGINT)
      case nil: break
      }
    }
  }

  /// Whether the locale's characters are UTF-8.
  static func isUnicode(_ environment: [String: String]) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy
      .compactMap { environment[$0] }.first { !$0.isEmpty }
    let name = locale?.lowercased() ?? ""
    return name.contains("utf-8") || name.contains("utf8")
  }
}
