/// What has gone wrong in the store: with which object, which key, in which statement.
public enum StoreError: Error, Equatable, Sendable {
  /// The database has refused: it is locked, full, damaged, or a constraint does not hold.
  case database(code: Int32, message: String, object: ManagedID?, statement: String?)
  /// The tables are not those that the classes need.
  case schema(table: String, key: String?, reason: String)
  /// A column has a value that is none of the property's type.
  case value(object: ManagedID, key: String, found: String, expected: String, statement: String)
  /// Others have changed or deleted the rows since they were read. Nothing was written.
  case conflicts([Conflict])
  /// A class does not say all that the store has to know.
  case model(type: String, key: String, reason: String)
  /// The object is of another context, or of none, or that context is gone.
  case foreign(object: ManagedID?)

  /// One row that others have changed.
  public struct Conflict: Equatable, Sendable {
    /// The object of the row.
    public let object: ManagedID
    /// The keys that were to be saved.
    public let keys: [String]
    /// The version of the row that was read.
    public let read: Int
    /// The version that the row has; nil if it is gone.
    public let found: Int?

    /// A conflict of that object.
    public init(object: ManagedID, keys: [String], read: Int, found: Int?) {
      (self.object, self.keys, self.read, self.found) = (object, keys, read, found)
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// The whole error in a sentence.
  public var description: String {
    switch self {
    case .database(let code, let message, let object, let statement):
      let about = object.map { "saving or reading \($0): " } ?? ""
      return "\(about)SQLite error \(code): \(message)" + (statement.map { " in \($0)" } ?? "")
    case .schema(let table, let key, let reason):
      return "table \(table)\(key.map { ", column for \($0)" } ?? ""): \(reason)"
    case .value(let object, let key, let found, let expected, let statement):
      return "\(key) of \(object): \(found) was found, \(expected) was expected, in \(statement)"
    case .conflicts(let conflicts):
      let each = conflicts.map { conflict in
        "\(conflict.object) was version \(conflict.read), "
          + (conflict.found.map { "is \($0)" } ?? "is gone")
      }
      return "others have changed what was to be saved: " + each.joined(separator: "; ")
    case .model(let type, let key, let reason): return "\(key) of \(type): \(reason)"
    case .foreign(let object):
      return "\(object.map { "\($0)" } ?? "an object") does not belong to this context"
    }
  }
}
