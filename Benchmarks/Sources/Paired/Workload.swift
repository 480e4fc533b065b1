/// A row of a driver.
public struct Workload: Sendable {
  /// The row's name, the same whoever does the work.
  public var name: String
  /// The subject whose mechanism does it.
  public var subject: String
  /// The purpose of the row.
  public var group: Group
  /// The upper bound of the ratio; nil: none.
  public var goal: Double?
  /// The row that the goal is held against, by instructions.
  public var partner: String?
  /// Whether ``goal`` is a number of instructions, not a multiple of the partner's.
  public var goalIsCount: Bool
  /// The row whose time the ratio is of; nil: a plain call's.
  public var rival: String?
  /// The thing that the figure of a row that is no time counts.
  public var unit: String?
  /// How many operations one pass of the work is.
  public var operations: Int
  /// The largest count of one run; nil: no bound.
  public var largestCount: Int?
  /// The growth curve that the row is a point of.
  public var place: Place?
  let make: @Sendable () throws -> any Work

  /// The purpose of a row.
  public enum Group: Sendable {
    /// A row of the table of goals.
    case table
    /// A step of the ladder that shows where the time goes.
    case ladder
    /// A point of a growth curve.
    case growth
    /// The work that another row is held against.
    case plain
  }

  /// A point of a growth curve.
  public struct Place: Sendable {
    let series: String
    let xName: String
    let x: Double

    /// The point of curve `series` at `x`.
    public init(_ series: String, _ xName: String, _ x: Double) {
      self.series = series
      self.xName = xName
      self.x = x
    }
  }

  /// A row whose work is made by `make`.
  public init(
    _ name: String, of subject: String, group: Group = .table, goal: Double? = nil,
    against partner: String? = nil, goalIsCount: Bool = false, beside rival: String? = nil,
    unit: String? = nil, operations: Int = 1, largestCount: Int? = nil,
    at place: Place? = nil, make: @escaping @Sendable () throws -> any Work
  ) {
    self.name = name
    self.subject = subject
    self.group = group
    self.goal = goal
    self.partner = partner
    self.goalIsCount = goalIsCount
    self.rival = rival
    self.unit = unit
    self.operations = operations
    self.largestCount = largestCount
    self.place = place
    self.make = make
  }

  /// Whether the row is one whose trend says something by itself: not what another one is held
  /// against, nor a point of a curve, nor one that is no time.
  public var isTrend: Bool { unit == nil && (group == .table || group == .ladder) }

  /// The work, set up.
  public func makeWork() throws -> any Work { try make() }
}
