internal import IsaKVO

/// The way from one list of rows to another: rows that leave, then rows that are elsewhere among
/// the rows that stay, then rows that come.
///
/// A row is a number by which both lists know it. This works on numbers alone, so that it need not be
/// compiled for each class of elements.
///
/// - Complexity: O(*n*) to make.
struct RowChanges {
  /// Positions, in the old list, of rows that leave.
  let removed: [Int]
  /// Positions, among the rows that stay, at which another row is then.
  let moved: [Int]
  /// Positions, in the new list, of rows that come.
  let inserted: [Int]
  /// The rows at the positions of ``moved`` then.
  let movedRows: [Int]
  /// The rows that stay, in their new order; nil if all is that one row moves, leaves or comes: then only
  /// the rows of ``moved`` are elsewhere.
  let staying: [Int]?
  /// How many rows the new list has.
  let targetCount: Int
  /// The new list; empty if all is one row.
  private let target: [Int]
  /// How many rows there are to be shown.
  private let count: Int
  /// The one row that all is about.
  private let one: One?

  private enum One {
    case moves(from: Int, to: Int)
    case leaves(at: Int)
    case comes(row: Int, at: Int)
  }

  /// - Parameters:
  ///   - old: Rows from 0 to less than `count`, each once; rows of -1 leave.
  ///   - new: Rows from 0 to less than `count`, each once.
  ///   - isSame: Whether two rows show the same, so that it does not matter which of them is where.
  init(from old: [Int], to new: [Int], count: Int, isSame: (Int, Int) -> Bool) {
    var isOld = [Bool](repeating: false, count: count), isNew = isOld
    for row in old where row >= 0 { isOld[row] = true }
    for row in new { isNew[row] = true }
    var removed: [Int] = [], moved: [Int] = [], inserted: [Int] = []
    var before: [Int] = [], after: [Int] = []
    before.reserveCapacity(old.count)
    after.reserveCapacity(new.count)
    for (position, row) in old.enumerated() {
      if row >= 0, isNew[row] { before.append(row) } else { removed.append(position) }
    }
    for (position, row) in new.enumerated() {
      if isOld[row] { after.append(row) } else { inserted.append(position) }
    }
    for position in after.indices {
      let old = before[position], new = after[position]
      if old != new, !isSame(old, new) { moved.append(position) }
    }
    (self.removed, self.moved, self.inserted) = (removed, moved, inserted)
    movedRows = moved.map { after[$0] }
    staying = after
    (target, targetCount) = (new, new.count)
    self.count = count
    one = nil
  }

  /// One row that leaves the list.
  ///
  /// - Complexity: O(1).
  init(removing position: Int, from rows: [Int]) {
    self.init(one: .leaves(at: position), removed: [position], targetCount: rows.count - 1)
  }

  /// One row that comes into the list.
  ///
  /// - Complexity: O(1).
  init(inserting row: Int, at position: Int, in rows: [Int]) {
    self.init(
      one: .comes(row: row, at: position), inserted: [position], targetCount: rows.count + 1)
  }

  private init(one: One, removed: [Int] = [], inserted: [Int] = [], targetCount: Int) {
    (self.removed, self.inserted, self.targetCount) = (removed, inserted, targetCount)
    (moved, movedRows, staying, target) = ([], [], nil, [])
    count = targetCount
    self.one = one
  }

  /// One row that leaves its place for another, and what is between them makes room.
  ///
  /// - Parameter rows: The rows, with that one at its old position.
  init(moving position: Int, to destination: Int, in rows: [Int]) {
    let between = min(position, destination)...max(position, destination)
    var after = Array(rows[between])
    if position < destination {
      after.append(after.removeFirst())
    } else {
      after.insert(after.removeLast(), at: 0)
    }
    (moved, movedRows) = (Array(between), after)
    (removed, inserted, staying, target) = ([], [], nil, [])
    (targetCount, count) = (rows.count, rows.count)
    one = .moves(from: position, to: destination)
  }

  /// No changes of a list of rows.
  init(none rows: [Int]) {
    (removed, moved, movedRows, inserted, staying, target) = ([], [], [], [], rows, rows)
    (targetCount, count) = (rows.count, rows.count)
    one = nil
  }

  /// The rows that come, in the order of ``inserted``.
  var arrivals: [Int] {
    if case .comes(let row, _) = one { return [row] }
    return inserted.map { target[$0] }
  }

  /// The positions of one kind of change, and the rows that are there then.
  func part(of kind: ChangeKind) -> (positions: [Int], rows: [Int]) {
    switch kind {
    case .removal: (removed, [])
    case .insertion: (inserted, arrivals)
    default: (moved, movedRows)
    }
  }

  /// The row at a position of the new list.
  ///
  /// - Parameter rows: The old list.
  func row(at position: Int, from rows: [Int]) -> Int {
    switch one {
    case nil: return target[position]
    case .leaves(let place): return rows[position < place ? position : position + 1]
    case .comes(let row, let place):
      return position == place ? row : rows[position < place ? position : position - 1]
    case .moves:
      let first = moved.first ?? 0
      return moved.indices.contains(position - first)
        ? movedRows[position - first] : rows[position]
    }
  }

  var isEmpty: Bool { removed.isEmpty && moved.isEmpty && inserted.isEmpty }

  /// Where the rows at positions of a list are once it has changed in one way, as far as they stay.
  func positions(
    _ positions: [Int], after kind: ChangeKind, movedFrom before: [Int]
  ) -> [Int] {
    switch kind {
    case .removal: positions.afterRemoval(at: removed)
    case .insertion: positions.afterInsertion(at: inserted)
    default: self.positions(positions, movedFrom: before)
    }
  }

  /// Where the rows at positions of a list, which leave it not, are once they are in their new order.
  ///
  /// - Parameter before: The rows that stay, in their old order.
  func positions(_ positions: [Int], movedFrom before: [Int]) -> [Int] {
    if moved.isEmpty || positions.isEmpty { return positions }
    if case .moves(let from, let to) = one {
      return positions.map { Self.position($0, (from, to)) }.sorted()
    }
    let staying = staying ?? []
    var places = [Int](repeating: 0, count: count)
    for (position, row) in staying.enumerated() { places[row] = position }
    return positions.map { places[before[$0]] }.sorted()
  }

  /// Where a row is once another has moved, or that one has.
  private static func position(_ position: Int, _ move: (from: Int, to: Int)) -> Int {
    if position == move.from { return move.to }
    if move.from < position, position <= move.to { return position - 1 }
    if move.to <= position, position < move.from { return position + 1 }
    return position
  }
}

extension [Int] {
  /// Where these positions, upwards, of a list are once it has lost those at `removed`.
  func afterRemoval(at removed: [Int]) -> [Int] {
    if removed.isEmpty { return self }
    var left: [Int] = []
    var gone = 0
    for position in self {
      while gone < removed.count, removed[gone] < position { gone += 1 }
      if gone < removed.count, removed[gone] == position { continue }
      left.append(position - gone)
    }
    return left
  }

  /// The new numbers of all positions of a list that loses those at `removed`; -1 for these.
  func numbersAfterRemoval(at removed: [Int]) -> [Int] {
    var gone = 0
    return map { position in
      guard gone < removed.count, removed[gone] == position else { return position - gone }
      gone += 1
      return -1
    }
  }

  /// Where these positions, upwards, of a list are once it has others at `inserted`.
  func afterInsertion(at inserted: [Int]) -> [Int] {
    if inserted.isEmpty { return self }
    var come = 0
    return map { position in
      while come < inserted.count, inserted[come] <= position + come { come += 1 }
      return position + come
    }
  }
}

extension Array {
  /// Makes a change of elements at the positions, which are upwards.
  mutating func change(_ kind: ChangeKind, _ elements: [Element], at positions: [Int]) {
    if positions.isEmpty { return }
    switch kind {
    case .insertion: insert(elements, at: positions)
    case .removal: remove(at: positions)
    default: replace(at: positions, with: elements)
    }
  }

  /// Where elements come that were to be inserted at positions, which may lie behind the end.
  func places(inserting positions: [Int]) -> [Int] {
    positions.enumerated().map { Swift.min($1, count + $0) }
  }

  /// Takes away the elements at the positions, which are upwards.
  mutating func remove(at positions: [Int]) {
    if positions.count == 1 { remove(at: positions[0]); return }
    var rest: [Element] = []
    rest.reserveCapacity(count - positions.count)
    var start = 0
    for position in positions {
      rest += self[start..<position]
      start = position + 1
    }
    rest += self[start...]
    self = rest
  }

  /// Puts elements in the places of those at the positions.
  mutating func replace(at positions: [Int], with elements: [Element]) {
    for (position, element) in zip(positions, elements) { self[position] = element }
  }

  /// Puts elements in, so that they then are at the positions, which are upwards.
  mutating func insert(_ elements: [Element], at positions: [Int]) {
    if positions.count == 1 { insert(elements[0], at: positions[0]); return }
    var next: [Element] = []
    next.reserveCapacity(count + elements.count)
    var rest = self[...]
    for (element, position) in zip(elements, positions) {
      let before = position - next.count
      next += rest.prefix(before)
      rest = rest.dropFirst(before)
      next.append(element)
    }
    self = next + rest
  }
}
