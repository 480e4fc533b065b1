public import GRDB
public import IsaKVO
import IsaRuntime

/// Objects of one database, each row as one object, and what has changed of them.
///
/// It belongs to the actor or thread that makes it, and so do its objects.
public final class Context: KVObject {
  /// Whether there is something to save.
  @Dynamic public internal(set) var hasChanges = false
  /// Told of errors that no call can throw: of a property that cannot be read when it is asked for,
  /// which then has its declared value.
  public var onError: (StoreError) -> Void = { print("store: \($0)") }
  /// How many statements have been executed.
  public internal(set) var statementCount = 0

  let database: any DatabaseWriter
  let entities: [Entity]
  /// All objects that there are, by class and row; not held.
  private var objects: [ObjectIdentifier: [Int64: Unmanaged<Managed>]] = [:]
  var lastTemporary: Int64 = 0

  /// What has changed of each object that has.
  var dirty: [Managed: Changes] = [:]
  var lastNumber = 0
  /// How many changes have been noted.
  public internal(set) var changeCount = 0
  /// What is being set that is no change of the context's.
  var quiet: [Place] = []
  /// The latest change of each key: the new value, and the original value that was known before it, and
  /// before what has changed within it.
  var latest: [Place: (new: Stored, before: Stored?)] = [:]
  var unit = Unit()
  var depth = 0
  var undone: [Unit] = [], redone: [Unit] = []
  /// Where the present unit belongs, if it restores another.
  var latestRestoration: ReferenceWritableKeyPath<Context, [Unit]>?
  var lists: [() -> (any AnyLiveList)?] = []
  /// What has changed since the lists were told.
  var touched: Set<Managed> = []

  /// Opens a context; makes the tables that are missing.
  ///
  /// - Throws: ``StoreError`` for a database that cannot be read, tables that do not fit, and classes
  ///   that do not say what they have to.
  public init(_ database: any DatabaseWriter, _ types: [Managed.Type]) throws(StoreError) {
    self.database = database
    entities = try typed(nil) { try types.map(Entity.of) }
    for entity in entities {
      let targets = entity.columns.compactMap(\.target) + entity.arrays.map(\.element)
      for target in targets where !types.contains(where: { $0 == target }) {
        throw StoreError.model(
          type: "\(entity.type)", key: "\(target)", reason: "the context has no class \(target)")
      }
    }
    super.init()
    try write(nil) { database in
      for entity in self.entities { try entity.checkTable(in: database) }
      for entity in self.entities { try entity.makeIndexes(in: database) }
    }
  }

  /// Opens a context on a file, which is made if there is none.
  ///
  /// - Throws: As ``init(_:_:)``.
  public convenience init(path: String, _ types: [Managed.Type]) throws(StoreError) {
    try self.init(try typed(nil) { try DatabasePool(path: path) }, types)
  }

  deinit {
    // Objects may outlive it, and have their last values then.
    for known in objects.values.flatMap(\.values) {
      known._withUnsafeGuaranteedRef { if !$0.missing.isEmpty { $0.become(missing: []) } }
    }
  }

  // MARK: Statements

  func read<Result>(
    _ id: ManagedID?, _ body: (Database) throws -> Result
  ) throws(StoreError) -> Result {
    statementCount += 1
    return try typed(id) { try database.read(body) }
  }

  func write<Result>(
    _ id: ManagedID?, _ body: (Database) throws -> Result
  ) throws(StoreError) -> Result {
    try typed(id) { try database.write(body) }
  }

  // MARK: One row, one object

  func entity(of type: Managed.Type) throws(StoreError) -> Entity {
    if let entity = entities.first(where: { $0.type == type }) { return entity }
    throw .model(type: "\(type)", key: "", reason: "the context has no such class")
  }

  func known(_ entity: Entity, _ row: Int64) -> Managed? {
    objects[ObjectIdentifier(entity.type)]?[row]?.takeUnretainedValue()
  }

  func all(of entity: Entity) -> [Managed] {
    objects[ObjectIdentifier(entity.type)]?.values.map { $0.takeUnretainedValue() } ?? []
  }

  func object(_ entity: Entity, _ row: Int64) -> Managed {
    if let known = known(entity, row) { return known }
    let made = entity.type.init()
    adopt(made, row)
    made.become(missing: entity.allMissing)
    return made
  }

  func adopt(_ object: Managed, _ row: Int64) {
    object.context = self
    object.row = row
    objects[ObjectIdentifier(type(of: object)), default: [:]][row] = .passUnretained(object)
  }

  func forget(_ object: Managed) {
    let type = ObjectIdentifier(type(of: object))
    let known = objects[type]?[object.row]?.toOpaque()
    if known == Unmanaged.passUnretained(object).toOpaque() { objects[type]?[object.row] = nil }
  }

  // MARK: Fetching

  /// The object of a row, a fault unless it is there already; nil for an identity of another context's
  /// unsaved object.
  public func object(_ id: ManagedID) throws(StoreError) -> Managed? {
    guard let entity = entities.first(where: { $0.table == id.table }) else {
      throw .schema(table: id.table, key: nil, reason: "the context has no class of this table")
    }
    return id.isTemporary ? known(entity, id.row) : object(entity, id.row)
  }

  /// The objects of the rows that meet a condition, as faults.
  ///
  /// - Parameters:
  ///   - condition: Of SQL; all rows without one.
  ///   - order: Of SQL; by `id` without one.
  ///   - isLoaded: Whether the rows are read at once, by the same statement.
  public func fetch<Object: Managed>(
    _ type: Object.Type, where condition: String? = nil,
    _ arguments: [any DatabaseValueConvertible] = [], orderedBy order: String = "id",
    isLoaded: Bool = false
  ) throws(StoreError) -> [Object] {
    let entity = try entity(of: type)
    let sql =
      "SELECT id, version\(isLoaded ? entity.columnList : "") FROM \"\(entity.table)\""
      + (condition.map { " WHERE \($0)" } ?? "") + " ORDER BY \(order)"
    let rows = try read(nil) { try Row.fetchAll($0, sql: sql, arguments: .init(arguments)) }
    return try rows.map { row throws(StoreError) in
      let object = object(entity, row[0] as Int64)
      if isLoaded, object.isFault { try fill(object, row, sql) }
      return object as! Object
    }
  }

  /// Reads the rows of faults, 500 by each statement.
  public func load(_ objects: some Sequence<Managed>) throws(StoreError) {
    for entity in entities {
      let faults = objects.filter { $0.isFault && $0.context === self && $0.row > 0 }
        .filter { type(of: $0) == entity.type }
      for start in stride(from: 0, to: faults.count, by: 500) {
        try load(Array(faults[start..<min(start + 500, faults.count)]), entity)
      }
    }
  }

  private func load(_ faults: [Managed], _ entity: Entity) throws(StoreError) {
    let places = repeatElement("?", count: faults.count).joined(separator: ", ")
    let sql =
      "SELECT id, version\(entity.columnList) FROM \"\(entity.table)\" WHERE id IN (\(places))"
    let rows = try read(faults.count == 1 ? faults[0].id : nil) {
      try Row.fetchAll($0.cachedStatement(sql: sql), arguments: .init(faults.map(\.row)))
    }
    for row in rows {
      if let object = known(entity, row[0]), object.isFault { try fill(object, row, sql) }
    }
    for object in faults where object.isFault {
      object.become(missing: object.missing.subtracting(.row))
      track(object)
      vanish(object)
    }
  }

  /// Has a fault have the values of its row: told to nobody, since they are no news.
  func fill(_ object: Managed, _ row: Row, _ sql: String) throws(StoreError) {
    let values = try values(of: object, row, sql)
    object.version = try version(of: object, row, sql)
    object.become(missing: object.missing.subtracting(.row))
    track(object)
    latest = [:]
    try typed(object.id) { try object.setPrimitiveValues(values) }
  }

  func version(of object: Managed, _ row: Row, _ sql: String) throws(StoreError) -> Int64 {
    let value: DatabaseValue = row[1]
    if let version = Int64.fromDatabaseValue(value) { return version }
    throw .value(
      object: object.id!, key: "version", found: "\(value)", expected: "Int64", statement: sql)
  }

  func values(
    of object: Managed, _ row: Row, _ sql: String
  ) throws(StoreError) -> [String: Any?] {
    let entity = object.entity
    var values: [String: Any?] = [:]
    values.reserveCapacity(entity.columns.count)
    for (number, column) in entity.columns.enumerated() {
      let value: DatabaseValue = row[number + 2]
      if let target = column.target {
        let entity = try self.entity(of: target)
        values[column.key] = .some(Int64.fromDatabaseValue(value).map { self.object(entity, $0) })
      } else if let decoded = column.decode(value) {
        values[column.key] = .some(decoded)
      } else {
        throw .value(
          object: object.id!, key: column.key, found: "\(value)", expected: column.typeName,
          statement: sql)
      }
    }
    return values
  }

  /// Says that the row of an object is gone.
  func vanish(_ object: Managed) {
    object.isGone = true
    for list in lists { list()?.leave(object) }
  }

  func track(_ object: Managed) {
    object.isTrackedLate = !object.isTracked
    if object.isTracked { return }
    object.isTracked = true
    object.setSharedObservers(object.entity.tracker)
  }

  // MARK: Finding what is asked for

  func find(_ part: Missing, of object: Managed) {
    do throws(StoreError) {
      if part == .row { return try load([object]) }
      guard let array = object.entity.arrays.first(where: { $0.missing == part }) else { return }
      try find(array, of: object)
    } catch { onError(error) }
  }

  /// The objects whose reference leads to an object, as the database has them.
  func referrers(
    _ entity: Entity, _ column: String, to object: Managed
  ) throws(StoreError) -> [Managed] {
    if object.row < 0 { return [] }
    let sql = "SELECT id FROM \"\(entity.table)\" WHERE \"\(column)\" = ? ORDER BY id"
    let rows = try read(object.id) {
      try Int64.fetchAll($0.cachedStatement(sql: sql), arguments: [object.row])
    }
    return rows.map { self.object(entity, $0) }
  }

  /// Finds the elements of an array, as faults: those that the database has, with what has changed since.
  private func find(_ array: ToMany, of object: Managed) throws(StoreError) {
    var elements = try referrers(
      try entity(of: array.element), "\(array.inverse)_id", to: object)
    for changes in dirty.values.sorted(by: { $0.number < $1.number })
    where type(of: changes.object) == array.element {
      let item = changes.object
      guard changes.kind != .updated || changes.originals[array.inverse] != nil else { continue }
      elements.removeAll { $0 === item }
      if changes.kind != .deleted, item.present(array.inverse) as? Managed === object {
        elements.append(item)
      }
    }
    object.become(missing: object.missing.subtracting(array.missing))
    track(object)
    try typed(object.id) { try object.setPrimitiveValue(elements, forKey: array.key) }
  }

  // MARK: Letting go

  /// Makes a fault of an object again, and frees its values; nobody is told. False, and nothing is done,
  /// if it has changes that are not saved.
  @discardableResult
  public func refault(_ object: Managed) throws(StoreError) -> Bool {
    guard object.context === self, object.row > 0, !object.isGone else {
      throw .foreign(object: object.id)
    }
    if changes(of: object) != nil { return false }
    try typed(object.id) {
      try object.setPrimitiveValues(object.entity.declaredValues, following: false)
    }
    object.become(missing: object.entity.allMissing)
    return true
  }
}

/// Has errors of any kind be the store's.
func typed<Result>(
  _ id: ManagedID?, _ body: () throws -> Result
) throws(StoreError) -> Result {
  do { return try body() } catch { throw StoreError(error, id) }
}

extension StoreError {
  init(_ error: any Error, _ id: ManagedID?) {
    switch error {
    case let error as StoreError: self = error
    case let error as DatabaseError:
      self = .database(
        code: error.extendedResultCode.rawValue, message: error.message ?? "", object: id,
        statement: error.sql)
    default: self = .database(code: 0, message: "\(error)", object: id, statement: nil)
    }
  }
}
