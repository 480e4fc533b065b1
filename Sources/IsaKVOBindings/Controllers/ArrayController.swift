public import IsaKVO

/// A list of objects between a model and what shows it: sorted, filtered, and with a selection.
///
///     let people = ArrayController<Person>()
///     people.sort = [.ascending(\.name)]
///     people.filter = .where(\.age, >=, 18)
///     people.content = [ann, bob]
///     let rows = people.observe(\.arrangedObjects, options: [.old, .new]) { people, change in
///       // one removal, one replacement where the order differs, one insertion
///     }
///     people.select(0)
///
/// ``arrangedObjects`` tells which rows leave, which have moved, and which come, with their indexes.
/// Whenever it, or anything else here, is told, ``selectionIndexes`` lie within it and
/// ``selectedObjects`` are what they say. Objects are told apart by identity; an object that the
/// content has twice is two rows.
///
/// The keys for key-value coding are the names of the properties: `content`, `arrangedObjects`,
/// `selectionIndexes` and so on. An observer of any of them may change the controller: what it shows
/// follows once the present change is told, before the outermost call returns.
///
/// It keeps its content, and belongs to the thread, or the actor, to which its elements belong.
///
/// - Note: Source `NSArrayController`, AppKit; it announces a removal, a replacement and an insertion
///   where AppKit announces a setting.
open class ArrayController<Element: KVObject>: ArrangingController<Element> {
  // MARK: Settings

  /// Whether adding to the controller drops the filter; true at first.
  @Dynamic public var clearsFilterOnInsertion = true

  // MARK: State

  /// The content, and the identities of its elements.
  final var stored: [KVObject] = []
  final var itemIdentities: [ObjectIdentifier] = []
  /// The rows that are shown, and the index in the content of each; -1 if it is gone from there.
  final var arranged: [KVObject] = []
  final var rows: [Int] = []
  final var selected = IndexList()
  /// A selection that could not be shown for want of content.
  final var wanted: IndexList?
  final var filtering: Filter<Element>?
  /// How often the content and the selection have changed.
  final var contentChanges = 0, selectionChanges = 0

  /// The changes that the arrangement has not followed yet; nil if there are none.
  final var pending: Rearrangement?
  /// The changes that the arrangement is following.
  final var working: Rearrangement?
  /// Elements that a transaction has yet to find a place for.
  final var unplaced: Set<ObjectIdentifier> = []
  /// Rows on their way into the arrangement.
  final var arriving: [Int] = []
  /// The insertions by the controller's user of which the model has not told yet.
  final var insertions: [Insertion] = []
  /// How often the model has told of changes.
  final var modelChanges = 0
  /// The watches of ``rows(_:changed:)``.
  final var rowWatches: [RowWatch] = []
  /// Whether a subclass arranges in its own way.
  private(set) final lazy var arrangesItself = type(of: self).overridesArrange

  deinit {
    // Somebody may keep their tokens.
    for watch in rowWatches { watch.invalidate() }
  }

  /// Declares the keys of the controller; a subclass adds to what `super` answers.
  open override class var keys: [KeyDeclaration] {
    super.keys + [
      .announced("content", \ArrayController.content),
      .announced("arrangedObjects", \ArrayController.arrangedObjects),
      .announced("filter", \ArrayController.filter),
      .announced("selectionIndexes", \ArrayController.selectionIndexes),
      .announced("selectionIndex", \ArrayController.selectionIndex),
      .announced("selectedObjects", \ArrayController.selectedObjects),
      .announced("canSelectNext", \ArrayController.canSelectNext),
      .announced("canSelectPrevious", \ArrayController.canSelectPrevious),
      .announced("canAdd", \ArrayController.canAdd, affectedBy: [\ArrayController.isEditable]),
      .announced(
        "canInsert", \ArrayController.canInsert, affectedBy: [\ArrayController.isEditable]),
    ]
  }

  override final var awaitsContent: Bool { wanted != nil }

  override final var boundModel: ContentSource<Element>? {
    super.boundModel
      ?? binding(named: .contentArray)?.withState { $0.named }?.list(of: Element.self)
  }

  override final var isOutdated: Bool { pending != nil }

  override final func arrangeOrNotify() { if pending == nil { close() } else { carryOut() } }

  override final func abandon() { pending = nil }

  override final var present: SelectionState { state(of: selected) }

  override final func rearranging(_ key: String, _ change: () -> Void) {
    announcing(key) {
      change()
      updateWatch()
      note(Rearrangement(cause: .order, isComplete: true))
    }
    settle()
  }

  // MARK: Content and arrangement

  /// The objects, in their own order. Setting it keeps filter and sort; setting the very same objects
  /// tells nothing.
  ///
  /// - Complexity: O(*n*), and that of sorting.
  public var content: [Element] {
    get { reading("content") { asElements(stored) } }
    set { setContent(newValue) }
  }

  /// The objects that are shown, filtered and sorted.
  public var arrangedObjects: [Element] { reading("arrangedObjects") { asElements(arranged) } }

  /// Says what is shown; all of the content if nil. Setting it arranges at once.
  public var filter: Filter<Element>? {
    get { reading("filter") { filtering } }
    set { rearranging("filter") { filtering = newValue } }
  }

  /// Arranges the content anew, as after changes of elements that the controller was not told of. It
  /// tells nothing if nothing is elsewhere.
  open func rearrange() {
    note(Rearrangement(cause: .order, isComplete: true))
    settle()
  }

  /// The objects of `objects` that are shown, in the order in which they are shown.
  ///
  /// An override may call `super`, and leave out or reorder what it answers; it is then asked at every
  /// change of the content. It must not change the controller.
  ///
  /// - Parameter objects: The content.
  /// - Returns: Objects of the content, each at most as often as it is in there; more are left out.
  open func arrange(_ objects: [Element]) -> [Element] { order(of: objects).map { objects[$0] } }

  // MARK: Adding and removing

  /// Whether ``add()`` may be called: the controller is editable, and there is one list that the content
  /// is bound to, if it is.
  public var canAdd: Bool { reading("canAdd") { isEditable && hasPlace } }

  /// Whether objects may be inserted: as ``canAdd``.
  public var canInsert: Bool { reading("canInsert") { isEditable && hasPlace } }

  /// Adds an object that ``ArrangingController/makeObject`` makes.
  open func add() { if let object = makeObject() { add(object) } }

  /// Adds an object at the end of the content. It is shown at its place if the controller sorts, at the
  /// end otherwise, and not at all if there is a filter that refuses it.
  ///
  /// - Complexity: O(*n*).
  open func add(_ object: Element) { add(contentsOf: [object]) }

  /// Adds objects at the end of the content, in one change.
  open func add(contentsOf objects: [Element]) { insert(objects, atArranged: nil) }

  /// Inserts an object so that it is shown at `index`, even if the controller sorts, until it arranges
  /// anew. In the content it goes before the object that was shown there if the controller neither
  /// sorts nor filters, else to the end.
  ///
  /// An index beyond the end is the end; a negative index stops the process.
  open func insert(_ object: Element, atArranged index: Int) {
    insert([object], atArranged: IndexList(index)[0])
  }

  /// Removes an object from the content, as often as it is there.
  open func remove(_ object: Element) { remove(contentsOf: [object]) }

  /// Removes objects from the content, as often as they are there, in one change.
  open func remove(contentsOf objects: [Element]) { removeAll(objects) }

  /// Removes the object that is shown at `index`: this occurrence, and no other.
  ///
  /// - Parameter index: An index beyond the end removes nothing.
  open func remove(atArranged index: Int) { remove(atArranged: IndexList(index)) }

  /// Removes the objects that are shown at `indexes`, in one change.
  open func remove(atArranged indexes: IndexList) {
    remove(at: indexes.clipped(to: rows.count).map { rows[$0] }.filter { $0 >= 0 }.sorted())
  }

  /// Removes the selected objects, in one change.
  open func removeSelected() { remove(atArranged: selected) }
}
