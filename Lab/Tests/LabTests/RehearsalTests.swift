import Foundation
import Testing

@testable import isalab

/// The three plans of docs/teaching.md, typed minute by minute into a shell of a fresh folder.
@Suite("The plans, rehearsed", .oneAtATime)
struct RehearsalTests {
  /// A plan in a language, with the locale of its class.
  struct Plan: Sendable, CustomTestStringConvertible {
    var file: String
    var locale: String
    var testDescription: String { file }
  }

  static let plans = [
    Plan(file: "docs/teaching.md", locale: "C.UTF-8"),
    Plan(file: "docs/zh/teaching.md", locale: "zh_CN.UTF-8"),
  ]

  /// Words that a command of the plans prints, in whatever language; the longest beginning counts.
  private static let shows: [String: [String]] = [
    "isalab tour": ["NSKVONotifying_Person", "a)", "  1  "],
    "isalab tour 1 2 3 4 5 6": ["32  _home", "NSKVONotifying_Person"],
    "isalab tour object-layout": ["16  _name", "32  _home"],
    "isalab tour selectors": ["v@:i", "setAge:"],
    "isalab tour message-send": ["-[Person setAge:]"],
    "isalab tour class-pair": ["_isKVOA", "dealloc"],
    "isalab tour isa-swap": [
      "  -     0  isa  → Person", "  +     0  isa  → NSKVONotifying_Person",
    ],
    "isalab tour isa-swap --scenario": [],
    "isalab tour trampoline": ["closure[setHome:]", "{Place=ddd}"],
    "isalab tour will-did": ["did-change ada.age", "notification watcher"],
    "isalab tour options": ["expect curious 1 initial"],
    "isalab tour 4": ["NSKVONotifying_Person"],
    "isalab museum dead-observer": ["SIG"],
    "isalab museum double-removal": ["NSRangeException"],
    "isalab museum int-setter": ["int"],
    "isalab museum global-table": ["easykvo"],
    "isalab museum dead-observed": ["classic"],
    "isalab thunk": ["{Place=ddd}"],
    "isalab why": ["thunk[setAge:]", "ada.age = 36"],
    "isalab compare class/isa-swap.kvo": ["handmade", "easykvo", "apple", "SIG"],
    "isalab compare my.kvo": ["handmade", "gnustep", "apple"],
    "isalab explain": ["KVO_ERR_NOT_REGISTERED"],
    "isalab explain KVO_ERR_NOT_REGISTERED": ["NSRangeException"],
    "isalab export": [],
    "isalab run my.kvo": ["NSKVONotifying_Person"],
    "isalab lab list": ["1", "8"],
    "isalab lab start": ["lab-"],
    "isalab lab grade 1": ["REG-01"], "isalab lab grade 2": ["REG-07"],
    "isalab lab grade 3": ["REG-13"],
  ]

  private func text(of plan: Plan) throws -> String {
    try String(contentsOf: Folder.checkout.appendingPathComponent(plan.file), encoding: .utf8)
  }

  /// The rows of the three plans, in their order.
  private func rows(of plan: Plan) throws -> [String] {
    let lines = try text(of: plan).split(separator: "\n").map(String.init)
    return lines.filter { line in
      let isLesson = line.contains(#/^\| \d+ \| `[a-z-]+` \|/#)
      return line.contains(#/^\| \d+ \| /#) && !isLesson
    }
  }

  /// The commands of isalab that a row names, in the order in which they stand there.
  private func commands(of row: String) -> [String] {
    row.matches(of: #/`(isalab [^`]+)`/#).map { String($0.1) }
  }

  /// The block that makes the files of the class.
  private func preparation(of plan: Plan) throws -> String {
    let blocks = try text(of: plan).split(separator: "```\n").map(String.init)
    return try #require(blocks.first { $0.hasPrefix("mkdir -p class") })
  }

  /// Types a line into a shell of the folder; each prediction is a.
  private func type(
    _ line: String, in folder: URL, _ plan: Plan
  ) throws -> ChildProcess.Result {
    var shell = ChildProcess(executable: URL(fileURLWithPath: "/bin/sh"), seconds: 120)
    shell.variables = [
      "LC_ALL": plan.locale, "ISALAB": Child.executable.path, "COLUMNS": "80", "LINES": "24",
    ]
    let script = "isalab() { \"$ISALAB\" \"$@\"; }\n\(line)\n"
    let answers = String(repeating: "a\n", count: 10)
    return try #require(shell.run(["-c", script], input: answers, in: folder))
  }

  private func words(for command: String) throws -> [String] {
    let known = RehearsalTests.shows.keys.filter { command.hasPrefix($0) }
    let key = try #require(known.max { $0.count < $1.count }, "nobody says what \(command) shows")
    return RehearsalTests.shows[key] ?? []
  }

  @Test("each command of each minute succeeds and shows what it is there for", arguments: plans)
  func minutes(_ plan: Plan) throws {
    let room = try TemporaryFolder()
    #expect(try type(try preparation(of: plan), in: room.url, plan).hasSucceeded)
    var count = 0
    for row in try rows(of: plan) {
      for command in commands(of: row) where !isWatched(command) {
        count += 1
        let result = try type(command, in: room.url, plan)
        // A skeleton passes no case yet.
        let ends: [ChildProcess.End] =
          command.hasPrefix("isalab lab grade") ? [.exit(0), .exit(1)] : [.exit(0)]
        #expect(ends.contains(result.end), "\(command): \(result.end) \(result.errors)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.filter { $0.columns > 80 } == [], "\(command)")
        for words in try words(for: command) {
          #expect(result.output.contains(words), "\(command) does not show '\(words)'")
        }
      }
    }
    #expect(count > 30)
    for made in ["my.kvo", "my.c", "my/Package.swift", "lab-1/README.md", "lab-4/README.md"] {
      #expect(FileManager.default.fileExists(atPath: room.file(made).path), "no \(made)")
    }
  }

  /// Whether a command waits for keys or for visitors.
  private func isWatched(_ command: String) -> Bool {
    command.hasPrefix("isalab step") || command.hasPrefix("isalab serve")
  }

  @Test("the editor prints its address, and ends when it is told to", arguments: plans)
  func serve(_ plan: Plan) throws {
    let room = try TemporaryFolder()
    let command = try #require(
      try rows(of: plan).flatMap(commands).first { $0.hasPrefix("isalab serve") })
    let result = try type(
      """
      isalab tour isa-swap --scenario >my.kvo
      "$ISALAB" \(command.dropFirst("isalab ".count)) >said 2>&1 &
      for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        grep -q http said && break; sleep 0.5
      done
      kill -TERM $!; wait $!; cat said
      """, in: room.url, plan)
    #expect(result.output.contains("http://"))
  }

  @Test("who compiles C has installed the library before", arguments: plans)
  func installed(_ plan: Plan) throws {
    let text = try text(of: plan)
    let install = try #require(text.range(of: "make install PREFIX="))
    let export = try #require(text.range(of: "--c my.c"))
    #expect(install.lowerBound < export.lowerBound)
    #expect(text.contains("export PKG_CONFIG_PATH="))
  }

  @Test(
    "at 80 by 24 the stepped message shows will, did and the observer",
    .enabled(if: Terminal.isThere, "tmux is not here"), arguments: plans)
  func stepped(_ plan: Plan) throws {
    let room = try TemporaryFolder()
    #expect(try type(try preparation(of: plan), in: room.url, plan).hasSucceeded)
    let row = try #require(try rows(of: plan).first { $0.contains("step class/will-did.kvo") })
    #expect(row.contains("`n`") && row.contains("4"))
    let terminal = try Terminal(
      environment: "LC_ALL=C.UTF-8",
      variables: [
        "ISALAB": Child.executable.path, "SCENARIO": room.file("class/will-did.kvo").path,
      ])
    terminal.type(#""$ISALAB" step "$SCENARIO""#)
    try #require(terminal.wait { $0.contains("step 0 of") })
    terminal.press("n", "n", "n", "n")
    #expect(
      terminal.wait { screen in
        let flat = screen.split(separator: "\n").joined(separator: " ")
          .split(separator: " ").joined(separator: " ")
        return flat.contains("→ will → old 0 → original")
          && flat.contains("→ did → new 36 → watcher 0 → 36")
      })
    terminal.press("q")
  }
}
