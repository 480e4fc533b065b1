import Testing

@testable import BenchRunner

/// Applications whose drivers are shell scripts; one after the other, as sessions are.
@Suite(.serialized) struct ApplicationTests {
  let folder = Folder()

  @Test("the figures of an application's runs are pooled, and shown by median and quartiles")
  func pools() throws {
    let driver = try folder.driver(run: [run(perSecond: 2_000_000), run("graph", perSecond: 500)])
    let session = folder.session()
    session.run([driver], filters: [], rounds: 3)
    #expect(session.applications.map(\.application) == ["feed", "graph"])
    #expect(session.applications.first?.perSecond == [2_000_000, 2_000_000, 2_000_000])
    #expect(session.applications.first?.right == true)
    #expect(session.exitCode == 0)
    let text = table(of: session.applications)
    #expect(text.contains("500 (500 – 500)"))
    #expect(text.contains("right"))
  }

  @Test("drivers take turns, so that what the machine does meets all of them")
  func turns() throws {
    let drivers = try ["isakvo", "qt"].map { try folder.driver(run: [run(of: $0)]) }
    let session = folder.session()
    session.run(drivers, filters: [], rounds: 2)
    #expect(folder.said.count == 4)
    #expect(session.applications.map(\.subject) == ["isakvo", "qt"])
    #expect(session.applications.map { $0.p99?.count } == [2, 2])
  }

  @Test("a driver of several subjects is called with each, and one that breaks leaves the others")
  func arguments() throws {
    let path = try folder.script(
      """
      case "$1" in didset) subject=didset ;; *) exit 2 ;; esac
      shift
      echo '\(run(of: "'$subject'"))'
      """)
    let session = folder.session()
    let drivers = ["opencombine", "didset"].map { Driver(path: path, arguments: [$0]) }
    session.run(drivers, filters: ["feed"], rounds: 2)
    #expect(session.applications.map(\.subject) == ["didset"])
    #expect(session.applications.first?.p50 == [20, 20])
    #expect(folder.said.contains { $0.contains("opencombine: exit code 2") })
  }

  @Test("an application whose answer is wrong once is named, has no figures, exit code 1")
  func wrongAnswer() throws {
    let session = folder.session()
    for isRight in [true, false, true] {
      let driver = try folder.driver(run: [run(isRight: isRight)], code: isRight ? 0 : 1)
      session.run([driver], filters: [], rounds: 1)
    }
    #expect(session.exitCode == 1)
    #expect(folder.said.contains("failed: isakvo/application-feed: its answer is wrong"))
    let text = table(of: session.applications)
    #expect(text.contains("wrong") && !text.contains("1 000"))
  }

  @Test("a run on a busy machine is taken again, a few times at most, and named if it is kept")
  func busy() throws {
    let session = folder.session()
    session.run([try folder.driver(run: [run(isSteady: false)])], filters: [], rounds: 1)
    #expect(session.applications.map { $0.perSecond?.count } == [1])
    #expect(folder.said.filter { $0.contains("taken again, other programs had 25 %") }.count == 3)
    #expect(folder.said.contains { $0.contains("kept, though other programs had 25 %") })
    #expect(table(of: session.applications).contains("right; the machine was busy"))
    let better = folder.session()
    let path = try folder.script(
      """
      case "$*" in
      *--filter*) echo '\(run(perSecond: 7))' ;;
      *) echo '\(run(isSteady: false))' ;;
      esac
      """)
    better.run([Driver(path: path)], filters: [], rounds: 1)
    #expect(better.applications.map(\.perSecond) == [[7]])
    #expect(better.applications.map(\.steady) == [true])
  }

  @Test("an application that cannot be run by a subject's means is shown with the reason")
  func notRun() throws {
    let line = #"{"application":"feed","subject":"gnustep","not_run":"one thread only"}"#
    let session = folder.session()
    session.run([try folder.driver(list: [line], run: [line])], filters: [], rounds: 2)
    #expect(session.exitCode == 0)
    #expect(table(of: session.applications).contains("not run: one thread only"))
  }

  @Test("a driver that has none of the chosen applications is passed over, filters are handed on")
  func filters() throws {
    let path = try folder.script(
      """
      case "$*" in
      "--filter application-graph --list" | "--filter application-graph") echo '\(run("graph"))' ;;
      "--filter x --list") ;;
      *) exit 2 ;;
      esac
      """)
    let session = folder.session()
    session.run([Driver(path: path)], filters: ["x"], rounds: 1)
    #expect(session.applications.isEmpty && folder.said.isEmpty)
    session.run([Driver(path: path)], filters: ["application-graph"], rounds: 1)
    #expect(session.applications.count == 1)
    #expect(session.exitCode == 0)
  }

  @Test("a driver that stops, or prints something else, is named; the others go on")
  func broken() throws {
    let drivers = [
      try folder.driver(run: [run(of: "qt")], end: "kill -SEGV $$"),
      try folder.driver(list: [run()], run: ["Segmentation fault"]),
      try folder.driver(run: [run()]),
    ]
    let session = folder.session()
    session.run(drivers, filters: [], rounds: 2)
    #expect(session.applications.map(\.subject) == ["qt", "isakvo"])
    #expect(session.applications.map { $0.p50?.count } == [1, 2])
    #expect(session.exitCode == 1)
    #expect(folder.said.contains { $0.contains("stopped by signal 11") })
    #expect(folder.said.contains { $0.contains("(no JSON): Segmentation fault") })
  }

  @Test(
    "a page has a line for each application and subject, those of one together, this library's first"
  )
  func page() throws {
    var results = results([])
    let text = "<!-- bench: applications -->\n<!-- end -->"
    #expect(try page(text, results).contains("No applications were run."))
    results.applications = try [
      run("graph", of: "qt"), run("feed", of: "qt"),
      run("graph", of: "isakvo-swift", perSecond: 500), run("graph"),
    ]
    .map { try Application(line: $0) }
    let lines = try page(text, results).split(separator: "\n")
    let figures =
      "20 (20 – 20) | 90 (90 – 90) | right |"
    let (calls, twice) = ("500\u{202f}000", "1\u{202f}000\u{202f}000")
    let rate = "1\u{202f}000 (1\u{202f}000 – 1\u{202f}000)"
    #expect(
      lines.dropFirst(3).dropLast() == [
        "| graph editor | IsaKVO, C | \(rate) | \(calls) | 1 | \(figures)",
        "| graph editor | IsaKVO, Swift | 500 (500 – 500) | \(twice) | 2 | \(figures)",
        "| graph editor | Qt | \(rate) | \(calls) | 1 | \(figures)",
        "| feed | Qt | \(rate) | \(calls) | – | \(figures)",
      ])
  }

  private func page(_ text: String, _ results: Results) throws -> String {
    try BenchRunner.page(text, with: results, pictures: "pictures")
  }

  /// One run, as a driver prints it.
  private func run(
    _ application: String = "feed", of subject: String = "isakvo", perSecond: Int = 1000,
    isRight: Bool = true, isSteady: Bool = true
  ) -> String {
    """
    {"application":"\(application)","subject":"\(subject)","language":"C","operations":8,\
    "threads":4,"per_second":[\(perSecond)],"p50_ns":[20],"p99_ns":[90],"call_ns":[2],\
    "others":[\(isSteady ? 0 : 0.25)],"steady":\(isSteady),"right":\(isRight)}
    """
  }
}
