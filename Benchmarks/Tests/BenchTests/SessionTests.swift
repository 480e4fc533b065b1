import Foundation
import Testing

@testable import BenchRunner

/// Sessions with drivers and tools that are shell scripts.
///
/// One after the other: a program that is still open for writing in another test's child cannot be run.
@Suite(.serialized) struct SessionTests {
  let folder = Folder()

  @Test("rounds of a driver are pooled")
  func pools() throws {
    let driver = try folder.driver(list: [row()], run: [row(samples: [5, 6])])
    let session = folder.session()
    session.measure([driver], Choice(isQuick: true), rounds: 3, samples: 2)
    #expect(session.rows.count == 1)
    #expect(session.rows.first?.samples == [5, 6, 5, 6, 5, 6])
    #expect(session.rows.first?.ratio == 5.5)
    #expect(session.exitCode == 0)
  }

  @Test("a driver that has none of the chosen rows is passed over")
  func passesOver() throws {
    let driver = try folder.driver(list: [], run: [], code: 2)
    let session = folder.session()
    session.measure([driver], Choice(isQuick: false, filters: ["x"]), rounds: 2, samples: 1)
    #expect(session.rows.isEmpty)
    #expect(session.exitCode == 0)
  }

  @Test("a goal is missed by more than the spread, not within it; the exit code is 0 in both cases")
  func goals() throws {
    let within = try folder.driver(run: [row(samples: [5, 6, 7], goal: 5.8)])
    let beyond = try folder.driver(run: [row(samples: [5, 6, 7], goal: 5.2)])
    for (driver, isMet) in [(within, true), (beyond, false)] {
      let session = folder.session()
      session.measure([driver], .all, rounds: 2, samples: 3)
      #expect(session.rows.map(\.met) == [isMet])
      #expect(session.exitCode == 0)
    }
  }

  @Test("how fast the machine is beside its plain calls is said of each round")
  func bareProgram() throws {
    let rows = [row("a", samples: [5, 5], beside: [7, 7.4]), row("b", samples: [5], beside: [9])]
    let session = folder.session()
    session.measure([try folder.driver(run: rows)], .all, rounds: 2, samples: 3)
    #expect(folder.said.filter { $0.contains("the bare program takes 7.40 calls; 3.7") }.count == 2)
  }

  @Test("a goal of time is held against a machine as slow as the bare program beside it")
  func slowMachine() throws {
    let slow = [7.4, 7.4, 7.4]
    let rows = [
      row("within", samples: [11.8, 13, 13], goal: 6, beside: [7.4, 8, 8]),
      row("beyond", samples: [13, 13, 13], goal: 6, beside: slow),
      row("slow by turns", samples: [10, 10, 10], goal: 6, beside: [7.4, 3.7, 3.6]),
      row("bytes", samples: [7, 7, 7], goal: 6, unit: "bytes", beside: slow),
      row("threads", samples: [0.8, 0.8, 0.8], goal: 0.95, least: true, beside: slow),
      row("alone", samples: [5, 5, 5], goal: 6, beside: slow),
    ]
    let session = folder.session()
    session.measure([try folder.driver(run: rows)], .all, rounds: 2, samples: 3)
    #expect(session.rows.map(\.met) == [true, false, false, false, false, true])
    #expect(session.rows.map { $0.slowness.map(shortNumber) } == ["2.16", nil, nil, nil, nil, nil])
    #expect(session.rows[0].metText == "yes: beside a bare program 2.16 times as slow")
    #expect(session.rows[0].beside == [7.4, 8, 8, 7.4, 8, 8])
  }

  @Test("slowness is allowed for over all rounds, and not where one meets the goal without")
  func metWithout() throws {
    let session = folder.session()
    let rounds = [(11.0, 7.4), (13.2, 7.4), (13.2, 7.4), (5, 3.7), (13.2, 7.4)]
    let judged = try rounds.map { sample, beside in
      let line = row(samples: [sample], goal: 6, beside: [beside])
      session.measure([try folder.driver(run: [line])], .all, rounds: 1, samples: 1)
      return (session.rows[0].met, session.rows[0].slowness)
    }
    #expect(judged.map(\.0) == [true, true, false, true, true])
    #expect(judged.map(\.1) == [2, 2, nil, nil, nil])
  }

  @Test("a goal is met if one round meets it")
  func bestRound() throws {
    let session = folder.session()
    for samples in [[9.0, 9, 9], [5, 5, 5], [8, 8, 8]] {
      let driver = try folder.driver(run: [row(samples: samples, goal: 6)])
      session.measure([driver], .all, rounds: 1, samples: 3)
    }
    #expect(session.rows.count == 1)
    #expect(session.rows.first?.met == true)
    #expect(session.rows.first?.ratio == 8)
  }

  @Test("what just missed its goal is measured again until it meets it, what lies far off is not")
  func missedAgain() throws {
    let session = folder.session()
    let missed = [
      row("near", samples: [9, 9, 9], goal: 6), row("far", samples: [13, 13, 13], goal: 6),
    ]
    session.measure([try folder.driver(run: missed)], .all, rounds: 1, samples: 3)
    let better = try folder.driver(run: [row("near", samples: [5, 5, 5], goal: 6)])
    session.repeatMissed([better], samples: 3, until: .distantFuture)
    #expect(session.rows.map(\.met) == [true, false])
    #expect(session.rows.map { $0.samples?.count } == [6, 3])
    session.repeatMissed([better], samples: 3, until: .distantFuture)
    #expect(session.rows.first?.samples?.count == 6)
  }

  @Test("a goal that no round meets is tried until the time is up")
  func missedToTheEnd() throws {
    let session = folder.session()
    let driver = try folder.driver(run: [row(samples: [9, 9, 9], goal: 6)])
    session.measure([driver], .all, rounds: 1, samples: 3)
    session.repeatMissed([driver], samples: 3, until: .distantPast)
    #expect(session.rows.first?.samples?.count == 3)
    session.repeatMissed([driver], samples: 3, until: Date(timeIntervalSinceNow: 0.5))
    #expect(session.rows.first?.met == false)
    #expect((session.rows.first?.samples?.count ?? 0) >= 6)
  }

  @Test("a lower bound is missed from below")
  func lowerBounds() throws {
    let session = folder.session()
    let reached = try folder.driver(run: [row(samples: [0.9, 0.96, 0.97], goal: 0.95, least: true)])
    session.measure([reached], .all, rounds: 2, samples: 3)
    #expect(session.rows.first?.met == true)
  }

  @Test("a check that fails is named, the rest goes on, exit code 1")
  func failedCheck() throws {
    let driver = try folder.driver(
      run: [row("set", checked: false), row("get")], code: 1)
    let session = folder.session()
    session.measure([driver], .all, rounds: 1, samples: 1)
    #expect(session.rows.count == 2)
    #expect(session.exitCode == 1)
    #expect(folder.said.contains("failed: set: its check failed"))
  }

  @Test("a row that is left out is named once, exit code 3")
  func leftOut() throws {
    let driver = try folder.driver(
      run: [#"{"workload":"threads","subject":"isakvo","left_out":"one core"}"#, row()], code: 3)
    let session = folder.session()
    session.measure([driver], .all, rounds: 2, samples: 1)
    #expect(session.missing == ["threads: one core"])
    #expect(session.rows.count == 1)
    #expect(session.exitCode == 3)
  }

  @Test("a driver that is not there is named, the others go on")
  func absentDriver() throws {
    let session = folder.session()
    let other = try folder.driver(run: [row()])
    session.measure([Driver(path: "/nowhere/qt"), other], .all, rounds: 2, samples: 1)
    #expect(session.rows.count == 1)
    #expect(session.exitCode == 1)
    #expect(folder.said.filter { $0.contains("failed: qt:") }.count == 1)
  }

  @Test("a driver that stops in the middle is named and keeps its rows")
  func crash() throws {
    let driver = try folder.driver(run: [row()], end: "kill -SEGV $$")
    let session = folder.session()
    session.measure([driver], .all, rounds: 2, samples: 1)
    #expect(session.rows.count == 1)
    #expect(session.exitCode == 1)
    #expect(folder.said.contains { $0.contains("stopped by signal 11") })
  }

  @Test("a line that is no row is named")
  func badLine() throws {
    let driver = try folder.driver(list: [row()], run: ["Segmentation fault", row()])
    let session = folder.session()
    session.measure([driver], .all, rounds: 1, samples: 1)
    #expect(session.rows.count == 1)
    #expect(session.exitCode == 1)
    #expect(folder.said.contains { $0.contains("not a row (no JSON): Segmentation fault") })
  }

  // MARK: Surroundings

  @Test("a driver with surroundings measures its table in a program too, and is judged there")
  func surroundings() throws {
    let session = folder.session()
    let driver = try folder.driver(
      run: [row(samples: [4], goal: 5, within: "bare")],
      program: [row(samples: [6], goal: 5, within: "program")])
    session.measure([driver], .all, rounds: 3, bareRounds: 2, samples: 1)
    #expect(session.rows.map(\.within) == [.program, .bare])
    #expect(session.rows.map { $0.samples?.count } == [3, 2])
    #expect(session.rows.map(\.met) == [false, nil])
    #expect(session.rows.map(\.goal) == [5, nil])
    #expect(session.exitCode == 0)
    #expect(folder.said.filter { $0.hasPrefix("script") && $0.contains("in a program") }.count == 3)
  }

  @Test("a goal just missed in a program is tried again there")
  func missedInProgram() throws {
    let session = folder.session()
    let missed = try folder.driver(
      run: [row(samples: [4], within: "bare")],
      program: [row(samples: [9], goal: 6, within: "program")])
    session.measure([missed], .all, rounds: 1, samples: 1)
    let better = try folder.driver(
      run: [row(samples: [4], within: "bare")],
      program: [row(samples: [5], goal: 6, within: "program")])
    session.repeatMissed([better], samples: 1, until: .distantFuture)
    #expect(session.rows.map { $0.samples } == [[9, 5], [4]])
    #expect(session.rows.first?.met == true)
  }

  @Test("surroundings whose check fails are named, exit code 1")
  func failedSurroundings() throws {
    let failure = #"{"workload":"surroundings","subject":"driver","ratio":null,"checked":false}"#
    let driver = try folder.driver(
      run: [row(within: "bare")], program: [row(within: "program"), failure])
    let session = folder.session()
    session.measure([driver], .all, rounds: 1, samples: 1)
    #expect(session.exitCode == 1)
    #expect(folder.said.contains("failed: driver/surroundings: its check failed"))
  }

  // MARK: Instructions

  @Test("without valgrind the goals are not judged, exit code 3")
  func noValgrind() throws {
    let session = folder.session(valgrind: nil)
    session.measure([try judgedDriver()], .all, rounds: 1, samples: 1)
    #expect(session.rows.first?.met == nil)
    #expect(session.missing.count == 1 && session.missing[0].contains("no valgrind here"))
    #expect(session.exitCode == 3)
  }

  @Test(
    "up to eight instructions more than the plain access, or the goal times as many, are met",
    arguments: [(18, true), (19, false), (10, true), (5, true)])
  func instructions(_ each: Int, _ isMet: Bool) throws {
    let session = folder.session(valgrind: try folder.valgrind(each: each, plain: 10))
    session.measure([try judgedDriver()], .all, rounds: 1, samples: 1)
    #expect(session.rows.first?.instructions == Double(each))
    #expect(session.rows.first?.plainInstructions == 10)
    #expect(session.rows.first?.met == isMet)
    #expect(session.exitCode == 0)
  }

  @Test("a valgrind that fails is named, exit code 1")
  func brokenValgrind() throws {
    let path = try folder.script("echo 'valgrind: no such tool' >&2; exit 1")
    let session = folder.session(valgrind: path)
    session.measure([try judgedDriver()], .all, rounds: 1, samples: 1)
    #expect(session.exitCode == 1)
    #expect(folder.said.contains { $0.contains("exit code 1: valgrind: no such tool") })
  }

  private func judgedDriver() throws -> Driver {
    let judged = #"{"workload":"set","subject":"isakvo","goal":1.2,"partner":"plain","ratio":1}"#
    let plain = #"{"workload":"plain","subject":"control","group":"plain","ratio":1}"#
    return try folder.driver(run: [judged, plain])
  }

  // MARK: Peers

  @Test("a peer that cannot be built is left out, those that can are measured")
  func peers() throws {
    let peers = folder.path + "/peers"
    let script = try folder.script(
      """
      echo 'left out: Qt: qt6-base-dev cannot be installed'
      cp \(try folder.driver(run: [row()]).path) "$1/gobject"; exit 3
      """)
    let session = folder.session()
    let drivers = session.peers(building: script, into: peers)
    #expect(drivers.map(\.name) == ["gobject"])
    #expect(session.missing == ["Qt: qt6-base-dev cannot be installed"])
    session.measure(drivers, .all, rounds: 1, samples: 1)
    #expect(session.rows.count == 1)
    #expect(session.exitCode == 3)
  }

  @Test("a peer that does not compile is a failure")
  func brokenPeer() throws {
    let session = folder.session()
    _ = session.peers(building: try folder.script("exit 1"), into: folder.path + "/peers")
    #expect(session.exitCode == 1)
  }

  @Test(
    "rows that are measured bare have no goal, also of a driver that is called without a word of it"
  )
  func bareGoals() throws {
    let session = folder.session()
    let driver = try folder.driver(run: [row("a", goal: 4, within: "bare"), row("b", goal: 4)])
    session.measure([driver], .all, rounds: 1, samples: 1)
    #expect(session.rows.map(\.goal) == [nil, 4])
    #expect(session.rows.map(\.met) == [nil, false])
  }

  @Test("a script that is not there leaves the peers out")
  func noScript() {
    let session = folder.session()
    #expect(session.peers(building: "/nowhere/build.sh", into: folder.path + "/p").isEmpty)
    #expect(session.missing.count == 1)
  }
}

/// A line of a driver.
private func row(
  _ workload: String = "set", of subject: String = "isakvo", samples: [Double] = [5],
  goal: Double? = nil, least: Bool = false, unit: String = "ns", beside: [Double]? = nil,
  checked: Bool = true, within: String? = nil
) -> String {
  """
  {"workload":"\(workload)","subject":"\(subject)","group":"table","ratio":\(samples[0]),\
  "surroundings":\(within.map { "\"\($0)\"" } ?? "null"),\
  "goal":\(goal.map { "\($0)" } ?? "null"),"met":null,"at_least":\(least),"unit":"\(unit)",\
  "samples":\(samples),"beside":\(beside.map { "\($0)" } ?? "null"),"checked":\(checked)}
  """
}

/// Programs made for one test, and what the session said.
final class Folder {
  let path = NSTemporaryDirectory() + "bench-tests-\(UUID().uuidString)"
  private(set) var said: [String] = []

  init() {
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func session(valgrind: String? = nil) -> Session {
    let progress = Progress(isTerminal: false) { [unowned self] text in
      said += text.split(separator: "\n").map(String.init)
    }
    return Session(progress: progress, valgrind: valgrind)
  }

  /// A driver that prints these lines; `--list` prints the same unless told otherwise. One that has
  /// surroundings prints `program` in them, if it is asked for its table alone.
  func driver(
    list: [String]? = nil, run: [String], program: [String]? = nil, code: Int = 0,
    end: String = ""
  ) throws -> Driver {
    func text(_ lines: [String]) -> String {
      lines.isEmpty ? ":" : "cat <<'END'\n" + lines.joined(separator: "\n") + "\nEND"
    }
    return Driver(
      path: try script(
        """
        case "$*" in *--list*)
        \(text(list ?? run.filter { $0.contains("ratio") }))
        exit 0 ;; esac
        case "$*" in *--quick*--surroundings\\ program*)
        \(text(program ?? []))
        exit \(code) ;; esac
        \(text(run))
        \(end)
        exit \(code)
        """),
      hasSurroundings: program != nil)
  }

  /// A valgrind that counts so many instructions for each operation.
  func valgrind(each: Int, plain: Int) throws -> String {
    try script(
      """
      for last; do each=$name; name=$last; done
      case $each in */plain) n=\(plain) ;; *) n=\(each) ;; esac
      echo "==1== Collected : $((77 + n * name))" >&2
      """)
  }

  func script(_ text: String) throws -> String {
    let file = "\(path)/script-\(UUID().uuidString)"
    try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    return file
  }
}
