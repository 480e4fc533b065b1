import FlyingFox
import Foundation

/// Answers the requests of the editor and for the pages that it shows.
actor Desk: HTTPHandler {
  /// A text that can be opened.
  struct Document: Codable, Sendable {
    /// The kind of a document, as the list parts them.
    enum Group: String, Codable, Sendable { case file, example, lesson, failure }

    var group: Group
    var name: String
    var title: String
    var text: String
    /// The task of a lesson's exercise, and the lines that are to hold.
    var task: String?
    var check: String?
    /// The file of a lesson's page, or of an exhibit's.
    var page: String?
    /// The design that an exhibit runs under.
    var design: String?
  }

  /// The editor's question, answered.
  private struct RunAnswer: Codable {
    var marks: [Workshop.Mark]
    /// The address of the run's page; none if it did not come to its end.
    var page: String?
  }

  /// How long a scenario may be, in bytes.
  static let mostBytes = 256 << 10
  /// How many pages are kept to be looked at.
  private static let mostPages = 12

  private let workshop: Workshop
  private let language: Language
  private let files: [Document]
  private let traces: [URL]
  /// None before the port is known: all are refused.
  private var visitors: Visitors?
  private var pages: [(name: String, text: String)] = []
  /// The names of the lecture's pages, and those that were asked for.
  private let lectureFiles: Set<String>
  private var lecturePages: [String: Task<String?, Never>] = [:]

  /// The design under which scenarios run unless one chooses another.
  private let design: String

  init(
    _ workshop: Workshop, _ language: Language, files: [Document], traces: [URL], design: String
  ) {
    self.workshop = workshop
    self.traces = traces
    self.design = design
    self.language = language
    self.files = files
    let lecture = Lecture(lessons: Lessons.all, language: language, process: workshop.process)
    lectureFiles = Set(lecture.files)
  }

  func open(at port: UInt16) { visitors = Visitors(port: port) }

  /// Answers a request, whatever it asks.
  func handleRequest(_ request: HTTPRequest) async -> HTTPResponse {
    let language = language(of: request)
    let early = PageAnswer.refusal(.serviceUnavailable, language.say("serve.not-yet"))
    if let refusal = visitors.map({ $0.refusal(of: request, language) }) ?? early {
      return refusal.response(leaving: request.bodySequence)
    }
    switch request.method {
    case .GET: return await answer(to: request, language).response(leaving: nil)
    case .POST: return await responseToPost(request, language)
    default:
      return PageAnswer.refusal(.methodNotAllowed, language.say("serve.no-method"))
        .response(leaving: request.bodySequence)
    }
  }

  private func responseToPost(
    _ request: HTTPRequest, _ language: Language
  ) async -> HTTPResponse {
    guard let count = request.bodySequence.count else {
      return PageAnswer.refusal(.lengthRequired, language.say("serve.no-length"))
        .response(leaving: request.bodySequence)
    }
    guard count <= Desk.mostBytes else {
      let refusal = language.say("serve.too-long", ["bytes": Desk.mostBytes])
      return PageAnswer.refusal(.payloadTooLarge, refusal).response(leaving: request.bodySequence)
    }
    let data = await RequestBody.read(request.bodySequence, upTo: Desk.mostBytes, seconds: 10)
    guard let data, let text = String(data: data, encoding: .utf8) else {
      return PageAnswer.refusal(.badRequest, language.say("serve.no-text")).response(leaving: nil)
    }
    return await answer(to: request, text, language).response(leaving: nil)
  }
}

// MARK: Questions

extension Desk {
  private func answer(to request: HTTPRequest, _ language: Language) async -> PageAnswer {
    switch request.path {
    case "/":
      return PageAnswer(
        kind: .editor,
        text: EditorPage(
          language, documents(language), traces: traces.map(\.lastPathComponent), design
        ).html())
    case "/editor.js": return PageAnswer(kind: .script, text: EditorPage.script)
    case "/editor.css": return PageAnswer(kind: .style, text: EditorPage.style)
    default: break
    }
    let parts = request.path.split(separator: "/").map(String.init)
    if parts.count == 2, parts[0] == "runs", let page = pages.first(where: { $0.name == parts[1] })
    {
      return PageAnswer(kind: .page, text: page.text)
    }
    if parts.count == 3, parts[0] == "lecture", let language = Language(rawValue: parts[1]),
      let page = await lecturePage(parts[2], language)
    {
      return PageAnswer(kind: .page, text: page)
    }
    if parts.count == 2, parts[0] == "traces", let number = Int(parts[1]),
      traces.indices.contains(number - 1)
    {
      return await answer(of: traces[number - 1], language)
    }
    return .refusal(.notFound, language.say("serve.no-page"))
  }

  /// The page of a trace, of what it has by now.
  private func answer(of trace: URL, _ language: Language) async -> PageAnswer {
    guard let result = await workshop.trace(trace, language) else { return Desk.busy(language) }
    return result.hasSucceeded
      ? PageAnswer(kind: .page, text: result.output)
      : .refusal(.internalServerError, result.errors)
  }

  private func answer(
    to request: HTTPRequest, _ text: String, _ language: Language
  ) async -> PageAnswer {
    let name = ServeWords.fileName(request.query["name"])
    switch request.path {
    case "/run":
      guard let designs = Desk.designs(request.query["design"] ?? design) else {
        return .refusal(.badRequest, language.say("serve.no-design", ["most": ComparePage.most]))
      }
      let outcome = await workshop.run(text, name: name, under: designs, language)
      guard let outcome else { return Desk.busy(language) }
      return .data(RunAnswer(marks: outcome.marks, page: outcome.page.map(keep)), language)
    case "/check":
      guard let lesson = request.query["lesson"].flatMap(Lessons.find) else {
        return .refusal(.notFound, language.say("serve.no-lesson"))
      }
      let judgement = await workshop.check(text, name: name, lesson: lesson.name, language)
      return judgement.map { PageAnswer.data($0, language) } ?? Desk.busy(language)
    default: return .refusal(.notFound, language.say("serve.no-question"))
    }
  }

  /// One design, or some to compare; nil if a name means none, or there are too many.
  private static func designs(_ list: String) -> [String]? {
    guard list.utf8.count < 200, let names = try? Designs.named(in: list),
      names.count <= ComparePage.most
    else { return nil }
    return names
  }

  private static func busy(_ language: Language) -> PageAnswer {
    .refusal(.serviceUnavailable, language.say("serve.busy"))
  }

  /// The one that it asks for, or else the server's.
  private func language(of request: HTTPRequest) -> Language {
    request.query["lang"].flatMap(Language.init(rawValue:)) ?? language
  }

  /// Keeps a page, in place of the oldest if there are many.
  private func keep(_ page: String) -> String {
    let name = UUID().uuidString.lowercased()
    pages = pages.suffix(Desk.mostPages - 1) + [(name, page)]
    return "/runs/" + name
  }

  /// A page of the lecture, made when it is first asked for.
  private func lecturePage(_ name: String, _ language: Language) async -> String? {
    guard lectureFiles.contains(name) else { return nil }
    let key = "\(language.rawValue)/\(name)"
    let workshop = workshop
    let task = lecturePages[key] ?? Task { await workshop.lecturePage(name, language) }
    lecturePages[key] = task
    guard let page = await task.value else {
      lecturePages[key] = nil
      return nil
    }
    return page
  }

  /// The examples of the checkout, the one first that an editor without a file opens.
  private var examples: [Document] {
    let names = PackageResources.all.keys.filter { $0.hasSuffix(".kvo") }.sorted()
    let first = "person.kvo"
    return ([first] + names.filter { $0 != first }).compactMap { name in
      if files.contains(where: { $0.name == name }) { return nil }
      return PackageResources.all[name].map {
        Document(group: .example, name: name, title: name, text: $0)
      }
    }
  }

  private func documents(_ language: Language) -> [Document] {
    let lessons = Lessons.all.indices.map { index -> Document in
      let lesson = Lessons.all[index]
      return Document(
        group: .lesson, name: lesson.name, title: "\(index + 1). \(lesson.title[language])",
        text: lesson.lines + "\n", task: lesson.exercise.task[language],
        check: lesson.exercise.check, page: LessonPage.file(index, of: Lessons.all))
    }
    let failures = Exhibit.all.filter { !$0.isCode }.map {
      Document(
        group: .failure, name: $0.name, title: $0.title[language], text: $0.scenario + "\n",
        page: MuseumPages.file(of: $0), design: $0.design)
    }
    return files + examples + lessons + failures
  }
}
