import Foundation
import Testing

@testable import isalab

@Suite("Logs that are explained", .serialized, .oneAtATime)
struct LogTests {
  static let samples: [(file: String, symptoms: [String], frames: [String])] = [
    (
      "console",
      ["removal-without-registration", "deallocated-while-observed", "message-not-handled"],
      ["removeObserver:forKeyPath:]"]
    ),
    (
      "report", ["bad-access-in-kvo"],
      [
        "NSKeyValueNotifyObserver", "NSKeyValueDidChange",
        "NSKeyValueDidChangeWithPerThreadPendingNotifications", "_NSSet…ValueAndNotify",
      ]
    ),
    ("wrapped", ["undefined-key"], []),
    ("address", ["use-after-free"], ["kvo_did_change"]),
    ("overflow", ["buffer-overflow"], []),
    ("race", ["data-race"], []), ("leak", ["leak"], []),
    ("undefined", ["undefined-behaviour"], []), ("exclusive", ["exclusive-access"], []),
    ("swift", ["found-nil"], []),
    (
      "isolation",
      ["wrong-executor", "failed-cast", "dead-unowned", "unrecognized-selector", "main-thread"], []
    ),
    ("lldb", ["bad-access-in-kvo"], ["NSKeyValueWillChange"]),
  ]

  private func path(_ name: String) -> String {
    Folder.tests.appendingPathComponent("Logs/\(name).txt").path
  }

  private func findings(_ text: String) -> LogFindings {
    var reader = LogReader()
    reader.read(text.utf8)
    return reader.finish()
  }

  private func explain(
    log file: String, _ language: Language = .english
  ) -> (code: Int32, output: Output) {
    let output = Output()
    let run = ExplainRun(console: output.console, language: language)
    return (run.run(log: file), output)
  }

  @Test("each sample tells its mistakes and no other, and its frames are named")
  func samples() throws {
    for sample in LogTests.samples {
      let text = try String(contentsOfFile: path(sample.file), encoding: .utf8)
      let findings = findings(text)
      #expect(findings.symptoms.map(\.subject.name) == sample.symptoms, "\(sample.file)")
      #expect(findings.mistakes.isEmpty, "\(sample.file)")
      let frames = findings.frames.map(\.frame.name)
      #expect(frames.count == sample.frames.count, "\(sample.file): \(frames)")
      for (frame, name) in zip(frames, sample.frames) { #expect(frame.hasSuffix(name)) }
    }
  }

  @Test("each sample reads the same as a whole and byte by byte")
  func parts() throws {
    for sample in LogTests.samples {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path(sample.file)))
      var reader = LogReader()
      for byte in bytes { reader.read([byte]) }
      let apart = reader.finish()
      let together = findings(String(decoding: bytes, as: UTF8.self))
      #expect(LogView().lines(of: apart) == LogView().lines(of: together))
    }
  }

  @Test("names of the log stand in the answer: observer, key path, object, address, thread")
  func names() throws {
    let console = explain(log: path("console")).output.text
    #expect(console.contains("Yours     observer HarvestView, key path ripeness, object Orchard"))
    #expect(console.contains("key path height"))
    #expect(console.contains("KVO_ERR_NOT_REGISTERED: “Cannot remove an observer"))
    #expect(console.contains("isalab tour lifetimes") && console.contains("museum double-removal"))
    #expect(explain(log: path("wrapped")).output.text.contains("key heigth"))
    let report = explain(log: path("report")).output.text
    #expect(report.contains("address 0x0000000000000010 (near 0: through nil)"))
    #expect(report.contains("Thread 3 Crashed"))
    #expect(explain(log: path("lldb")).output.text.contains("thread #1"))
    let isolation = explain(log: path("isolation"), .chinese).output.text
    #expect(isolation.contains("原类型 NSNumber，目标类型 NSString"))
  }

  @Test("each sign alone is enough, in any case of letters and wrapped anywhere")
  func signs() {
    for symptom in Symptom.all where !symptom.needsFrame {
      for sign in symptom.signs {
        let shapes = [
          sign, sign.uppercased(), "x \(sign.replacing(" ", with: "\n   ")) y", "\n\(sign)\n",
        ]
        for shape in shapes {
          let found = findings(shape)
          let names = found.symptoms.map(\.subject.name)
          #expect(
            names.contains(symptom.name) || (symptom.isGeneral && !names.isEmpty),
            "\(shape): \(names)")
        }
      }
    }
    for frame in KVOFrame.all {
      for sign in frame.signs {
        #expect(findings(sign).frames.contains { $0.frame.name == frame.name }, "\(sign)")
      }
    }
  }

  @Test("every symptom and frame is told in both languages, and points at what there is")
  func texts() {
    #expect(Symptom.all.count > 40 && KVOFrame.all.count > 14)
    #expect(Set(Symptom.all.map(\.name)).count == Symptom.all.count)
    for symptom in Symptom.all {
      let texts =
        [symptom.title, symptom.says, symptom.fix] + symptom.causes
        + (symptom.instead.map { [$0] } ?? [])
      for text in texts {
        #expect(text.chinese.hasHan, "\(symptom.name): \(text.chinese)")
        #expect(!text.english.hasHan, "\(symptom.name)")
      }
      #expect(!symptom.causes.isEmpty && !symptom.signs.isEmpty)
      if let status = symptom.status {
        #expect(Explanation.all.contains { $0.code == status }, "\(symptom.name): \(status)")
      }
      if let better = symptom.better { #expect(Symptom.all.contains { $0.name == better }) }
      for reading in symptom.readings {
        let names = reading.matches(of: #/\?<(\w+)>/#).map { String($0.1) }
        #expect((try? Regex(reading)) != nil && !names.isEmpty, "\(reading)")
        #expect(names.allSatisfy { LogWords.names[$0] != nil }, "\(names)")
      }
      for sign in symptom.signs { #expect(sign == sign.lowercased(), "\(sign)") }
    }
  }

  @Test("an answer fits 80 columns in both languages, whatever the log holds")
  func width() throws {
    for language in Language.allCases {
      for sample in LogTests.samples {
        let (code, output) = explain(log: path(sample.file), language)
        #expect(code == 0)
        #expect(output.out.filter { $0.columns > 80 } == [], "\(sample.file)")
      }
    }
    let long = "\u{1B}[31m" + String(repeating: "x", count: 5000) + " Fatal error: \u{7}gone"
    let lines = LogView().lines(of: findings(long))
    #expect(!lines.isEmpty && lines.allSatisfy { !$0.hasControls && $0.columns <= 80 })
  }

  @Test("a mistake that is told often is told once, with how often and where first")
  func often() {
    let line = "Fatal error: Index out of range\n"
    let findings = findings("fine\n" + String(repeating: line, count: 90))
    #expect(findings.symptoms.map(\.count) == [90])
    #expect(findings.symptoms.map(\.line) == [2])
    #expect(LogView().lines(of: findings)[0].contains("90 times, first at line 2"))
  }

  @Test("this library's own reports in a log are explained too, beside Apple's")
  func own() {
    let log = """
      NSInvalidArgumentException: key path "a..b": there is an empty key in it
      isakvo: isa_class_name: cls is NULL
      """
    let codes = findings(log).mistakes.map(\.subject.code)
    #expect(Set(codes) == ["ISA_ERR_INVALID_ARGUMENT", "STOP"])
  }

  @Test("unknown text exits with 2 and says what was looked for")
  func unknown() throws {
    let output = Output()
    #expect(ExplainRun(console: output.console).run("all is well\nreally") == 2)
    #expect(output.out == [])
    #expect(output.err.first?.contains("looked for \(Symptom.all.count) mistakes") == true)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID()).txt")
    try Data([0xFF, 0, 10, 0x80]).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(explain(log: file.path).code == 2)
    let missing = explain(log: "/nowhere/log.txt")
    #expect(missing.code == 2 && missing.output.err.first?.contains("/nowhere/log.txt") == true)
    #expect(explain(log: "/").code == 2)
  }

  @Test("a log that is read through keeps no more than its last part")
  func bounded() {
    var reader = LogReader()
    let part = [UInt8](
      String(repeating: "09:14:07 thread 7 did no harm, index 3\n", count: 5000).utf8)
    for _ in 0..<40 {
      reader.read(part)
      #expect(reader.kept <= 4000)
    }
    reader.read("Fatal error: Division by zero".utf8)
    let findings = reader.finish()
    #expect(findings.symptoms.map(\.subject.name) == ["arithmetic"])
    #expect(findings.symptoms.map(\.line) == [200_001])
  }
}
