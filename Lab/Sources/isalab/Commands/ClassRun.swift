import Foundation

/// `isalab lab grade --all`: grades the folders of a class, several at once.
struct ClassRun {
  var lab: LabRun

  /// - Parameters:
  ///   - number: The level of all; the one that each folder's Makefile names unless given.
  ///   - report: The file to write, if one is wanted.
  /// - Returns: 0 if all folders pass, 1 if one does not, 2 for a wrong call.
  func grade(_ number: Int?, folders: String, report: String?) -> Int32 {
    lab.reporting { () throws(LabFailure) in
      if let number { _ = try lab.find(number) }
      let form = try report.map(form)
      let places = try students(in: folders)
      let network = NetworkFence.found.text
      let seed = lab.drawnSeed
      lab.say("lab.class-head", ["count": places.count, "seed": seed, "network": network])
      let rows = ClassGrading(lab: lab, level: number, seed: seed).rows(places)
      for row in rows { lab.console.out(line(row)) }
      lab.console.out(sum(rows))
      if let report, let form {
        try write(ClassReport(rows: rows, seed: seed, network: network).text(as: form), to: report)
      }
      return rows.allSatisfy(\.hasPassed) ? 0 : 1
    }
  }

  /// Looked at before anything is graded.
  private func form(of report: String) throws(LabFailure) -> ClassReport.Form {
    let file = URL(fileURLWithPath: report)
    guard let form = ClassReport.Form(rawValue: file.pathExtension.lowercased()) else {
      throw LabFailure(
        message: Text("lab.report-form", ["report": report]))
    }
    let folder = file.deletingLastPathComponent().path
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw LabFailure(message: Text("lab.report-folder", ["report": report, "folder": folder]))
    }
    return form
  }

  /// The folders in `path`, in the order of their names; links and hidden ones are none.
  private func students(in path: String) throws(LabFailure) -> [URL] {
    let place = URL(fileURLWithPath: path)
    let manager = FileManager.default
    let names = (try? manager.contentsOfDirectory(atPath: place.path)) ?? []
    let found = names.filter { !$0.hasPrefix(".") }.sorted().map(place.appendingPathComponent)
      .filter {
        let type = try? manager.attributesOfItem(atPath: $0.path)[.type]
        return type as? FileAttributeType == .typeDirectory
      }
    if found.isEmpty {
      throw LabFailure(message: Text("lab.all-folders", ["path": path]))
    }
    return found
  }

  private func line(_ row: ClassReport.Row) -> String {
    let mark = padded(lab.language.say(row.outcome.key), 6)
    let shown = row.hasPassed ? lab.style.good(mark) : lab.style.bad(mark)
    let counts = row.grade == nil ? "" : "\(row.passed)/\(row.total)"
    let notes = self.notes(on: row).map { $0[lab.language] }
      .joined(separator: lab.language.say("lab.semicolon"))
    return "  \(shown)  \(padded(counts, 6))  \(padded(row.folder.shown, 16))  \(notes)"
      .withoutTrailingBlanks
  }

  private func notes(on row: ClassReport.Row) -> [Text] {
    let first = row.firstFailure.map {
      Text("lab.first-failure", ["id": $0.scene.id, "title": $0.scene.title])
    }
    let problem = row.problem.map { problem in
      Text { language in String(problem[language].prefix { $0 != "\n" }) }
    }
    let same = row.sameAs.map { Text("lab.same-code", ["folder": $0.shown]) }
    return [first ?? problem, same].compactMap { $0 }
  }

  private func sum(_ rows: [ClassReport.Row]) -> String {
    let passed = rows.filter(\.hasPassed).count
    let text = lab.language.say("lab.folders-pass", ["passed": passed, "count": rows.count])
    return passed == rows.count ? lab.style.good(text) : lab.style.bad(text)
  }

  private func write(_ text: String, to report: String) throws(LabFailure) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: report), options: .atomic)
    } catch {
      throw LabFailure(message: Text("lab.report-unwritten", ["report": report]))
    }
    lab.say("lab.report-written", ["report": report])
  }
}
