// Undo and redo, from nothing but the changes that observers are told.
import Foundation
import IsaKVO
import IsaKVOFoundation

/// Watches a document and keeps, for each change, what takes it back.
final class History {
  private let document: Document
  private var undoing: [() -> Void] = []
  private var redoing: [() -> Void] = []
  private var isUndoing = false
  private var tokens: [NSKeyValueObservation] = []
  private var itemTokens: [ObjectIdentifier: [NSKeyValueObservation]] = [:]

  init(_ document: Document) {
    self.document = document
    tokens = [
      document.observe(\.customer, options: .old) { [unowned self] document, change in
        let old = change.oldValue!
        note { document.customer = old }
      },
      document.observe(\.items, options: [.old, .new, .initial]) { [unowned self] _, change in
        itemsChanged(change)
      },
    ]
  }

  var canUndo: Bool { !undoing.isEmpty }
  var canRedo: Bool { !redoing.isEmpty }

  /// Takes the latest change back. The changes that this makes are told as well, and can be redone.
  func undo() {
    guard let step = undoing.popLast() else { return }
    isUndoing = true
    step()
    isUndoing = false
  }

  func redo() {
    guard let step = redoing.popLast() else { return }
    let others = redoing
    step()
    redoing = others
  }

  private func note(_ step: @escaping () -> Void) {
    if isUndoing {
      redoing.append(step)
    } else {
      undoing.append(step)
      redoing = []
    }
  }

  // MARK: Items

  private func itemsChanged(_ change: NSKeyValueObservedChange<[Item]>) {
    (change.oldValue ?? []).forEach { itemTokens[ObjectIdentifier($0)] = nil }
    (change.newValue ?? []).forEach(watch)
    let document = document, old = change.oldValue, indexes = change.indexes ?? []
    switch change.kind {
    case .insertion: note { document.lines.removeObjects(at: indexes) }
    case .removal: note { document.lines.insert(old!, at: indexes) }
    case .replacement: note { document.lines.replaceObjects(at: indexes, with: old!) }
    // There is no old value while registering, and nothing to take back.
    case .setting: if let old { note { document.items = old } }
    }
  }

  private func watch(_ item: Item) {
    itemTokens[ObjectIdentifier(item)] = [
      item.observe(\.name, options: .old) { [unowned self] item, change in
        let old = change.oldValue!
        note { item.name = old }
      },
      item.observe(\.price, options: .old) { [unowned self] item, change in
        let old = change.oldValue!
        note { item.price = old }
      },
    ]
  }
}
