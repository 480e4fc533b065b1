import Foundation

/// A place in the core's sources that reports a failure or a misuse.
struct ReportSite: Hashable, CustomStringConvertible {
  var file: String
  /// The status as it is written; a variable's name where the status comes from elsewhere.
  var status: String
  /// `NULL`, or the exception's name in quotes, or what chooses between two.
  var exception: String
  /// The formats that it may use.
  var formats: [String]

  var description: String { "\(file): \(status), \(formats)" }

  /// Every call of the functions that report, in all files of `folder`.
  static func all(in folder: URL) throws -> [ReportSite] {
    let reported = try sites(in: folder, callers: ["isa__fail(", "isa__misuse(", " fail("], make)
    // The object and key of the failure stand before the rest.
    let ofObjects = try sites(in: folder, callers: ["isa__fail_for("]) {
      make($0, Array($1.dropFirst(2)))
    }
    // The receiver and selector of the message stand before the sentence of a box.
    let ofBoxes = try sites(in: folder, callers: ["isa__box_fail("]) { file, arguments in
      guard var site = make(file, [arguments[2], "NULL", arguments[3]]) else { return nil }
      site.formats = site.formats.map { boxPrefix + $0 }
      return site
    }
    let others = reported.filter { $0.formats != [boxPrefix + "%s"] }
    return others + ofObjects + ofBoxes
  }

  private static let boxPrefix = "*** -[%s %s]: "

  private static func make(_ file: String, _ arguments: [String]) -> ReportSite? {
    guard arguments.count >= 3, !arguments[0].hasPrefix("isa_status ") else { return nil }
    return ReportSite(
      file: file, status: arguments[0], exception: arguments[1], formats: literals(arguments[2]))
  }

  /// Every sentence that ends the process, but for the broken rules of debug builds.
  static func stops(in folder: URL) throws -> [ReportSite] {
    let required = try sites(in: folder, callers: ["ISA_REQUIRE("]) { file, arguments in
      guard arguments.count >= 2, arguments[0] != "condition" else { return nil }
      return ReportSite(
        file: file, status: "", exception: "", formats: literals(arguments[1]))
    }
    let stopped = try sites(in: folder, callers: ["    isa__stop("]) { file, arguments in
      let formats = literals(arguments[0])
      return formats.isEmpty || formats[0].contains("broken rule")
        ? nil : ReportSite(file: file, status: "", exception: "", formats: formats)
    }
    return required + stopped
  }

  private static func sites(
    in folder: URL, callers: [String], _ make: (String, [String]) -> ReportSite?
  ) throws -> [ReportSite] {
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return try (files ?? []).sorted().filter { $0.hasSuffix(".c") || $0.hasSuffix(".h") }
      .flatMap { file -> [ReportSite] in
        let text = try String(
          contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        return calls(in: text, callers).compactMap { make(file, $0) }
      }
  }

  /// The arguments of each call of one of `callers`.
  private static func calls(in text: String, _ callers: [String]) -> [[String]] {
    let letters = Array(text.unicodeScalars)
    return callers.flatMap { caller -> [[String]] in
      let name = Array(caller.unicodeScalars)
      return letters.indices.compactMap { start in
        guard letters[start] == name[0], letters[start...].starts(with: name) else { return nil }
        return arguments(of: letters[(start + name.count)...])
      }
    }
  }

  /// Splits at the commas of the call itself, up to its closing parenthesis.
  private static func arguments(of text: ArraySlice<Unicode.Scalar>) -> [String] {
    var result = [""]
    var depth = 0
    var isQuoted = false
    var isEscaped = false
    for letter in text {
      if isQuoted {
        isQuoted = isEscaped || letter != "\""
        isEscaped = !isEscaped && letter == "\\"
      } else if letter == "\"" {
        isQuoted = true
      } else if letter == ")" && depth == 0 {
        break
      } else if letter == "," && depth == 0 {
        result.append("")
        continue
      } else {
        depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
      }
      result[result.count - 1].unicodeScalars.append(letter)
    }
    return result.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
  }

  /// The string literals of an expression, those side by side joined, as the compiler reads them.
  private static func literals(_ expression: String) -> [String] {
    var result: [String] = []
    var isJoined = false
    for match in expression.matches(of: #/"((?:[^"\\]|\\.)*)"|([^\s"]+)/#) {
      guard let literal = match.1 else {
        isJoined = false
        continue
      }
      let text = literal.replacingOccurrences(of: "\\\"", with: "\"")
      if isJoined { result[result.count - 1] += text } else { result.append(text) }
      isJoined = true
    }
    return result
  }
}
