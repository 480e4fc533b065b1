import Foundation
import Testing

@testable import isalab

@Suite("Bindings in scenarios", .serialized, .oneAtATime)
struct BindingTests {
  private static let views = """
    let window = SwiftView()
    let panel = SwiftView()
    window.width = 800

    """

  @Test("both ends are the same until the binding ends, and nothing stays behind")
  func twoWays() {
    let before = liveCounts()
    let (code, output) = runScenario(
      BindingTests.views + """
        bind panel.width to window.width
        expect panel.width == 800
        expect registrations window == 1
        expect registrations panel == 1
        panel.width = 5
        expect window.width == 5
        expect retain-count window == 1
        unbind panel.width
        expect isa window == SwiftView
        expect isa panel == SwiftView
        window.width = 6
        expect no notification
        expect panel.width == 5
        release window
        expect alive window == false
        """)
    #expect(code == 0, "\(output.text) \(output.err)")
    #expect(liveCounts() == before)
  }

  @Test("a binding of one direction leaves its source alone, and ends with it")
  func oneWay() {
    let (code, output) = runScenario(
      BindingTests.views + """
        follow panel.width of window.width
        panel.width = 5
        expect window.width == 800
        expect isa panel == SwiftView
        release window
        expect panel.width == 5
        """)
    #expect(code == 0, "\(output.text) \(output.err)")
  }

  @Test("its registrations are named after it, in each run the same")
  func names() throws {
    let text =
      BindingTests.views
      + "bind panel.width to window.width\nregistrations window\nunbind panel.width\n"
    let (first, second) = (runScenario(text).output.text, runScenario(text).output.text)
    #expect(first == second)
    #expect(first.contains("NSKVONotifying_SwiftView is made, a subclass of SwiftView"))
    #expect(first.contains("binding of panel.width observes window.width"))
    let chinese = runScenario(text, TextOptions(language: .chinese, showsTrace: true)).output.text
    #expect(chinese.contains("panel.width 的绑定 监听 window.width"))
    #expect(!chinese.contains("binding of"))
    let events = try steps(text).flatMap(\.events)
    let observers = events.filter { $0.kind == .observerAdded || $0.kind == .observerRemoved }
    #expect(observers.map(\.observer) == Array(repeating: "binding of panel.width", count: 4))
  }

  @Test("a question names it in either language", arguments: Language.allCases)
  func questions(_ language: Language) throws {
    let text = BindingTests.views + "bind panel.width to window.width\nwindow.width = 900\n"
    let program = try ScenarioFile.program(of: text, file: "views.kvo")
    let inquiry = Inquiry(run: Runner.run(program))
    let view = WhyView(TextOptions(language: language))
    let answers = try Language.allCases.map { name in
      try view.lines(
        of: inquiry, .step(nil, observer: "binding of panel.width".objectName(in: name)))
    }
    #expect(answers[0] == answers[1])
    #expect(answers[0].joined().contains("binding of panel.width".objectName(in: language)))
  }

  @Test(
    "what cannot be bound is refused before anything runs",
    arguments: [
      (
        "class K { width: long }\nlet k = K()\nbind k.width to window.width",
        "'k' is no object of a Swift class"
      ),
      ("bind panel.size to window.width", "SwiftView has no property 'size'"),
      ("bind panel.width of window.width", "expected 'to' and the property"),
      ("follow panel.width to window.width", "expected 'of' and the property"),
      ("unbind panel", "expected '.'"),
      ("class K : SwiftView { x: int }", "'SwiftView' is a class of Swift's"),
      ("class K { x: int }\nisa window = K", "'window' is an object of SwiftView"),
      ("class K { x: int }\nlet k = K()\nisa k = SwiftView", "'k' is no object of SwiftView"),
      ("class SwiftView { x: int }", "'SwiftView' is taken already"),
      ("let bind = SwiftView()", "'bind' is a word of the language"),
    ])
  func refused(_ lines: String, _ message: String) {
    let (code, output) = runScenario(BindingTests.views + lines + "\n")
    #expect(code == 2)
    #expect(output.err.joined().contains(message), "\(output.err)")
  }
}
