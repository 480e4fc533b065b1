internal import IsaKVO
internal import IsaKeyValue

// The only place where the content changes.
extension ArrayController {
  // MARK: By the controller's user

  /// Inserts objects so that they are shown from `position` on, or at their places if that is nil.
  final func insert(_ objects: [Element], atArranged position: Int?) {
    if objects.isEmpty { return }
    let elements = objects, objects = asObjects(elements)
    let insertion = Insertion(
      objects: identities(of: objects), selects: selectsInsertedObjects && commits(),
      position: position, arrangementChanges: arrangementChanges)
    let isPlain = sorting.isEmpty && filtering == nil && !arrangesItself
    let place =
      isPlain ? position.flatMap { $0 < rows.count && rows[$0] >= 0 ? rows[$0] : nil } : nil
    if clearsFilterOnInsertion, filtering != nil {
      announcing("filter") {
        filtering = nil
        updateWatch()
        note(Rearrangement(cause: .order, isComplete: true))
      }
    }
    guard let source = boundModel else {
      let start = place ?? stored.count
      let indexes = Array(start..<(start + objects.count))
      return change(.insertion, objects, at: indexes) { rearrangement(for: insertion, $0) }
    }
    insertions.append(insertion)
    source.insert(elements, place.flatMap { modelIndex(of: $0, in: source) })
    // A model that has refused tells nothing. One in a transaction tells later.
    if DeliveryScope.mayWait {
      for index in insertions.indices where insertions[index].objects == insertion.objects {
        insertions[index].isMade = true
      }
    } else {
      insertions.removeAll { $0.objects == insertion.objects }
    }
    settle()
  }

  /// Where the model has what the content has at an index; nil if it is gone from there.
  private func modelIndex(of row: Int, in source: ContentSource<Element>) -> Int? {
    guard let now = source.read() else { return nil }
    if source.isMadeAnew { return row }
    return ContentSource.places(of: asElements([stored[row]]), at: [row], in: now).first
  }

  /// The rearrangement that shows what was inserted.
  private func rearrangement(for insertion: Insertion, _ inserted: [Int]) -> Rearrangement {
    var work = Rearrangement(toSelect: insertion.selects ? inserted : [])
    if let position = insertion.position, insertion.arrangementChanges == arrangementChanges {
      let before = position < rows.count && rows[position] >= 0 ? rows[position] : nil
      work.placed = inserted.map { Rearrangement.Placement(row: $0, before: before) }
    } else {
      work.fresh = inserted
    }
    return work
  }

  /// Removes objects as often as they are there: from the model, which may have changed already in a
  /// transaction that the content has not been told of.
  final func removeAll(_ objects: [Element]) {
    let gone = Set(identities(of: asObjects(objects)))
    guard let source = boundModel, !source.isMadeAnew, let now = source.read() else {
      return remove(at: stored.indices.filter { gone.contains(itemIdentities[$0]) })
    }
    let indexes = now.indices.filter { gone.contains(ObjectIdentifier(now[$0])) }
    if !indexes.isEmpty { source.remove(indexes.map { now[$0] }, indexes) }
  }

  /// Removes the objects at indexes of the content, which are upwards.
  final func remove(at indexes: [Int]) {
    if indexes.isEmpty { return }
    guard let source = boundModel else { return change(.removal, [], at: indexes) }
    source.remove(asElements(indexes.map { stored[$0] }), indexes)
  }

  /// Takes other objects as the content.
  final func setContent(_ objects: [Element]) {
    if let source = boundModel { source.set(objects) } else { setStored(asObjects(objects)) }
  }

  // MARK: By the model

  /// Follows a change of the list that the content is bound to.
  ///
  /// - Parameters:
  ///   - indexes: Where elements have changed; nil if the list was set.
  ///   - elements: The elements that came.
  ///   - now: The list as it is. Where it is not the result of the change, since observers have changed
  ///     it meanwhile, or changes are told at the end of a transaction, it is taken as a whole.
  final func follow(
    _ kind: ChangeKind, _ indexes: [Int]?, _ elements: [Element], now: [Element]
  ) {
    let elements = asObjects(elements), now = asObjects(now)
    modelChanges += 1
    // Insertions that this does not bring have been taken out of the model again.
    defer { insertions.removeAll { $0.isMade } }
    let next = identities(of: now)
    guard let indexes, result(of: kind, indexes, elements) == next else { return setStored(now) }
    let come = identities(of: elements)
    let number = kind == .insertion ? insertions.firstIndex { $0.objects == come } : nil
    let own = number.map { insertions.remove(at: $0) }
    change(kind, elements, at: indexes) { rows in
      own.map { rearrangement(for: $0, rows) } ?? Rearrangement(fresh: rows)
    }
  }

  /// The identities of the content after a change; nil if it cannot have been one of the content.
  private func result(
    of kind: ChangeKind, _ indexes: [Int], _ elements: [KVObject]
  ) -> [ObjectIdentifier]? {
    let count = kind == .insertion ? stored.count + elements.count : stored.count
    guard let last = indexes.last, last < count,
      kind == .removal || elements.count == indexes.count
    else { return nil }
    var next = itemIdentities
    next.change(kind, identities(of: elements), at: indexes)
    return next
  }

  /// Makes the content what the model has.
  final func takeModel() { if let now = boundModel?.read() { setStored(asObjects(now)) } }

  // MARK: - Changes

  // Observers that are told before a change may have changed the content as well: indexes that it has
  // no more are left out, or are its end, and a model is asked afterwards.

  /// The content as what it is, for subclasses of the library.
  final var items: [Element] { asElements(stored) }

  final func setItems(_ items: [Element]) { setStored(asObjects(items)) }

  /// Sets the content.
  final func setStored(_ objects: [KVObject]) {
    let next = identities(of: objects)
    if next == itemIdentities { return }
    let before = contentChanges + modelChanges
    willChangeValue(forKey: "content")
    let isOutdated = contentChanges + modelChanges != before
    var finder = OccurrenceFinder(next)
    let numbers = itemIdentities.map { finder.take($0) ?? -1 }, old = stored
    stored = objects
    itemIdentities = next
    renumber(numbers)
    watch(objects, insteadOf: old)
    note(Rearrangement(cause: .content, isComplete: true, toSelect: ownInsertions(numbers)))
    didChangeValue(forKey: "content")
    withExtendedLifetime(old) {}
    if isOutdated { takeModel() }
    settle()
  }

  /// The rows of what the controller's user has inserted into the model, and is to be selected.
  ///
  /// - Parameter numbers: The rows that were there before.
  private func ownInsertions(_ numbers: [Int]) -> [Int] {
    if insertions.isEmpty { return [] }
    let before = Set(numbers)
    let come = itemIdentities.indices.filter { !before.contains($0) }
    let own = Set(insertions.filter(\.selects).flatMap(\.objects))
    let all = Set(come.map { itemIdentities[$0] })
    insertions.removeAll { all.isSuperset(of: $0.objects) }
    return come.filter { own.contains(itemIdentities[$0]) }
  }

  /// Makes a change of elements of the content between its announcement and its end.
  ///
  /// - Parameters:
  ///   - objects: The objects that come, at their indexes then; none for a removal.
  ///   - work: Says what is to be arranged then, told the rows of the objects.
  private func change(
    _ kind: ChangeKind, _ objects: [KVObject], at indexes: [Int],
    _ work: ([Int]) -> Rearrangement = { Rearrangement(fresh: $0) }
  ) {
    let before = contentChanges + modelChanges
    willChange(kind, valuesAt: indexes, forKey: "content")
    let isOutdated = contentChanges + modelChanges != before
    let rows = take(kind, objects, at: indexes)
    contentChanges += 1
    let arrangement = work(rows)
    // The objects that nobody has given a place.
    let free = watch == nil ? [] : arrangement.fresh.map { itemIdentities[$0] }
    note(arrangement)
    didChange(kind, valuesAt: indexes, forKey: "content")
    if isOutdated { takeModel() }
    settle()
    if !free.isEmpty, DeliveryScope.mayWait { placeLater(free) }
  }

  /// Changes elements of the content, and answers the rows of the elements that have come.
  private func take(_ kind: ChangeKind, _ objects: [KVObject], at indexes: [Int]) -> [Int] {
    var places = indexes.filter { $0 < stored.count }, objects = objects
    switch kind {
    case .insertion:
      places = stored.places(inserting: indexes)
      // Objects that are added at the end leave the others their rows.
      if places[0] < stored.count { renumber(Array(stored.indices).afterInsertion(at: places)) }
    case .removal: renumber(Array(stored.indices).numbersAfterRemoval(at: places))
    default:
      let others = zip(indexes, objects).filter { $0 < stored.count && stored[$0] !== $1 }
      (places, objects) = (others.map(\.0), others.map(\.1))
      var numbers = Array(stored.indices)
      for place in places { numbers[place] = -1 }
      renumber(numbers)
    }
    let gone = kind == .insertion ? [] : places.map { stored[$0] }
    stored.change(kind, objects, at: places)
    itemIdentities.change(kind, identities(of: objects), at: places)
    watch(objects, insteadOf: gone)
    return kind == .removal ? [] : places
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
