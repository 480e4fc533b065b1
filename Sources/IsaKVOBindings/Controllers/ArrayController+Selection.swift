internal import IsaKVO
internal import IsaKeyValue

extension ArrayController {
  final func state(of indexes: IndexList) -> SelectionState {
    SelectionState(
      indexes: indexes, objects: indexes.map { arranged[$0] }, count: arranged.count,
      arrangementChanges: arrangementChanges)
  }

  // MARK: Reading and setting

  /// The indexes, in ``arrangedObjects``, of what is selected. Those beyond the end are left out.
  ///
  /// An editor's refusal leaves the selection as it is, and is a misuse; ``select(_:)-(IndexList)``
  /// answers false instead.
  public var selectionIndexes: IndexList {
    get { reading("selectionIndexes") { shown.indexes } }
    set { selecting { () throws(KeyValueError) in try trySelect(newValue) } }
  }

  /// The first index of ``selectionIndexes``; setting it selects that alone, and nothing if nil.
  public var selectionIndex: Int? {
    get { reading("selectionIndex") { shown.indexes.first } }
    set { selectionIndexes = newValue.map { IndexList($0) } ?? [] }
  }

  /// The objects that are selected, in the order in which they are shown. Setting it selects the
  /// objects that are shown, and leaves others out.
  public var selectedObjects: [Element] {
    get { reading("selectedObjects") { asElements(shown.objects) } }
    set { selectionIndexes = positions(of: asObjects(newValue)) }
  }

  /// Selects the rows at `indexes`, and nothing else.
  ///
  /// - Parameter indexes: Those beyond the end are left out.
  /// - Returns: Whether it has changed the selection: an editor that refuses to commit keeps it.
  @discardableResult
  public func select(_ indexes: IndexList) -> Bool {
    do { return try trySelect(indexes) } catch { return false }
  }

  /// Selects one row, and nothing else; nothing if there is none at `index`.
  ///
  /// - Returns: As ``select(_:)-(IndexList)``.
  @discardableResult
  public func select(_ index: Int) -> Bool { select(IndexList(index)) }

  /// Selects the objects, as far as they are shown, and nothing else.
  ///
  /// - Returns: As ``select(_:)-(IndexList)``.
  @discardableResult
  public func select(_ objects: [Element]) -> Bool { select(positions(of: asObjects(objects))) }

  /// Selects an object, if it is shown, and nothing else.
  ///
  /// - Returns: As ``select(_:)-(IndexList)``.
  @discardableResult
  public func select(_ object: Element) -> Bool { select([object]) }

  /// Whether ``selectNext()`` has somewhere to go.
  public var canSelectNext: Bool { reading("canSelectNext") { shown.canSelectNext } }

  /// Whether ``selectPrevious()`` has somewhere to go.
  public var canSelectPrevious: Bool {
    reading("canSelectPrevious") { shown.canSelectPrevious }
  }

  /// Selects the row behind the first that is selected, or the first row if none is.
  ///
  /// - Returns: As ``select(_:)-(IndexList)``; false at the end.
  @discardableResult
  public func selectNext() -> Bool { canSelectNext && select((selected.first ?? -1) + 1) }

  /// Selects the row before the first that is selected.
  ///
  /// - Returns: As ``select(_:)-(IndexList)``; false at the start.
  @discardableResult
  public func selectPrevious() -> Bool { canSelectPrevious && select((selected.first ?? 1) - 1) }

  /// The positions at which objects are shown; of an object that is shown twice as often as `objects`
  /// have it, the first ones first.
  private func positions(of objects: [KVObject]) -> IndexList {
    var finder = OccurrenceFinder(identities(of: arranged))
    return IndexList(objects.compactMap { finder.take(ObjectIdentifier($0)) })
  }

  // MARK: Changing

  /// Selects rows once the editors have committed.
  ///
  /// - Throws: An editor's refusal.
  private func trySelect(_ indexes: IndexList) throws(KeyValueError) -> Bool {
    let before = arrangementChanges
    let clipped = indexes.clipped(to: arranged.count)
    wanted = clipped.count < indexes.count && arranged.isEmpty ? indexes : nil
    if clipped == selected { return false }
    let objects = clipped.map { arranged[$0] }
    try commitEditing()
    // A commit may have moved rows: the meant objects are selected, wherever they are now.
    let next = arrangementChanges == before ? clipped : positions(of: objects)
    if next == selected { return false }
    changeSelection(to: next)
    return true
  }

  /// Selects rows. Observers that are told before may change the controller, which follows behind this.
  private func changeSelection(to next: IndexList) {
    holding {
      beginNotifying()
      open(state(of: next).differences(from: present))
      selected = next
      selectionChanges += 1
    }
  }
}
