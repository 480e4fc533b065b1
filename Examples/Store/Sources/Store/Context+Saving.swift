import GRDB
import IsaKVO

extension Context {
  /// Writes all changes in one transaction.
  ///
  /// - Throws: ``StoreError``, conflicts with what others have written among them. Database and objects
  ///   are then as before.
  public func save() throws(StoreError) {
    if dirty.isEmpty { return }
    let all = dirty.values.sorted { $0.number < $1.number }
    var saving = Saving(entities: entities)
    try write(nil) { database in
      defer { statementCount += saving.statementCount }
      try saving.save(all, in: database)
    }
    finish(all, saving.rows)
  }

  /// What has been written is what the objects are.
  private func finish(_ all: [Changes], _ rows: [ObjectIdentifier: Int64]) {
    isTracking = false
    inUnit {
      dirty = [:]
      for changes in all {
        let object = changes.object
        switch changes.kind {
        case .inserted:
          forget(object)
          adopt(object, rows[ObjectIdentifier(object)]!)
          object.version = 1
        case .updated: if changes.isWritten { object.version += 1 }
        case .deleted: forget(object)
        }
        show(object, isDirty: false)
      }
    }
    isTracking = true
    (undone, redone) = ([], [])
    if all.contains(where: { $0.kind == .inserted }) { for list in lists { list()?.reorder() } }
  }

  // MARK: Changes of others

  /// Follows what other connections have written: objects without changes of their own get the values of
  /// their rows, and observers are told; lists follow.
  public func refresh() throws(StoreError) {
    for entity in entities { try refresh(entity) }
  }

  private func refresh(_ entity: Entity) throws(StoreError) {
    let sql = "SELECT id, version\(entity.columnList) FROM \"\(entity.table)\""
    let rows = try read(nil) { database in try Row.fetchAll(database, sql: sql) }
    var found: Set<Int64> = []
    isTracking = false
    defer { isTracking = true }
    for row in rows {
      found.insert(row[0])
      if let object = known(entity, row[0]) {
        if object.isFault || changes(of: object) != nil || object.version == row[1] { continue }
        try update(object, entity, row, sql)
      } else if lists.contains(where: { $0()?.lists(entity.type) == true }) {
        let object = object(entity, row[0])
        try fill(object, entity, row, sql)
        for list in lists { list()?.enter(object) }
      }
    }
    for object in all(of: entity) where object.row > 0 && !found.contains(object.row) {
      if object.isGone { continue }
      object.isGone = true
      for list in lists { list()?.leave(object) }
    }
  }

  private func update(
    _ object: Managed, _ entity: Entity, _ row: Row, _ sql: String
  ) throws(StoreError) {
    let values = try values(of: object, entity, row, sql)
    object.version = row[1]
    do {
      try inUnit {
        touched[ObjectIdentifier(object)] = object
        for column in entity.columns {
          let old = try object.primitiveValue(forKey: column.key), new = values[column.key] ?? nil
          if column.target != nil {
            if old as? Managed === new as? Managed { continue }
            moveBetweenArrays(object, column.key, from: old as? Managed, to: new as? Managed)
          } else if column.encode(old) == column.encode(new) {
            continue
          }
          try object.setValue(new, forKey: column.key)
        }
      }
    } catch { throw StoreError(error, object.id) }
  }

  private func moveBetweenArrays(
    _ object: Managed, _ key: String, from old: Managed?, to new: Managed?
  ) {
    if let old { unlink(object, from: old, key) }
    if let new { link(object, to: new, key) }
  }
}

extension Changes {
  /// Whether there is more than arrays, which have no columns.
  var isWritten: Bool {
    originals.values.contains { if case .array = $0 { false } else { true } }
  }
}

/// One save: the statements, and the rows of what was inserted.
private struct Saving {
  let entities: [Entity]
  var rows: [ObjectIdentifier: Int64] = [:]
  var statementCount = 0
  private var conflicts: [StoreError.Conflict] = []
  private var current: ManagedID?

  init(entities: [Entity]) { self.entities = entities }

  mutating func save(_ all: [Changes], in database: Database) throws {
    do {
      // References to what has no row yet are set once it has one.
      var late: [(Managed, Column)] = []
      for changes in all where changes.kind == .inserted {
        try insert(changes.object, &late, database)
      }
      for (object, column) in late { try update(object, [column], isLate: true, database) }
      for changes in all where changes.kind == .updated {
        let columns = entity(of: changes.object).columns.filter {
          changes.originals[$0.key] != nil
        }
        if !columns.isEmpty { try update(changes.object, columns, isLate: false, database) }
      }
      for changes in all where changes.kind == .deleted { try delete(changes.object, database) }
    } catch { throw StoreError(error, current) }
    if !conflicts.isEmpty { throw StoreError.conflicts(conflicts) }
  }

  private func entity(of object: Managed) -> Entity {
    entities.first { $0.type == type(of: object) }!
  }

  private mutating func execute(
    _ sql: String, _ values: [DatabaseValue], _ object: Managed, _ database: Database
  ) throws {
    current = object.id
    statementCount += 1
    try database.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
  }

  /// What a column gets; nil for a reference to an object that has no row yet.
  private func value(_ column: Column, of object: Managed) throws -> DatabaseValue? {
    let value = try object.primitiveValue(forKey: column.key)
    if column.target == nil { return column.encode(value) }
    guard let target = value as? Managed else { return .null }
    if let row = rows[ObjectIdentifier(target)] { return row.databaseValue }
    if target.isGone || target.context == nil { throw StoreError.foreign(object: target.id) }
    return target.row > 0 ? target.row.databaseValue : nil
  }

  private mutating func insert(
    _ object: Managed, _ late: inout [(Managed, Column)], _ database: Database
  ) throws {
    let entity = entity(of: object)
    var values: [DatabaseValue] = []
    for column in entity.columns {
      let value = try value(column, of: object)
      if value == nil { late.append((object, column)) }
      values.append(value ?? .null)
    }
    let places = repeatElement(", ?", count: values.count).joined()
    try execute(
      "INSERT INTO \"\(entity.table)\" (version\(entity.columnList)) VALUES (1\(places))", values,
      object, database)
    rows[ObjectIdentifier(object)] = database.lastInsertedRowID
  }

  private mutating func update(
    _ object: Managed, _ columns: [Column], isLate: Bool, _ database: Database
  ) throws {
    let assignments = columns.map { "\"\($0.name)\" = ?" }.joined(separator: ", ")
    var values = try columns.map { try value($0, of: object) ?? .null }
    let row = isLate ? rows[ObjectIdentifier(object)]! : object.row
    values += [row.databaseValue, Int64(isLate ? 1 : object.version).databaseValue]
    let version = isLate ? "" : ", version = version + 1"
    try execute(
      "UPDATE \"\(entity(of: object).table)\" SET \(assignments)\(version) WHERE id = ? AND version = ?",
      values, object, database)
    if database.changesCount == 0 {
      try noteConflict(of: object, columns.map(\.key), database)
    }
  }

  private mutating func delete(_ object: Managed, _ database: Database) throws {
    try execute(
      "DELETE FROM \"\(entity(of: object).table)\" WHERE id = ? AND version = ?",
      [object.row.databaseValue, Int64(object.version).databaseValue], object, database)
    if database.changesCount == 0 { try noteConflict(of: object, [], database) }
  }

  private mutating func noteConflict(
    of object: Managed, _ keys: [String], _ database: Database
  ) throws {
    let found = try Int.fetchOne(
      database, sql: "SELECT version FROM \"\(entity(of: object).table)\" WHERE id = ?",
      arguments: [object.row])
    conflicts.append(
      StoreError.Conflict(
        object: object.id!, keys: keys, read: Int(object.version), found: found))
  }
}

// MARK: - Tables

extension Entity {
  /// Makes the table if there is none, and throws if it does not fit.
  func checkTable(in database: Database) throws {
    let columns = columns.map { ", \"\($0.name)\" \($0.sqlType)" }.joined()
    try database.execute(
      sql: "CREATE TABLE IF NOT EXISTS \"\(table)\" "
        + "(id INTEGER PRIMARY KEY AUTOINCREMENT, version INTEGER NOT NULL DEFAULT 1\(columns))")
    let found = try database.columns(in: table)
    for name in ["id", "version"] where !found.contains(where: { $0.name == name }) {
      throw StoreError.schema(table: table, key: nil, reason: "there is no column \(name)")
    }
    for column in self.columns {
      guard let known = found.first(where: { $0.name == column.name }) else {
        throw StoreError.schema(
          table: table, key: column.key, reason: "there is no column \(column.name)")
      }
      let wanted = column.sqlType.split(separator: " ")[0]
      if known.type.uppercased() != wanted {
        throw StoreError.schema(
          table: table, key: column.key,
          reason:
            "\(column.name) is \(known.type.isEmpty ? "of no type" : known.type), \(wanted) was "
            + "expected")
      }
    }
    for array in arrays {
      try database.execute(
        sql: "CREATE INDEX IF NOT EXISTS \"\(array.element.table)_\(array.inverse)\" ON "
          + "\"\(array.element.table)\" (\"\(array.inverse)_id\")")
    }
    let names = Set(self.columns.map(\.name) + ["id", "version"])
    for other in found
    where !names.contains(other.name) && other.isNotNull
      && other.defaultValueSQL == nil
    {
      throw StoreError.schema(
        table: table, key: nil,
        reason: "\(other.name) must have a value, and \(type) has no property for it")
    }
  }
}
