import Foundation

/// A line of a driver that is not a row.
struct LineError: Error, CustomStringConvertible {
  let line: String
  let reason: String

  var description: String {
    let shown = line.count > 80 ? line.prefix(80) + "…" : Substring(line)
    return "not a row (\(reason)): \(shown)"
  }
}

extension Row {
  /// The row that a driver has printed as one line.
  init(line: String) throws(LineError) {
    do {
      self = try JSONDecoder().decode(Row.self, from: Data(line.utf8))
    } catch {
      throw LineError(line: line, reason: error.summary)
    }
  }

  /// The thing that ``ratio`` counts, in one word or two.
  var ratioUnit: String {
    if let rival { return "× \(rival)" }
    return isTime ? "plain calls" : unit ?? "plain calls"
  }

  /// The row as `make bench-quick` prints it: these keys and no others.
  ///
  /// - Parameter bare: The same, measured bare.
  func quickLine(bare: Row?) -> String {
    let fields = [
      ("workload", jsonText(name)), ("ns_median", jsonNumber(nsMedian)),
      ("ns_min", jsonNumber(nsMin)), ("ns_max", jsonNumber(nsMax)), ("ratio", jsonNumber(ratio)),
      ("unit", jsonText(ratioUnit)),
      ("goal", jsonNumber(goal)), ("met", met.map { "\($0)" } ?? "null"),
      ("bare_ratio", jsonNumber(bare?.ratio)),
    ]
    return "{" + fields.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
  }
}

/// The rows that have a goal, as `make bench-quick` prints them.
public func quickLines(of rows: [Row]) -> [String] {
  rows.pairs.filter { $0.row.goal != nil }.map { $0.row.quickLine(bare: $0.bare) }
}

/// How many of the goals are met, and which are not.
public func goalSummary(of rows: [Row]) -> String {
  let judged = rows.filter { $0.goal != nil }
  let missed = judged.filter { $0.met == false }.map(\.name)
  let unjudged = judged.filter { $0.met == nil }.map(\.name)
  var text = "\(judged.count - missed.count - unjudged.count) of \(judged.count) goals met"
  if !missed.isEmpty { text += "; missed: " + missed.joined(separator: ", ") }
  if !unjudged.isEmpty { text += "; not judged: " + unjudged.joined(separator: ", ") }
  return text
}

private func jsonText(_ text: String) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .withoutEscapingSlashes
  return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
}

private func jsonNumber(_ number: Double?) -> String {
  guard let number, number.isFinite else { return "null" }
  return String(format: "%.6g", number)
}

extension Error {
  /// The mistake in JSON that cannot be decoded, in a few words.
  var summary: String {
    switch self as? DecodingError {
    case .keyNotFound(let key, let context)?:
      return "no \"\((context.codingPath + [key]).dotted)\""
    case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?:
      let place = context.codingPath.dotted
      return place.isEmpty ? context.debugDescription : "\"\(place)\" is of another type"
    case .dataCorrupted(let context)?:
      let place = context.codingPath.dotted
      return place.isEmpty ? "no JSON" : "\"\(place)\" is not valid"
    default: return localizedDescription
    }
  }
}

extension [any CodingKey] {
  fileprivate var dotted: String {
    map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
  }
}
