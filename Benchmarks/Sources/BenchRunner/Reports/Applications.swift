import TextTable

/// The applications as a table for a terminal.
public func table(of applications: [Application]) -> String {
  let ratios = applications.ratios
  let table = TextTable<Application> { row in
    [
      Column(title: "application", value: row.application),
      Column(title: "subject", value: row.subject),
      Column(title: "operations/s", value: row.text(of: row.perSecond), align: .right),
      Column(title: timeTitle, value: ratios[row.name] ?? "–", align: .right),
      Column(title: "p50 ns", value: row.text(of: row.p50), align: .right),
      Column(title: "p99 ns", value: row.text(of: row.p99), align: .right),
      Column(title: "answer", value: row.answerText),
    ]
  }
  return table.string(for: applications.byApplication, style: Style.simple) ?? ""
}

extension Results {
  /// The applications as a table for a page.
  var applicationsPart: String {
    guard let applications, !applications.isEmpty else { return "No applications were run." }
    let ratios = applications.ratios
    return markdown(
      ["application", "subject", "operations/s", timeTitle, "p50 ns", "p99 ns", "answer"],
      textColumns: [0, 1, 6],
      applications.byApplication.map { row in
        [
          Titles.application(row.application), Titles.subject(row.subject),
          row.text(of: row.perSecond), ratios[row.name] ?? "–", row.text(of: row.p50),
          row.text(of: row.p99), row.answerText,
        ]
      })
  }
}

private let timeTitle = "time × IsaKVO, C"

extension [Application] {
  /// Those of one application beside one another, this library's first.
  fileprivate var byApplication: [Application] {
    let own = ["isakvo", "isakvo-swift"]
    return map(\.application).uniqued().flatMap { name in
      let rows = filter { $0.application == name }
      return own.flatMap { subject in rows.filter { $0.subject == subject } }
        + rows.filter { !own.contains($0.subject) }
    }
  }

  /// How many times as long as by this library's core an operation takes, by names.
  fileprivate var ratios: [String: String] {
    let pairs = compactMap { row -> (String, String)? in
      let core = first { $0.application == row.application && $0.subject == "isakvo" }
      guard let own = core?.rate, let rate = row.rate else { return nil }
      return (row.name, shortNumber(own / rate))
    }
    return Dictionary(pairs) { first, _ in first }
  }
}

extension Application {
  /// The operations of a second; a run whose answer is wrong has no figures.
  fileprivate var rate: Double? { right == true ? perSecond.flatMap { median(of: $0) } : nil }

  /// The median of a figure and its quartiles; a run whose answer is wrong has no figures.
  fileprivate func text(of figures: [Double]?) -> String {
    guard right == true, let figures, let middle = median(of: figures),
      let least = quantile(0.25, of: figures), let most = quantile(0.75, of: figures)
    else { return "–" }
    return "\(shortNumber(middle)) (\(shortNumber(least)) – \(shortNumber(most)))"
  }

  fileprivate var answerText: String {
    if let notRun { return "not run: \(notRun)" }
    return right == true ? "right" : "wrong"
  }
}
