public import IsaKVO

/// The identity of a row. Temporary until the first save, permanent from then on.
public struct ManagedID: Hashable, Sendable, CustomStringConvertible {
  /// The name of the table.
  public let table: String
  /// The value of its column `id`.
  public let row: Int64

  /// The identity of that row.
  public init(table: String, row: Int64) { (self.table, self.row) = (table, row) }

  /// Whether it is of an object that was never saved.
  public var isTemporary: Bool { row < 0 }
  /// Table and row.
  public var description: String { "\(table) \(row)" }
}

/// An object of a context: a row of a table, as far as it has been read.
///
///     final class Person: Managed {
///       @Dynamic var name = ""
///       @Dynamic var age = 0
///       @Dynamic var team: Team?
///     }
///     final class Team: Managed {
///       @Dynamic var name = ""
///       @Dynamic var members: [Person] = []
///     }
///
/// Wrapped properties are columns; one of another managed class, optional, is a reference, kept in a
/// column `team_id`; an array of another managed class is the other end of such a reference, and has no
/// column. A property that has not been read yet is found when it is asked for.
///
/// An object belongs to its context, and to the actor or thread that the context belongs to.
open class Managed: KVObject {
  /// The name of the table.
  open class var table: String { "\(self)".lowercased() }

  /// The reference, of the other class, at the other end of each array; needed only where that class has
  /// several references to this one.
  open class var inverses: [String: String] { [:] }

  /// Whether it differs from its row: told when that changes.
  @Dynamic public internal(set) var isDirty = false
  /// Whether its row is gone, or will be at the next save.
  @Dynamic public internal(set) var isGone = false

  /// The context; nil before the object is inserted, and once the context is gone.
  public internal(set) final weak var context: Context?
  final var row: Int64 = 0
  final var version: Int64 = 0
  /// What has not been read.
  final var missing = Missing()
  final var isTracked = false
  /// Whether it is tracked since a part of it was found, and not before.
  final var isTrackedLate = false

  public required override init() { super.init() }

  deinit { context?.forget(self) }

  /// The identity of its row; nil for an object that was never in a context.
  public final var id: ManagedID? { row == 0 ? nil : ManagedID(table: Self.table, row: row) }

  /// An object is equal to itself: each row is one.
  public final override func isEqual(_ other: Any?) -> Bool { other as AnyObject? === self }
  public final override var hash: Int { ObjectIdentifier(self).hashValue }

  /// Whether its row has not been read.
  public final var isFault: Bool { missing.contains(.row) }

  /// The keys that differ from the row, with the values that these had.
  public final var changedKeys: [String] {
    context?.changes(of: self)?.originals.keys.sorted() ?? []
  }

  open override var description: String { id.map { "<\($0)>" } ?? super.description }
}

@available(*, unavailable)
extension Managed: @unchecked Sendable {}

/// The parts of an object that have not been read.
struct Missing: OptionSet, Hashable {
  let rawValue: UInt64

  /// The row: all but the arrays.
  static let row = Missing(rawValue: 1)
  /// An array, by its number.
  static func array(_ number: Int) -> Missing { Missing(rawValue: 2 << number) }
}
