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

  static func == (first: Stored, second: Stored) -> Bool {
    switch (first, second) {
    case (.column(let first), .column(let second)): first == second
    case (.reference(let first), .reference(let second)): first === second
    case (.array(let first), .array(let second)): first.elementsEqual(second, by: ===)
    case (.presence(let first), .presence(let second)): first == second
    default: false
    }
  }
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

  /// Tells the context of a set that no tracker has heard of.
  func noteSet(_ context: Context, _ object: Managed, _ old: Any?, _ new: Any?) {
    if target == nil {
      context.note(object, key, old: .column(encode(old)), new: .column(encode(new)))
    } else {
      context.noteReference(object, key, old: old as? Managed, new: new as? Managed)
    }
  }
}

/// The column of a property, whose changes the tracker tells of.
func column(
  for property: KeyValueProperty, of type: Managed.Type, _ tracker: KeyValueSharedObservers<Managed>
) throws -> Column {
  let column = try makeColumn(for: property, of: type)
  func open<Value>(_ type: Value.Type) { track(column, type, tracker) }
  _openExistential(property.type, do: open)
  return column
}

private func makeColumn(for property: KeyValueProperty, of type: Managed.Type) throws -> Column {
  let key = property.key
  if let reference = property.type as? any ManagedReference.Type {
    return Column(
      key: key, name: "\(key)_id", sqlType: "INTEGER", typeName: "\(property.type)",
      target: reference.target, encode: { _ in .null }, decode: { _ in nil })
  }
  let wrapped = (property.type as? any AnyOptionalType.Type)?.wrappedType
  guard let value = (wrapped ?? property.type) as? any DatabaseValueConvertible.Type else {
    throw StoreError.model(
      type: "\(type)", key: key,
      reason:
        "\(property.type) has no column; a DatabaseValueConvertible, an optional managed object "
        + "or an array of managed objects was expected")
  }
  return makeColumn(value, key, isOptional: wrapped != nil)
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

/// Tells contexts of changes of a property.
private func track<Value>(
  _ column: Column, _ type: Value.Type, _ tracker: KeyValueSharedObservers<Managed>
) {
  tracker.observe(
    forKey: column.key, as: type, options: [.old, .new], waitsForTransactions: false
  ) { object, change in
    if let context = object.context {
      column.noteSet(context, object, change.oldValue, change.newValue)
    }
  }
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
      object.context?.noteArray(object, array, old: before, new: now)
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

  init(
    _ key: String, _ type: any ManagedArray.Type, _ inverse: String, _ number: Int,
    _ tracker: KeyValueSharedObservers<Managed>
  ) {
    self.key = key
    element = type.element
    self.inverse = inverse
    missing = .array(number)
    type.track(self, by: tracker)
  }

  func noteSet(_ context: Context, _ object: Managed, _ old: Any?, _ new: Any?) {
    context.noteArray(object, self, old: old as? [Managed] ?? [], new: new as? [Managed] ?? [])
  }
}

/// The reference at the other end of an array.
func inverse(of key: String, in type: Managed.Type, _ element: Managed.Type) throws -> String {
  let references = try element.keyValueProperties().filter {
    ($0.type as? any ManagedReference.Type)?.target == type
  }
  if let named = type.inverses[key] {
    if references.contains(where: { $0.key == named }) { return named }
    throw StoreError.model(
      type: "\(type)", key: key, reason: "\(element) has no reference \(named) to \(type)")
  }
  if references.count == 1 { return references[0].key }
  throw StoreError.model(
    type: "\(type)", key: key,
    reason:
      "\(element) has \(references.count) references to \(type); one was expected, or the name "
      + "of one in `inverses`")
}

extension Managed {
  /// The elements of an array as they stand.
  final func array(_ key: String) -> [Managed] {
    (try? primitiveValue(forKey: key)) as? [Managed] ?? []
  }

  /// What a reference leads to.
  final func reference(_ key: String) -> Managed? { (try? value(forKey: key)) as? Managed }
}
