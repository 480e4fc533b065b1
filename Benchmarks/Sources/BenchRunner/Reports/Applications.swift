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
      [
        "application", "subject", "operations/s", "in plain calls", timeTitle, "p50 ns", "p99 ns",
        "answer",
      ],
      textColumns: [0, 1, 7],
      applications.byApplication.map { row in
        [
          Titles.application(row.application), Titles.subject(row.subject),
          row.text(of: row.perSecond), row.callsText, ratios[row.name] ?? "–",
          row.text(of: row.p50), row.text(of: row.p99), row.answerText,
        ]
      })
  }

  /// The operations of a second, a line an application and a column a subject, for other pages.
  var applicationsInShort: String {
    let all = applications ?? []
    let subjects = all.byApplication.map(\.subject).uniqued()
    return markdown(
      ["application, operations/s"] + subjects.map(Titles.subject), textColumns: [0],
      all.map(\.application).uniqued().map { name in
        [Titles.application(name)]
          + subjects.map { subject in
            let row = all.first { $0.application == name && $0.subject == subject }
            return row?.rate.map(shortNumber) ?? "–"
          }
      })
  }

  /// The time of an operation of each application, beside that of this library's core.
  var applicationsChart: Chart? {
    let all = (applications ?? []).byApplication
    let groups = all.map(\.application).uniqued().map { name in
      let rows = all.filter { $0.application == name }
      let core = rows.first { $0.subject == "isakvo" }?.rate
      return BarChart.Group(
        title: Titles.application(name),
        bars: rows.compactMap { row in
          guard let core, let rate = row.rate else { return nil }
          return BarChart.Bar(
            label: Titles.subject(row.subject), subject: row.subject, value: core / rate,
            spread: nil, goal: nil)
        }.sorted { $0.value < $1.value })
    }.filter { !$0.bars.isEmpty }
    if groups.isEmpty { return nil }
    let chart = BarChart(
      title: "Three applications",
      caption: "time of an operation, × IsaKVO's core in C; short is fast",
      groups: groups)
    return Chart(file: "applications.svg", title: "Three applications", svg: chart.picture.svg)
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

  /// Why the run says less than others.
  var unsteadiness: String {
    let share = Int((100 * ((others ?? []).max() ?? 0)).rounded())
    return "other programs had \(share) % of the processors, or the machine changed its speed"
  }

  fileprivate var answerText: String {
    if let notRun { return "not run: \(notRun)" }
    return (right == true ? "right" : "wrong") + (steady == false ? "; the machine was busy" : "")
  }

  /// The time of an operation, as a multiple of a plain call's.
  fileprivate var callsText: String {
    guard let rate, let call = callNs.flatMap({ median(of: $0) }) else { return "–" }
    return shortNumber(1e9 / rate / call)
  }
}
