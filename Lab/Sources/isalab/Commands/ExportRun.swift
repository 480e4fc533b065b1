/// `isalab export`: writes a scenario as a page or a program, or the lessons as a folder of pages.
struct ExportRun {
  var language = Language.english
  var console: Console
  var limit = Budget.defaultLimit
  /// Runs what the lecture's articles claim; without it there are no articles.
  var process: ChildProcess?

  /// Writes one scenario's page.
  ///
  /// - Returns: as `isalab run`, and 2 if the page cannot be written.
  func page(of file: String, to output: String) -> Int32 {
    page(to: output) { () throws(DiagnosticList) in try ScenarioFile(name: file).program() }
  }

  /// Writes the page of a scenario that was read already.
  func page(of text: String, file: String, to output: String) -> Int32 {
    page(to: output) { () throws(DiagnosticList) in
      try ScenarioFile.program(of: text, file: file)
    }
  }

  /// Writes all lessons into a folder.
  func lecture(_ lessons: [Lesson] = Lessons.all, to folder: String) -> Int32 {
    do throws(DiagnosticList) {
      let pages = try Lecture(lessons: lessons, language: language, process: process).pages()
      guard let problem = LectureFolder(path: folder).write(pages) else { return 0 }
      console.err(problem[language].shown)
    } catch {
      console.err(error.text(in: language))
    }
    return 2
  }

  /// Writes one scenario as a package of Swift's.
  func swiftPackage(
    of file: String, to folder: String, _ names: SwiftTranslator.Names = .own
  ) -> Int32 {
    do throws(DiagnosticList) {
      let program = SwiftProgram(
        try ScenarioFile(name: file).program(), names: names, language: language)
      guard let problem = ProgramFolder(path: folder).write(program.files()) else { return 0 }
      console.err(problem[language].shown)
    } catch {
      console.err(error.text(in: language))
    }
    return 2
  }

  /// Writes one scenario as a C program.
  func cProgram(of file: String, to output: String) -> Int32 {
    do throws(DiagnosticList) {
      let program = CProgram(try ScenarioFile(name: file).program(), language: language)
      let place = OutputFile(path: output, console: console, source: file)
      guard let problem = place.write(program.text()) else { return 0 }
      console.err(problem[language].shown)
    } catch {
      console.err(error.text(in: language))
    }
    return 2
  }

  private func page(
    to output: String, _ program: () throws(DiagnosticList) -> Program
  ) -> Int32 {
    do throws(DiagnosticList) {
      let run = try Runner.finished(try program(), console, language, limit)
      if let excess = Page.excess(of: run) { throw DiagnosticList(diagnostics: [excess]) }
      let page = Page(run: run, title: ExportRun.title(of: run.file), language: language)
      let file = OutputFile(path: output, console: console, source: run.file)
      guard let problem = file.write(page.html()) else { return run.exitCode }
      console.err(problem[language].shown)
    } catch {
      console.err(error.text(in: language))
    }
    return 2
  }

  /// The name of the file without its folders: a page says nothing of the machine it came from.
  private static func title(of file: String) -> String {
    file.split(separator: "/").last.map(String.init) ?? file
  }
}
