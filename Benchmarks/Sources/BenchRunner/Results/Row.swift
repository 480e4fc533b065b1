/// What one workload measured of one subject: a line of a driver's output.
public struct Row: Codable, Equatable, Sendable {
  /// What is done, such as `set-one-observer`; the same for every subject that does it.
  public var workload: String
  /// Whose mechanism does it: `isakvo`, `gobject`, …
  public var subject: String
  /// The language of the workload's code.
  public var language: String?
  /// The time of one operation; nil where the workload is not a time.
  public var nsMedian: Double?
  /// The least of the samples' times.
  public var nsMin: Double?
  /// The greatest of the samples' times.
  public var nsMax: Double?
  /// The median of the samples' ratios to the control, or the value in ``unit``.
  public var ratio: Double?
  /// The first quartile of the samples.
  public var ratioQ1: Double?
  /// The third quartile of the samples.
  public var ratioQ3: Double?
  /// What ``ratio`` is to reach; nil where nothing is asked.
  public var goal: Double?
  /// Whether it does; nil where nothing is asked, or where it could not be judged.
  public var met: Bool?
  /// The samples' ratios, in the order in which they were taken.
  public var samples: [Double]?
  /// What ``ratio`` counts where it is not a ratio of times.
  public var unit: String?
  /// Whether what the observers heard was what had been set.
  public var checked: Bool?
  /// The place on a growth curve.
  public var x: Double?
  /// What ``x`` counts.
  public var xName: String?
  /// The instructions of one operation, where the goal is judged by them.
  public var instructions: Double?
  /// Those of the workload that it is held against.
  public var plainInstructions: Double?

  enum CodingKeys: String, CodingKey {
    case workload, subject, language, ratio, goal, met, samples, unit, checked, x, instructions
    case nsMedian = "ns_median"
    case nsMin = "ns_min"
    case nsMax = "ns_max"
    case ratioQ1 = "ratio_q1"
    case ratioQ3 = "ratio_q3"
    case xName = "x_name"
    case plainInstructions = "plain_instructions"
  }
}
