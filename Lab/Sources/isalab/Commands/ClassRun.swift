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
      lab.console.out(
        "\(places.count) folders, values drawn with --seed \(seed), \(network).")
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
        message: "--report \(report): expected a name that ends in .csv, .json or .xml")
    }
    let folder = file.deletingLastPathComponent().path
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw LabFailure(message: "--report \(report): \(folder) is no folder that may be written to")
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
      throw LabFailure(message: "--all \(path): expected a folder that holds one for each student")
    }
    return found
  }

  private func line(_ row: ClassReport.Row) -> String {
    let mark = row.hasPassed ? lab.style.good("ok    ") : lab.style.bad(padded(row.outcome, 6))
    let counts = row.grade == nil ? "" : "\(row.passed)/\(row.total)"
    let first = row.firstFailure.map { "first: \($0.scene.id) \($0.scene.title)" }
    let problem = row.problem.map { String($0.prefix { $0 != "\n" }) }
    let same = row.sameAs.map { "same code as \($0.shown)" }
    let notes = [first ?? problem, same].compactMap { $0 }.joined(separator: "; ")
    return "  \(mark)  \(padded(counts, 6))  \(padded(row.folder.shown, 16))  \(notes)"
      .withoutTrailingBlanks
  }

  private func sum(_ rows: [ClassReport.Row]) -> String {
    let passed = rows.filter(\.hasPassed).count
    let text = "\(passed) of \(rows.count) folders pass."
    return passed == rows.count ? lab.style.good(text) : lab.style.bad(text)
  }

  private func write(_ text: String, to report: String) throws(LabFailure) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: report), options: .atomic)
    } catch {
      throw LabFailure(message: "--report \(report): cannot be written")
    }
    lab.console.out("\(report) has it all.")
  }
}
