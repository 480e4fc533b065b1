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
    var saving = Saving()
    try write(nil) { database in
      defer { statementCount += saving.statementCount }
      try saving.save(all, in: database)
    }
    finish(all, saving.rows)
  }

  /// What has been written is what the objects are.
  private func finish(_ all: [Changes], _ rows: [Managed: Int64]) {
    forgetUnits()
    inUnit {
      dirty = [:]
      for changes in all {
        let object = changes.object
        switch changes.kind {
        case .inserted:
          forget(object)
          adopt(object, rows[object]!)
          object.version = 1
        case .updated:
          let isWritten = object.entity.columns.contains { changes.originals[$0.key] != nil }
          if isWritten { object.version &+= 1 }
        case .deleted:
          detach(object)
          object.isGone = true
        }
        show(object, isDirty: false)
      }
      if all.contains(where: { $0.kind == .inserted }) { for list in lists { list()?.reorder() } }
    }
  }

  // MARK: Changes of others

  /// Follows what other connections have written: objects without changes of their own get the values of
  /// their rows, and observers are told; arrays and lists follow.
  public func refresh() throws(StoreError) {
    var found: [(entity: Entity, rows: [Row], sql: String)] = []
    for entity in entities {
      let sql = "SELECT id, version\(entity.columnList) FROM \"\(entity.table)\" ORDER BY id"
      found.append((entity, try read(nil) { try Row.fetchAll($0, sql: sql) }, sql))
    }
    try inUnit { () throws(StoreError) in
      for (entity, rows, sql) in found { try refresh(entity, rows, sql) }
      for (entity, _, _) in found { refreshArrays(of: entity, found.map { ($0.entity, $0.rows) }) }
    }
  }

  private func refresh(_ entity: Entity, _ rows: [Row], _ sql: String) throws(StoreError) {
    var present: Set<Int64> = []
    let isListed = lists.contains { $0()?.lists(entity.type) == true }
    for row in rows {
      present.insert(row[0])
      guard let object = known(entity, row[0]) ?? (isListed ? self.object(entity, row[0]) : nil)
      else { continue }
      if isListed, object.isFault {
        try fill(object, row, sql)
        for list in lists { list()?.enter(object) }
      } else if !object.isFault, changes(of: object) == nil,
        try object.version != version(of: object, row, sql)
      {
        try update(object, row, sql)
      }
    }
    for object in all(of: entity) where object.row > 0 && !present.contains(object.row) {
      if !object.isGone { vanish(object) }
    }
  }

  private func update(_ object: Managed, _ row: Row, _ sql: String) throws(StoreError) {
    let values = try values(of: object, row, sql)
    object.version = try version(of: object, row, sql)
    touched.insert(object)
    let news = object.entity.columns.map { ($0.key, values[$0.key]!, $0.stored(values[$0.key]!)) }
      .filter { object.stored($0.0) != $0.2 }
    // An observer of one may set another.
    for (key, value, stored) in news { set(object, key, value, stored, isQuiet: true) }
  }

  /// Has arrays that were read, and have not changed here, have the elements of the database.
  private func refreshArrays(of entity: Entity, _ found: [(entity: Entity, rows: [Row])]) {
    for array in entity.arrays {
      guard let (child, rows) = found.first(where: { $0.entity.type == array.element }),
        let place = child.columns.firstIndex(where: { $0.key == array.inverse })
      else { continue }
      let elements = Dictionary(grouping: rows) { Int64.fromDatabaseValue($0[place + 2]) }
      for owner in all(of: entity) where owner.row > 0 && !owner.missing.contains(array.missing) {
        if changes(of: owner)?.originals[array.key] != nil { continue }
        let wanted = (elements[owner.row] ?? []).map { object(child, $0[0]) }
        let now = owner.array(array.key)
        let isKept = Set(wanted), isThere = Set(now)
        let next = now.filter(isKept.contains) + wanted.filter { !isThere.contains($0) }
        if next != now { set(owner, array.key, next, .array(next), isQuiet: true) }
      }
    }
  }
}

/// One save: the statements, and the rows of what was inserted.
private struct Saving {
  var rows: [Managed: Int64] = [:]
  var statementCount = 0
  private var conflicts: [StoreError.Conflict] = []
  private var current: ManagedID?

  mutating func save(_ all: [Changes], in database: Database) throws {
    do {
      // References to what has no row yet are set once it has one.
      var late: [(Managed, Column)] = []
      for changes in all where changes.kind == .inserted {
        try insert(changes.object, &late, database)
      }
      for (object, column) in late { try update(object, [column], isLate: true, database) }
      for changes in all where changes.kind == .updated {
        let columns = changes.object.entity.columns.filter { changes.originals[$0.key] != nil }
        if !columns.isEmpty { try update(changes.object, columns, isLate: false, database) }
      }
      for changes in all where changes.kind == .deleted { try delete(changes.object, database) }
    } catch { throw StoreError(error, current) }
    if !conflicts.isEmpty { throw StoreError.conflicts(conflicts) }
  }

  /// Executes a statement, and notes a conflict if it should change a row, and has changed none.
  private mutating func execute(
    _ sql: String, _ values: [DatabaseValue], _ object: Managed, keys: [String]? = nil,
    _ database: Database
  ) throws {
    current = object.id
    statementCount += 1
    try database.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
    guard let keys, database.changesCount == 0 else { return }
    let found = try Int.fetchOne(
      database, sql: "SELECT version FROM \"\(object.entity.table)\" WHERE id = ?",
      arguments: [object.row])
    conflicts.append(
      StoreError.Conflict(
        object: object.id!, keys: keys, read: Int(object.version), found: found))
  }

  /// What a column gets; nil for a reference to an object that has no row yet.
  private func value(_ column: Column, of object: Managed) throws -> DatabaseValue? {
    let value = try object.primitiveValue(forKey: column.key)
    if column.target == nil { return column.encode(value) }
    guard let target = value as? Managed else { return .null }
    if let row = rows[target] { return row.databaseValue }
    if target.isGone || target.context !== object.context {
      throw StoreError.foreign(object: target.id)
    }
    return target.row > 0 ? target.row.databaseValue : nil
  }

  private mutating func insert(
    _ object: Managed, _ late: inout [(Managed, Column)], _ database: Database
  ) throws {
    let entity = object.entity
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
    rows[object] = database.lastInsertedRowID
  }

  private mutating func update(
    _ object: Managed, _ columns: [Column], isLate: Bool, _ database: Database
  ) throws {
    let assignments = columns.map { "\"\($0.name)\" = ?" }.joined(separator: ", ")
    var values = try columns.map { try value($0, of: object) ?? .null }
    let row = isLate ? rows[object]! : object.row
    values += [row.databaseValue, (isLate ? 1 : object.version).databaseValue]
    let version = isLate ? "" : ", version = version + 1"
    try execute(
      "UPDATE \"\(object.entity.table)\" SET \(assignments)\(version) WHERE id = ? AND version = ?",
      values, object, keys: columns.map(\.key), database)
  }

  private mutating func delete(_ object: Managed, _ database: Database) throws {
    try execute(
      "DELETE FROM \"\(object.entity.table)\" WHERE id = ? AND version = ?",
      [object.row.databaseValue, object.version.databaseValue], object, keys: [], database)
  }

}

// MARK: - Tables

extension Entity {
  /// Makes the indexes by which arrays are found.
  func makeIndexes(in database: Database) throws {
    for array in arrays {
      let name = "index of \(array.element.table).\(array.inverse)_id"
      try database.execute(
        sql: "CREATE INDEX IF NOT EXISTS \"\(name)\" ON "
          + "\"\(array.element.table)\" (\"\(array.inverse)_id\")")
    }
  }

  /// Makes the table if there is none, and throws if it does not fit.
  func checkTable(in database: Database) throws {
    let columns = columns.map { ", \"\($0.name)\" \($0.sqlType)" }.joined()
    try database.execute(
      sql: "CREATE TABLE IF NOT EXISTS \"\(table)\" "
        + "(id INTEGER PRIMARY KEY AUTOINCREMENT, version INTEGER NOT NULL DEFAULT 1\(columns))")
    let found = try database.columns(in: table)
    func expect(_ isSo: Bool, _ reason: String, _ key: String? = nil) throws {
      if !isSo { throw StoreError.schema(table: table, key: key, reason: reason) }
    }
    let wanted =
      [("id", "INTEGER", nil), ("version", "", nil)]
      + self.columns.map { ($0.name, "\($0.sqlType.split(separator: " ")[0])", $0.key) }
    for (name, type, key) in wanted {
      let known = found.first { $0.name == name }?.type.uppercased()
      try expect(known != nil, "there is no column \(name)", key)
      try expect(
        type.isEmpty || known == type,
        "\(name) is \(known!.isEmpty ? "of no type" : known!), \(type) was expected", key)
    }
    try expect(
      found.first { $0.name == "id" }?.primaryKeyIndex == 1,
      "id is no PRIMARY KEY, by which rows are found")
    for other in found where !wanted.contains(where: { $0.0 == other.name }) {
      try expect(
        !other.isNotNull || other.defaultValueSQL != nil,
        "\(other.name) must have a value, and \(type) has no property for it")
    }
  }
}
