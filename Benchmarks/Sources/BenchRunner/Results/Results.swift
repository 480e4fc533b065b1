import Foundation

/// The processor that the figures are of, and nothing else about the machine.
public struct Machine: Codable, Equatable, Sendable {
  /// The processor's name, as it gives it.
  public var processor: String
  /// How many cores the runner could use.
  public var cores: Int
}

/// All that one run has measured: the content of results.json.
public struct Results: Codable, Equatable, Sendable {
  /// The version of the file's format that this program reads and writes.
  public static let currentFormat = 1

  /// The version of the file's format.
  public var format = Results.currentFormat
  /// When the run ended, in UTC, as ISO 8601 has it.
  public var date: String
  /// The commit that was measured, with `-dirty` if there were changes; nil outside a clone.
  public var commit: String?
  /// The machine that it was measured on.
  public var machine: Machine
  /// The versions of compilers, libraries and peers, by name.
  public var versions: [String: String]
  /// The things that could not be measured, a sentence each.
  public var missing: [String]
  /// The rows that were measured, in the order in which they were.
  public var rows: [Row]
  /// The results of the applications; nil in a file that is older than they are.
  public var applications: [Application]?
}

/// A file that holds no results.
public struct ResultsError: Error, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The mistake in it.
  public let reason: String

  /// The file, and what is wrong with it.
  public var description: String { "\(path): \(reason)" }
}

extension Results {
  private struct Version: Decodable { let format: Int }

  /// Reads the results of a file.
  public init(path: String) throws(ResultsError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ResultsError(path: path, reason: "no such file, or not readable")
    }
    do {
      let format = try JSONDecoder().decode(Version.self, from: data).format
      guard format == Results.currentFormat else {
        throw ResultsError(
          path: path,
          reason: "format \(format); this program reads format \(Results.currentFormat)")
      }
      self = try JSONDecoder().decode(Results.self, from: data)
    } catch let error as ResultsError {
      throw error
    } catch {
      throw ResultsError(path: path, reason: "no benchmark results: \(error.summary)")
    }
  }

  /// Writes the results: all of them or, where that fails, nothing.
  public func write(to path: String) throws(ResultsError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      let data = try encoder.encode(self) + Data("\n".utf8)
      try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw ResultsError(path: path, reason: "cannot be written: \(error.localizedDescription)")
    }
  }

  /// The row of a workload and a subject, if it was measured there.
  func row(_ workload: String, _ subject: String, _ within: Surroundings = .bare) -> Row? {
    let key = Row.Key(workload: workload, subject: subject, within: within)
    return rows.first { $0.key == key }
  }
}
