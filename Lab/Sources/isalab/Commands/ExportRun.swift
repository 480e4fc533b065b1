/// `isalab export`: writes a scenario as a page or a program, or the lessons as a folder of pages.
struct ExportRun {
  var language = Language.english
  var console: Console
  var execution = Execution()
  /// Runs what articles claim and where designs fail; without it there are no such pages.
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

  /// Writes a page of one scenario under some designs.
  ///
  /// - Parameter designs: Their names, with commas between them.
  /// - Returns: 2 if a design is not known, the scenario cannot be read, or the page not be written.
  func comparison(of file: String, under designs: String, to output: String) -> Int32 {
    do throws(UnknownDesign) {
      let names = try Designs.named(in: designs)
      guard names.count >= 2, names.count <= ComparePage.most, let process else {
        let places: Places = ["count": names.count, "most": ComparePage.most]
        console.err(language.say("compare.how-many", places))
        return 2
      }
      return comparison(of: file, under: names, in: process, to: output)
    } catch {
      console.err(error.text[language])
      return 2
    }
  }

  private func comparison(
    of file: String, under designs: [String], in process: ChildProcess, to output: String
  ) -> Int32 {
    do throws(DiagnosticList) {
      let program = try ScenarioFile(name: file).program()
      console.warn(of: program, in: language)
      let comparison = try Comparison(
        program, under: designs, in: process, language, isRecorded: true,
        limit: execution.limit)
      let page = ComparePage(comparison: comparison, title: ExportRun.title(of: file))
      let place = OutputFile(path: output, console: console, source: file)
      guard let problem = place.write(page.html()) else { return 0 }
      console.err(problem[language].shown)
    } catch {
      console.err(error.text(in: language))
    }
    return 2
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

  /// Writes one page of the lecture.
  ///
  /// - Returns: 2 if there is none of that name, or it cannot be written.
  func lecturePage(_ name: String, to output: String) -> Int32 {
    do throws(DiagnosticList) {
      let lecture = Lecture(lessons: Lessons.all, language: language, process: process)
      guard let page = try lecture.page(name) else {
        let nearest = name.nearest(among: lecture.files) ?? lecture.files[0]
        console.err(
          language.say("file.no-lecture-page", ["name": name.shown, "nearest": nearest]))
        return 2
      }
      guard let problem = OutputFile(path: output, console: console).write(page) else { return 0 }
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
      // The compiler's word for C, one word of the shell's, whatever the file is called.
      let name = output.split(separator: "/").last.map(String.init) ?? "-"
      let isWord =
        name.first != "-" && name.hasSuffix(".c") && name != ".c"
        && name.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
      guard let problem = place.write(program.text(in: isWord ? name : "FILE.c")) else { return 0 }
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
      let run = try execution.finished(try program(), console, language)
      if let excess = Page.excess(of: run) { throw DiagnosticList(diagnostics: [excess]) }
      // Of a design that fails the page is open where it does.
      let page = Page(
        run: run, title: ExportRun.title(of: run.file), language: language,
        start: run.failure == nil ? 0 : run.steps.count)
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
