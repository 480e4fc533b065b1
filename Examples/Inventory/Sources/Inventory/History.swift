// Undo and redo, from nothing but the changes that observers are told.
import IsaKVO

/// Watches an inventory and keeps, for each change, what takes it back.
final class History: KVObject {
  @Dynamic private(set) var canUndo = false
  @Dynamic private(set) var canRedo = false
  private let inventory: Inventory
  private var undoing: [Step] = [] { didSet { canUndo = !undoing.isEmpty } }
  private var redoing: [Step] = [] { didSet { canRedo = !redoing.isEmpty } }
  private var isUndoing = false
  private var isRedoing = false
  private var token: KeyValueObservation?
  private var itemTokens: [ObjectIdentifier: [KeyValueObservation]] = [:]

  /// A change, and how it is taken back. The letters that are typed into one field are one change.
  private struct Step {
    var subject: Subject?
    let takeBack: () -> Void
  }

  private struct Subject: Equatable {
    let item: ObjectIdentifier
    let property: AnyKeyPath
  }

  init(of inventory: Inventory) {
    self.inventory = inventory
    super.init()
    token = inventory.observe(\.items, options: [.old, .new, .initial]) {
      [unowned self] _, change in itemsChanged(change)
    }
  }

  /// Takes the latest change back. The changes that this makes are told as well, and can be redone.
  func undo() {
    guard let step = undoing.popLast() else { return }
    isUndoing = true
    step.takeBack()
    isUndoing = false
  }

  func redo() {
    guard let step = redoing.popLast() else { return }
    isRedoing = true
    step.takeBack()
    isRedoing = false
  }

  /// Has the next change be one of its own, also if it is of the same property.
  func endStep() { if !undoing.isEmpty { undoing[undoing.count - 1].subject = nil } }

  private func note(_ subject: Subject? = nil, _ takeBack: @escaping () -> Void) {
    let step = Step(subject: subject, takeBack: takeBack)
    if isUndoing { return redoing.append(step) }
    if !isRedoing {
      redoing = []
      if let subject, undoing.last?.subject == subject { return }
    }
    undoing.append(step)
  }

  // MARK: Watching

  private func itemsChanged(_ change: ValueChange<[Item]>) {
    for item in change.oldValue ?? [] { itemTokens[ObjectIdentifier(item)] = nil }
    for item in change.newValue ?? [] { watch(item) }
    if change.isInitial { return }
    let inventory = inventory, old = change.oldValue ?? [], indexes = change.indexes ?? []
    note {
      var items = inventory.items
      switch change.kind {
      case .insertion: for index in indexes.reversed() { items.remove(at: index) }
      case .removal: for (index, item) in zip(indexes, old) { items.insert(item, at: index) }
      case .replacement: for (index, item) in zip(indexes, old) { items[index] = item }
      case .setting: items = old
      }
      inventory.items = items
    }
  }

  private func watch(_ item: Item) {
    itemTokens[ObjectIdentifier(item)] = [
      watch(item, \.name), watch(item, \.category), watch(item, \.quantity), watch(item, \.price),
      watch(item, \.isInStock),
    ]
  }

  private func watch<Value>(
    _ item: Item, _ property: ReferenceWritableKeyPath<Item, Value>
  ) -> KeyValueObservation {
    item.observe(property, options: .old) { [unowned self] item, change in
      guard let old = change.oldValue else { return }
      note(Subject(item: ObjectIdentifier(item), property: property)) {
        item[keyPath: property] = old
      }
    }
  }
}
