import Foundation

/// The results of an application, by one subject's means, in all runs: a line of a driver is one
/// run.
public struct Application: Codable, Equatable, Sendable {
  /// Which application: `inventory`, `graph` or `feed`.
  public var application: String
  /// The subject whose mechanism it uses: `isakvo`, `gobject`, …
  public var subject: String
  /// The language of its code.
  public var language: String?
  /// How many operations a run has, over all threads.
  public var operations: Int?
  /// On how many threads.
  public var threads: Int?
  /// The operations of a second, of each run.
  public var perSecond: [Double]?
  /// The nanoseconds that half of the operations do not exceed, of each run.
  public var p50: [Double]?
  /// The nanoseconds that all but a hundredth of the operations do not exceed, of each run.
  public var p99: [Double]?
  /// The nanoseconds of a plain indirect call beside each run.
  public var callNs: [Double]?
  /// The share of the machine's processors that other programs had during each run.
  public var others: [Double]?
  /// Whether neither other programs nor the machine's speed were in the way, in all runs; nil where the
  /// driver does not tell.
  public var steady: Bool?
  /// Whether its observers were told what they had to be, in all runs.
  public var right: Bool?
  /// Why it cannot be run by these means; it has no figures then.
  public var notRun: String?

  enum CodingKeys: String, CodingKey {
    case application, subject, language, operations, threads, right, others, steady
    case callNs = "call_ns"
    case perSecond = "per_second"
    case p50 = "p50_ns"
    case p99 = "p99_ns"
    case notRun = "not_run"
  }
}

extension Application {
  /// The run that a driver has printed as one line.
  init(line: String) throws(LineError) {
    do {
      self = try JSONDecoder().decode(Application.self, from: Data(line.utf8))
    } catch {
      throw LineError(line: line, reason: error.summary)
    }
  }

  /// The name that tells it from all others, and that filters look into.
  var name: String { "\(subject)/application-\(application)" }

  /// Adds the figures of other runs.
  mutating func pool(_ other: Application) {
    perSecond = (perSecond ?? []) + (other.perSecond ?? [])
    p50 = (p50 ?? []) + (other.p50 ?? [])
    p99 = (p99 ?? []) + (other.p99 ?? [])
    callNs = (callNs ?? []) + (other.callNs ?? [])
    others = (others ?? []) + (other.others ?? [])
    steady = steady != false && other.steady != false
    right = right != false && other.right != false
  }
}
