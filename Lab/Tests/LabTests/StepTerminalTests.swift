import Foundation
import Testing

@testable import isalab

/// A terminal of tmux's, with a shell in it.
final class Terminal {
  private let socket = "isalab-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("isalab-\(UUID())")

  /// Whether this system can drive a terminal with the program in it.
  static let isThere = output(of: "command -v tmux") != nil

  /// Whether tmux shows the links that a program has printed.
  static let keepsLinks: Bool = {
    let version = output(of: "tmux -V")?.split(separator: " ").last.map(String.init) ?? ""
    return (Double(version.filter { $0.isNumber || $0 == "." }) ?? 0) >= 3.4
  }()

  /// - Parameter variables: The texts that lines typed later mean by `$NAME`, whatever stands in
  ///   them.
  init(
    columns: Int = 80, rows: Int = 24, environment: String = "LC_ALL=C.UTF-8",
    variables: [String: String] = [:]
  ) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The search for leaks at the end of a process that is stopped does not end.
    let own = "-u NO_COLOR -u LANG ASAN_OPTIONS=detect_leaks=0 PS1='$ '"
    let shell = "env \(own) \(environment) bash --norc --noprofile"
    let start = "-f /dev/null new-session -d -x \(columns) -y \(rows) -s s \"\(shell)\""
    #expect(tmux(start, variables) != nil)
    #expect(wait { $0.contains("$") })
  }

  deinit {
    _ = tmux("kill-server")
    try? FileManager.default.removeItem(at: folder)
  }

  @discardableResult
  private func tmux(_ words: String, _ variables: [String: String] = [:]) -> String? {
    let settings = variables.map { "\($0.key)=\(Terminal.quoted($0.value)) " }.joined()
    return Terminal.output(of: "\(settings)tmux -u -L \(socket) \(words) 2>/dev/null")
  }

  /// One word of the shell, whatever stands in it.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }

  func press(_ keys: String...) { tmux("send-keys -t s " + keys.joined(separator: " ")) }

  func type(_ line: String) {
    tmux("send-keys -t s -l \(Terminal.quoted(line))")
    press("Enter")
  }

  func resize(_ columns: Int, _ rows: Int) { tmux("resize-window -t s -x \(columns) -y \(rows)") }

  /// The terminal's screen; with colours, their escape sequences too.
  func shown(withColours: Bool = false) -> String {
    tmux("capture-pane -p -t s" + (withColours ? " -e" : "")) ?? ""
  }

  /// Waits until what is shown is as it should be, half a minute at most.
  func wait(withColours: Bool = false, _ isSo: (String) -> Bool) -> Bool {
    for _ in 0..<600 {
      if isSo(shown(withColours: withColours)) { return true }
      usleep(50_000)
    }
    print(shown())
    return false
  }

  /// The output of a command in the terminal's shell, which has some minutes.
  func result(of command: String) -> String {
    let file = folder.appendingPathComponent("out-\(UUID())")
    let place = Terminal.quoted(file.path)
    type("{ \(command); } > \(place) 2>&1; touch \(place).done")
    for _ in 0..<6000 where !FileManager.default.fileExists(atPath: file.path + ".done") {
      usleep(50_000)
    }
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }

  /// Sends a signal to what the terminal's shell runs.
  func signalChild(_ name: String) -> Bool {
    let shell = tmux("list-panes -t s -F '#{pane_pid}'")?.split(separator: "\n").first ?? "none"
    // A small system has no pgrep, and macOS no /proc.
    let children =
      "grep -sl '^PPid:[[:space:]]*\(shell)$' /proc/[0-9]*/status; pgrep -P \(shell) 2>&-; :"
    let child = Terminal.output(of: children)?.split(separator: "\n").last
    let pid = child.map { $0.filter(\.isNumber) } ?? "none"
    return Terminal.output(of: "kill -\(name) \(pid)") != nil
  }

  static func output(of command: String) -> String? {
    guard let pipe = popen(command, "r") else { return nil }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
      output += buffer[..<count]
    }
    return pclose(pipe) == 0 ? String(decoding: output, as: UTF8.self) : nil
  }
}

@Suite(
  "step in a terminal", .serialized, .oneAtATime,
  .enabled(if: Terminal.isThere, "tmux is not here")
)
struct StepTerminalTests {
  /// The program that was built beside these tests.
  private static let isalab = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent().appendingPathComponent("isalab").path
  private static let scenario = Folder.scenarios.appendingPathComponent("person.kvo").path
  private static let command = #""$ISALAB" step "$SCENARIO""#

  private func opened(environment: String = "LC_ALL=C.UTF-8") throws -> Terminal {
    try Terminal(
      environment: environment,
      variables: ["ISALAB": StepTerminalTests.isalab, "SCENARIO": StepTerminalTests.scenario])
  }

  private func started(environment: String = "LC_ALL=C.UTF-8") throws -> Terminal {
    let terminal = try opened(environment: environment)
    terminal.type(StepTerminalTests.command)
    try #require(terminal.wait { $0.contains("step 0 of 23") })
    return terminal
  }

  @Test("the demonstration begins with the swap on one screen, asks, waits, and ends with a link")
  func demonstration() throws {
    let folder = try TemporaryFolder()
    let script = Folder.checkout.appendingPathComponent("scripts/demo.sh").path
    let terminal = try Terminal(
      environment: "LC_ALL=C.UTF-8 VTE_VERSION=7000",
      variables: [
        "ISALAB": StepTerminalTests.isalab, "DEMO": script,
        "PAGES": folder.url.appendingPathComponent("the pages").path,
      ])
    terminal.type(#"clear; bash "$DEMO" "$ISALAB" "$PAGES" true"#)
    try #require(
      terminal.wait {
        $0.contains("One object, observed.") && $0.contains("Person → NSKVONotifying_Person")
          && $0.contains("watcher hears that ada.age changed") && $0.contains("Enter begins")
      })
    terminal.press("Enter")
    for _ in 0..<20 where !terminal.shown().contains("Enter goes on to “Selectors") {
      try #require(terminal.wait { $0.contains("Enter goes on") })
      terminal.press("Enter")
    }
    try #require(terminal.wait { $0.contains("Enter goes on to “Selectors and IMPs”") })
    terminal.press("q", "Enter")
    // The pages of all lessons take their time, and the address more than a line.
    let hasEnded = { (text: String) in
      text.replacing("\n", with: "").contains("the%20pages/index.html")
    }
    #expect((0..<8).contains { _ in terminal.wait(hasEnded) })
    let marks = "]8;;file://"
    #expect(terminal.shown(withColours: true).contains(marks) || !Terminal.keepsLinks)
    // Into no terminal, where the pages stand by now.
    let quick = folder.url.appendingPathComponent("isalab")
    try #"[ "$1" = export ] || exec "$ISALAB" "$@""#
      .write(to: quick, atomically: true, encoding: .utf8)
    chmod(quick.path, 0o755)
    let plain = terminal.result(of: #"bash "$DEMO" "$PAGES/../isalab" "$PAGES" </dev/null"#)
    #expect(plain.hasPrefix("One object, observed.") && !plain.contains("Enter "))
    #expect(plain.hasSuffix("the%20pages/index.html\n") && !plain.contains("\u{1b}"))
  }

  @Test("forward, back, to a step, to the ends, to a breakpoint, and out")
  func walking() throws {
    let terminal = try started()
    terminal.press("n", "Right", "Space")
    #expect(terminal.wait { $0.contains("step 3 of 23") })
    terminal.press("p", "Left")
    #expect(terminal.wait { $0.contains("step 1 of 23") })
    terminal.press("g", "1", "2", "Enter")
    #expect(terminal.wait { $0.contains("step 12 of 23") })
    terminal.press("G")
    #expect(terminal.wait { $0.contains("step 23 of 23") })
    terminal.press("g", "g")
    #expect(terminal.wait { $0.contains("step 0 of 23") })
    terminal.press("b")
    #expect(terminal.wait { $0.contains("> [ ] class-allocated") })
    terminal.press(contentsOf: Event.Kind.allCases.firstIndex(of: .isaSwapped)!)
    terminal.press("Space", "Enter", "c")
    #expect(
      terminal.wait { $0.contains("isa-swapped") && $0.contains("⇄ ada → NSKVONotifying_Person") })
    terminal.press("/", "b", "o", "b", "Enter")
    #expect(terminal.wait { $0.contains("'bob' in step") })
    terminal.press("q")
    #expect(terminal.wait { !$0.contains(" of 23") })
    #expect(terminal.result(of: "echo $?") == "0\n")
  }

  @Test("into, back and out lead through an observed assignment, station by station")
  func stations() throws {
    let run = try GraphTests.run("person")
    let stations = Lane(run, at: 5).stations
    let expected: [Lane.Station.Kind] = [
      .sender, .object, .isa, .slot, .wrapper, .will, .old, .original, .ivar, .did, .new, .observer,
      .back,
    ]
    #expect(stations.map(\.kind) == expected)
    let terminal = try started()
    terminal.press("g", "5", "Enter")
    for station in stations {
      terminal.press("s")
      #expect(
        terminal.wait { $0.contains("[\(station.title)") && $0.contains(station.text.prefix(70)) })
    }
    terminal.press("u")
    #expect(terminal.wait { $0.contains("[\(stations[11].title)") })
    terminal.press("o")
    #expect(
      terminal.wait { $0.contains("step 5 of 23") && $0.contains("s steps into this line") })
  }

  @Test("speaks Chinese where it is asked to")
  func chinese() throws {
    let terminal = try opened()
    terminal.type(StepTerminalTests.command + " --lang zh")
    #expect(terminal.wait { $0.contains("第 0 步，共 23 步") && $0.contains("─[ 场景 ]") })
    terminal.press("q")
  }

  @Test("a resize lays the screen out anew; too small a terminal says so and recovers")
  func resizing() throws {
    let terminal = try started()
    terminal.press("g", "5", "Enter")
    #expect(terminal.wait { $0.contains("step 5 of 23") })
    terminal.resize(120, 40)
    #expect(terminal.wait { $0.split(separator: "\n").contains { $0.count > 100 } })
    terminal.resize(50, 12)
    #expect(terminal.wait { $0.contains("too small: 50×12, expected 60×16") })
    terminal.press("n")
    terminal.resize(60, 16)
    #expect(
      terminal.wait {
        $0.contains("step 6 of 23") && $0.split(separator: "\n").allSatisfy { $0.count <= 60 }
      })
  }

  @Test(
    "Ctrl-C, SIGTERM, q and Ctrl-Z leave the terminal as it was",
    arguments: ["C-c", "TERM", "q", "SEGV"])
  func restoring(way: String) throws {
    let terminal = try opened()
    let before = terminal.result(of: "stty -a")
    #expect(before.contains("icanon"))
    terminal.type(StepTerminalTests.command)
    #expect(terminal.wait { $0.contains("step 0 of 23") })
    terminal.press("C-z")
    #expect(terminal.wait { $0.contains("Stopped") && !$0.contains("step 0 of") })
    #expect(terminal.result(of: "stty -a") == before)
    terminal.type("fg")
    #expect(terminal.wait { $0.contains("step 0 of 23") })
    terminal.press("n")
    #expect(terminal.wait { $0.contains("step 1 of 23") })
    switch way {
    case "TERM", "SEGV":
      try #require(terminal.signalChild(way))
    default: terminal.press(way)
    }
    #expect(terminal.wait { !$0.contains(" of 23") })
    let codes = ["C-c": "130", "TERM": "143", "q": "0", "SEGV": "139"]
    #expect(terminal.result(of: "echo $?") == codes[way]! + "\n")
    #expect(terminal.result(of: "stty -a") == before)
  }

  @Test("a terminal that has grown meanwhile shows nothing of it afterwards")
  func endedOnceGrown() throws {
    let terminal = try started()
    terminal.resize(160, 50)
    #expect(terminal.wait { $0.split(separator: "\n").contains { $0.count > 150 } })
    terminal.press("q")
    #expect(terminal.wait { $0.contains("$SCENARIO") && !$0.contains("│") })
  }

  @Test("ended while it is stopped, it ends and leaves the terminal alone")
  func endedWhileStopped() throws {
    let terminal = try started()
    terminal.press("C-z")
    #expect(terminal.wait { $0.contains("Stopped") })
    let before = terminal.result(of: "stty -a")
    terminal.type("clear; bg")
    #expect(terminal.wait { $0.contains("&") || $0.contains("Stopped") })
    terminal.type("clear; kill %1; while kill -0 %1 2>&-; do sleep 0.1; done; echo gone")
    #expect(terminal.wait { $0.contains("Terminated") && $0.contains("gone") })
    #expect(!terminal.shown().contains("step 0 of 23"))
    #expect(terminal.result(of: "stty -a") == before)
  }

  @Test("NO_COLOR and TERM=dumb show no colour, another locale no line art")
  func plain() throws {
    let escape: Character = "\u{1B}"
    // The last line is drawn last.
    func isWhole(_ shown: String) -> Bool { shown.contains("quit") }
    let coloured = try started()
    #expect(coloured.wait(withColours: true) { isWhole($0) && $0.contains(escape) })
    for setting in ["NO_COLOR=1", "TERM=dumb"] {
      let plain = try started(environment: "LC_ALL=C.UTF-8 \(setting)")
      #expect(plain.wait(withColours: true) { isWhole($0) && !$0.contains(escape) })
    }
    let ascii = try started(environment: "LC_ALL=C")
    #expect(ascii.wait { isWhole($0) && $0.contains("-[ scenario ]") && $0.allSatisfy(\.isASCII) })
  }

  @Test("without a terminal, and for what cannot be read, it says so and ends with 2")
  func refused() throws {
    let terminal = try opened()
    let piped = terminal.result(of: StepTerminalTests.command + " | cat; echo ${PIPESTATUS[0]}")
    #expect(piped.contains("isalab step: no terminal, expected one: 'isalab run "))
    #expect(piped.hasSuffix("2\n"))
    terminal.type(#"clear; "$ISALAB" step /no/such/file; echo code $?"#)
    #expect(terminal.wait { $0.contains("cannot be read") && $0.contains("code 2") })
  }
}

extension Terminal {
  /// The cursor down so many times.
  fileprivate func press(contentsOf count: Int) { for _ in 0..<count { press("Down") } }
}
