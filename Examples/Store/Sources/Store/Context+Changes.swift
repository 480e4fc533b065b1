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

  mutating func note(_ object: Managed, _ key: String, _ value: Stored) {
    let isNew = known.insert(Key(object: ObjectIdentifier(object), key: key)).inserted
    if isNew { items.append(Item(object: object, key: key, value: value)) }
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
    guard isTracking, object.context === self else { return }
    changeCount += 1
    if old == new { return }
    inUnit {
      unit.note(object, key, old)
      // One that was inserted and is gone again has no row to differ from.
      if object.isGone, object.row < 0 { return }
      let changes = changes(of: object) ?? begin(object, .updated)
      if let original = changes.originals[key] {
        if original == new { changes.originals[key] = nil }
      } else {
        changes.originals[key] = old
      }
      update(changes)
    }
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

  // MARK: Both ends

  func noteReference(_ object: Managed, _ key: String, old: Managed?, new: Managed?) {
    guard isTracking, old !== new else {
      return note(object, key, old: .reference(old), new: .reference(new))
    }
    inUnit {
      note(object, key, old: .reference(old), new: .reference(new))
      mending {
        if let old { unlink(object, from: old, key) }
        if let new { link(object, to: new, key) }
      }
    }
  }

  func noteArray(_ object: Managed, _ array: ToMany, old: [Managed], new: [Managed]) {
    inUnit {
      note(object, array.key, old: .array(old), new: .array(new))
      mending {
        let before = Set(old.map { ObjectIdentifier($0) }),
          after = Set(new.map { ObjectIdentifier($0) })
        for item in old where !after.contains(ObjectIdentifier(item)) {
          if item.reference(array.inverse) === object { set(item, array.inverse, nil) }
        }
        for item in new where !before.contains(ObjectIdentifier(item)) {
          let owner = item.reference(array.inverse)
          if owner === object { continue }
          set(item, array.inverse, object)
          if let owner { unlink(item, from: owner, array.inverse) }
        }
      }
    }
  }

  private func mending(_ body: () -> Void) {
    if isMending || !isTracking { return }
    isMending = true
    defer { isMending = false }
    body()
  }

  private func set(_ object: Managed, _ key: String, _ value: Managed?) {
    try? object.setValue(value, forKey: key)
  }

  /// The array of `owner` at whose other end the reference stands, if it has been read.
  private func array(of owner: Managed, _ object: Managed, _ reference: String) -> ToMany? {
    (try? entity(of: type(of: owner)))?.arrays.first {
      $0.element == type(of: object) && $0.inverse == reference
        && !owner.missing.contains($0.missing)
    }
  }

  func link(_ object: Managed, to owner: Managed, _ reference: String) {
    guard let array = array(of: owner, object, reference),
      let elements = try? RuntimeObject(owner).mutableArrayValue(forKey: array.key),
      let element = try? RuntimeObject(object)
    else { return }
    try? elements.append(RuntimeValue(element))
  }

  func unlink(_ object: Managed, from owner: Managed, _ reference: String) {
    guard let array = array(of: owner, object, reference),
      let index = owner.array(array.key).firstIndex(where: { $0 === object })
    else { return }
    try? RuntimeObject(owner).mutableArrayValue(forKey: array.key).remove(at: index)
  }

  // MARK: Insertion and deletion

  /// Makes an object one of the context, to be inserted at the next save, and with it the new objects that
  /// it leads to.
  public func insert(_ object: Managed) throws(StoreError) {
    var all: [Managed] = []
    try gather(object, &all)
    for object in all { adopt(object, makeTemporaryRow()) }
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
    mending {
      for column in entity.columns where column.target != nil {
        if let owner = object.reference(column.key) { link(object, to: owner, column.key) }
      }
      for array in entity.arrays {
        for item in object.array(array.key) { set(item, array.inverse, object) }
      }
    }
    for list in lists { list()?.enter(object) }
  }

  /// Has an object deleted at the next save. What refers to it refers to nothing then.
  public func delete(_ object: Managed) throws(StoreError) {
    guard object.context === self else { throw .foreign(object: object.id) }
    if object.isGone { return }
    let entity = try entity(of: type(of: object))
    try load([object])
    performChanges {
      for column in entity.columns where column.target != nil { set(object, column.key, nil) }
      for array in entity.arrays {
        for item in (try? object.value(forKey: array.key)) as? [Managed] ?? [] {
          set(item, array.inverse, nil)
        }
      }
      leave(object)
    }
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
    if !done.items.isEmpty {
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
    let others = self[keyPath: source]
    let (undone, redone) = (undone, redone)
    performChanges { put(latest.items.reversed()) }
    // What was done is the other way, and not another unit of its own.
    let opposite = self.undone.count > undone.count ? self.undone.last : nil
    (self.undone, self.redone) = (undone, redone)
    self[keyPath: source] = others
    if let opposite { self[keyPath: target].append(opposite) }
    return true
  }

  /// Gives keys the values that they had, each by itself.
  private func put(_ items: [Unit.Item]) {
    isMending = true
    defer { isMending = false }
    let before = items.flatMap { ends(of: $0) }
    for item in items {
      let object = item.object
      switch item.value {
      case .presence(true) where object.isGone: comeBack(object)
      case .presence(false) where !object.isGone: leave(object)
      case .reference(let target): set(object, item.key, target)
      case .column(let value): put(value, item.key, of: object)
      case .array, .presence: break
      }
    }
    for case let (object, key, .array(elements)) in items.map({ ($0.object, $0.key, $0.value) }) {
      put(elements, key, of: object)
    }
    // An array may have been read since, with what has changed before.
    for end in before + items.flatMap({ ends(of: $0) }) { mend(end) }
  }

  private func put(_ elements: [Managed], _ key: String, of object: Managed) {
    let arrays = (try? entity(of: type(of: object)))?.arrays
    guard let array = arrays?.first(where: { $0.key == key }),
      !object.missing.contains(array.missing)
    else { return }
    let members = elements.filter { !$0.isGone && $0.reference(array.inverse) === object }
    try? object.setValue(members, forKey: key)
  }

  /// An object, and where one of its references leads.
  private typealias End = (object: Managed, key: String, owner: Managed)

  private func ends(of item: Unit.Item) -> [End] {
    let object = item.object, columns = (try? entity(of: type(of: object)))?.columns ?? []
    return columns.filter { $0.target != nil && (item.key.isEmpty || item.key == $0.key) }
      .compactMap { column in object.reference(column.key).map { (object, column.key, $0) } }
  }

  /// Has the array at the other end have the object if and only if the reference leads there.
  private func mend(_ end: End) {
    guard let array = array(of: end.owner, end.object, end.key) else { return }
    let isThere = end.owner.array(array.key).contains { $0 === end.object }
    let belongs = !end.object.isGone && end.object.reference(end.key) === end.owner
    if belongs, !isThere { link(end.object, to: end.owner, end.key) }
    if !belongs, isThere { unlink(end.object, from: end.owner, end.key) }
  }

  private func put(_ value: DatabaseValue, _ key: String, of object: Managed) {
    let column = (try? entity(of: type(of: object)))?.columns.first { $0.key == key }
    if let value = column?.decode(value) { try? object.setValue(value, forKey: key) }
  }

  /// Gives all objects the values of their rows again: each key that has changed is told once.
  public func rollback() {
    let all = dirty.values.sorted { $0.number > $1.number }
    isTracking = false
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
      put(items)
      for changes in all {
        dirty[ObjectIdentifier(changes.object)] = nil
        show(changes.object, isDirty: false)
        touched[ObjectIdentifier(changes.object)] = changes.object
      }
    }
    isTracking = true
    for changes in all where changes.kind == .inserted { detach(changes.object) }
    (undone, redone) = ([], [])
  }

  /// Has an object that was never saved be of no context.
  private func detach(_ object: Managed) {
    forget(object)
    object.context = nil
    object.row = 0
    object.isGone = false
  }
}
