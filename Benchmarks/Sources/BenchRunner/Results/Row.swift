/// The things that a process has and does beside the work that is measured.
public enum Surroundings: String, Codable, Sendable {
  /// Nothing: one thread, few keys, few objects.
  case bare
  /// Those of a program that uses the library: many keys, many objects, another thread.
  case program
}

/// The figures of one workload and one subject: a line of a driver's output.
public struct Row: Codable, Equatable, Sendable {
  /// The work that is done, such as `set-one-observer`; the same for every subject that does it.
  public var workload: String
  /// The subject whose mechanism does it: `isakvo`, `gobject`, …
  public var subject: String
  /// The surroundings that it was measured in; nil where the driver knows of none, which is
  /// ``Surroundings/bare``.
  public var surroundings: Surroundings?
  /// The purpose of the row: `table`, `ladder`, `growth` or `plain`.
  public var group: String?
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
  /// The number that ``ratio`` has to reach; nil where nothing is asked.
  public var goal: Double?
  /// Whether it does; nil where nothing is asked, or where it could not be judged.
  public var met: Bool?
  /// How many times as long as where the goals were set the bare program took, if the goal is met
  /// because that is allowed for; nil otherwise.
  public var slowness: Double?
  /// The samples' ratios, in the order in which they were taken.
  public var samples: [Double]?
  /// How many samples were taken while the machine changed its speed.
  public var unsteady: Int?
  /// The time of the bare program beside each sample, in calls.
  public var beside: [Double]?
  /// The thing that ``ratio`` counts; `ns` where it is a ratio of times.
  public var unit: String?
  /// Whether ``goal`` is a lower bound.
  public var atLeast: Bool?
  /// The workload that the goal is held against, by instructions.
  public var partner: String?
  /// Whether ``goal`` is a number of instructions, not a multiple of the partner's.
  public var goalIsCount: Bool?
  /// The row whose time ``ratio`` is of, as `subject/workload`; nil: a plain call's.
  public var rival: String?
  /// Whether what the observers heard was what had been set.
  public var checked: Bool?
  /// Why the row could not be measured here; it has no figures then.
  public var leftOut: String?
  /// The growth curve that the row is a point of.
  public var series: String?
  /// The place on the growth curve.
  public var x: Double?
  /// The thing that ``x`` counts.
  public var xName: String?
  /// The instructions of one operation, where the goal is judged by them.
  public var instructions: Double?
  /// Those of the workload that it is held against.
  public var plainInstructions: Double?

  enum CodingKeys: String, CodingKey {
    case workload, subject, surroundings, group, language, ratio, goal, met, slowness, samples
    case unsteady, beside, unit, partner, rival, checked, series, x, instructions
    case atLeast = "at_least"
    case goalIsCount = "goal_is_count"
    case leftOut = "left_out"
    case nsMedian = "ns_median"
    case nsMin = "ns_min"
    case nsMax = "ns_max"
    case ratioQ1 = "ratio_q1"
    case ratioQ3 = "ratio_q3"
    case xName = "x_name"
    case plainInstructions = "plain_instructions"
  }
}

extension Row {
  /// Whether the figure is a time, as a ratio to the control's.
  var isTime: Bool { (unit == nil || unit == "ns") && rival == nil }

  /// The surroundings that it was measured in.
  var within: Surroundings { surroundings ?? .bare }

  /// The row's name where several subjects have rows: that of this library's core stands alone.
  public var name: String { subject == "isakvo" ? workload : "\(subject)/\(workload)" }
}
