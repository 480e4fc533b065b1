/// The rows of one workload and subject, in a program and bare: a line of a table.
struct RowPair {
  /// Measured in a program; nil where that was not done.
  let program: Row?
  /// Measured bare; nil where that was not done.
  let bare: Row?
  /// The row that stands for both: the one in a program, whose goal is judged, where there is one.
  let row: Row
}

extension [Row] {
  /// The rows in pairs, each where the first of its rows is.
  var pairs: [RowPair] {
    let places = Dictionary(map { ($0.key, $0) }) { first, _ in first }
    return map(\.key.pair).uniqued().compactMap { names in
      let (program, bare) = (places[names.program], places[names.bare])
      return (program ?? bare).map { RowPair(program: program, bare: bare, row: $0) }
    }
  }
}

/// The keys of a pair's rows.
private struct PairKey: Hashable {
  let program: Row.Key
  let bare: Row.Key
}

extension Row.Key {
  fileprivate var pair: PairKey {
    func within(_ within: Surroundings) -> Row.Key {
      Row.Key(workload: workload, subject: subject, within: within)
    }
    return PairKey(program: within(.program), bare: within(.bare))
  }
}
