internal import IsaKVO

// Which rows are to be shown in which order, and what is to be selected then. Nothing changes here.
extension ArrayController {
  /// The changes that lead from what is shown to what is to be shown.
  final func plan(_ work: Rearrangement) -> RowChanges {
    if let one = changes(byOneRowOf: work) { return one }
    let isNew = work.isComplete || arrangesItself, before = contentChanges
    let target = placing(work.placed, in: isNew ? allRows() : someRows(work))
    // The code that was asked has changed the content; the caller sees it, too.
    if contentChanges != before { return RowChanges(none: rows) }
    return RowChanges(from: rows, to: target, count: stored.count) {
      itemIdentities[$0] == itemIdentities[$1]
    }
  }

  // MARK: - All

  /// The rows of all of the content that is shown.
  private func allRows() -> [Int] {
    if !arrangesItself { return order(of: asElements(stored)) }
    var finder = OccurrenceFinder(itemIdentities)
    return identities(of: asObjects(arrange(asElements(stored)))).compactMap { finder.take($0) }
  }

  /// The positions of the objects that are shown, in the order in which they are.
  final func order(of objects: [Element]) -> [Int] {
    var included = Array(objects.indices)
    if let filtering { included.removeAll { !filtering.includes(objects[$0]) } }
    if sorting.isEmpty { return included }
    let visible = included.count == objects.count ? objects : included.map { objects[$0] }
    return sorting.order(of: visible).map { included[$0] }
  }

  // MARK: - Some

  /// Whether a row belongs before another, by the sort keys and then the content.
  private func isBefore(_ first: Int, _ second: Int) -> Bool {
    let elements: [Element] = sorting.isEmpty ? [] : asElements(stored)
    for key in sorting {
      let order = key.compare(elements[first], elements[second])
      if order != 0 { return order < 0 }
    }
    return first < second
  }

  private func isShown(_ row: Int) -> Bool {
    guard let filtering else { return true }
    let elements: [Element] = asElements(stored)
    return filtering.includes(elements[row])
  }

  /// The rows that are shown, those without a place brought to theirs; all others stay where they are.
  private func someRows(_ work: Rearrangement) -> [Int] {
    let altered = Set(work.altered), placed = Set(work.placed.map(\.row))
    let base =
      altered.isEmpty
      ? rows.filter { $0 >= 0 } : rows.filter { $0 >= 0 && !altered.contains($0) }
    let coming = altered.union(work.fresh).subtracting(placed).filter(isShown)
    if coming.isEmpty { return base }
    let inOrder = coming.sorted(by: isBefore).map { row in
      (row: row, place: base.firstPlace { isBefore(row, $0) })
    }
    var target: [Int] = []
    target.reserveCapacity(base.count + inOrder.count)
    var start = 0
    // In a list that is not in order a later row may have an earlier place.
    let byPlace = inOrder.enumerated().sorted {
      ($0.element.place, $0.offset) < ($1.element.place, $1.offset)
    }
    for (row, place) in byPlace.map(\.element) {
      target += base[start..<place]
      target.append(row)
      start = place
    }
    return target + base[start...]
  }

  /// The list with the rows whose place is given at theirs.
  private func placing(_ placements: [Rearrangement.Placement], in target: [Int]) -> [Int] {
    if placements.isEmpty { return target }
    let isListed = Set(target)
    var target = target
    for placement in placements {
      if isListed.contains(placement.row) {
        target.removeAll { $0 == placement.row }
      } else if arrangesItself || !isShown(placement.row) {
        continue
      }
      let place = placement.before.flatMap { target.firstIndex(of: $0) } ?? target.count
      target.insert(placement.row, at: place)
    }
    return target
  }

  // MARK: - One

  /// The changes if no more has happened than that one row may belong elsewhere, or be shown or not; nil if
  /// more has.
  ///
  /// - Complexity: O(log *n*) comparisons, and O(*n*) steps over numbers.
  private func changes(byOneRowOf work: Rearrangement) -> RowChanges? {
    guard work.isOrderAlone, work.altered.count == 1, !arrangesItself else { return nil }
    let row = work.altered[0]
    guard let position = rows.firstIndex(of: row) else {
      if !isShown(row) { return RowChanges(none: rows) }
      let place = rows.firstPlace { isBefore(row, $0) }
      return RowChanges(inserting: row, at: place, in: rows)
    }
    guard isShown(row) else { return RowChanges(removing: position, from: rows) }
    let others = (0..<(rows.count - 1))
    let place = others.firstPlace { other in
      isBefore(row, rows[other < position ? other : other + 1])
    }
    return place == position
      ? RowChanges(none: rows) : RowChanges(moving: position, to: place, in: rows)
  }

  // MARK: - Selection

  /// The selection that follows from the present one.
  final func selection(after work: Rearrangement, _ changes: RowChanges) -> IndexList {
    let count = changes.targetCount
    if !work.toSelect.isEmpty {
      let chosen = Set(work.toSelect)
      let places = (0..<count).filter { chosen.contains(changes.row(at: $0, from: rows)) }
      if !places.isEmpty { return IndexList(sorted: places) }
    }
    if work.cause == .content, count > 0, let wanted {
      let found = wanted.clipped(to: count)
      if !found.isEmpty { return found }
    }
    let keepsIndexes = !preservesSelection && work.cause != .edit
    let next =
      keepsIndexes
      ? selected.clipped(to: count) : IndexList(sorted: stillSelected(changes))
    let mayAct = work.cause != .order || !changes.isEmpty || !selected.isEmpty
    guard next.isEmpty, avoidsEmptySelection, mayAct, count > 0 else { return next }
    return IndexList(min(substitute(work, changes), count - 1))
  }

  private func stillSelected(_ changes: RowChanges) -> [Int] {
    let kept = selected.indexes.afterRemoval(at: changes.removed)
    let before = changes.moved.isEmpty ? [] : rows.without(changes.removed)
    return changes.positions(kept, movedFrom: before).afterInsertion(at: changes.inserted)
  }

  /// The index that is selected where nothing else would be.
  private func substitute(_ work: Rearrangement, _ changes: RowChanges) -> Int {
    guard let lowest = selected.first else { return 0 }
    switch work.cause {
    case .edit: return lowest - changes.removed.firstPlace { $0 >= lowest }
    case .order: return lowest
    case .content: return 0
    }
  }
}

extension [Int] {
  /// The numbers but those at the positions, which are upwards.
  fileprivate func without(_ positions: [Int]) -> [Int] {
    var rest = self
    if !positions.isEmpty { rest.remove(at: positions) }
    return rest
  }
}
