import GRDB
import IsaKVO
import IsaRuntime

/// What has changed of an object since it was read or saved; holds the object.
final class Changes {
  enum Kind { case inserted, updated, deleted }

  let object: Managed
  let number: Int
  var kind: Kind
  var originals: [String: Stored] = [:]

  init(_ object: Managed, _ number: Int, _ kind: Kind) {
    (self.object, self.number, self.kind) = (object, number, kind)
  }

  var isNone: Bool { kind == .updated && originals.isEmpty }
}

/// What is undone as one: the first value of each key that has changed.
struct Unit {
  struct Item {
    let object: Managed
    let key: String
    let value: Stored
  }
  private struct Key: Hashable {
    let object: ObjectIdentifier
    let key: String
  }

  private(set) var items: [Item] = []
  private var known: Set<Key> = []

  mutating func note(
    _ object: Managed, _ key: String, _ value: Stored, replacesKnown: Bool = false
  ) {
    let isNew = known.insert(Key(object: ObjectIdentifier(object), key: key)).inserted
    let item = Item(object: object, key: key, value: value)
    if isNew {
      items.append(item)
    } else if replacesKnown,
      let place = items.firstIndex(where: { $0.object === object && $0.key == key })
    {
      items[place] = item
    }
  }
}

/// The latest change of a key that was noted.
struct Latest {
  let new: Stored
  /// The original value that was known before it, and before what has changed within it.
  let before: Stored?

  /// A key of an object, while changes of it may be under way.
  struct Key: Hashable {
    let object: ObjectIdentifier
    let key: String

    init(_ object: Managed, _ key: String) {
      (self.object, self.key) = (ObjectIdentifier(object), key)
    }
  }
}

extension Context {
  func changes(of object: Managed) -> Changes? { dirty[ObjectIdentifier(object)] }

  /// The values that changed keys had, as the row has them; a reference or array as objects. Nothing is
  /// read for it.
  public func originalValues(of object: Managed) -> [String: Any?] {
    (changes(of: object)?.originals ?? [:]).mapValues { original in
      switch original {
      case .column(let value): value.storage.value
      case .reference(let target): target
      case .array(let elements): elements
      case .presence: nil
      }
    }
  }

  // MARK: Noting

  func note(_ object: Managed, _ key: String, old: Stored, new: Stored) {
    if isQuiet(object, key) || object.context !== self { return }
    changeCount += 1
    if let latest = latest[Latest.Key(object, key)], latest.new != old,
      latest.new == stored(key, of: object)
    {
      return noteAround(latest, object, key, old)
    }
    if old == new { return }
    let before = changes(of: object)?.originals[key]
    // Changes within one another are few.
    if latest.count > 100 { latest = [:] }
    latest[Latest.Key(object, key)] = Latest(new: new, before: before)
    inUnit {
      unit.note(object, key, old)
      compare(object, key, old, new)
    }
  }

  /// A change is told after one that an observer has made within it: both are one, from its old value.
  private func noteAround(_ latest: Latest, _ object: Managed, _ key: String, _ old: Stored) {
    if depth == 0,
      undone.last?.items.contains(where: { $0.object === object && $0.key == key }) == true
    {
      unit = undone.removeLast()
    }
    inUnit {
      unit.note(object, key, old, replacesKnown: true)
      changes(of: object)?.originals[key] = latest.before
      compare(object, key, old, latest.new)
    }
  }

  private func compare(_ object: Managed, _ key: String, _ old: Stored, _ new: Stored) {
    // One that was inserted and is gone again has no row to differ from.
    if object.isGone, object.row < 0 { return }
    let changes = changes(of: object) ?? begin(object, .updated)
    let original = changes.originals[key] ?? old
    changes.originals[key] = original == new ? nil : original
    update(changes)
  }

  /// What stands for a key now.
  private func stored(_ key: String, of object: Managed) -> Stored {
    let value = (try? object.primitiveValue(forKey: key)) ?? nil
    let column = (try? entity(of: type(of: object)))?.columns.first { $0.key == key }
    guard let column else { return .array(value as? [Managed] ?? []) }
    return column.target == nil ? .column(column.encode(value)) : .reference(value as? Managed)
  }

  private func begin(_ object: Managed, _ kind: Changes.Kind) -> Changes {
    lastNumber += 1
    let made = Changes(object, lastNumber, kind)
    dirty[ObjectIdentifier(object)] = made
    return made
  }

  private func update(_ changes: Changes) {
    touched[ObjectIdentifier(changes.object)] = changes.object
    if changes.isNone { dirty[ObjectIdentifier(changes.object)] = nil }
    show(changes.object, isDirty: !changes.isNone)
  }

  func show(_ object: Managed, isDirty: Bool) {
    if object.isDirty != isDirty { object.isDirty = isDirty }
    if hasChanges == dirty.isEmpty { hasChanges = !dirty.isEmpty }
  }

  // MARK: Setting

  /// Sets a key, through its observers; quietly if that is no change of the context's.
  func set(_ object: Managed, _ key: String, _ value: Any?, _ stored: Stored, isQuiet: Bool) {
    write(object, key, isQuiet: isQuiet) { try? object.setValue(value, forKey: key) }
    guard isQuiet else { return }
    // What an observer has made of it is a change like any other.
    let now = self.stored(key, of: object)
    if now != stored { note(object, key, old: stored, new: now) }
  }

  private func write(_ object: Managed, _ key: String, isQuiet: Bool, _ body: () -> Void) {
    if !isQuiet { return body() }
    latest[Latest.Key(object, key)] = nil
    quiet.append((object, key))
    body()
    quiet.removeLast()
  }

  private func isQuiet(_ object: Managed, _ key: String) -> Bool {
    quiet.contains { $0.object === object && $0.key == key }
  }

  private func set(_ object: Managed, _ key: String, to target: Managed?, isQuiet: Bool = false) {
    set(object, key, target, .reference(target), isQuiet: isQuiet)
  }

  // MARK: Both ends

  func noteReference(_ object: Managed, _ key: String, old: Managed?, new: Managed?) {
    if isQuiet(object, key) { return }
    inUnit {
      note(object, key, old: .reference(old), new: .reference(new))
      for owner in [old, new].compactMap(\.self) { mend((object, key, owner)) }
    }
  }

  func noteArray(_ object: Managed, _ array: ToMany, old: [Managed], new: [Managed]) {
    if isQuiet(object, array.key) { return }
    inUnit {
      note(object, array.key, old: .array(old), new: .array(new))
      mend(object, array, insteadOf: old)
    }
  }

  /// Has the elements of an array refer to its owner, and those that it had before not.
  private func mend(_ owner: Managed, _ array: ToMany, insteadOf old: [Managed] = []) {
    let now = owner.array(array.key)
    let present = Set(now.map { ObjectIdentifier($0) }),
      before = Set(old.map { ObjectIdentifier($0) })
    for item in old where !present.contains(ObjectIdentifier(item)) {
      if item.reference(array.inverse) === owner { set(item, array.inverse, to: nil) }
    }
    for item in now where !before.contains(ObjectIdentifier(item)) {
      if item.reference(array.inverse) !== owner { set(item, array.inverse, to: owner) }
    }
  }

  /// An object, and where one of its references leads or has led.
  typealias End = (object: Managed, key: String, owner: Managed)

  /// Has the array at the other end, if it has been read, have the object if and only if the reference
  /// leads there.
  func mend(_ end: End, isQuiet: Bool = false) {
    let array = (try? entity(of: type(of: end.owner)))?.arrays.first {
      $0.element == type(of: end.object) && $0.inverse == end.key
        && !end.owner.missing.contains($0.missing)
    }
    guard let array else { return }
    let index = end.owner.array(array.key).firstIndex { $0 === end.object }
    let belongs =
      !end.object.isGone && end.object.context === self
      && (try? end.object.primitiveValue(forKey: end.key)) as? Managed === end.owner
    if belongs == (index != nil) { return }
    write(end.owner, array.key, isQuiet: isQuiet) {
      let elements = try? RuntimeObject(end.owner).mutableArrayValue(forKey: array.key)
      if let index {
        try? elements?.remove(at: index)
      } else if let element = try? RuntimeObject(end.object) {
        try? elements?.append(RuntimeValue(element))
      }
    }
  }

  // MARK: Insertion and deletion

  /// Makes an object one of the context, to be inserted at the next save, and with it the new objects that
  /// it leads to. One that was deleted and not saved comes back.
  public func insert(_ object: Managed) throws(StoreError) {
    if object.context === self, object.isGone { return inUnit { comeBack(object) } }
    var all: [Managed] = []
    try gather(object, &all)
    for object in all {
      object.isGone = false
      adopt(object, makeTemporaryRow())
    }
    try inUnit { () throws(StoreError) in
      for object in all { enter(object, try entity(of: type(of: object))) }
    }
  }

  /// The object, and those that it leads to, as far as they are of no context yet.
  private func gather(_ object: Managed, _ all: inout [Managed]) throws(StoreError) {
    if object.context === self || all.contains(where: { $0 === object }) { return }
    guard object.context == nil, object.row == 0 else { throw .foreign(object: object.id) }
    let entity = try entity(of: type(of: object))
    all.append(object)
    for column in entity.columns where column.target != nil {
      if let target = object.reference(column.key) { try gather(target, &all) }
    }
    for array in entity.arrays {
      for element in object.array(array.key) { try gather(element, &all) }
    }
  }

  private func enter(_ object: Managed, _ entity: Entity) {
    unit.note(object, "", .presence(false))
    track(object, entity)
    update(begin(object, .inserted))
    for array in entity.arrays { mend(object, array) }
    for end in ends(of: object, entity) { mend(end) }
    for list in lists { list()?.enter(object) }
  }

  /// Has an object deleted at the next save. What refers to it refers to nothing then.
  public func delete(_ object: Managed) throws(StoreError) {
    guard object.context === self else { throw .foreign(object: object.id) }
    if object.isGone { return }
    let entity = try entity(of: type(of: object))
    try load([object])
    var referrers: [(Managed, String)] = []
    for other in entities {
      for column in other.columns where column.target == entity.type {
        referrers += try self.referrers(of: object, other, column).map { ($0, column.key) }
      }
    }
    performChanges {
      for (referrer, key) in referrers { set(referrer, key, to: nil) }
      for column in entity.columns where column.target != nil { set(object, column.key, to: nil) }
      leave(object)
    }
  }

  /// The objects whose reference leads to an object: those of the database, with what has changed since.
  private func referrers(
    of object: Managed, _ entity: Entity, _ column: Column
  ) throws(StoreError) -> [Managed] {
    let sql = "SELECT id FROM \"\(entity.table)\" WHERE \"\(column.name)\" = ?"
    let rows =
      object.row < 0
      ? []
      : try read(object.id) { database in
        try Int64.fetchAll(database.cachedStatement(sql: sql), arguments: [object.row])
      }
    let found = rows.map { self.object(entity, $0) }
    try load(found)
    let changed = dirty.values.map(\.object).filter { type(of: $0) == entity.type }
    return (found + changed.filter { other in !found.contains { $0 === other } })
      .filter { !$0.isGone && $0.reference(column.key) === object }
  }

  private func leave(_ object: Managed) {
    unit.note(object, "", .presence(true))
    let changes = changes(of: object) ?? begin(object, .updated)
    if changes.kind == .inserted {
      dirty[ObjectIdentifier(object)] = nil
      show(object, isDirty: false)
    } else {
      changes.kind = .deleted
      update(changes)
    }
    object.isGone = true
    for list in lists { list()?.leave(object) }
  }

  private func comeBack(_ object: Managed) {
    unit.note(object, "", .presence(false))
    object.isGone = false
    let changes = changes(of: object) ?? begin(object, object.row < 0 ? .inserted : .updated)
    if changes.kind == .deleted { changes.kind = .updated }
    update(changes)
    for list in lists { list()?.enter(object) }
  }

  private func ends(of object: Managed, _ entity: Entity, _ key: String = "") -> [End] {
    entity.columns.filter { $0.target != nil && (key.isEmpty || key == $0.key) }
      .compactMap { column in object.reference(column.key).map { (object, column.key, $0) } }
  }

  // MARK: Units

  /// Changes that are one: observers are told at its end, when all ends agree, and it is undone as one.
  public func performChanges<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try inUnit { () throws(Failure) in try KVObject.transaction(body) }
  }

  func inUnit<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    depth += 1
    defer {
      depth -= 1
      if depth == 0 { endUnit() }
    }
    return try body()
  }

  private func endUnit() {
    let done = unit, changed = touched
    (unit, touched) = (Unit(), [:])
    if let target = latestRestoration {
      // What was done is the other way, and no unit of its own.
      latestRestoration = nil
      self[keyPath: target].append(done)
    } else if !done.items.isEmpty {
      undone.append(done)
      redone = []
    }
    for list in lists { list()?.flush(changed) }
    lists.removeAll { $0() == nil }
  }

  /// Restores what the latest unit has changed, both ends; false if there is none, and within a unit. A save
  /// ends what can be undone.
  @discardableResult
  public func undo() -> Bool { restore(from: \.undone, to: \.redone) }

  /// Makes again what was undone last.
  @discardableResult
  public func redo() -> Bool { restore(from: \.redone, to: \.undone) }

  private func restore(
    from source: ReferenceWritableKeyPath<Context, [Unit]>,
    to target: ReferenceWritableKeyPath<Context, [Unit]>
  ) -> Bool {
    guard depth == 0, let latest = self[keyPath: source].popLast() else { return false }
    latestRestoration = target
    performChanges { put(latest.items.reversed(), isQuiet: false) }
    return true
  }

  /// Gives keys the values that they had.
  private func put(_ items: [Unit.Item], isQuiet: Bool) {
    let before = items.flatMap { ends(of: $0) }
    for item in items {
      let object = item.object
      switch item.value {
      case .presence(true) where object.isGone: comeBack(object)
      case .presence(false) where !object.isGone: leave(object)
      case .reference(let target): set(object, item.key, to: target, isQuiet: isQuiet)
      case .column(let value): put(value, item.key, of: object, isQuiet: isQuiet)
      case .array, .presence: break
      }
    }
    for case let (object, key, .array(elements)) in items.map({ ($0.object, $0.key, $0.value) }) {
      put(elements, key, of: object, isQuiet: isQuiet)
    }
    // An array may have been read since, with what has changed before.
    for end in before + items.flatMap({ ends(of: $0) }) { mend(end, isQuiet: isQuiet) }
  }

  private func put(_ elements: [Managed], _ key: String, of object: Managed, isQuiet: Bool) {
    let arrays = (try? entity(of: type(of: object)))?.arrays
    guard let array = arrays?.first(where: { $0.key == key }),
      !object.missing.contains(array.missing)
    else { return }
    let members = elements.filter { !$0.isGone && $0.reference(array.inverse) === object }
    set(object, key, members, .array(members), isQuiet: isQuiet)
  }

  private func ends(of item: Unit.Item) -> [End] {
    guard let entity = try? entity(of: type(of: item.object)) else { return [] }
    return ends(of: item.object, entity, item.key)
  }

  private func put(_ value: DatabaseValue, _ key: String, of object: Managed, isQuiet: Bool) {
    let column = (try? entity(of: type(of: object)))?.columns.first { $0.key == key }
    guard let decoded = column?.decode(value) else { return }
    set(object, key, decoded, .column(value), isQuiet: isQuiet)
  }

  /// Gives all objects the values of their rows again: each key that has changed is told once.
  public func rollback() {
    let all = dirty.values.sorted { $0.number > $1.number }
    performChanges {
      var items: [Unit.Item] = []
      for changes in all {
        if changes.kind != .updated {
          let isThere = Stored.presence(changes.kind == .deleted)
          items.append(Unit.Item(object: changes.object, key: "", value: isThere))
        }
        for (key, original) in changes.originals.sorted(by: { $0.key < $1.key }) {
          items.append(Unit.Item(object: changes.object, key: key, value: original))
        }
      }
      put(items, isQuiet: true)
      for changes in all {
        dirty[ObjectIdentifier(changes.object)] = nil
        show(changes.object, isDirty: false)
        touched[ObjectIdentifier(changes.object)] = changes.object
        if changes.kind == .inserted { detach(changes.object) }
      }
      forgetUnits()
    }
  }

  /// Has nothing be undone: what was is the database's now, or nobody's.
  func forgetUnits() { (unit, undone, redone, latest) = (Unit(), [], [], [:]) }

  /// Has an object that was never saved be of no context.
  func detach(_ object: Managed) {
    forget(object)
    object.context = nil
    object.row = 0
    object.isGone = false
  }
}
