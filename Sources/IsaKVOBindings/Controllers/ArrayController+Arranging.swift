internal import IsaKVO
internal import IsaRuntime

// The one place where the arrangement changes. An operation notes in `pending` what it has changed of
// the content, the order or the filter, and calls `settle()`.
//
// Invariant: at every notification `selected` lies within `arranged`, and `rows` says where in the
//            content each row is.
extension ArrayController {
  /// Notes what is to be arranged.
  final func note(_ work: Rearrangement) {
    if pending == nil { pending = work } else { pending!.merge(work) }
  }

  /// Follows the changes that are noted.
  final func carryOut() {
    (working, pending) = (pending, nil)
    defer { working = nil }
    let before = contentChanges
    let changes = plan(working!)
    // The code that was asked may have changed the content.
    if contentChanges != before { return retry() }
    let next = selection(after: working!, changes)
    let shown = state(next, changes)
    beginTelling()
    let differences = shown.differences(from: told!)
    if isEditing, differences.contains(.objects) {
      endEditing()
      if contentChanges != before || pending != nil { return retry() }
    }
    open(differences)
    let selections = selectionChanges
    guard take(changes, unless: { contentChanges != before }) else { return retry() }
    if selectionChanges == selections { selected = next }
    if working?.cause == .content, !arranged.isEmpty { wanted = nil }
  }

  /// Does the present work later, together with what has come since.
  private func retry() {
    guard var work = working else { return }
    if let more = pending { work.merge(more) }
    work.isComplete = true
    pending = work
  }

  private func state(_ indexes: IndexList, _ changes: RowChanges) -> SelectionState {
    SelectionState(
      indexes: indexes, objects: indexes.map { stored[changes.row(at: $0, from: rows)] },
      count: changes.targetCount,
      arrangementChanges: arrangementChanges)
  }

  /// Has the editors commit before their objects are no longer selected. An edit of an object that is
  /// gone from the content is discarded, and so is one that is refused.
  private func endEditing() {
    if selected.contains(where: { rows[$0] < 0 }) { return discardEditing() }
    commitOrDiscardEditing()
  }

  // MARK: - Steps

  /// Takes the rows away that leave, moves those that stay, and puts those in that come.
  ///
  /// - Returns: Whether all is done: it is not once `isOutdated` says so.
  private func take(_ changes: RowChanges, unless isOutdated: () -> Bool) -> Bool {
    if isOutdated() { return false }
    if !changes.removed.isEmpty {
      step(.removal, changes.removed) {
        arranged.remove(at: changes.removed)
        rows.remove(at: changes.removed)
        selected = IndexList(sorted: selected.indexes.afterRemoval(at: changes.removed))
      }
      if isOutdated() { return false }
    }
    if !changes.moved.isEmpty {
      let elements = changes.movedRows.map { stored[$0] }
      // Where one row moves, the others are not copied.
      let isOne = changes.staying == nil
      arriving = changes.staying ?? changes.movedRows
      let before = isOne ? [] : rows
      step(.replacement, changes.moved) {
        arranged.replace(at: changes.moved, with: elements)
        if isOne { rows.replace(at: changes.moved, with: arriving) } else { rows = arriving }
        selected = IndexList(
          sorted: changes.positions(selected.indexes, movedFrom: before))
      }
      if isOutdated() { return false }
    }
    if let staying = changes.staying { rows = staying }
    if !changes.inserted.isEmpty {
      let elements = changes.arrivals.map { stored[$0] }
      arriving = changes.arrivals
      step(.insertion, changes.inserted) {
        arranged.insert(elements, at: changes.inserted)
        rows.insert(arriving, at: changes.inserted)
        selected = IndexList(sorted: selected.indexes.afterInsertion(at: changes.inserted))
      }
      if isOutdated() { return false }
    }
    return true
  }

  /// Makes one change of the arrangement between its announcement and its end.
  private func step(_ kind: ChangeKind, _ indexes: [Int], _ change: () -> Void) {
    willChange(kind, valuesAt: indexes, forKey: "arrangedObjects")
    change()
    arrangementChanges += 1
    arriving = []
    didChange(kind, valuesAt: indexes, forKey: "arrangedObjects")
  }
}
