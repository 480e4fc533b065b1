/// The changes since a controller last arranged its content.
struct Rearrangement {
  /// The reason, of several the reason that changes most.
  enum Cause: Int {
    /// Elements came or went.
    case edit
    /// Others are to be shown, or in another order.
    case order
    /// The content is another.
    case content
  }

  /// A row that is shown in front of another, or at the end, wherever it belongs.
  struct Placement {
    var row: Int
    var before: Int?
  }

  var cause: Cause = .edit
  /// Whether all of the content is arranged anew.
  var isComplete = false
  /// Rows that have no place yet.
  var fresh: [Int] = []
  /// Rows that are to be in another place, or to be shown or not.
  var altered: [Int] = []
  /// Rows whose place is given.
  var placed: [Placement] = []
  /// Rows that become the selection.
  var toSelect: [Int] = []
  /// Whether elements have come or gone, or all of the content has.
  private var isOfContent = false

  init(
    cause: Cause = .edit, isComplete: Bool = false, fresh: [Int] = [], altered: [Int] = [],
    placed: [Placement] = [], toSelect: [Int] = []
  ) {
    self.cause = cause
    self.isComplete = isComplete
    self.fresh = fresh
    self.altered = altered
    self.placed = placed
    self.toSelect = toSelect
    isOfContent = cause != .order
  }

  /// Whether no more has happened than that rows may be elsewhere, or be shown or not.
  var isOrderAlone: Bool { !isOfContent && !isComplete && toSelect.isEmpty }

  /// Notes that more is to be done.
  mutating func merge(_ other: Rearrangement) {
    if other.cause.rawValue > cause.rawValue { cause = other.cause }
    isOfContent = isOfContent || other.isOfContent
    isComplete = isComplete || other.isComplete
    fresh += other.fresh
    altered += other.altered
    placed += other.placed
    if !other.toSelect.isEmpty { toSelect = other.toSelect }
  }

  /// Calls the rows of the content by their new numbers; nil is the number of a row that is gone.
  mutating func renumber(_ number: (Int) -> Int?) {
    fresh = fresh.compactMap(number)
    altered = altered.compactMap(number)
    toSelect = toSelect.compactMap(number)
    placed = placed.compactMap { placement in
      number(placement.row).map { Placement(row: $0, before: placement.before.flatMap(number)) }
    }
  }
}
