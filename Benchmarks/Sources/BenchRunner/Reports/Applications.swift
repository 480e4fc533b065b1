import TextTable

/// The applications as a table for a terminal.
public func table(of applications: [Application]) -> String {
  let table = TextTable<Application> { row in
    [
      Column(title: "application", value: row.application),
      Column(title: "subject", value: row.subject),
      Column(title: "operations/s", value: row.text(of: row.perSecond), align: .right),
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
    return markdown(
      ["application", "subject", "operations/s", "p50 ns", "p99 ns", "answer"],
      textColumns: [0, 1, 5],
      applications.byApplication.map { row in
        [
          Titles.application(row.application), Titles.subject(row.subject),
          row.text(of: row.perSecond), row.text(of: row.p50), row.text(of: row.p99),
          row.answerText,
        ]
      })
  }
}

extension [Application] {
  /// Those of one application beside one another, this library's first.
  fileprivate var byApplication: [Application] {
    map(\.application).uniqued().flatMap { name in
      let rows = filter { $0.application == name }
      return rows.filter { $0.subject == "isakvo" } + rows.filter { $0.subject != "isakvo" }
    }
  }
}

extension Application {
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
