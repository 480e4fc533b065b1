public import IsaKVO
internal import IsaKeyValue

// Watched properties of elements: the properties that arrange the elements, and the shown ones.
extension ArrayController {
  // MARK: Arrangement

  /// Watches the properties that the arrangement depends on, if it is to follow them.
  final func updateWatch() {
    var keys: Set<ElementKey> = []
    if watches {
      keys.formUnion(sorting.flatMap(\.dependencies))
      keys.formUnion(filtering?.dependencies ?? [])
    }
    if keys == Set(watch?.keys ?? []) { return }
    watch = keys.isEmpty ? nil : ElementWatch(keys) { [weak self] in self?.elementChanged($0) }
    watch?.add(stored)
  }

  /// Watches other elements.
  final func watch(_ new: [KVObject], insteadOf old: [KVObject]) {
    for watch in [watch].compactMap(\.self) + rowWatches.compactMap(\.watch) {
      watch.add(new)
      watch.remove(old)
    }
  }

  /// Brings an element that has changed to its place.
  private func elementChanged(_ element: KVObject) {
    atHome { [weak self] in
      guard let self else { return }
      if DeliveryScope.mayWait {
        placeLater([ObjectIdentifier(element)])
      } else {
        place(rows(of: element))
      }
    }
  }

  /// Brings rows that have changed to their places.
  private func place(_ altered: [Int]) {
    if altered.isEmpty { return }
    note(Rearrangement(cause: .order, altered: altered))
    settle()
  }

  /// Finds the places of elements once a transaction has told of all that has changed in it: a place is
  /// found among elements that are in order.
  final func placeLater(_ elements: some Sequence<ObjectIdentifier>) {
    unplaced.formUnion(elements)
    DeliveryScope.afterDeliveries { [weak self] in
      guard let self, !unplaced.isEmpty else { return }
      let (elements, identities) = (unplaced, itemIdentities)
      unplaced = []
      place(identities.indices.filter { elements.contains(identities[$0]) })
    }
  }

  /// The indexes of an element in the content.
  private func rows(of element: KVObject) -> [Int] {
    let identity = ObjectIdentifier(element)
    var found: [Int] = []
    // A copy, which no step has to be checked for.
    let identities = itemIdentities
    for (row, other) in identities.enumerated() where other == identity { found.append(row) }
    return found
  }

  // MARK: Columns

  /// Watches a property of every element that is shown, as a column of a table does.
  ///
  ///     column = people.rows(\.name) { row, name in table.reload(row, name) }
  ///
  /// - Parameters:
  ///   - property: A property of the elements. One of their own that depends on no others is watched by
  ///     shared observers, as by ``ArrangingController/automaticallyRearranges``.
  ///   - changed: Told of the row, as it is at that time, and the value, whenever the property has
  ///     changed in an element that is shown; for each of its rows. Where a change moves the element,
  ///     it need not be known at which of the two rows it is told. At the end of a transaction it is
  ///     told last, when the keeper of the rows has heard which came and went.
  /// - Returns: The only owner of the observation; dropping it ends the observation, and so does the
  ///   end of the controller.
  /// - Complexity: O(*n*) to make, O(*n*) in steps over numbers to be told.
  public func rows<Value>(
    _ property: KeyPath<Element, Value>, changed: @escaping (Int, Value) -> Void
  ) -> KeyValueObservation {
    weak var column: RowWatch?
    let watch = ElementWatch([.property(property)]) { [weak self] element in
      self?.atHome { [weak self] in
        DeliveryScope.afterDeliveries {
          guard let self, column?.isValid == true, let element = element as? Element else { return }
          for row in self.positions(of: element) { changed(row, element[keyPath: property]) }
        }
      }
    }
    watch.add(stored)
    let row = RowWatch(watch)
    column = row
    rowWatches.removeAll { $0.watch == nil }
    rowWatches.append(row)
    return KeyValueObservation(row)
  }

  private func positions(of element: KVObject) -> [Int] {
    let altered = Set(rows(of: element))
    return altered.isEmpty ? [] : rows.indices.filter { altered.contains(rows[$0]) }
  }
}

/// A watch that an observation owns.
final class RowWatch: RegistrationControl {
  private let state: Locked<ElementWatch?>

  init(_ watch: ElementWatch) { state = Locked(watch) }

  /// The watch; nil once it has ended.
  var watch: ElementWatch? { state.withLock { $0 } }

  var isValid: Bool { watch != nil }

  func invalidate() {
    let watch = state.withLock { watch in
      defer { watch = nil }
      return watch
    }
    withExtendedLifetime(watch) {}
  }

  func invalidateAndWait() { invalidate() }
}
