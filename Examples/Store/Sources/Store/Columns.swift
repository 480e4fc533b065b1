import Foundation
import GRDB
import IsaKVO

/// A value of a property, as changes are compared and restored by it.
enum Stored: Equatable {
  case column(DatabaseValue)
  case reference(Managed?)
  case array([Managed])
  /// Whether the object is in its context.
  case presence(Bool)
}

/// A property with a column: a value, or a reference to another object.
struct Column: @unchecked Sendable {
  // Sendable because its closures know types and nothing else.
  let key: String
  let name: String
  let sqlType: String
  let typeName: String
  /// The class that a reference leads to.
  let target: Managed.Type?
  /// What a value is in the database, nil for nil; not of references.
  let encode: (Any?) -> DatabaseValue
  /// The value that a database value stands for; nil if it stands for none.
  let decode: (DatabaseValue) -> Any??

  func stored(_ value: Any?) -> Stored {
    target == nil ? .column(encode(value)) : .reference(value as? Managed)
  }
}

/// The column of a property, of whose changes the tracker tells contexts.
func trackedColumn(
  for property: KeyValueProperty, of type: Managed.Type, _ tracker: KeyValueSharedObservers<Managed>
) throws -> Column {
  let key = property.key, column: Column
  let wrapped = (property.type as? any AnyOptionalType.Type)?.wrappedType
  if let reference = property.type as? any ManagedReference.Type {
    column = Column(
      key: key, name: "\(key)_id", sqlType: "INTEGER", typeName: "\(property.type)",
      target: reference.target, encode: { _ in .null }, decode: { _ in nil })
  } else if let value = (wrapped ?? property.type) as? any DatabaseValueConvertible.Type {
    column = makeColumn(value, key, isOptional: wrapped != nil)
  } else {
    throw StoreError.model(
      type: "\(type)", key: key,
      reason: "\(property.type) has no column; a DatabaseValueConvertible, an optional managed "
        + "object or an array of managed objects was expected")
  }
  func track<Value>(_ type: Value.Type) {
    tracker.observe(forKey: key, as: type, options: [.old, .new], waitsForTransactions: false) {
      let old = column.stored($1.oldValue), new = column.stored($1.newValue)
      $0.context?.note($0, key, old: old, new: new)
    }
  }
  _openExistential(property.type, do: track)
  return column
}

private func makeColumn<Value: DatabaseValueConvertible>(
  _ type: Value.Type, _ key: String, isOptional: Bool
) -> Column {
  Column(
    key: key, name: key, sqlType: sqlType(of: type) + (isOptional ? "" : " NOT NULL"),
    typeName: "\(type)\(isOptional ? "?" : "")", target: nil,
    encode: { ($0 as? Value)?.databaseValue ?? .null },
    decode: { value in
      if value.isNull { return isOptional ? .some(nil) : nil }
      return Value.fromDatabaseValue(value).map { .some($0) }
    })
}

private func sqlType(of type: Any.Type) -> String {
  switch type {
  case is any FixedWidthInteger.Type, is Bool.Type: "INTEGER"
  case is any BinaryFloatingPoint.Type: "REAL"
  case is String.Type, is Date.Type: "TEXT"
  default: "BLOB"
  }
}

// MARK: - References and arrays

/// An optional of any type.
protocol AnyOptionalType { static var wrappedType: Any.Type { get } }
extension Optional: AnyOptionalType { static var wrappedType: Any.Type { Wrapped.self } }

/// An optional of a managed class: a reference.
protocol ManagedReference { static var target: Managed.Type { get } }
extension Optional: ManagedReference where Wrapped: Managed {
  static var target: Managed.Type { Wrapped.self }
}

/// An array of a managed class: the other end of references.
protocol ManagedArray {
  static var element: Managed.Type { get }
  static func track(_ array: ToMany, by tracker: KeyValueSharedObservers<Managed>)
}

extension Array: ManagedArray where Element: Managed {
  static var element: Managed.Type { Element.self }

  static func track(_ array: ToMany, by tracker: KeyValueSharedObservers<Managed>) {
    tracker.observe(
      forKey: array.key, as: Self.self, options: [.old, .new], waitsForTransactions: false
    ) { object, change in
      let now = object.array(array.key)
      let before = now.before(change.kind, at: change.indexes, change.oldValue, change.newValue)
      object.context?.note(object, array.key, old: .array(before), new: .array(now))
    }
  }
}

extension [Managed] {
  /// The elements before a change that has led to these.
  fileprivate func before(
    _ kind: ChangeKind, at indexes: [Int]?, _ old: [Managed]?, _ new: [Managed]?
  ) -> [Managed] {
    var all = self
    guard let indexes, kind != .setting else { return old ?? [] }
    if kind != .removal { for index in indexes.reversed() { all.remove(at: index) } }
    if kind != .insertion {
      for (index, item) in zip(indexes, old ?? []) { all.insert(item, at: index) }
    }
    return all
  }
}

/// A property that is an array of managed objects.
struct ToMany: Sendable {
  let key: String
  let element: Managed.Type
  /// The reference at the other end.
  let inverse: String
  let missing: Missing
}

/// The reference at the other end of an array.
func inverse(of key: String, in type: Managed.Type, _ element: Managed.Type) throws -> String {
  let references = try element.keyValueProperties().filter {
    ($0.type as? any ManagedReference.Type)?.target == type
  }.map(\.key)
  let named = type.inverses[key]
  if let only = named ?? (references.count == 1 ? references[0] : nil), references.contains(only) {
    return only
  }
  throw StoreError.model(
    type: "\(type)", key: key,
    reason:
      "\(element) has \(references.count) references to \(type)\(named.map { ", and no \($0)" } ?? ""); "
      + "one was expected, or the name of one in `inverses`")
}

extension Managed {
  /// What the store knows of its class. A context has looked at the class before any object comes to it.
  final var entity: Entity { Entity.known.withLock { $0[ObjectIdentifier(Self.self)]! } }

  /// The value of a key as it stands: nothing is found for it.
  final func present(_ key: String) -> Any? { (try? primitiveValue(forKey: key)) ?? nil }

  /// What stands for a key now.
  final func stored(_ key: String) -> Stored { entity.stored(key, present(key)) }

  /// The elements of an array as they stand.
  final func array(_ key: String) -> [Managed] { present(key) as? [Managed] ?? [] }

  /// What a reference leads to.
  final func reference(_ key: String) -> Managed? { (try? value(forKey: key)) as? Managed }
}
