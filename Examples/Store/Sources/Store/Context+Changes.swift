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

/// A key of an object; holds nothing.
struct Place: Hashable {
  let object: ObjectIdentifier
  let key: String

  init(_ object: Managed, _ key: String) {
    (self.object, self.key) = (ObjectIdentifier(object), key)
  }
}

/// What is undone as one: the first value of each key that has changed.
struct Unit {
  private(set) var items: [(object: Managed, key: String, value: Stored)] = []
  private var places: [Place: Int] = [:]

  func has(_ place: Place) -> Bool { places[place] != nil }

  mutating func note(
    _ object: Managed, _ key: String, _ value: Stored, replacesKnown: Bool = false
  ) {
    if let index = places[Place(object, key)] {
      if replacesKnown { items[index].value = value }
    } else {
      places[Place(object, key)] = items.count
      items.append((object, key, value))
    }
  }
}

extension Context {
  func changes(of object: Managed) -> Changes? { dirty[object] }

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

  /// Notes a change, and has the other ends agree.
  func note(_ object: Managed, _ key: String, old: Stored, new: Stored) {
    if quiet.contains(Place(object, key)) { return }
    inUnit {
      noteOne(object, key, old, new)
      switch (old, new) {
      case (.reference(let old), .reference(let new)):
        for owner in [old, new].compactMap(\.self) { mend((object, key, owner)) }
      case (.array(let old), .array):
        if let array = object.entity.array(key) { mend(object, array, insteadOf: old) }
      default: break
      }
    }
  }

  private func noteOne(_ object: Managed, _ key: String, _ old: Stored, _ new: Stored) {
    changeCount += 1
    let place = Place(object, key)
    if let (latest, before) = latest[place], latest != old, latest == object.stored(key) {
      // It is told after a change that an observer has made within it: both are one, from its old value.
      if depth == 1, undone.last?.has(place) == true { unit = undone.removeLast() }
      unit.note(object, key, old, replacesKnown: true)
      changes(of: object)?.originals[key] = before
      return compare(object, key, old, latest)
    }
    if old == new { return }
    // Changes within one another are few.
    if latest.count > 100 { latest = [:] }
    latest[place] = (new, changes(of: object)?.originals[key])
    unit.note(object, key, old)
    compare(object, key, old, new)
  }

  private func compare(_ object: Managed, _ key: String, _ old: Stored, _ new: Stored) {
    // One that was inserted and is gone again has no row to differ from.
    if object.isGone, object.row < 0 { return }
    let changes = changes(of: object) ?? begin(object, .updated)
    let original = changes.originals[key] ?? old
    changes.originals[key] = original == new ? nil : original
    update(changes)
  }

  private func begin(_ object: Managed, _ kind: Changes.Kind) -> Changes {
    lastNumber += 1
    let made = Changes(object, lastNumber, kind)
    dirty[object] = made
    return made
  }

  private func update(_ changes: Changes) {
    touched.insert(changes.object)
    if changes.isNone { dirty[changes.object] = nil }
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
    let now = object.stored(key)
    if now != stored { inUnit { noteOne(object, key, stored, now) } }
  }

  private func write(_ object: Managed, _ key: String, isQuiet: Bool, _ body: () -> Void) {
    if !isQuiet { return body() }
    latest[Place(object, key)] = nil
    quiet.append(Place(object, key))
    body()
    quiet.removeLast()
  }

  private func set(_ object: Managed, _ key: String, to target: Managed?, isQuiet: Bool = false) {
    set(object, key, target, .reference(target), isQuiet: isQuiet)
  }

  // MARK: Both ends

  /// Has the elements of an array refer to its owner, and those that it had before not.
  private func mend(_ owner: Managed, _ array: ToMany, insteadOf old: [Managed] = []) {
    let now = owner.array(array.key), present = Set(now), before = Set(old)
    for item in old where !present.contains(item) && item.reference(array.inverse) === owner {
      set(item, array.inverse, to: nil)
    }
    for item in now where !before.contains(item) && item.reference(array.inverse) !== owner {
      set(item, array.inverse, to: owner)
    }
  }

  /// An object, and where one of its references leads or has led.
  typealias End = (object: Managed, key: String, owner: Managed)

  /// Has the array at the other end, if it has been read, have the object if and only if the reference
  /// leads there.
  func mend(_ end: End, isQuiet: Bool = false) {
    let array = end.owner.entity.arrays.first {
      $0.element == type(of: end.object) && $0.inverse == end.key
        && !end.owner.missing.contains($0.missing)
    }
    guard let array else { return }
    let index = end.owner.array(array.key).firstIndex { $0 === end.object }
    let belongs =
      !end.object.isGone && end.object.context === self
      && end.object.present(end.key) as? Managed === end.owner
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
      lastTemporary -= 1
      adopt(object, lastTemporary)
    }
    inUnit { for object in all { enter(object) } }
  }

  /// The object, and those that it leads to, as far as they are of no context yet.
  private func gather(_ object: Managed, _ all: inout [Managed]) throws(StoreError) {
    if object.context === self || all.contains(where: { $0 === object }) { return }
    guard object.context == nil, object.row == 0 else { throw .foreign(object: object.id) }
    let entity = try entity(of: type(of: object))
    all.append(object)
    let elements = entity.arrays.flatMap { object.array($0.key) }
    for other in ends(of: object).map(\.owner) + elements { try gather(other, &all) }
  }

  private func enter(_ object: Managed) {
    unit.note(object, "", .presence(false))
    track(object)
    update(begin(object, .inserted))
    for array in object.entity.arrays { mend(object, array) }
    for end in ends(of: object) { mend(end) }
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
    let found = try referrers(entity, column.name, to: object)
    try load(found)
    let changed = dirty.keys.filter { type(of: $0) == entity.type && !found.contains($0) }
    return (found + changed).filter { !$0.isGone && $0.reference(column.key) === object }
  }

  private func leave(_ object: Managed) {
    unit.note(object, "", .presence(true))
    let changes = changes(of: object) ?? begin(object, .updated)
    if changes.kind == .inserted {
      dirty[object] = nil
      show(object, isDirty: false)
    } else {
      changes.kind = .deleted
      update(changes)
    }
    vanish(object)
  }

  private func comeBack(_ object: Managed) {
    unit.note(object, "", .presence(false))
    object.isGone = false
    let changes = changes(of: object) ?? begin(object, object.row < 0 ? .inserted : .updated)
    if changes.kind == .deleted { changes.kind = .updated }
    update(changes)
    for list in lists { list()?.enter(object) }
  }

  /// Where the references of an object lead, or the one of that key.
  private func ends(of object: Managed, _ key: String = "") -> [End] {
    object.entity.columns.filter { $0.target != nil && (key.isEmpty || key == $0.key) }
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
    (unit, touched) = (Unit(), [])
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

  /// Gives keys the values that they had: arrays last, which are made of references.
  private func put(
    _ items: [(object: Managed, key: String, value: Stored)], isQuiet: Bool
  ) {
    let before = items.flatMap { ends(of: $0.object, $0.key) }
    for (object, key, value) in items {
      switch value {
      case .presence(true) where object.isGone: comeBack(object)
      case .presence(false) where !object.isGone: leave(object)
      case .reference(let target): set(object, key, to: target, isQuiet: isQuiet)
      case .column(let column):
        if let decoded = object.entity.column(key)?.decode(column) {
          set(object, key, decoded, value, isQuiet: isQuiet)
        }
      case .array, .presence: break
      }
    }
    for case (let object, let key, .array(let elements)) in items {
      guard let array = object.entity.array(key), !object.missing.contains(array.missing) else {
        continue
      }
      let members = elements.filter { !$0.isGone && $0.reference(array.inverse) === object }
      set(object, key, members, .array(members), isQuiet: isQuiet)
    }
    // An array may have been read since, with what has changed before.
    for end in before + items.flatMap({ ends(of: $0.object, $0.key) }) {
      mend(end, isQuiet: isQuiet)
    }
  }

  /// Gives all objects the values of their rows again: each key that has changed is told once.
  public func rollback() {
    let all = dirty.values.sorted { $0.number > $1.number }
    performChanges {
      var items: [(object: Managed, key: String, value: Stored)] = []
      for changes in all {
        if changes.kind != .updated {
          items.append((changes.object, "", .presence(changes.kind == .deleted)))
        }
        for (key, original) in changes.originals.sorted(by: { $0.key < $1.key }) {
          items.append((changes.object, key, original))
        }
      }
      put(items, isQuiet: true)
      for changes in all {
        dirty[changes.object] = nil
        show(changes.object, isDirty: false)
        touched.insert(changes.object)
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
