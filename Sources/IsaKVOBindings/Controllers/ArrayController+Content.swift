internal import IsaKVO
internal import IsaRuntime

// The one place where the content changes.
extension ArrayController {
  /// Takes other objects as the content.
  final func setContent(_ objects: [Element]) {
    let next = identities(of: objects)
    if next == itemIdentities { return }
    announcing("content") {
      var finder = OccurrenceFinder(next)
      let numbers = itemIdentities.map { finder.take($0) ?? -1 }
      items = objects
      itemIdentities = next
      renumber(numbers)
      note(Rearrangement(cause: .content, isComplete: true))
    }
    settle()
  }

  // MARK: - By the controller's user

  /// Inserts objects so that they are shown from `index` on, or at their places if that is nil.
  final func insert(_ objects: [Element], atArranged index: Int?) {
    if objects.isEmpty { return }
    let selects = selectsInsertedObjects && commits()
    let shown = index.flatMap { $0 < arranged.count ? arranged[$0] : nil }
    var anchor = index.flatMap { $0 < rows.count ? rows[$0] : nil }
    let isPlain = sorting.isEmpty && filtering == nil && !arrangesItself, before = contentChanges
    if clearsFilterOnInsertion, filtering != nil {
      announcing("filter") {
        filtering = nil
        note(Rearrangement(cause: .order, isComplete: true))
      }
    }
    if contentChanges != before || anchor == -1 {
      anchor = shown.flatMap { itemIdentities.firstIndex(of: ObjectIdentifier($0)) }
    }
    let start = isPlain ? anchor ?? items.count : items.count
    insertItems(objects, at: Array(start..<(start + objects.count))) { inserted in
      var work = Rearrangement(toSelect: selects ? inserted : [])
      if index == nil {
        work.fresh = inserted
      } else {
        let before = anchor.map { $0 < start ? $0 : $0 + objects.count }
        work.placed = inserted.map { Rearrangement.Placement(row: $0, before: before) }
      }
      return work
    }
  }

  /// Whether the editors commit.
  private func commits() -> Bool {
    do {
      try commitEditing()
      return true
    } catch {
      return false
    }
  }

  // MARK: By index

  /// Removes the objects at indexes of the content, which are upwards.
  ///
  /// Here and at insertions, observers that are told before the change may have changed the content as
  /// well: indexes that it has no more are left out, or are its end.
  final func removeItems(at indexes: [Int]) {
    if indexes.isEmpty { return }
    changeContent(.removal, indexes) {
      let indexes = indexes.filter { $0 < items.count }
      items.remove(at: indexes)
      itemIdentities.remove(at: indexes)
      var left = 0, gone = 0
      renumber(
        (0..<(items.count + indexes.count)).map { index in
          if gone < indexes.count, indexes[gone] == index {
            gone += 1
            return -1
          }
          left += 1
          return left - 1
        })
      return Rearrangement()
    }
  }

  /// Inserts objects into the content.
  ///
  /// - Parameters:
  ///   - indexes: Where the objects are to be, upwards.
  ///   - work: Says what is to be arranged then, told the rows of the objects.
  final func insertItems(
    _ objects: [Element], at indexes: [Int], _ work: ([Int]) -> Rearrangement
  ) {
    changeContent(.insertion, indexes) {
      let indexes = indexes.enumerated().map { min($1, items.count + $0) }
      let isAtEnd = indexes[0] >= items.count
      items.insert(objects, at: indexes)
      itemIdentities.insert(identities(of: objects), at: indexes)
      if !isAtEnd {
        renumber(Array(0..<(items.count - objects.count)).afterInsertion(at: indexes))
      }
      contentChanges += 1
      return work(indexes)
    }
  }

  /// Makes a change of elements of the content between its announcement and its end.
  private func changeContent(
    _ kind: ChangeKind, _ indexes: [Int], _ change: () -> Rearrangement
  ) {
    willChange(kind, valuesAt: indexes, forKey: "content")
    note(change())
    didChange(kind, valuesAt: indexes, forKey: "content")
    settle()
  }

  /// Calls the rows by their new numbers; -1 is that of a row that is gone.
  private func renumber(_ numbers: [Int]) {
    func number(_ row: Int) -> Int { row < 0 ? -1 : numbers[row] }
    rows = rows.map(number)
    arriving = arriving.map(number)
    func rest(_ row: Int) -> Int? { numbers[row] < 0 ? nil : numbers[row] }
    working?.renumber(rest)
    pending?.renumber(rest)
    contentChanges += 1
  }
}
