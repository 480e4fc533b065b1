import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

private class Report: KVObject {
  @Dynamic var subject = "apes"
  @LazyDynamic(Report.makeTitle) var title: String
  @LazyDynamic({ (report: Report) in report.title.count }) var length: Int
  @LazyDynamic(\Report.shout) var loud: String
  @LazyDynamic(Report.makeParts) var parts: [String]
  @LazyDynamic(Report.makeNote) var note: String?
  var made: [String] = []

  var shout: String {
    made.append("loud")
    return subject.uppercased()
  }

  func makeTitle() -> String {
    made.append("title")
    return "On " + subject
  }

  private func makeParts() -> [String] { [title, subject] }
  private func makeNote() -> String? { nil }
}

private final class LongReport: Report {
  @LazyDynamic(LongReport.makeIndex) var index: String
  @LazyDynamic(Report.makeTitle) var second: String

  private func makeIndex() -> String { title + ", index" }
  override func makeTitle() -> String { "A long one " + super.makeTitle() }
}

private final class Stranger: KVObject {
  @LazyDynamic(Report.makeTitle) var title: String
}

private final class Cached<Element>: KVObject {
  @Dynamic var element: Element
  @LazyDynamic(Cached.describe) var text: String

  init(_ element: Element) { self.element = element }
  private func describe() -> String { "\(element)" }
}

@MainActor private final class Screen: KVObject {
  @Dynamic var width = 3
  @LazyDynamic({ (screen: Screen) in screen.makeTitle() }) var title: String
  @LazyDynamic({ (screen: Screen) in screen.width * 2 }) var area: Int
  @LazyDynamic(\Screen.half) var side: Int

  private func makeTitle() -> String { "wide \(width)" }
  private var half: Int { width / 2 }
}

/// Lazy properties whose initial values need their objects.
@Suite(.serialized, .leavesNoObjects)
struct LazyDynamicTests {
  @Test("a method, a closure or a key path computes the value once, when it is first read")
  func once() {
    let report = Report()
    #expect(report.made.isEmpty)
    #expect(report.title == "On apes" && report.title == "On apes" && report.made == ["title"])
    #expect(report.length == 7 && report.loud == "APES" && report.loud == "APES")
    #expect(report.parts == ["On apes", "apes"] && report.note == nil)
    #expect(report.made == ["title", "loud"])
  }

  @Test("a value that is set before the first read is not computed")
  func setBefore() {
    let report = Report()
    report.title = "Mine"
    #expect(report.title == "Mine" && report.length == 4 && report.made.isEmpty)
  }

  @Test("computing the value tells nobody, setting it tells old and new")
  func told() {
    let report = Report()
    var told: [String] = []
    let token = report.observe(\.title, options: [.old, .new]) { _, change in
      told.append("\(change.oldValue!) → \(change.newValue!)")
    }
    #expect(report.title == "On apes" && told.isEmpty)
    report.subject = "men"
    report.title += "!"
    #expect(told == ["On apes → On apes!"] && report.made == ["title"])
    token.invalidate()
  }

  @Test("an observed object computes the old value for the first change that asks for it")
  func oldValue() throws {
    let report = Report()
    var told: [String] = []
    let token = try report.observe("title", as: String.self, options: [.old, .new]) { _, change in
      told.append("\(change.oldValue!) → \(change.newValue!)")
    }
    try report.setValue("Named", forKey: "title")
    #expect(told == ["On apes → Named"] && report.made == ["title"])
    token.invalidate()
  }

  @Test("reading by name computes the value, with the object at hand")
  func byName() throws {
    let report = Report()
    #expect(try report.value(forKey: "length") as? Int == 7)
    #expect(try report.value(forKey: "parts") as? [String] == ["On apes", "apes"])
    #expect(report.made == ["title"])
  }

  @Test("the array that a method made is changed by elements")
  func elements() throws {
    let report = Report()
    var kinds: [ChangeKind] = []
    let token = report.observe(\.parts) { kinds.append($1.kind) }
    report.mutableArrayValue(for: \.parts).append("end")
    let parts = report.parts
    #expect(parts == ["On apes", "apes", "end"])
    #expect(kinds == [.insertion])
    token.invalidate()
  }

  @Test("a subclass inherits the property, and its override of the method computes the value")
  func subclass() {
    let report = LongReport()
    #expect(report.title == "A long one On apes" && report.index == "A long one On apes, index")
    #expect(report.second == report.title)
  }

  @Test("a generic class's method computes the value")
  func generic() throws {
    #expect(Cached(7).text == "7")
    #expect(try Cached("a").value(forKey: "text") as? String == "a")
  }

  @MainActor @Test("members of a class of the main actor compute the value there")
  func mainActor() {
    let screen = Screen()
    screen.width = 8
    #expect(screen.title == "wide 8" && screen.area == 16 && screen.side == 4)
  }

  @Test("a member of a class that the property's does not inherit from stops the process, by name")
  func stranger() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Stranger().title
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("property of Stranger is computed by a member of Report"))
  }
}
