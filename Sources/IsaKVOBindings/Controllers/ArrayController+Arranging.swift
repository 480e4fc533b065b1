internal import IsaKVO
internal import IsaKeyValue

// The only place where the arrangement changes. An operation notes in `pending` what it has changed
// of the content, the order or the filter, and calls `settle()`.
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
    beginNotifying()
    let differences = shown.differences(from: notified!)
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
  /// gone from the content is discarded, and so is an edit that is refused.
  private func endEditing() {
    if selected.contains(where: { rows[$0] < 0 }) { return discardEditing() }
    commitOrDiscardEditing()
  }

  // MARK: - Steps

  /// Takes away the rows that leave, moves the rows that stay, and puts in the rows that come.
  ///
  /// - Returns: Whether all is done: it is not once `isOutdated` says so.
  private func take(_ changes: RowChanges, unless isOutdated: () -> Bool) -> Bool {
    for kind in [ChangeKind.removal, .replacement, .insertion] {
      if isOutdated() { return false }
      take(changes, kind)
    }
    return !isOutdated()
  }

  /// Makes one change of the arrangement between its announcement and its end.
  private func take(_ changes: RowChanges, _ kind: ChangeKind) {
    let (places, coming) = changes.part(of: kind)
    if kind == .insertion, let staying = changes.staying { rows = staying }
    if places.isEmpty { return }
    let elements = coming.map { stored[$0] }
    // Where one row moves, the others are not copied.
    let staying = kind == .replacement ? changes.staying : nil
    let before = staying == nil ? [] : rows
    arriving = staying ?? coming
    willChange(kind, valuesAt: places, forKey: "arrangedObjects")
    arranged.change(kind, elements, at: places)
    if staying == nil { rows.change(kind, arriving, at: places) } else { rows = arriving }
    selected = IndexList(
      sorted: changes.positions(selected.indexes, after: kind, movedFrom: before))
    arrangementChanges += 1
    arriving = []
    didChange(kind, valuesAt: places, forKey: "arrangedObjects")
  }
}
